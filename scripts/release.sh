#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: release.sh [--check] [--unreleased]
#
# Builds the files of a release in build/release: a source tarball of the commit
# that is checked out, Debian packages built from that tarball, and SHA256SUMS.
# The version in CHANGELOG.md must be that of include/weir/version.hpp and have a
# date. The commit may not have changes that are not committed.
#
# Files do not depend on when and where they are built. DEBFULLNAME and DEBEMAIL
# give the maintainer that packages name.
#
#   --check       build everything a second time, in another folder and without
#                 the compiler's cache, and fail if any byte differs
#   --unreleased  build also if the version has no date yet, or the tree has
#                 changes, which are left out
#
# Exit codes:
#   0  success
#   1  the tree is not ready for a release, a build failed, or two builds differ
#   2  wrong usage
set -euo pipefail
case ${1:-} in -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;; esac
check='' unreleased=''
for option in "$@"; do
  case $option in
    --check) check=1 ;;
    --unreleased) unreleased=1 ;;
    *) echo "release.sh: unknown option '$option'; there are --check and --unreleased" >&2; exit 2 ;;
  esac
done
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
fail() {
  echo "release.sh: $*" >&2
  exit 1
}
for program in git cmake cpack ninja dpkg-shlibdeps gzip; do
  command -v "$program" >/dev/null || fail "there is no $program; run scripts/setup.sh release"
done
export LC_ALL=C TZ=UTC
umask 022

# ---- is it a release? ----

number() { sed -nE "s/^#define WEIR_VERSION_$1 ([0-9]+)$/\1/p" include/weir/version.hpp; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "include/weir/version.hpp: has no version"
heading=$(grep -m1 '^## ' CHANGELOG.md) || fail "CHANGELOG.md: has no section"
[[ $heading == "## $version"* ]] || fail "CHANGELOG.md: begins with '$heading', but the version is $version; write a section for it"
if [ -z "$unreleased" ]; then
  [[ $heading =~ ^"## $version, "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || fail "CHANGELOG.md: '$heading' has no date; write '## $version, $(date +%F)', or say --unreleased"
  [ -z "$(git status --porcelain)" ] || fail "the tree has changes that are not committed; commit them, or say --unreleased"
fi
tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] || fail "v$version is the tag of another commit; increase the version in include/weir/version.hpp"

# ---- build ----

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
maintainer=()
[ -z "${DEBEMAIL:-}" ] || maintainer=(-D "WEIR_MAINTAINER=${DEBFULLNAME:-The weir authors} <$DEBEMAIL>")
# build FOLDER: leaves the files of the release there.
build() {
  local folder=$1 source=$1/source/weir-$version
  rm -rf "$folder"
  mkdir -p "$folder/source"
  # Entries are in the order of git's tree, and have the time of the commit.
  git archive --format=tar --prefix="weir-$version/" HEAD | gzip -9n >"$folder/weir-$version.tar.gz"
  tar --no-same-permissions -xzf "$folder/weir-$version.tar.gz" -C "$folder/source"
  (
    cd "$source"
    cmake --preset debian "${maintainer[@]}" >"$folder/source/log" 2>&1 &&
      cmake --build --preset debian -j "$(nproc)" -- --quiet >>"$folder/source/log" 2>&1 &&
      cpack -G DEB --config build/debian/CPackConfig.cmake -B "$folder/source/packed" >>"$folder/source/log" 2>&1
  ) || { tail -n 30 "$folder/source/log" >&2; fail "the build failed"; }
  mv "$folder"/source/packed/*.deb "$folder"
  rm -rf "$folder/source"
  (cd "$folder" && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
}
mkdir -p build
release=$(pwd)/build/release
build "$release"
if [ -n "$check" ]; then
  CCACHE_DISABLE=1 build "$(pwd)/build/release-again"
  for file in "$release"/*; do
    cmp "$file" "build/release-again/${file##*/}" >&2 || fail "${file##*/}: two builds of it differ"
  done
  [ "$(find build/release-again -type f | wc -l)" = "$(find "$release" -type f | wc -l)" ] || fail "two builds have other files"
  rm -rf build/release-again
  echo "Two builds have the same bytes."
fi
cat "$release/SHA256SUMS"
[ -n "$unreleased" ] || [ -n "$tagged" ] || echo "Next: git tag -a v$version -m 'weir $version'"
