#include "variants/targets.h"

#include <fmt/format.h>

#include <string_view>

#include "krm/meta.h"

namespace portico::variants {

namespace {

class Unroller {
 public:
  explicit Unroller(const SetSnapshot& snapshot) : snapshot_(snapshot) {
    const auto& upstream = snapshot.set->spec.upstream;
    if (upstream) upstream_packages_ = {upstream->package};
  }

  Result<Done> add(std::size_t index, const api::Target& target) {
    index_ = index;
    if (target.repositories)
      for (const api::RepositoryTarget& one : *target.repositories)
        add(one.name, api::package_names(target, one.package_names), json::Value());
    if (target.repository_selector) {
      const api::RepositorySelector& selector = *target.repository_selector;
      PORTICO_DO(select(selector.labels, "", api::package_names(target, selector.package_names),
                        snapshot_.repositories),
                 "repositorySelector");
    }
    if (target.object_selector) {
      const api::ObjectSelector& selector = *target.object_selector;
      const auto listed = snapshot_.objects.find({selector.api_version, selector.kind});
      if (listed == snapshot_.objects.end())
        return not_found("no matches for kind \"{}\" in version \"{}\"", selector.kind,
                         selector.api_version)
            .in("objectSelector");
      PORTICO_DO(select(selector.labels, selector.name,
                        api::package_names(target, selector.package_names), listed->second),
                 "objectSelector");
    }
    return Done{};
  }

  std::vector<SetTarget> take() && { return std::move(out_); }

 private:
  Result<Done> select(const api::LabelSelector& labels, std::string_view name,
                      const std::vector<std::string>& packages,
                      const std::vector<json::Value>& objects) {
    PORTICO_TRY(const krm::LabelSelector selector, api::selector(labels));
    for (const json::Value& object : objects) {
      if (!name.empty() && krm::name_of(object) != name) continue;
      if (selector.matches_object(object)) add(std::string(krm::name_of(object)), packages, object);
    }
    return Done{};
  }

  void add(const std::string& repo, const std::vector<std::string>& packages,
           const json::Value& object) {
    for (const std::string& package : packages.empty() ? upstream_packages_ : packages)
      out_.push_back({index_, repo, package, object});
  }

  const SetSnapshot& snapshot_;
  std::vector<std::string> upstream_packages_;
  std::size_t index_ = 0;
  std::vector<SetTarget> out_;
};

}  // namespace

Result<std::vector<SetTarget>> unroll(const SetSnapshot& snapshot) {
  Unroller unroller(snapshot);
  const std::span<const api::Target> targets = snapshot.set->spec.target_list();
  for (std::size_t i = 0; i < targets.size(); ++i)
    PORTICO_DO(unroller.add(i, targets[i]), fmt::format("spec.targets[{}]", i));
  return std::move(unroller).take();
}

}  // namespace portico::variants
