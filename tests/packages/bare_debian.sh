#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   bare_debian.sh FOLDER    installs the packages in FOLDER on a bare Debian 12, which it makes in a temporary folder: first what
#                            users of programs install, and runs the programs, without a compiler; then what authors of
#                            programs install, and builds the project of tests/consumer there. Removes all packages, and looks
#                            for what they leave. Needs root and mmdebstrap. Prints each check that fails
set -euo pipefail
packages=$(readlink -f -- "$1")
tree=$(readlink -f -- "$(dirname -- "$0")/../..")
[ "$(id -u)" = 0 ] || { echo "bare_debian.sh: needs root, to make a system in a folder" >&2; exit 1; }
# Mounts end with this process.
if [ -z "${WEIR_OWN_MOUNTS:-}" ]; then
  exec unshare --mount --pid --fork --kill-child env WEIR_OWN_MOUNTS=1 "$0" "$@"
fi
work=$(mktemp -d)
root=$work/root
trap 'umount -R "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
failures=0
failed() {
  failures=$((failures + 1))
  echo "FAILED: $1: $(tail -n 15 "$work/log")"
}

# The packages of Debian come from where this machine gets its own.
sources=()
while IFS= read -r file; do sources+=("$file"); done < <(find /etc/apt -name '*.sources' -o -name '*.list' | sort)
grep -hE '^[^#]' "${sources[@]}" | grep -q . || { echo "bare_debian.sh: no sources of packages in /etc/apt" >&2; exit 1; }
# How this machine's apt reaches them.
apt-config dump | grep '^Acquire::' >"$work/acquire.conf" || true
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "-- making a bare Debian"
mmdebstrap --variant=apt --aptopt="$work/acquire.conf" --skip=check/empty "$suite" "$root" "${sources[@]}" >"$work/log" 2>&1 || { failed 'making a bare Debian'; exit 1; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root/weir/packages" "$root/weir/project"
cp "$packages"/*.deb "$root/weir/packages/"
cp -r "$tree/tests/consumer/." "$root/weir/project/"
cp "$tree/README.md" "$root/weir/text"
inside() {
  chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -c "cd /weir && $1" >"$work/log" 2>&1
}
does() { inside "$1" || failed "$1"; }
chroot "$root" dpkg-query -W -f '${Package}\n' >"$work/before"

does 'apt-get update'

echo "-- programs"
does 'apt-get install -y --no-install-recommends ./packages/weir-tools_*.deb ./packages/weir-apps_*.deb ./packages/libweir0*_*.deb ./packages/weir-doc_*.deb'
for compiler in g++ gcc cmake pkg-config; do [ ! -e "$root/usr/bin/$compiler" ] || failed "$compiler was installed with programs"; done
does 'weir --version | grep -q "^weir 0[.]"'
does 'printf "to be or not to be\n" >words && [ "$(wordcount words | sort | head -n 4 | tr -s " \n" " ")" = "1 not 1 or 2 be 2 to " ]'
does '[ "$(filesearch -c farm text)" = "$(grep -cE farm text)" ]'
does 'recgen -r 64 -s 10000 records && extsort records -o sorted -m 64M && recheck --stable --input records sorted'
does 'swsearch --help && dff_run --help'
does '[ "$(weir graph -- wordcount text | head -c 7)" = digraph ]'
does 'weir run --help'
does 'test -s /usr/share/doc/weir/docs/README.md'
does 'for file in /usr/bin/weir /usr/bin/wordcount /usr/lib/*/libweir.so.0.?; do ! ldd $file | grep -q "not found" || exit 1; done'

echo "-- development"
does 'apt-get install -y --no-install-recommends ./packages/*.deb g++ cmake ninja-build libopenmpi-dev'
for kind in OFF ON; do
  does "cmake -S project -B build-$kind -G Ninja -D CMAKE_BUILD_TYPE=Release -D weir_USE_STATIC_LIBS=$kind && cmake --build build-$kind"
  for program in consumer fastflow_program 'loader ./libplugin.so' stream_program; do
    does "cd build-$kind && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_gds=hash ./$program"
  done
done
does 'readelf -d build-OFF/consumer | grep -q libweir.so.0. && ! readelf -d build-ON/consumer | grep -q libweir.so'
does 'grep -q "mpi TRUE (/usr/lib/weir/weir_mpi_mpich.so;/usr/lib/weir/weir_mpi_openmpi.so), mpistream TRUE" <(cmake -S project -B build-OFF)'
does 'g++ -std=c++20 -O2 project/main.cpp project/errors.cpp $(pkg-config --cflags --libs weir) -o by_pkg_config && ./by_pkg_config'
does 'g++ -std=c++20 -O2 project/main.cpp project/errors.cpp $(pkg-config --cflags --libs weir-static) -o by_pkg_config && ./by_pkg_config'
does 'gcc project/stream.c $(pkg-config --cflags --libs mpistream-openmpi) -o stream && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_gds=hash ./stream'

echo "-- removal"
names=$(for file in "$packages"/*.deb; do dpkg-deb -f "$file" Package; done | tr '\n' ' ')
does "dpkg --purge $names"
does '[ -z "$(find / -xdev -path /weir -prune -o -path /proc -prune -o -path /dev -prune -o -path /var -prune -o -iname "*weir*" -print -o -iname "*mpistream*" -print)" ]'
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
