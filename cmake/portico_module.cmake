# portico_module(NAME [DEPS module...] [LIBS third-party targets...] [TEST_DEPS module...])
#
# A module is the folder src/NAME: its *.cc and internal/*.cc make the library portico_NAME,
# tests/*_test.cc one gtest binary labeled NAME, each bench/*_bench.cc a benchmark and each
# fuzz/*_fuzz.cc a fuzz target. DEPS is both the link line and the permission to include.
function(portico_module NAME)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS;TEST_DEPS" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY PORTICO_MODULES ${NAME})
  set(dir ${CMAKE_SOURCE_DIR}/src/${NAME})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/internal/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")  # belongs to the program, not to the library
  list(TRANSFORM ARG_DEPS PREPEND portico_)
  list(TRANSFORM ARG_TEST_DEPS PREPEND portico_)
  if(NOT NAME STREQUAL base)
    list(APPEND ARG_DEPS portico_base)
  endif()

  if(sources)
    add_library(portico_${NAME} STATIC ${sources})
    target_link_libraries(portico_${NAME} PUBLIC portico_flags ${ARG_DEPS} ${ARG_LIBS})
  else()
    add_library(portico_${NAME} INTERFACE)
    target_link_libraries(portico_${NAME} INTERFACE portico_flags ${ARG_DEPS} ${ARG_LIBS})
  endif()

  file(GLOB tests CONFIGURE_DEPENDS ${dir}/tests/*_test.cc)
  if(PORTICO_SANITIZE)  # sanitizers have their own allocators
    list(FILTER tests EXCLUDE REGEX "/allocation_test\\.cc$")
  endif()
  if(tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE
      portico_${NAME} ${ARG_TEST_DEPS} portico_testing GTest::gtest GTest::gmock GTest::gtest_main
      rapidcheck)
    add_test(NAME ${NAME} COMMAND ${NAME}_test)
    set_tests_properties(${NAME} PROPERTIES LABELS ${NAME}
      ENVIRONMENT "TZ=UTC;GIT_CONFIG_GLOBAL=/dev/null;GIT_CONFIG_NOSYSTEM=1")
  endif()

  file(GLOB benches CONFIGURE_DEPENDS ${dir}/bench/*_bench.cc)
  if(PORTICO_BENCH AND benches)
    find_package(benchmark REQUIRED)
    foreach(bench ${benches})
      get_filename_component(bench_name ${bench} NAME_WE)
      add_executable(${bench_name} ${bench})
      target_link_libraries(${bench_name} PRIVATE
        portico_${NAME} ${ARG_TEST_DEPS} benchmark::benchmark benchmark::benchmark_main
        portico_allocator)  # like the program
      target_compile_definitions(${bench_name} PRIVATE PORTICO_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    endforeach()
  endif()

  if(PORTICO_FUZZ)
    file(GLOB fuzzers CONFIGURE_DEPENDS ${dir}/fuzz/*_fuzz.cc)
    foreach(fuzzer ${fuzzers})
      get_filename_component(fuzz_name ${fuzzer} NAME_WE)
      add_executable(${fuzz_name} ${fuzzer})
      target_link_libraries(${fuzz_name} PRIVATE portico_${NAME} ${ARG_TEST_DEPS})
      target_link_options(${fuzz_name} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
