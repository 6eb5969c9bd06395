#include "merge/tree.h"

#include "merge/internal/three_way.h"

namespace portico::merge {

Result<Merged> merge_object(const krm::Object* base, const krm::Object& theirs,
                            const krm::Object& ours, const TreeOptions& options) {
  return internal::ThreeWay(base, theirs, ours, options).run();
}

}  // namespace portico::merge
