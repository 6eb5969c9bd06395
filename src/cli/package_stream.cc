#include "cli/package_stream.h"

#include <map>
#include <set>

#include "folder/folder.h"
#include "krm/kptfile.h"
#include "krm/meta.h"
#include "render/stream.h"

namespace portico::cli {

using json::Value;

namespace {

constexpr const char* kMetadataKind = "KptRevisionMetadata";
constexpr const char* kId = "internal.config.kubernetes.io/id";
// Not in porchctl's lists.
constexpr const char* kIndent = "internal.config.kubernetes.io/seqindent";

krm::Object metadata_of(const Value& revision) {
  const Value& metadata = revision["metadata"];
  return krm::Object::from_value(
      Value::object({{"apiVersion", "kpt.dev/v1"},
                     {"kind", kMetadataKind},
                     {"metadata", Value::object({{"name", metadata["name"]},
                                                 {"namespace", metadata["namespace"]},
                                                 {"resourceVersion", metadata["resourceVersion"]},
                                                 {"uid", metadata["uid"]}})}}));
}

std::string text(const Value& value) { return std::string(value.as_string()); }

}  // namespace

Result<std::string> write_package_stream(const krm::Package& package, const Value& revision) {
  PORTICO_TRY(std::vector<krm::Item> items, render::source(package, ""));
  PORTICO_TRY(const auto first,
              render::with_places({{metadata_of(revision), folder::kRevisionMetadata, 0, "", -1}}));
  items.insert(items.begin(), first.begin(), first.end());
  for (krm::Item& item : items)
    PORTICO_DO(item.object.remove({"metadata", "annotations", kIndent}), item.file);
  return render::write_stream(items, std::nullopt);
}

Result<PackageStream> read_package_stream(std::string_view stream) {
  PORTICO_TRY(krm::ResourceList list, render::read_stream(stream));
  PackageStream out;
  for (krm::Item& item : list.items) {
    if (item.object.kind() != kMetadataKind) {
      out.items.push_back(std::move(item));
      continue;
    }
    const Value& metadata = item.object.value()["metadata"];
    out.revision = {text(metadata["name"]), text(metadata["namespace"]),
                    text(metadata["resourceVersion"])};
  }
  return out;
}

Result<krm::Package> with_resources(const krm::Package& draft, std::vector<krm::Item> items) {
  krm::ResourceList before;
  PORTICO_TRY(before.items, render::source(draft, ""));
  // Matches items to resources by location and identity.
  std::map<std::pair<std::string, int>, std::size_t> places;
  for (std::size_t i = 0; i < before.items.size(); ++i)
    places.emplace(std::pair(before.items[i].file, before.items[i].index), i);
  for (krm::Item& item : items) {
    PORTICO_DO(item.object.remove({"metadata", "annotations", kId}), item.file);
    const auto at = places.find({item.file, std::max(item.index, 0)});
    if (at == places.end() || before.items[at->second].object.id() != item.object.id()) continue;
    PORTICO_DO(item.object.set({"metadata", "annotations", kId}, std::to_string(at->second + 1)),
               item.file);
  }
  PORTICO_TRY(const krm::ResourceList after,
              render::function_output(render::write_stream(items, std::nullopt), before));
  PORTICO_TRY(const krm::Package written, render::sink(after.items));

  krm::Package out = draft;
  for (const krm::Item& item : before.items)
    if (item.file != krm::kKptfileName || written.find(item.file) != nullptr)
      out.files.erase(item.file);
  for (const auto& [path, file] : written.files) out.set(path, file.text());
  return out;
}

}  // namespace portico::cli
