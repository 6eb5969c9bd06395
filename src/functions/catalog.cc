#include "functions/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "functions/apply_replacements.h"
#include "functions/apply_setters.h"
#include "functions/create_setters.h"
#include "functions/delete_resource.h"
#include "functions/ensure_name_substring.h"
#include "functions/fix.h"
#include "functions/format.h"
#include "functions/kubeval.h"
#include "functions/list_setters.h"
#include "functions/remove_local_config.h"
#include "functions/search_replace.h"
#include "functions/set_annotations.h"
#include "functions/set_image.h"
#include "functions/set_labels.h"
#include "functions/set_name_prefix.h"
#include "functions/set_namespace.h"
#include "functions/set_project_id.h"
#include "functions/starlark.h"
#include "functions/upsert_resource.h"
#include "semver/constraint.h"

namespace portico::functions {

using semver::Constraint;
using semver::Prereleases;

namespace {

constexpr std::string_view kCommit = "76fe3817 (June 2025)";

constexpr std::array kEntries{
    Entry{"apply-replacements", "<=0.1.1", apply_replacements_v0_1_1, "v0.1.1", true},
    Entry{"apply-replacements", ">0.1.1", apply_replacements, kCommit, true},
    Entry{"apply-setters", "*", apply_setters, kCommit},
    Entry{"create-setters", "*", create_setters, kCommit},
    Entry{"delete-resource", "*", delete_resource, "Portico"},
    Entry{"ensure-name-substring", "*", ensure_name_substring, kCommit},
    Entry{"fix", "*", fix, kCommit},
    Entry{"format", "*", format, kCommit},
    Entry{"kubeval", "*", kubeval, kCommit},
    Entry{"list-setters", "*", list_setters, kCommit},
    Entry{"remove-local-config-resources", "*", remove_local_config_resources, kCommit},
    Entry{"search-replace", "*", search_replace, kCommit},
    Entry{"set-annotations", "*", set_annotations, kCommit},
    Entry{"set-image", "*", set_image, kCommit, true},
    Entry{"set-labels", "*", set_labels, kCommit, true},
    Entry{"set-name-prefix", "*", set_name_prefix, kCommit, true},
    Entry{"set-namespace", "<=0.4.1", set_namespace_v0_4_1, "v0.4.1", true},
    Entry{"set-namespace", ">0.4.1", set_namespace, "latest (November 2025)", true},
    Entry{"set-project-id", "*", set_project_id, kCommit},
    Entry{"starlark", "*", starlark, kCommit, true},
    Entry{"upsert-resource", "*", upsert_resource, kCommit},
};

Constraint versions_of(const Entry& entry) {
  return *Constraint::parse(entry.versions, Prereleases::kAll);
}

}  // namespace

void sort_items(std::vector<krm::Item>& items) {
  std::stable_sort(items.begin(), items.end(), [](const krm::Item& a, const krm::Item& b) {
    const auto key = [](const krm::Object& object) {
      return std::tuple(object.api_version(), object.kind(), object.ns(), object.name());
    };
    return key(a.object) < key(b.object);
  });
}

std::span<const Entry> catalog() { return kEntries; }

ImageName image_name(std::string_view image) {
  ImageName name;
  if (const std::size_t at = image.find('@'); at != std::string_view::npos) {
    name.digest = image.substr(at + 1);
    image = image.substr(0, at);
  }
  const std::size_t slash = image.rfind('/');
  const std::size_t base = slash == std::string_view::npos ? 0 : slash + 1;
  if (const std::size_t colon = image.find(':', base); colon != std::string_view::npos) {
    name.tag = image.substr(colon + 1);
    image = image.substr(0, colon);
  }
  name.repository = image;
  name.base = image.substr(base);
  return name;
}

const Entry* find(std::string_view image, std::string_view tag) {
  const ImageName name = image_name(image);
  // A version is a constraint that allows only itself.
  const auto wanted = Constraint::parse(tag.empty() ? name.tag : tag);
  const Entry* newest = nullptr;
  for (const Entry& entry : kEntries) {
    if (entry.name != name.base) continue;
    if (!wanted || versions_of(entry).meets(*wanted)) newest = &entry;
  }
  return newest;
}

std::string chosen_image(const Entry& entry, std::string_view image, std::string_view tag) {
  const ImageName name = image_name(image);
  if (tag.empty()) tag = name.tag;
  const auto wanted = Constraint::parse(tag);
  if (!wanted || semver::parse_version(tag)) return std::string(image);
  auto version = semver::parse_version(entry.follows);
  if (!version || !wanted->allows(*version)) version = versions_of(entry).lowest_common(*wanted);
  // Without a lower bound, the chosen version is unknown.
  const bool known = version && *version != semver::Version{};
  return known ? fmt::format("{}:v{}", name.repository, version->text()) : std::string(image);
}

}  // namespace portico::functions
