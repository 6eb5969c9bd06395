# Compiler and linker settings for every target, and the third-party libraries.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Paths are hashed relative to the checkout, so that other checkouts (worktrees, CI) share the cache.
  set(launcher env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()

# -g1: line tables only, which keeps stack traces readable and the build a quarter faster than -g.
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
if(PORTICO_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
else()
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
endif()

add_library(portico_flags INTERFACE)
target_include_directories(portico_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(portico_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wno-sign-conversion -Werror -fno-omit-frame-pointer
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 in inlined std::string, std::vector and std::variant code at -O2.
  target_compile_options(portico_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-maybe-uninitialized -Wno-dangling-pointer)
endif()
if(PORTICO_SANITIZE)
  target_compile_options(portico_flags INTERFACE -fsanitize=${PORTICO_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(portico_flags INTERFACE -fsanitize=${PORTICO_SANITIZE})
endif()
if(PORTICO_FUZZ)
  target_compile_options(portico_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(simdjson REQUIRED)
find_package(GTest REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CURL REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)

# There are many small objects: mimalloc makes handling them 1.2 to 2.7 times as fast. Sanitizers have
# their own allocator.
add_library(portico_allocator INTERFACE)
if(NOT PORTICO_SANITIZE)
  find_package(mimalloc REQUIRED)
  target_link_libraries(portico_allocator INTERFACE mimalloc)
endif()

# gRPC is optional: without it, functions cannot run on other servers. The thread sanitizer cannot see
# into it.
pkg_check_modules(grpc QUIET IMPORTED_TARGET grpc++ protobuf)
find_program(PROTOC_PROGRAM protoc)
find_program(PROTOC_GRPC_PROGRAM grpc_cpp_plugin)
if(grpc_FOUND AND PROTOC_PROGRAM AND PROTOC_GRPC_PROGRAM AND NOT PORTICO_SANITIZE STREQUAL "thread")
  set(PORTICO_GRPC ON)
endif()
