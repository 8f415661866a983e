# SPDX-License-Identifier: Apache-2.0
# The pkg-config file, and the package for Debian and Ubuntu (./dev package).

# What a program that is built without CMake links, as kaon::kaon has it.
set(KAON_PC_LIBS "-lboost_context -lfmt -lspdlog")
if(KAON_WITH_CUDA)
  string(APPEND KAON_PC_LIBS " -L${CUDAToolkit_LIBRARY_DIR} -Wl,-rpath,${CUDAToolkit_LIBRARY_DIR} -lcudart")
elseif(KAON_WITH_HIP)
  string(APPEND KAON_PC_LIBS " -lamdhip64")
endif()
file(RELATIVE_PATH KAON_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
if(KAON_CARRIED_UCX)
  set(KAON_PC_UCX "-L\${prefix}/${KAON_CARRIED_UCX}/lib -Wl,-rpath,\${prefix}/${KAON_CARRIED_UCX}/lib -lucp -lucs")
  set(KAON_PC_REQUIRES "hwloc")
else()
  set(KAON_PC_UCX "")
  set(KAON_PC_REQUIRES "hwloc ucx")
endif()
set(KAON_PC_SANITIZED "")
set(KAON_PC_SANITIZED_LINK "")
if(KAON_SANITIZE)
  set(KAON_PC_SANITIZED " ${KAON_SANITIZED_COMPILE}")
  set(KAON_PC_SANITIZED_LINK " ${KAON_SANITIZED_LINK}")
  if(KAON_SANITIZE MATCHES thread)
    string(APPEND KAON_PC_SANITIZED " -DKAON_SANITIZES_THREADS=1")  # of gpu/CMakeLists.txt
  endif()
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/kaon.pc.in" "${PROJECT_BINARY_DIR}/kaon.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/kaon.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# One package for who builds programs on Kaon and who starts them. UCX goes along, with modules whose vendors' libraries
# need not be there; so what it needs is named here and not found out from its files.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kaon)
set(CPACK_PACKAGE_VENDOR Kaon)
set(CPACK_PACKAGE_CONTACT "The Kaon developers <kaon@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, pkg-config, libhwloc-dev, libfmt-dev, libspdlog-dev, libcli11-dev")
string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS
       ", libboost${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev"
       ", libboost-context${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev")
# Loaded when they are there: launchers' PMIx, and graph partitions.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake, libpmix2 | libpmix2t64, libmetis5")
include(CPack)
