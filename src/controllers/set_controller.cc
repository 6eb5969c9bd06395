#include "api/kinds.h"
#include "controllers/kinds.h"
#include "controllers/set.h"
#include "controllers/set_index.h"

namespace portico::controllers {
namespace {

class SetController : public Controller {
 public:
  SetController(const World& world, std::shared_ptr<Caches> caches)
      : world_(world), caches_(std::move(caches)) {}

  // Sets are expensive to reconcile, and few.
  Workers workers() const override { return {.name = "packagevariantset", .count = 2}; }

  std::vector<krm::ObjectKey> rests_on(const json::Value& set) const override {
    return repositories(krm::namespace_of(set), {set["spec"]["upstream"]["repo"].as_string()});
  }

  std::vector<Wake> wake(const registry::Event& event) override {
    const krm::ObjectKey key = krm::object_key(event.object);
    const bool gone = event.change == registry::Change::kDeleted;
    const bool news = matters(event);
    std::vector<Wake> out;
    if (key.type == api::variant_kind()) {
      if (const auto set = SetIndex::owner_of(event.object)) {
        if (news) memory_.outdate(*set);
        out.push_back({*set, memory_.throttle().left(*set)});
      }
    }
    if (gone) caches_->forget(key);
    if (!news) return out;
    if (key.type == api::variant_set_kind()) index_.put(key, gone ? json::Value() : event.object);
    for (const krm::ObjectKey& set :
         index_.concerned(event.object, gone ? json::Value() : event.previous)) {
      memory_.outdate(set);
      out.push_back({set});
    }
    return out;
  }

  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run& run) override {
    return reconcile_set(key, world_.registry, *caches_, memory_, world_.clock, world_.observer,
                         run);
  }

 private:
  const World world_;
  const std::shared_ptr<Caches> caches_;
  SetIndex index_;  // only for the thread that delivers events
  SetMemory memory_;
};

}  // namespace

std::unique_ptr<Controller> set_controller(const World& world, std::shared_ptr<Caches> caches) {
  return std::make_unique<SetController>(world, std::move(caches));
}

}  // namespace portico::controllers
