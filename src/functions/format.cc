#include "functions/format.h"

#include <algorithm>
#include <array>

#include "functions/internal/field_order.h"
#include "functions/internal/fields.h"
#include "functions/internal/kubernetes_schema.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

constexpr std::string_view kFormatting = "config.kubernetes.io/formatting";

constexpr std::array kSortedKinds =
    std::to_array<std::string_view>({"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet",
                                     "StatefulSet", "ValidatingWebhookConfiguration"});
constexpr std::array kSortedVersions = std::to_array<std::string_view>(
    {"admissionregistration.k8s.io/v1", "apps/v1", "apps/v1beta1", "apps/v1beta2", "batch/v1",
     "batch/v1beta1", "extensions/v1beta1", "v1"});

std::string without_indices(const krm::Path& path) {
  std::string text;
  for (const krm::Step& step : path)
    if (const auto* name = std::get_if<std::string>(&step)) text += "." + *name;
  return text;
}

bool has_sorted_lists(const krm::Object& object) {
  const auto contains = [](const auto& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  return contains(kSortedKinds, object.kind()) && contains(kSortedVersions, object.api_version());
}

std::optional<krm::Arrangement::Key> item_key(const krm::Path& list) {
  const std::string path = without_indices(list);
  if (path == ".spec.template.spec.containers")
    return [](const json::Value& item) { return scalar_text(item["name"]); };
  if (path == ".webhooks.rules.operations")
    return [](const json::Value& item) { return scalar_text(item); };
  return std::nullopt;
}

krm::Quotes quotes(const Schema& root, const krm::Path& path) {
  std::optional<Schema> at = root;
  for (const krm::Step& step : path) {
    const auto* name = std::get_if<std::string>(&step);
    at = name == nullptr ? at->items() : at->field(*name);
    if (!at) return krm::Quotes::kKeep;
  }
  switch (at->type()) {
    case SchemaType::kString:
    case SchemaType::kQuantity:
      return krm::Quotes::kString;
    case SchemaType::kInteger:
    case SchemaType::kNumber:
    case SchemaType::kBoolean:
      return krm::Quotes::kNonString;
    default:
      return krm::Quotes::kKeep;
  }
}

Result<Done> arrange(krm::Object& object, const FieldOrder& order) {
  krm::Arrangement how;
  how.before = [&](const krm::Path&, std::string_view a, std::string_view b) {
    return order.before(a, b);
  };
  if (has_sorted_lists(object)) how.item_key = item_key;
  if (const auto schema = Schema::find(object.api_version(), object.kind()))
    how.quotes = [root = *schema](const krm::Path& path) { return quotes(root, path); };
  return object.arrange(how);
}

}  // namespace

Outcome format(krm::ResourceList list) {
  const FieldOrder order;
  std::vector<krm::Item> items = list.items;
  std::vector<krm::FunctionResult> warnings;
  for (krm::Item& item : items) {
    krm::Object& object = item.object;
    if (object.kind().empty() || object.api_version().empty()) continue;
    const std::string strategy =
        scalar_text(object.value()["metadata"]["annotations"][kFormatting]);
    if (strategy == "none") continue;
    if (!strategy.empty() && strategy != "standard")
      return fail_framework(
          std::move(list),
          fmt::format("{}: {} {} has \"{}\" for annotation {}, expect none or standard", item.file,
                      object.kind(), object.name(), strategy, kFormatting));
    if (auto arranged = arrange(object, order); !arranged) {
      krm::FunctionResult warning = plain_at(item, "", "left as it is: " + arranged.error().text());
      warning.severity = "warning";
      warnings.push_back(std::move(warning));
    }
  }
  list.items = std::move(items);
  for (krm::FunctionResult& warning : warnings) list.results.push_back(std::move(warning));
  return done(std::move(list));
}

}  // namespace portico::functions
