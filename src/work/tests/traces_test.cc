// Each reconcile is a trace if a tracer records.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "testing/recording_tracer.h"
#include "work/worker_pool.h"

namespace portico::work {
namespace {

using testing::RecordingTracer;
using testing::text_of;

constexpr const char* kGroup = "config.porch.kpt.dev";

TEST(Traces, EachLookBeginsOne) {
  RecordingTracer tracer;
  std::map<std::string, std::string> runs;  // by key name
  const auto pool = make_pool(
      {.name = "variants", .workers = 1, .back_off = {}, .log = nullptr, .tracer = &tracer},
      [&](const krm::ObjectKey& key, const work::Run& run) -> Result<NextReconcile> {
        runs[key.name] = run.id;
        const Span part("part of " + key.name);
        if (key.name == "bad") return invalid("it is wrong").in("spec");
        return NextReconcile{};
      });
  for (const char* name : {"good", "bad"}) pool->add({{kGroup, "PackageVariant"}, "a", name});
  pool->start();
  EXPECT_TRUE(pool->wait_idle(Instant::max()));
  pool->stop();
  ASSERT_EQ(tracer.spans().size(), 4u);
  std::set<std::string> traces;
  for (const auto& [name, outcome] :
       {std::pair<std::string, std::string>("good", "ok"), {"bad", "Invalid"}}) {
    const FinishedSpan part = tracer.named("part of " + name);
    traces.insert(part.context.trace_id());
    for (const FinishedSpan& look : tracer.spans()) {
      if (look.context.span != part.parent) continue;
      EXPECT_EQ(look.name, "reconcile PackageVariant");
      EXPECT_EQ(look.parent, 0u);
      EXPECT_EQ(text_of(look, "portico.kind"), "PackageVariant");
      EXPECT_EQ(text_of(look, "portico.namespace"), "a");
      EXPECT_EQ(text_of(look, "portico.name"), name);
      EXPECT_EQ(text_of(look, "portico.run"), runs[name]);
      EXPECT_EQ(text_of(look, "portico.outcome"), outcome);
      EXPECT_EQ(look.error.value_or(""), name == "bad" ? "spec: it is wrong" : "");
    }
  }
  EXPECT_EQ(traces.size(), 2u);
}

}  // namespace
}  // namespace portico::work
