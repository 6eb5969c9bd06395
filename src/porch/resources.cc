#include "porch/internal/resources.h"

#include <utility>
#include <vector>

#include "api/kinds.h"
#include "json/text.h"
#include "krm/meta.h"

namespace portico::porch {

using json::Value;

namespace {

bool is_text(const krm::File& file) {
  return file.mode != krm::FileMode::kSymlink && json::check_printable(Value(file.text())).ok();
}

}  // namespace

Result<std::shared_ptr<const krm::Package>> read_resources(cluster::Api& api,
                                                           const Value& revision) {
  PORTICO_TRY(const cluster::Resource resource, api.resource(api::package_resources_kind()));
  PORTICO_TRY(const Value object,
              api.get(resource, krm::namespace_of(revision), krm::name_of(revision)));
  auto out = std::make_shared<krm::Package>();
  for (const json::Member& each : object["spec"]["resources"].members())
    out->set(std::string(each.name()), std::string(each.value.as_string()));
  return std::shared_ptr<const krm::Package>(std::move(out));
}

std::shared_ptr<const krm::Package> only_wanted(const krm::Package& whole,
                                                const krm::WantedPath& wanted) {
  auto out = std::make_shared<krm::Package>();
  for (const auto& [path, file] : whole.files)
    if (wanted(path)) out->files.emplace(path, file);
  return out;
}

Result<Value> write_resources(cluster::Api& api, const Value& revision,
                              const krm::Package& content) {
  PORTICO_TRY(const cluster::Resource resource, api.resource(api::package_resources_kind()));
  std::vector<json::Member> files;
  for (const auto& [path, file] : content.files)
    if (is_text(file)) files.push_back({Value(path), Value(file.text())});
  const Value &metadata = revision["metadata"], &spec = revision["spec"];
  return api.update(
      resource,
      Value::object(
          {{"apiVersion", Value(api::kPorchV1Alpha1)},
           {"kind", Value(api::kResourcesKind)},
           {"metadata", Value::object({{"name", metadata["name"]},
                                       {"namespace", metadata["namespace"]},
                                       {"resourceVersion", metadata["resourceVersion"]}})},
           {"spec", Value::object({{"packageName", spec["packageName"]},
                                   {"repository", spec["repository"]},
                                   {"workspaceName", spec["workspaceName"]},
                                   {"resources", Value::object(std::move(files))}})}}));
}

}  // namespace portico::porch
