# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Builds weir's libraries from the tree around this folder. The libraries that weir needs are those of the system."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt


class WeirConan(ConanFile):
    name = "weir"
    description = "Structured parallel streaming for C++20, on all cores of a machine or of a cluster"
    license = "Apache-2.0"
    topics = ("parallel", "streaming", "pipeline", "cluster", "mpi")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "fastflow": [True, False], "mpi": [True, False]}
    default_options = {"shared": False, "fPIC": True, "fastflow": True, "mpi": False}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "weir", "version.hpp"))
        self.version = ".".join(re.search(rf"WEIR_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        copy(self, "*", root, self.export_sources_folder, excludes=("build/*", ".git", ".git/*", "tests/*", "bench/*"))

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def system_requirements(self):
        wanted = ["libhwloc-dev", "libzstd-dev", "zlib1g-dev", "libssl-dev", "nlohmann-json3-dev", "libasio-dev", "libxxhash-dev",
                  "pkg-config"]
        if self.options.mpi:
            wanted += ["libopenmpi-dev"]
        Apt(self).install(wanted, check=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("APPS", "TOOLS", "TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"WEIR_{part}"] = False
        toolchain.cache_variables["WEIR_FASTFLOW"] = bool(self.options.fastflow)
        toolchain.cache_variables["WEIR_WITH_MPI"] = bool(self.options.mpi)
        toolchain.cache_variables["WEIR_UNITY"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # find_package(weir COMPONENTS ...) reads weir's own package, not one that Conan writes.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "weir"), os.path.join("lib", "cmake", "mpistream")]
        self.cpp_info.libs = ["weir"]
        self.cpp_info.system_libs = ["pthread", "dl"] if self.options.shared else ["hwloc", "zstd", "z", "ssl", "crypto", "pthread", "dl"]
