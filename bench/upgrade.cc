// The time from publishing a new upstream revision until all drafts of a fleet of N variants are
// there. A share of the packages has been edited by users. Prints a table, or JSON with --json.
#include <atomic>
#include <functional>
#include <thread>

#include "internal/fleet.h"

namespace {

using namespace portico;         // NOLINT: a program of its own
using namespace portico::bench;  // NOLINT: a program of its own

// A new image everywhere, a probe removed, a setting added.
krm::Package next_release() {
  krm::Package package = median_package();
  const auto replaced = [&](const std::string& file, std::string_view old, std::string_view now) {
    std::string text = package.find(file)->text();
    std::size_t found = 0;
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
      text.replace(at, old.size(), now);
      at += now.size();
      ++found;
    }
    if (found == 0) die("the package has no " + std::string(old));
    package.set(file, std::move(text));
  };
  replaced("deployment.yaml", "server:1.4.", "server:1.5.");
  replaced("deployment.yaml", "          periodSeconds: 5\n", "");
  replaced("config.yaml", "\"write\": \"10s\"", "\"write\": \"15s\"");
  return package;
}

krm::Package edited(krm::Package package) {
  std::string text = package.find("deployment.yaml")->text();
  const std::size_t at = text.find("replicas: 2");
  if (at == std::string::npos) die("nothing to edit");
  text.replace(at, 11, "replicas: 5");
  package.set("deployment.yaml", std::move(text));
  return package;
}

// Users do this concurrently.
void in_parallel(const std::vector<Value>& objects, const std::function<void(const Value&)>& work) {
  constexpr int kThreads = 8;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < objects.size(); at = next++) work(objects[at]);
    });
  for (std::thread& thread : threads) thread.join();
}

std::vector<Value> of_lifecycle(Fleet& fleet, std::string_view lifecycle) {
  std::vector<Value> out = fleet.all(api::revision_kind());
  std::erase_if(out, [&](const Value& each) {
    return each["spec"]["lifecycle"].as_string() != lifecycle ||
           each["spec"]["repository"].as_string() == "blueprints" ||
           each["spec"]["revision"].as_int() < 0;
  });
  return out;
}

void run(const Fleet::Options& options, const SetShape& shape, std::size_t edited_percent) {
  Fleet fleet(options);
  fleet.set_up(shape);
  fleet.start();
  fleet.publish("blueprints", "web", "v1", median_package());
  fleet.settle();
  must(fleet.registry().commit({{registry::Verb::kCreate, variant_set(shape)}}));
  fleet.settle();
  const double approved = timed([&] {
    in_parallel(of_lifecycle(fleet, "Draft"), [&](const Value& draft) { fleet.approve(draft); });
    fleet.settle();
  });
  std::vector<Value> to_edit = of_lifecycle(fleet, "Published");
  std::size_t at = 0;
  std::erase_if(to_edit,
                [&](const Value&) { return at++ * edited_percent % 100 >= edited_percent; });
  in_parallel(to_edit, [&](const Value& published) {
    fleet.publish(std::string(published["spec"]["repository"].as_string()),
                  std::string(published["spec"]["packageName"].as_string()), "tuned",
                  edited(*must(fleet.packages().read(published))));
  });
  fleet.settle();

  fleet.drafts().take();
  const double before = processor_seconds(used());
  const double total = timed([&] {
    fleet.publish("blueprints", "web", "v2", next_release());
    fleet.settle();
  });
  const double processor = processor_seconds(used()) - before;
  const drafts::DraftTimes phases = fleet.drafts().take();
  const std::size_t ready = fleet.ready(), drafts = of_lifecycle(fleet, "Draft").size();
  fleet.stop();
  const auto number = [](std::size_t n) { return static_cast<double>(n); };
  fleet.report({{"variants", number(shape.variants)},
                {"repositories", number(shape.targets())},
                {"edited", number(to_edit.size())},
                {"ready", number(ready)},
                {"drafts", number(drafts)},
                {"approve_seconds", approved},
                {"upgrade_seconds", total},
                {"drafts_per_second", number(drafts) / total},
                {"upgrade_cpu_seconds", processor},
                {"thread_seconds_build", seconds(phases.build)},
                {"thread_seconds_render", seconds(phases.render)},
                {"thread_seconds_save", seconds(phases.save)}},
               shape.variants);
}

}  // namespace

int main(int argc, char** argv) {
  Fleet::Options options;
  SetShape shape{.pinned = false};
  std::size_t edited_percent = 0;
  for (Arguments arguments(argc, argv); arguments.next();) {
    if (arguments.name() == "--variants")
      shape.variants = arguments.number();
    else if (arguments.name() == "--repositories")
      shape.repositories = arguments.number();
    else if (arguments.name() == "--equal")
      shape.equal = true;
    else if (arguments.name() == "--edited")
      edited_percent = arguments.number();
    else if (!arguments.common(options))
      arguments.unknown("--variants N, --repositories N, --equal, --edited PERCENT");
  }
  if (shape.variants == 0) die("--variants must be at least 1");
  if (edited_percent > 100) die("--edited is a percentage");
  run(options, shape, edited_percent);
  return 0;
}
