#include "telemetry/log.h"

#include <gtest/gtest.h>

#include <sstream>

#include "json/text.h"

namespace portico::telemetry {
namespace {

// A line without its timestamp, whose length is checked.
std::string without_time(const std::string& line) {
  EXPECT_EQ(line.find("Z "), std::size_t{23}) << line;
  return line.substr(25);
}

TEST(Log, TextIsOneLineWithFields) {
  std::ostringstream out;
  const auto log = make_log(LogFormat::kText, LogLevel::kInfo, out);
  log->info("drafted", {{"object", "default/web"}, {"reason", "a \"b\"\nc"}, {"none", ""}});
  EXPECT_EQ(without_time(out.str()),
            "info drafted object=default/web reason=\"a \\\"b\\\"\\nc\"\n");
}

TEST(Log, WhatIsBelowTheLevelIsLeftOut) {
  std::ostringstream out;
  const auto log = make_log(LogFormat::kText, LogLevel::kWarning, out);
  log->info("no");
  log->debug("no");
  log->warning("yes");
  EXPECT_EQ(without_time(out.str()), "warning yes\n");
}

TEST(Log, JsonIsOneObjectALine) {
  std::ostringstream out;
  const auto log = make_log(LogFormat::kJson, LogLevel::kDebug, out);
  log->error("failing", {{"error", "line 1\nline 2 {} %v \xff"}, {"code", ""}});
  std::string line = out.str();
  ASSERT_EQ(line.find('\n'), line.size() - 1);
  const auto object = json::parse(line);
  ASSERT_TRUE(object) << object.error().text() << line;
  EXPECT_EQ((*object)["level"].as_string(), "error");
  EXPECT_EQ((*object)["message"].as_string(), "failing");
  EXPECT_EQ((*object)["error"].as_string(), "line 1\nline 2 {} %v \\xff");
  EXPECT_TRUE((*object)["code"].is_string());
  EXPECT_EQ((*object)["time"].as_string().size(), std::size_t{24});
}

TEST(Log, TellsNoSecrets) {
  for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
    std::ostringstream out;
    const auto log = make_log(format, LogLevel::kInfo, out);
    log->info("see https://bot:s3cr3t@host/x", {{"url", "https://bot:s3cr3t@host/x?token=abc"}});
    EXPECT_EQ(out.str().find("s3cr3t"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("abc"), std::string::npos) << out.str();
  }
}

TEST(Log, FormatsHaveNames) {
  EXPECT_TRUE(parse_log_format("text"));
  EXPECT_TRUE(parse_log_format("json"));
  EXPECT_FALSE(parse_log_format("xml"));
}

}  // namespace
}  // namespace portico::telemetry
