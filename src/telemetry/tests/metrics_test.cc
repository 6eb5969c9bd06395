#include "telemetry/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace portico::telemetry {
namespace {

std::unique_ptr<Metrics> served() {
  auto metrics = Metrics::serve("127.0.0.1:0");
  EXPECT_TRUE(metrics) << metrics.error().text();
  return *std::move(metrics);
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, CountsSetsAndMeasures) {
  const auto metrics = served();
  metrics->count("portico_things_total", "Things.", {{"kind", "a \"b\"\n"}}, 1);
  metrics->count("portico_things_total", "Things.", {{"kind", "a \"b\"\n"}}, 2);
  metrics->set("portico_depth", "Depth.", {}, 7);
  metrics->took("portico_work_seconds", "Work.", {}, 0.3);
  const std::string text = metrics->text();
  EXPECT_TRUE(has_line(text, "# TYPE portico_things_total counter")) << text;
  EXPECT_TRUE(has_line(text, "portico_things_total{kind=\"a \\\"b\\\"\\n\"} 3")) << text;
  EXPECT_TRUE(has_line(text, "portico_depth 7")) << text;
  EXPECT_TRUE(has_line(text, "portico_work_seconds_count 1")) << text;
  EXPECT_TRUE(has_line(text, "portico_work_seconds_bucket{le=\"0.25\"} 0")) << text;
  EXPECT_TRUE(has_line(text, "portico_work_seconds_bucket{le=\"0.5\"} 1")) << text;
}

TEST(Metrics, KeepsOnlySoManyLabels) {
  const auto metrics = served();
  for (int i = 0; i < 1000; ++i)
    metrics->count("portico_images_total", "Images.", {{"image", std::to_string(i)}}, 1);
  const std::string text = metrics->text();
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(lines, kMostLabelSets + 3);  // plus "other", HELP, TYPE
  EXPECT_TRUE(has_line(text, "portico_images_total{image=\"other\"} 900")) << text;
}

TEST(Metrics, AsksBeforeItIsReadAndNotAfterwards) {
  const auto metrics = served();
  int asked = 0;
  {
    const auto reading =
        metrics->on_read([&] { metrics->set("portico_asked", "A.", {}, ++asked); });
    EXPECT_TRUE(has_line(metrics->text(), "portico_asked 1"));
    EXPECT_TRUE(has_line(metrics->text(), "portico_asked 2"));
  }
  EXPECT_TRUE(has_line(metrics->text(), "portico_asked 2"));
}

TEST(Metrics, SaysThePortItHasAndWhatItCannotUse) {
  const auto metrics = served();
  EXPECT_TRUE(metrics->address().starts_with("127.0.0.1:"));
  EXPECT_FALSE(metrics->address().ends_with(":0"));
  const auto taken = Metrics::serve(metrics->address());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, Code::kUnavailable);
  for (const char* wrong : {"", "9090", ":9090", "host:", "host:http", "host:70000"}) {
    const auto refused = Metrics::serve(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, Code::kInvalid) << wrong;
  }
}

}  // namespace
}  // namespace portico::telemetry
