#include "cli/changing.h"

#include <algorithm>

#include "admission/admission.h"
#include "api/kinds.h"
#include "cli/plan_text.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

Result<Value> admitted_change(const Value& stored, const Value& wanted, Terminal& terminal) {
  if (krm::object_key(stored) != krm::object_key(wanted))
    return invalid("cannot change \"{}\" to \"{}\": kind, namespace and name are immutable",
                   krm::object_key(stored).text(), krm::object_key(wanted).text());
  if (krm::group_kind(stored) == api::revision_kind()) {
    PORTICO_DO(krm::validate_metadata(wanted));
    PORTICO_DO(admission::admit_revision(stored, wanted));
    return wanted;
  }
  PORTICO_TRY(admission::Admitted admitted, admission::admit(wanted));
  for (const std::string& warning : admitted.warnings) terminal.warning(warning);
  PORTICO_DO(admission::judge(stored, admitted.object));
  return std::move(admitted.object);
}

Result<std::vector<Value>> named_objects(const registry::Registry& registry,
                                         const std::string& type,
                                         const std::vector<std::string>& names,
                                         const std::string& ns) {
  PORTICO_TRY(const auto asked, asked_of(type, names, registry));
  std::vector<Value> out;
  for (const Asked& each : asked) {
    if (each.names.empty())
      return invalid("no names specified: use TYPE NAME..., or TYPE/NAME for each");
    PORTICO_TRY(auto found, find_objects(registry, each, {ns, "", ""}));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::set<krm::ObjectKey> keys_of(const std::vector<Value>& objects) {
  std::set<krm::ObjectKey> out;
  for (const Value& object : objects) out.insert(krm::object_key(object));
  return out;
}

Result<std::optional<controllers::Plan>> settle_if_known(engine::Engine& engine,
                                                         const std::set<krm::ObjectKey>& asked,
                                                         Context& context) {
  context.terminal.flush();
  auto done = engine.settle(context.terminal, asked);
  if (done) return std::optional(*std::move(done));
  if (done.error().reason != Reason::kMethodNotAllowed) return std::move(done).error();
  context.terminal.note(fmt::format("cannot wait for the result: {}\n", done.error().text()));
  return std::optional<controllers::Plan>();
}

Result<Exit> reconcile_if_asked(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit,
                                Context& context) {
  if (!wait.wait) return exit;
  context.terminal.flush();
  PORTICO_TRY(const controllers::Plan done, engine.settle(context.terminal, asked));
  return std::max(exit, print_done(context.terminal, done));
}

Result<Exit> reconcile_if_known(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit,
                                Context& context) {
  if (!wait.wait) return exit;
  PORTICO_TRY(const auto done, settle_if_known(engine, asked, context));
  return done ? std::max(exit, print_done(context.terminal, *done)) : exit;
}

}  // namespace portico::cli
