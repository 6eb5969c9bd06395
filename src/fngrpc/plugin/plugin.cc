// The only symbol that the program looks up in libportico_grpc.so.
#include "fngrpc/link.h"

extern "C" __attribute__((visibility("default"))) const portico::fnrun::EvaluatorLink*
portico_evaluator_link() {
  static const portico::fngrpc::GrpcLink kLink;
  return &kLink;
}
