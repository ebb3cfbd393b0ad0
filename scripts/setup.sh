#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: setup.sh [build|demo|test|bench|site|browser|podman|release|libcxx]
#
# Installs the Debian 12 packages that are missing, as root or through sudo.
#
#   build  packages for building weir
#   demo   packages for demo.sh
#   test   packages for testing (default)
#   bench  packages for comparing with other libraries
#   site   packages for building the site of the documentation
#   browser
#          packages for looking at pages in a browser, which only a section of
#          the long tests does
#   podman packages for the page on containers, which a section of the long
#          tests runs
#   release
#          packages for building the files of a release and for checking them,
#          which only sections of --all do
#   libcxx clang 19 with its own standard library, for a section of the long
#          tests; 300 MB on the disk
#
# You may run it again at any time.
#
# Exit codes:
#   0  all packages are installed, or this is no Debian
#   1  packages are missing and can't be installed
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
export LC_ALL=C
build=(g++ cmake ninja-build pkg-config libhwloc-dev nlohmann-json3-dev libcli11-dev libfmt-dev libabsl-dev libre2-dev zlib1g-dev
  libzstd-dev libhwy-dev libxxhash-dev liburing-dev libssl-dev libasio-dev libcereal-dev libboost-dev graphviz)
tests=(git mold libopenmpi-dev openmpi-bin libmpich-dev mpich ccache libgtest-dev googletest clang-16 clang-format-16 clang-tidy-16 libclang-rt-16-dev python3 python3-numpy python3-jsonschema python3-pyte python3-prometheus-client curl elfutils unicode-data gzip zstd iproute2 openssl openssh-client libopenblas-pthread-dev
  libssw-dev mmseqs2-examples samtools qemu-user g++-aarch64-linux-gnu bash-completion zsh fish mandoc groff-base)
release=(git ccache mold dpkg-dev gzip lintian mmdebstrap abigail-tools libopenmpi-dev libmpich-dev)
site=(mkdocs mkdocs-material doxygen clang-format-16)
browser=(chromium chromium-driver python3-selenium fonts-dejavu-core)
podman=(podman runc)
libcxx=(clang-19 libc++-19-dev libc++abi-19-dev googletest)
bench=(iproute2 libopenmpi-dev openmpi-bin libmpich-dev mpich libtbb-dev libmimalloc-dev libreaderwriterqueue-dev libboost-dev libopenblas-pthread-dev ripgrep libssw-dev diamond-aligner mmseqs2-examples fio time python3 python3-venv python3-matplotlib python3-jinja2)
# On a system with services, installing these packages would start some; the tests that need them are skipped there.
[ -d /run/systemd/system ] || tests+=(openssh-server slurm-wlm munge) browser+=(prometheus)
case ${1:-test} in
  build) wanted=("${build[@]}") ;;
  demo) wanted=("${build[@]}" mmseqs2-examples) ;;
  test) wanted=("${build[@]}" "${tests[@]}" "${site[@]}") ;;
  site) wanted=("${site[@]}") ;;
  release) wanted=("${build[@]}" "${release[@]}") ;;
  browser) wanted=("${browser[@]}") ;;
  podman) wanted=("${podman[@]}") ;;
  libcxx) wanted=("${libcxx[@]}") ;;
  bench) wanted=("${build[@]}" "${bench[@]}") ;;
  *) echo "setup.sh: unknown group '$1'; say build, demo, test, bench, site, browser, podman, release or libcxx" >&2; exit 2 ;;
esac
missing=()
command -v dpkg-query >/dev/null || { echo "setup.sh: this is no Debian; make sure that these are installed: ${wanted[*]}" >&2; exit 0; }
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' ok installed$' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "setup.sh: these packages are missing; install them as root: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "setup.sh: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
