// Spans: their nesting, and that nothing is recorded without a recording Tracer.
#include "base/tracer.h"

#include <gtest/gtest.h>

#include <thread>

#include "testing/recording_tracer.h"

namespace portico {
namespace {

using testing::RecordingTracer;
using testing::text_of;

TEST(Tracer, SpansAreNestedAsTheWorkIs) {
  RecordingTracer tracer;
  {
    const Span whole(&tracer, "whole", SpanKind::kServer);
    { const Span part("first"); }
    {
      const Span part("second", SpanKind::kClient);
      const Span deep("deep");
    }
    EXPECT_EQ(Span::current(), &whole);
  }
  EXPECT_EQ(Span::current(), nullptr);
  ASSERT_EQ(tracer.spans().size(), 4u);
  const FinishedSpan whole = tracer.named("whole"), first = tracer.named("first"),
                     second = tracer.named("second"), deep = tracer.named("deep");
  EXPECT_EQ(whole.parent, 0u);
  EXPECT_EQ(first.parent, whole.context.span);
  EXPECT_EQ(second.parent, whole.context.span);
  EXPECT_EQ(deep.parent, second.context.span);
  EXPECT_EQ(whole.kind, SpanKind::kServer);
  EXPECT_EQ(first.kind, SpanKind::kInternal);
  EXPECT_EQ(second.kind, SpanKind::kClient);
  for (const FinishedSpan* each : {&first, &second, &deep}) {
    EXPECT_EQ(each->context.trace_id(), whole.context.trace_id());
    EXPECT_LE(whole.begin, each->begin);
    EXPECT_LE(each->begin, each->end);
    EXPECT_LE(each->end, whole.end);
  }
}

TEST(Tracer, AClockThatIsSetLeavesNoPartOutsideOfTheWhole) {
  RecordingTracer tracer;
  {
    const Span whole(&tracer, "whole");
    tracer.clock = 0;
    const Span part("part");
  }
  EXPECT_LE(tracer.named("whole").begin, tracer.named("part").begin);
  EXPECT_LE(tracer.named("part").end, tracer.named("whole").end);
  EXPECT_GE(tracer.named("whole").begin, 1'000'000'000'000);
}

TEST(Tracer, NothingIsRecordedWhereNobodyRecords) {
  Span alone("alone");
  alone.set("key", "value");
  alone.fail("no");
  EXPECT_FALSE(alone);
  Span without(nullptr, "without");
  EXPECT_FALSE(without);
  EXPECT_EQ(Span::current(), nullptr);
  EXPECT_EQ(Span::traceparent(), "");

  RecordingTracer tracer;
  const Span ignored(&tracer, "ignored", SpanKind::kServer, SpanContext{1, 2, 3, false});
  const Span part("part");
  EXPECT_FALSE(ignored);
  EXPECT_FALSE(part);
  EXPECT_TRUE(tracer.spans().empty());
}

TEST(Tracer, AnotherThreadHasNoPartInIt) {
  RecordingTracer tracer;
  const Span whole(&tracer, "whole");
  bool recorded = true;
  std::thread([&] { recorded = bool(Span("other")); }).join();
  EXPECT_FALSE(recorded);
  EXPECT_EQ(Span::current(), &whole);
}

TEST(Tracer, SomebodyElsesTraceIsContinuedAndHandedOn) {
  RecordingTracer tracer;
  std::string header;
  {
    const Span whole(&tracer, "whole", SpanKind::kServer, SpanContext{7, 8, 9});
    const Span call("call", SpanKind::kClient);
    header = Span::traceparent();
  }
  EXPECT_EQ(tracer.named("whole").parent, 9u);
  EXPECT_EQ(tracer.named("whole").context.trace_id(), "00000000000000070000000000000008");
  EXPECT_EQ(header, "00-00000000000000070000000000000008-" +
                        span_id_text(tracer.named("call").context.span) + "-01");
}

TEST(Tracer, SaysHowItEnded) {
  RecordingTracer tracer;
  {
    const Span whole(&tracer, "whole");
    const auto good = traced("good", [](Span& span) -> Result<int> {
      span.set("text", "a");
      span.set("empty", "");
      span.set("number", 3);
      span.rename("better");
      return 1;
    });
    EXPECT_TRUE(good);
    const auto bad = traced("bad", SpanKind::kClient, [](Span&) -> Result<Done> {
      return unavailable("it is away").in("place");
    });
    EXPECT_FALSE(bad);
  }
  const FinishedSpan good = tracer.named("better"), bad = tracer.named("bad");
  EXPECT_EQ(text_of(good, "portico.outcome"), "ok");
  EXPECT_EQ(text_of(good, "text"), "a");
  EXPECT_EQ(text_of(good, "number"), "3");
  EXPECT_EQ(good.attributes.size(), 3u);
  EXPECT_FALSE(good.error);
  EXPECT_EQ(text_of(bad, "portico.outcome"), "Unavailable");
  EXPECT_EQ(bad.error, "place: it is away");
}

TEST(Tracer, KeepsTheBeginningOfALongText) {
  RecordingTracer tracer;
  const std::string text = std::string(kMostOfSpanText, 'a') + "b";
  {
    Span span(&tracer, "span");
    span.set("key", text);
    span.fail(text);
  }
  EXPECT_EQ(text_of(tracer.named("span"), "key"), std::string(kMostOfSpanText, 'a'));
  EXPECT_EQ(tracer.named("span").error, std::string(kMostOfSpanText, 'a'));
}

TEST(TraceParent, IsReadAsItIsWritten) {
  for (const bool sampled : {true, false}) {
    const SpanContext context{0x0123456789abcdef, 0xfedcba9876543210, 0xf, sampled};
    EXPECT_EQ(parse_traceparent(traceparent_text(context)), context);
  }
  const SpanContext low{0, 1, 2};
  EXPECT_EQ(parse_traceparent(traceparent_text(low)), low);
}

TEST(TraceParent, OfLaterVersionsWhatIsTheSameIsRead) {
  const std::string body = "-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03";
  for (const std::string& text : {"00" + body, "01" + body, "cc" + body + "-more"}) {
    const auto read = parse_traceparent(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(span_id_text(read->span), "00f067aa0ba902b7");
    EXPECT_TRUE(read->sampled);
  }
}

TEST(TraceParent, WhatIsNoneIsNotRead) {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736", span = "00f067aa0ba902b7";
  for (const std::string& text :
       {std::string(), "00-" + trace + "-" + span, "00-" + trace + "-" + span + "-0",
        "00-" + trace + "-" + span + "-01-more", "00-" + trace + "-" + span + "-01x",
        "ff-" + trace + "-" + span + "-01", "0g-" + trace + "-" + span + "-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + span + "-01",
        "00-" + std::string(32, '0') + "-" + span + "-01",
        "00-" + trace + "-" + std::string(16, '0') + "-01", "00_" + trace + "-" + span + "-01",
        "00-" + trace + "_" + span + "-01", "00-" + trace + "-" + span + "_01",
        "00-" + trace + "-" + span + "-+1", "00-" + trace + "-00f067aa0ba902 b-01"})
    EXPECT_FALSE(parse_traceparent(text)) << text;
}

}  // namespace
}  // namespace portico
