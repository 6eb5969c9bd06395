// Spans in OTLP's JSON: each file under data/otlp is one request.
#include "telemetry/otlp.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "json/value.h"
#include "testing/cases.h"

namespace portico::telemetry {
namespace {

using json::Value;

json::Value read(const std::string& text) {
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << parsed.error().text();
  return *std::move(parsed);
}

FinishedSpan span_of(const Value& from) {
  FinishedSpan out;
  out.context = {from["trace"][std::size_t{0}].as_uint(), from["trace"][std::size_t{1}].as_uint(),
                 from["span"].as_uint()};
  out.parent = from["parent"].as_uint();
  if (from["kind"].as_string() == "server") out.kind = SpanKind::kServer;
  if (from["kind"].as_string() == "client") out.kind = SpanKind::kClient;
  out.name = from["name"].as_string();
  out.begin = from["begin"].as_int();
  out.end = from["end"].as_int();
  for (const json::Member& each : from["attributes"].members()) {
    if (each.value.is_string())
      out.attributes.push_back(
          {std::string(each.key.as_string()), std::string(each.value.as_string())});
    else
      out.attributes.push_back({std::string(each.key.as_string()), each.value.as_int()});
  }
  if (from.contains("error")) out.error = std::string(from["error"].as_string());
  return out;
}

class Otlp : public ::testing::TestWithParam<testing::Case> {};

TEST_P(Otlp, IsAsItsFileSays) {
  std::map<std::string, std::string> resource;
  const Value from = read(GetParam()["resource"]), all = read(GetParam()["spans"]);
  for (const json::Member& each : from.members())
    resource.emplace(each.key.as_string(), each.value.as_string());
  std::vector<FinishedSpan> spans;
  for (const Value& each : all.items()) spans.push_back(span_of(each));
  const Value sent = read(otlp_traces(resource, spans));
  GetParam().expect("want", json::print_pretty(sent, 1) + "\n");
}
INSTANTIATE_TEST_SUITE_P(Data, Otlp,
                         ::testing::ValuesIn(testing::cases("telemetry/tests/data/otlp")),
                         testing::case_name);

std::string sent_text(const std::string& text) {
  FinishedSpan span;
  span.attributes.push_back({"key", text});
  const Value sent = read(otlp_traces({}, std::span(&span, 1)));
  const std::size_t first = 0;
  return std::string(sent["resourceSpans"][first]["scopeSpans"][first]["spans"][first]["attributes"]
                         [first]["value"]["stringValue"]
                             .as_string());
}

TEST(OtlpText, IsCutBetweenCharacters) {
  const std::string most(kMostSpanText, 'a');
  EXPECT_EQ(sent_text(most), most);
  EXPECT_EQ(sent_text(most + "a"), most.substr(3) + "...");
  for (std::size_t offset = 0; offset < 3; ++offset) {
    std::string text(offset, 'a');
    while (text.size() <= kMostSpanText) text += "\u20ac";
    const std::string cut = sent_text(text);
    EXPECT_LE(cut.size(), kMostSpanText);
    EXPECT_GT(cut.size(), kMostSpanText - 4);
    EXPECT_TRUE(cut.ends_with("\u20ac..."));
  }
}

TEST(OtlpText, LosesASecretThatWouldBeCut) {
  const std::string text = std::string(kMostSpanText - 40, 'a') +
                           " https://ada:hunter2hunter2@example.com/" + std::string(100, 'b');
  EXPECT_EQ(sent_text(text).find("hunter2"), std::string::npos);
}

TEST(OtlpText, IsUtf8WhateverItWas) { EXPECT_EQ(sent_text("a\xff\x01"), "a\\xff\\x01"); }

TEST(Rejected, IsReadOfAnAnswer) {
  EXPECT_EQ(rejected_spans("{}").spans, 0u);
  EXPECT_EQ(rejected_spans("").spans, 0u);
  EXPECT_EQ(rejected_spans("[1").spans, 0u);
  EXPECT_EQ(rejected_spans(R"({"partialSuccess":{"rejectedSpans":"-3"}})").spans, 0u);
  const Rejected some =
      rejected_spans(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}})");
  EXPECT_EQ(some.spans, 3u);
  EXPECT_EQ(some.why, "too old");
  EXPECT_EQ(rejected_spans(R"({"partialSuccess":{"rejectedSpans":4}})").spans, 4u);
}

}  // namespace
}  // namespace portico::telemetry
