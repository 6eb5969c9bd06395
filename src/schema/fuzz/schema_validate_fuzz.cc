// Any schema and any object, as a list of the two (and optionally an older object): take_in()
// terminates and is idempotent, and an unchanged object has no violations.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/text.h"
#include "schema/object.h"
#include "schema/schema.h"
#include "schema/structural.h"
#include "schema/validate.h"

namespace json = portico::json;
namespace schema = portico::schema;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto input = json::parse(text, {.bytes = 1 << 16, .depth = 64});
  if (!input || !(*input)[std::size_t{1}].is_object()) return 0;
  const auto schema = schema::parse((*input)[std::size_t{0}]);
  if (!schema) return 0;
  const auto taken = schema::take_in((*input)[std::size_t{1}], *schema);
  if (!taken) return 0;
  const bool sound = schema::structural_causes(*schema, "schema").empty();
  const auto again = schema::take_in(taken->object, *schema);
  // A default that its own schema prunes is never structural.
  if (sound && (!again || again->object != taken->object || !again->unknown.empty())) std::abort();
  const schema::ObjectRules rules{
      .rules = schema::Rules::compile(*schema),
      .namespaced = false,
      .name = schema::NameRule::kSubdomain,
      .scale = schema::ScalePaths{".spec.replicas", ".status.replicas"}};
  schema::create_causes(taken->object, *schema, rules);
  if (!schema::validate_update(taken->object, taken->object, *schema).empty()) std::abort();
  const json::Value& old = (*input)[std::size_t{2}];
  if (old.is_object()) schema::update_causes(taken->object, old, *schema, rules);
  return 0;
}
