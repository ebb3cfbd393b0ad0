# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# The source is the tree around this folder. A port in vcpkg's collection downloads the tarball of a release instead.
cmake_path(GET CURRENT_PORT_DIR PARENT_PATH packaging)
cmake_path(GET packaging PARENT_PATH SOURCE_PATH)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  fastflow WEIR_FASTFLOW
  mpi WEIR_WITH_MPI)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${features} "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
  -DWEIR_APPS=OFF -DWEIR_TOOLS=OFF -DWEIR_TESTS=OFF -DWEIR_EXAMPLES=OFF -DWEIR_UNITY=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME weir CONFIG_PATH lib/cmake/weir)
if("mpi" IN_LIST FEATURES)
  vcpkg_cmake_config_fixup(PACKAGE_NAME mpistream CONFIG_PATH lib/cmake/mpistream)
endif()
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
