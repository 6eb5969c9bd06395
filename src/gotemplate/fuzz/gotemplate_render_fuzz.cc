// Go templates never crash or hang, whatever the input, and render deterministically.
#include <cstdlib>

#include "gotemplate/template.h"
#include "json/text.h"

namespace gotemplate = portico::gotemplate;
namespace json = portico::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const json::Value kObject =
      *json::parse(R"({"a":{"b":[1,"x",{"c":true}],"d":null},"e":[[1,2],[3]],"n":1.5,"s":"t\"<"})");
  const auto parsed = gotemplate::Template::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const auto once = parsed->render(kObject), again = parsed->render(kObject);
  if (once.ok() != again.ok() || (once && *once != *again)) std::abort();
  return 0;
}
