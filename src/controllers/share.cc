#include "controllers/share.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/guarded.h"
#include "base/hash.h"

namespace portico::controllers {

namespace {

class WithinShare : public Controller {
 public:
  WithinShare(std::unique_ptr<Controller> inner, krm::GroupKind kind,
              std::function<std::string(const krm::ObjectKey&)> unit_of, Share& share)
      : inner_(std::move(inner)),
        kind_(std::move(kind)),
        unit_of_(std::move(unit_of)),
        share_(share) {}

  Workers workers() const override { return inner_->workers(); }
  std::vector<krm::ObjectKey> rests_on(const json::Value& object) const override {
    return inner_->rests_on(object);
  }
  work::Lane lane_of(const krm::ObjectKey& key) const override { return inner_->lane_of(key); }

  // Forwards all events, so that keys that are taken over later are known.
  std::vector<Wake> wake(const registry::Event& event) override {
    const krm::ObjectKey key = krm::object_key(event.object);
    if (key.type == kind_ && event.change != registry::Change::kModified)
      known_.with([&](auto& known) {
        if (event.change == registry::Change::kDeleted)
          known.erase(key);
        else
          known.insert(key);
      });
    return inner_->wake(event);
  }

  void attach(std::function<void(const krm::ObjectKey&)> wake_up) override {
    inner_->attach(wake_up);
    listening_ = share_.on_change([this, wake_up = std::move(wake_up)] {
      const auto all = known_.with([](const auto& known) { return known; });
      for (const krm::ObjectKey& key : all) wake_up(key);
    });
  }

  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run& run) override {
    if (!share_.has(unit_of_(key))) return work::NextReconcile{};
    return inner_->reconcile(key, run);
  }

 private:
  const std::unique_ptr<Controller> inner_;
  const krm::GroupKind kind_;
  const std::function<std::string(const krm::ObjectKey&)> unit_of_;
  Share& share_;
  Guarded<std::set<krm::ObjectKey>> known_;
  std::unique_ptr<Share::Listening> listening_;  // last member: it calls back
};

}  // namespace

std::string repository_unit(std::string_view ns, std::string_view repository) {
  return fmt::format("repository {}/{}", ns, repository);
}

std::string set_unit(std::string_view ns, std::string_view name) {
  return fmt::format("set {}/{}", ns, name);
}

std::string_view owner_of(std::string_view unit, const std::vector<std::string>& members) {
  std::string_view out;
  std::string highest;
  for (const std::string& member : members) {
    std::string hash = sha1_hex(fmt::format("{}\n{}", member, unit));
    if (!out.empty() && hash <= highest) continue;
    highest = std::move(hash);
    out = member;
  }
  return out;
}

std::unique_ptr<Controller> within_share(std::unique_ptr<Controller> controller,
                                         krm::GroupKind kind,
                                         std::function<std::string(const krm::ObjectKey&)> unit_of,
                                         Share& share) {
  return std::make_unique<WithinShare>(std::move(controller), std::move(kind), std::move(unit_of),
                                       share);
}

}  // namespace portico::controllers
