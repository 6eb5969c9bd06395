// Any JSON as a schema: reading it, checking it and compiling its rules neither crash nor hang, and
// what is read successfully can be read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/text.h"
#include "schema/rules.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace json = portico::json;
namespace schema = portico::schema;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = json::parse(text, {.bytes = 1 << 16, .depth = 64});
  if (!value) return 0;
  const auto schema = schema::parse(*value);
  if (!schema) return 0;
  const auto causes = schema::structural_causes(*schema, "schema");
  const auto again = schema::parse((*schema)->source);
  if (!again || schema::structural_causes(*again, "schema") != causes) std::abort();
  schema::Rules::compile(*schema);
  return 0;
}
