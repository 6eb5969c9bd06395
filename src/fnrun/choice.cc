#include "fnrun/choice.h"

#include <algorithm>

#include "functions/catalog.h"

namespace portico::fnrun {
namespace {

std::string_view without_slashes(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  return text;
}

bool names(const api::FunctionConfigSpec& spec, const functions::ImageName& image) {
  if (functions::image_name(spec.image).base != image.base) return false;
  const std::string_view prefix =
      without_slashes(image.repository.substr(0, image.repository.size() - image.base.size()));
  return spec.prefixes.empty() ||
         std::any_of(spec.prefixes.begin(), spec.prefixes.end(),
                     [&](const std::string& one) { return without_slashes(one) == prefix; });
}

bool lists(const std::vector<std::string>& tags, std::string_view tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

}  // namespace

std::optional<Choice> choose(const std::vector<api::FunctionConfig>& configs,
                             std::string_view image) {
  const functions::ImageName name = functions::image_name(image);
  const std::string_view tag = name.tag.empty() ? "latest" : name.tag;
  for (const api::FunctionConfig& config : configs) {
    const api::FunctionConfigSpec& spec = config.spec;
    if (!names(spec, name)) continue;
    if (spec.go_executor && lists(spec.go_executor->tags, tag))
      return Choice{Executor::kBuiltin,
                    spec.go_executor->id.empty() ? spec.image : spec.go_executor->id};
    if (spec.binary_executor && lists(spec.binary_executor->tags, tag))
      return Choice{Executor::kProgram, spec.binary_executor->path};
    if (spec.grpc_executor &&
        (spec.grpc_executor->tags.empty() || lists(spec.grpc_executor->tags, tag)))
      return Choice{Executor::kRemote, spec.grpc_executor->address};
    if (spec.pod_executor &&
        (spec.pod_executor->tags.empty() || lists(spec.pod_executor->tags, tag)))
      return Choice{Executor::kContainer, ""};
  }
  return std::nullopt;
}

}  // namespace portico::fnrun
