// Runs any function on any resource list with any config. The first line is the function's image;
// if that names no function, its first byte selects one. The first document is the config if it is
// KRM; the others are the items.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "functions/catalog.h"
#include "krm/object.h"

namespace portico {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 16384) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  const auto catalog = functions::catalog();
  const functions::Entry* entry = functions::find(input.substr(0, line));
  if (entry == nullptr) entry = &catalog[data[0] % catalog.size()];
  const auto objects = krm::Object::parse_file(input.substr(line + 1));
  if (!objects || objects->empty()) return 0;
  krm::ResourceList list;
  if (objects->front().is_krm()) list.function_config = objects->front();
  for (std::size_t i = 1; i < objects->size(); ++i) {
    const int index = static_cast<int>(i);
    const krm::Object& object = (*objects)[i];
    const char* file = object.kind() == "Kptfile" ? "Kptfile" : "f.yaml";
    list.items.push_back({object, file, index, "", index});
  }
  const functions::Outcome outcome = entry->run(list);
  if (outcome.exit_code != 0 && outcome.list.results.empty()) std::abort();
  // The output can be written and read again.
  for (const krm::Item& item : outcome.list.items)
    if (outcome.exit_code == 0 && !krm::Object::parse_file(item.object.text())) std::abort();
  return 0;
}

}  // namespace portico
