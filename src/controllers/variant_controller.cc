#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "api/kinds.h"
#include "base/guarded.h"
#include "controllers/kinds.h"
#include "controllers/secret_index.h"
#include "controllers/variant.h"
#include "controllers/variant_index.h"

namespace portico::controllers {
namespace {

/// Whether the variant begins or ceases to want a downstream package, or to adopt what is there, so
/// that another variant may have to wait, or need not wait any more.
bool moves_its_claim(const registry::Event& event) {
  const auto claim = [](const json::Value& variant) {
    return std::tie(variant["spec"]["downstream"], variant["spec"]["adoptionPolicy"]);
  };
  return event.change != registry::Change::kModified ||
         krm::is_deleting(event.object) != krm::is_deleting(event.previous) ||
         claim(event.object) != claim(event.previous);
}

class VariantController : public Controller {
 public:
  VariantController(const World& world, std::shared_ptr<Caches> caches)
      : world_(world), caches_(std::move(caches)) {}

  Workers workers() const override {
    const auto quarter = static_cast<std::size_t>(std::max(1, world_.workers / 4));
    return {.name = "packagevariant",
            .count = world_.workers,
            .slow = slow_back_off(world_),
            .lane_limit = {.first = quarter, .most = 3 * quarter}};
  }
  work::Lane lane_of(const krm::ObjectKey& key) const override {
    return known_.with([&](const Known& known) -> work::Lane {
      const auto at = known.downstream.find(key);
      return {key.ns, at == known.downstream.end() ? "" : at->second};
    });
  }

  std::vector<krm::ObjectKey> rests_on(const json::Value& variant) const override {
    const json::Value& spec = variant["spec"];
    return repositories(krm::namespace_of(variant), {spec["upstream"]["repo"].as_string(),
                                                     spec["downstream"]["repo"].as_string()});
  }

  void attach(std::function<void(const krm::ObjectKey&)> wake_up) override {
    back_ = world_.repository_health.on_back(
        [this, wake_up](const std::string& ns, const std::string& repository) {
          const auto back = known_.with([&](const Known& known) {
            const auto at = known.written_by.find({ns, repository});
            return at == known.written_by.end() ? std::set<krm::ObjectKey>() : at->second;
          });
          for (const krm::ObjectKey& variant : back) wake_up(variant);
        });
  }

  std::vector<Wake> wake(const registry::Event& event) override {
    const krm::ObjectKey key = krm::object_key(event.object);
    const bool gone = event.change == registry::Change::kDeleted;
    if (gone) caches_->forget(key);
    if (!matters(event)) return {};
    const json::Value now = gone ? json::Value() : event.object;
    std::set<krm::ObjectKey> concerned;
    if (key.type == api::variant_kind()) {
      index_.put(key, now);
      known_.with([&](Known& known) { known.put(key, now); });
      if (moves_its_claim(event))
        for (const json::Value* state : {&event.previous, &event.object})
          concerned.merge(index_.concerned_by_downstream_of(*state));
      concerned.insert(key);
    }
    if (key.type == api::repository_kind()) secrets_.put(key, now);
    concerned.merge(index_.concerned(event.object));
    // The credentials changed: wake the variants that could not read or write the repository.
    for (const krm::ObjectKey& opened : secrets_.concerned(event.object))
      if (const auto repository = world_.registry.get(opened))
        concerned.merge(index_.concerned(*repository));
    std::vector<Wake> out;
    out.reserve(concerned.size());
    for (const krm::ObjectKey& each : concerned) out.push_back({each});
    return out;
  }

  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run& run) override {
    return reconcile_variant(key, world_, *caches_, run);
  }

 private:
  /// The repository that each variant writes to, in both directions.
  struct Known {
    std::map<krm::ObjectKey, std::string> downstream;
    std::map<std::pair<std::string, std::string>, std::set<krm::ObjectKey>> written_by;

    void put(const krm::ObjectKey& key, const json::Value& variant) {
      if (const auto before = downstream.extract(key)) {
        const auto at = written_by.find({key.ns, before.mapped()});
        at->second.erase(key);
        if (at->second.empty()) written_by.erase(at);
      }
      if (variant.is_null()) return;
      std::string repository(variant["spec"]["downstream"]["repo"].as_string());
      written_by[{key.ns, repository}].insert(key);
      downstream.emplace(key, std::move(repository));
    }
  };

  const World world_;
  const std::shared_ptr<Caches> caches_;
  // Only for the thread that delivers events.
  VariantIndex index_;
  SecretIndex secrets_;
  Guarded<Known> known_;
  std::unique_ptr<RepositoryHealth::Listening> back_;
};

}  // namespace

std::unique_ptr<Controller> variant_controller(const World& world, std::shared_ptr<Caches> caches) {
  return std::make_unique<VariantController>(world, std::move(caches));
}

}  // namespace portico::controllers
