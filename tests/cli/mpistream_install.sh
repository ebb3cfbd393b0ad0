#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   mpistream_install.sh BIN_DIR    builds MPIStream by itself for each MPI, installs it, and uses what is installed from CMake, with pkg-config, and from Fortran, if
#                                   there is a compiler for that; prints each check that fails. Ends with 77, and says why, where there is no MPI
here=$(dirname -- "$(readlink -f -- "$0")")
source=$here/../../mpistream
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 found=
failed() {
  failures=$((failures + 1))
  echo "FAILED: $mpi: $1: $(tail -5 log)"
}
sums() {
  bash "$here/../support/mpirun.sh" $mpi 4 "$1" >out 2>log && [ "$(cat out)" = 'sum of all elements: 9900' ] || failed "$1 printed $(cat out)"
}
mkdir user
cat >user/CMakeLists.txt <<'END_OF_FILE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(mpistream REQUIRED)
add_executable(by_cmake listing1.c)
target_link_libraries(by_cmake PRIVATE mpistream::mpistream)
END_OF_FILE
cp "$source/examples/listing1.c" user
for mpi in openmpi mpich; do
  command -v mpicc.$mpi >/dev/null || continue
  found=1
  compilers=(-D MPI_C_COMPILER=mpicc.$mpi -D MPI_CXX_COMPILER=mpicxx.$mpi)
  cmake -G Ninja -S "$source" -B $mpi/build "${compilers[@]}" -D MPISTREAM_EXAMPLES=ON >log 2>&1 &&
    cmake --build $mpi/build -j 2 >log 2>&1 && cmake --install $mpi/build --prefix "$work/$mpi/installed" >log 2>&1 || { failed 'building by itself'; continue; }
  sums $mpi/build/mpistream_listing1
  cmake -G Ninja -S user -B $mpi/user "${compilers[@]}" -D CMAKE_PREFIX_PATH="$work/$mpi/installed" >log 2>&1 && cmake --build $mpi/user >log 2>&1 || failed 'find_package'
  sums $mpi/user/by_cmake
  folder=$(dirname "$(find $mpi/installed -name mpistream.pc)")
  # shellcheck disable=SC2046
  mpicc.$mpi user/listing1.c $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs mpistream) -o $mpi/by_pkg_config >log 2>&1 || failed 'pkg-config'
  sums $mpi/by_pkg_config
  if command -v mpif90.$mpi >/dev/null && [ -e $mpi/installed/include/mpistream.mod ]; then
    mpif90.$mpi -I$mpi/installed/include "$source/examples/listing1.f90" -o $mpi/in_fortran -L"$folder/.." -lmpistream_fortran -lmpistream >log 2>&1 || failed 'Fortran'
    sums $mpi/in_fortran
    mpif90.$mpi -I$mpi/installed/include "$source/tests/fortran_test.f90" -o $mpi/fortran_test -L"$folder/.." -lmpistream_fortran -lmpistream >log 2>&1 || failed 'Fortran'
    bash "$here/../support/mpirun.sh" $mpi 4 $mpi/fortran_test >log 2>&1 || failed "Fortran: $(cat log)"
  else
    echo "$mpi: no Fortran compiler; its module is left out"
  fi
done
# A program that finds another MPI would be linked to both.
if [ -d openmpi/installed ] && [ -d mpich/installed ]; then
  mpi='openmpi for mpich'
  ! cmake -G Ninja -S user -B mixed -D MPI_C_COMPILER=mpicc.mpich -D CMAKE_PREFIX_PATH="$work/openmpi/installed" >log 2>&1 || failed 'find_package'
  tr -s '\n ' '  ' <log | grep -qF 'MPIStream was built for openmpi, but the MPI that CMake has found is mpich; choose another one by MPI_C_COMPILER' || failed 'the message'
fi
[ -n "$found" ] || { echo "no MPI is installed"; exit 77; }
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
