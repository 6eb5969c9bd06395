// The time from applying a set of N variants until N drafts are in git, and the time of one change
// at that size. Prints a table, or JSON with --json.
#include <thread>

#include "internal/fleet.h"

namespace {

using namespace portico;         // NOLINT: a program of its own
using namespace portico::bench;  // NOLINT: a program of its own

constexpr int kChanges = 9;  // the median is reported

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Changes an object that only one variant injects. Measures the time until its draft is in git and
// its object stored, and the time until nothing is left to do (the set has counted its variants).
void one_change(Fleet& fleet, int i, std::vector<double>& drafted, std::vector<double>& settled) {
  const auto from = std::chrono::steady_clock::now();
  const auto so_far = [&] { return seconds(std::chrono::steady_clock::now() - from); };
  registry::Registry& registry = fleet.registry();
  const auto watch =
      registry.watch({.type = packages::revision_key("", "").type}, registry.version());
  must(registry.commit({{registry::Verb::kUpdate, region("of-one", fmt::format("change-{}", i))}}));
  const auto events = watch->next(std::chrono::minutes(1));
  if (!events || events->empty()) die("the change made no new draft");
  drafted.push_back(so_far());
  fleet.settle();
  settled.push_back(so_far());
  // Users' changes do not follow each other immediately, either.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

void run(const Fleet::Options& options, const SetShape& shape) {
  Fleet fleet(options);
  fleet.set_up(shape);
  const double registered = timed([&] { fleet.start(); });
  fleet.publish("blueprints", "web", "v1", median_package());
  fleet.settle();

  fleet.drafts().take();
  const double total = timed([&] {
    must(fleet.registry().commit({{registry::Verb::kCreate, variant_set(shape)}}));
    fleet.settle();
  });
  const drafts::DraftTimes phases = fleet.drafts().take();
  const std::size_t ready = fleet.ready();
  std::vector<double> drafted, settled;
  for (int i = 0; i < kChanges; ++i) one_change(fleet, i, drafted, settled);
  fleet.stop();
  const auto number = [](std::size_t n) { return static_cast<double>(n); };
  fleet.report({{"variants", number(shape.variants)},
                {"repositories", number(shape.targets())},
                {"ready", number(ready)},
                {"failed", number(shape.variants - ready)},
                {"register_seconds", registered},
                {"fanout_seconds", total},
                {"variants_per_second", number(shape.variants) / total},
                {"thread_seconds_build", seconds(phases.build)},
                {"thread_seconds_render", seconds(phases.render)},
                {"thread_seconds_save", seconds(phases.save)},
                {"one_change_drafted_ms", median(drafted) * 1000},
                {"one_change_settled_ms", median(settled) * 1000}},
               shape.variants);
}

}  // namespace

int main(int argc, char** argv) {
  Fleet::Options options;
  SetShape shape;
  for (Arguments arguments(argc, argv); arguments.next();) {
    if (arguments.name() == "--variants")
      shape.variants = arguments.number();
    else if (arguments.name() == "--repositories")
      shape.repositories = arguments.number();
    else if (arguments.name() == "--equal")
      shape.equal = true;
    else if (!arguments.common(options))
      arguments.unknown("--variants N, --repositories N, --equal");
  }
  if (shape.variants == 0) die("--variants must be at least 1");
  run(options, shape);
  return 0;
}
