// The parts of a Kptfile that rendering uses.
#pragma once

#include <string>

#include "api/pipeline.h"
#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::render {

struct Kptfile {
  krm::Object object;
  api::Pipeline pipeline;
  bool breadth_first = false;    // kpt.dev/bfs-rendering
  bool save_on_failure = false;  // kpt.dev/save-on-render-failure
};

/// Strict, like kpt. kInvalid, with the field as place: an apiVersion other than kpt.dev/v1, an
/// unknown field, a function with both or neither of image and exec, both configMap and configPath,
/// or a configPath that leaves the package.
Result<Kptfile> read_kptfile(const krm::File& file);

}  // namespace portico::render
