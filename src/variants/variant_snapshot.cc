#include "variants/variant_snapshot.h"

#include <algorithm>

#include "base/hash.h"
#include "json/text.h"

namespace portico::variants {

std::string inputs_hash(const api::PackageVariant& variant, const Revision& upstream,
                        std::vector<InjectedState> injected) {
  std::sort(injected.begin(), injected.end());
  std::vector<json::Value> objects;
  for (const InjectedState& one : injected)
    objects.push_back(json::Value::array({one.api_version, one.kind, one.name, one.content_hash}));

  api::PackageVariantSpec mutations;  // what of the spec changes content
  mutations.package_context = variant.spec.package_context;
  mutations.pipeline = variant.spec.pipeline;
  mutations.injectors = variant.spec.injectors;
  const auto& self = upstream.object->status.self_lock;
  const json::Value inputs = json::Value::object({
      {"variant", json::Value(variant.metadata.name)},
      {"upstream", self ? api::encode(*self) : json::Value(upstream.name())},
      {"mutations", api::encode(mutations)},
      {"injected", json::Value::array(std::move(objects))},
  });
  return sha256_hex(json::print(inputs));
}

}  // namespace portico::variants
