// Any JSON as any kind of this module: it is decoded or rejected, and what was decoded round-trips.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api/function_config.h"
#include "api/package_resources.h"
#include "api/package_revision.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "api/repository.h"
#include "json/text.h"

namespace {

template <class T>
void round_trip(const portico::json::Value& value) {
  const auto decoded = portico::api::decode_reporting<T>(value);
  if (!decoded) return;
  const auto again = portico::api::decode<T>(portico::api::encode(decoded->value));
  if (!again || !(*again == decoded->value)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace api = portico::api;
  const auto value =
      portico::json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!value) return 0;
  round_trip<api::Repository>(*value);
  round_trip<api::FunctionConfig>(*value);
  round_trip<api::PackageVariant>(*value);
  round_trip<api::PackageVariantSet>(*value);
  round_trip<api::PackageRevision>(*value);
  round_trip<api::PackageRevisionResources>(*value);
  round_trip<api::PorchPackage>(*value);
  if (const auto spec = api::decode<api::PackageVariantSetSpec>(*value)) (void)api::validate(*spec);
  if (const auto spec = api::decode<api::PackageVariantSpec>(*value)) (void)api::validate(*spec);
  return 0;
}
