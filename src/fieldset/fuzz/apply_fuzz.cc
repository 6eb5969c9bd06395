// One JSON object per line, applied in turn by two managers with force: each is rejected, or
// applying it a second time changes nothing. The first line is the stored object.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fieldset/apply.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using json::Value;

constexpr std::string_view kSchema = R"({"type":"object","properties":{"s":{"type":"object",
  "properties":{
    "n":{"type":"integer"},
    "m":{"type":"object","additionalProperties":{"type":"string"}},
    "f":{"x-kubernetes-preserve-unknown-fields":true},
    "u":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"integer"}}},
    "t":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
    "a":{"type":"array","items":{"type":"string"}},
    "k":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["i","j"],
      "items":{"type":"object","properties":{"i":{"type":"string"},
        "j":{"type":"string","default":"d"},
        "t":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}}}}}}})";

const Versions& versions() {
  static const Versions kVersions = [] {
    Versions all;
    all.types.emplace("v1", ObjectType(*schema::parse(*json::parse(kSchema))));
    return all;
  }();
  return kVersions;
}

void run(std::string_view text) {
  Value live;
  for (int line = 0; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const auto object = json::parse(text.substr(0, end), {.bytes = 1 << 16, .depth = 60});
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!object || !object->is_object()) continue;
    const Writer writer{.manager = line % 2 == 0 ? "alice" : "kubectl",
                        .api_version = "v1",
                        .now = TimePoint(std::chrono::seconds(line))};
    if (line == 0) {
      live = track({}, *object, versions(), writer);
      continue;
    }
    const Value wanted = object->with("apiVersion", "v1").with("kind", "T");
    const auto applied = apply(live, wanted, true, versions(), writer);
    if (!applied) continue;
    const auto again = apply(*applied, wanted, true, versions(), writer);
    if (!again || *again != *applied) {
      std::fprintf(stderr, "applied again:\n%s\nonce:\n%s\n",
                   again ? json::print(*again).c_str() : again.error().text().c_str(),
                   json::print(*applied).c_str());
      std::abort();
    }
    live = *applied;
  }
}

}  // namespace
}  // namespace portico::fieldset

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  portico::fieldset::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
