# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

from spack.package import *


class Weir(CMakePackage):
    """Structured parallel streaming for C++20, on all cores of a machine or of a cluster."""

    license("Apache-2.0")

    # From a tree: `spack develop --path TREE weir@0.2.0`. A release adds its address and checksum here.
    version("0.2.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("fastflow", default=True, description="FastFlow's headers on weir's engine")
    variant("mpi", default=False, description="The plugin for MPI, and MPIStream")
    variant("tools", default=True, description="The command weir")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("asio", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("hwloc")
    depends_on("openssl")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("openmpi", when="+mpi")
    depends_on("cli11", type="build", when="+tools")
    depends_on("fmt", when="+tools")

    conflicts("%gcc@:11", msg="weir needs C++20 as g++ 12 has it")
    conflicts("%clang@:15", msg="weir needs C++20 as clang 16 has it")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEIR_FASTFLOW", "fastflow"),
            self.define_from_variant("WEIR_WITH_MPI", "mpi"),
            self.define_from_variant("WEIR_TOOLS", "tools"),
            self.define("WEIR_APPS", False),
            self.define("WEIR_TESTS", self.run_tests),
            self.define("WEIR_EXAMPLES", False),
        ]
