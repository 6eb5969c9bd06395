// Output of an external function: any text is refused, or gives items that can be written and
// read again and stay in the package.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "render/stream.h"

namespace portico::render {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16384) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  krm::ResourceList input;
  for (const char* name : {"a", "b"}) {
    auto object =
        krm::Object::parse(std::string("apiVersion: v1\nkind: X # k\nmetadata:\n  name: ") + name +
                           "\nlist: [1, 2]\n");
    const int index = static_cast<int>(input.items.size());
    input.items.push_back({*std::move(object), "x.yaml", index, "", index});
  }
  static_cast<void>(function_output(text, input));
  const auto list = read_stream(text);
  if (!list) return 0;
  const std::string written = write_stream(list->items, list->function_config);
  const auto again = read_stream(written);
  if (!again || again->items.size() != list->items.size()) std::abort();
  for (std::size_t i = 0; i < list->items.size(); ++i)
    if (again->items[i].object.value() != list->items[i].object.value()) std::abort();
  const auto package = sink(list->items);
  if (!package) return 0;
  for (const auto& [path, file] : package->files)
    if (path.starts_with("/") || path.starts_with("../") || path.find("/../") != path.npos)
      std::abort();
  return 0;
}

}  // namespace portico::render
