#include "cli/rehearsal.h"

#include <algorithm>

#include "controllers/planner.h"

namespace portico::cli {

namespace fs = std::filesystem;

Result<std::unique_ptr<Rehearsal>> Rehearsal::begin(Engine& engine) {
  std::unique_ptr<Rehearsal> out(new Rehearsal(engine));
  // The engine has the state folder for itself: what is there was left by one that was killed.
  out->folder_ = fs::path(engine.folder()) / "rehearsal";
  std::error_code error;
  fs::remove_all(out->folder_, error);
  if (!error) fs::create_directories(out->folder_, error);
  if (error) return unavailable("{:?} cannot be made: {}", out->folder_.string(), error.message());
  PORTICO_TRY(out->registry_, engine.registry().fork());
  out->runner_ = engine.make_runner(*out->registry_);
  out->ports_ = engine.ports_over(*out->registry_, *out->runner_, out->folder_.string());
  return out;
}

Rehearsal::~Rehearsal() {
  ports_.drafts.reset();
  ports_.packages.reset();
  ports_.git.reset();  // it has the folder open
  std::error_code error;
  fs::remove_all(folder_, error);
}

Result<controllers::Plan> Rehearsal::plan(const std::set<krm::ObjectKey>& asked,
                                          Terminal& terminal) {
  std::size_t most = 0;
  auto plan = controllers::make_plan(
      engine_.registry(), engine_.world(*registry_, ports_), engine_.log(), asked,
      engine_.time_left(), [&](const controllers::Progress& progress) {
        most = std::max(most, progress.reconciled + progress.waiting + progress.running);
        terminal.progress("planning", progress.reconciled, most);
      });
  terminal.progress_done();
  if (!plan && engine_.time_left().count() == 0) return engine_.out_of_time("no plan");
  return plan;
}

}  // namespace portico::cli
