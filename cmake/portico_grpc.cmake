# The evaluator protocol's messages, made by protoc: a library of their own because what is generated
# does not stand our warnings. What goes into libportico_grpc.so is position independent.
set(out ${CMAKE_BINARY_DIR}/generated/fngrpc/internal)
file(MAKE_DIRECTORY ${out})
add_custom_command(
  OUTPUT ${out}/evaluator.pb.cc ${out}/evaluator.pb.h
         ${out}/evaluator.grpc.pb.cc ${out}/evaluator.grpc.pb.h
  COMMAND ${PROTOC_PROGRAM} --proto_path=${CMAKE_SOURCE_DIR}/src/fngrpc
          --cpp_out=${out} --grpc_out=${out} --plugin=protoc-gen-grpc=${PROTOC_GRPC_PROGRAM}
          evaluator.proto
  DEPENDS ${CMAKE_SOURCE_DIR}/src/fngrpc/evaluator.proto)
add_library(portico_evaluator_proto STATIC ${out}/evaluator.pb.cc ${out}/evaluator.grpc.pb.cc)
target_include_directories(portico_evaluator_proto SYSTEM
  PUBLIC ${CMAKE_BINARY_DIR}/generated PRIVATE ${out})
target_link_libraries(portico_evaluator_proto PUBLIC PkgConfig::grpc)
set_target_properties(portico_evaluator_proto PROPERTIES POSITION_INDEPENDENT_CODE ON)
set_target_properties(portico_base PROPERTIES POSITION_INDEPENDENT_CODE ON)
