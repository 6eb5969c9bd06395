// Any function over any resource list with any config: the first byte chooses the function, the
// first document is the config, the others are the items.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "functions/catalog.h"
#include "krm/object.h"

namespace portico {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 16384) return 0;
  const auto catalog = functions::catalog();
  const functions::Entry& entry = catalog[data[0] % catalog.size()];
  const auto objects = krm::Object::parse_file({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (!objects || objects->empty()) return 0;
  krm::ResourceList list;
  list.function_config = objects->front();
  for (std::size_t i = 1; i < objects->size(); ++i) {
    const int index = static_cast<int>(i);
    list.items.push_back({(*objects)[i], i % 3 == 0 ? "Kptfile" : "f.yaml", index, "", index});
  }
  const functions::Outcome outcome = entry.run(list);
  if (outcome.exit_code != 0 && outcome.list.results.empty()) std::abort();
  // What comes out can be written and read again.
  for (const krm::Item& item : outcome.list.items)
    if (outcome.exit_code == 0 && !krm::Object::parse_file(item.object.text())) std::abort();
  return 0;
}

}  // namespace portico
