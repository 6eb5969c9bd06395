#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/world_error.h"
#include "work/breaker.h"
#include "work/key_queue.h"
#include "work/lanes.h"
#include "work/worker_pool.h"

namespace portico::work {
namespace {

using std::chrono::milliseconds;

krm::ObjectKey key(std::string ns, std::string name) {
  return {{"example.com", "Thing"}, std::move(ns), std::move(name)};
}
const Instant kStart{};

TEST(KeyQueue, HandsOutEachKeyOnceAndAgainWhenAddedMeanwhile) {
  KeyQueue queue;
  queue.add(key("a", "x"));
  queue.add(key("a", "x"));
  ASSERT_EQ(queue.take(kStart), key("a", "x"));
  EXPECT_EQ(queue.take(kStart), std::nullopt);
  queue.add(key("a", "x"));
  EXPECT_EQ(queue.take(kStart), std::nullopt) << "it runs";
  EXPECT_FALSE(queue.counts().idle());
  queue.done(key("a", "x"));
  EXPECT_EQ(queue.take(kStart), key("a", "x"));
  queue.done(key("a", "x"));
  EXPECT_TRUE(queue.counts().idle());
}

TEST(KeyQueue, NamespacesTakeTurns) {
  KeyQueue queue;
  for (const char* name : {"1", "2", "3"}) queue.add(key("big", name));
  queue.add(key("small", "1"));
  std::vector<std::string> order;
  while (const auto taken = queue.take(kStart)) order.push_back(taken->ns);
  EXPECT_EQ(order, (std::vector<std::string>{"big", "small", "big", "big"}));
}

TEST(KeyQueue, OfALaneNoMoreThanItsLimitRun) {
  KeyQueue queue({}, {.first = 2});
  const Lane slow{"a", "slow"}, quick{"a", "quick"};
  for (const char* name : {"1", "2", "3"}) queue.add(key("a", name), slow);
  queue.add(key("a", "4"), quick);
  std::vector<std::string> order;
  while (const auto taken = queue.take(kStart)) order.push_back(taken->name);
  EXPECT_EQ(order, (std::vector<std::string>{"4", "1", "2"}));
  EXPECT_FALSE(queue.can_take());
  EXPECT_EQ(queue.counts().ready, 1u);
  queue.failed(key("a", "1"), kStart, 0);
  EXPECT_TRUE(queue.can_take());
  EXPECT_EQ(queue.take(kStart), key("a", "3"));
}

TEST(KeyQueue, ALaneThatChangesCountsFromTheNextTry) {
  KeyQueue queue({.first = milliseconds(10)}, {.first = 1});
  queue.add(key("a", "1"), {"a", "old"});
  ASSERT_TRUE(queue.take(kStart));
  queue.add(key("a", "1"), {"a", "new"});
  queue.add(key("a", "2"), {"a", "old"});
  EXPECT_EQ(queue.take(kStart), std::nullopt) << "the lane in which it runs is full";
  queue.done(key("a", "1"));
  EXPECT_TRUE(queue.take(kStart));
  EXPECT_TRUE(queue.take(kStart)) << "they are in two lanes now";
  queue.failed(key("a", "1"), kStart, 0, Lane{"a", "old"});
  EXPECT_EQ(queue.take(kStart + milliseconds(10)), std::nullopt) << "2 runs there";
}

TEST(Lanes, GroupsTakeTurnsAndInEachItsLanes) {
  Lanes lanes;
  for (const char* name : {"1", "2", "3"}) {
    lanes.add({"big", "x"}, key("big", std::string("x") + name));
    lanes.add({"big", "y"}, key("big", std::string("y") + name));
  }
  lanes.add({"small", "z"}, key("small", "z1"));
  std::vector<std::string> order;
  while (const auto taken = lanes.take()) order.push_back(taken->key.name);
  EXPECT_EQ(order, (std::vector<std::string>{"x1", "z1", "x2", "x3", "y1", "y2", "y3"}));
}

TEST(Lanes, ATurnEndsAfterSoManyKeys) {
  Lanes lanes;
  for (std::size_t i = 0; i < 2 * Lanes::kTurn; ++i) {
    lanes.add({"a", "x"}, key("a", fmt::format("x{}", i)));
    lanes.add({"a", "y"}, key("a", fmt::format("y{}", i)));
  }
  std::string turns;
  while (const auto taken = lanes.take())
    if (turns.empty() || turns.back() != taken->lane.name[0]) turns += taken->lane.name;
  EXPECT_EQ(turns, "xyxy");
}

TEST(Lanes, OneThatGetsOnHasMoreOutAndOneThatHangsDoesNot) {
  Lanes lanes({.first = 2, .most = 4});
  const Lane good{"a", "good"}, hung{"a", "hung"};
  for (int i = 0; i < 9; ++i) {
    lanes.add(good, key("a", fmt::format("g{}", i)));
    lanes.add(hung, key("a", fmt::format("h{}", i)));
  }
  std::map<std::string, int> out;
  const auto take_all = [&] {
    while (const auto taken = lanes.take()) ++out[taken->lane.name];
  };
  take_all();
  EXPECT_EQ(out, (std::map<std::string, int>{{"good", 2}, {"hung", 2}}));
  lanes.put_back(good);
  lanes.put_back(good);
  out["good"] = 0;
  take_all();
  EXPECT_EQ(out, (std::map<std::string, int>{{"good", 4}, {"hung", 2}})) << "each let one more out";
  for (int i = 0; i < 3; ++i) lanes.put_back(good);
  out["good"] = 1;
  take_all();
  EXPECT_EQ(out["good"], 4) << "the most";
  for (int i = 0; i < 4; ++i) lanes.put_back(good);
  EXPECT_FALSE(lanes.can_take()) << "the good lane is empty, the other full";
  for (int i = 0; i < 5; ++i) lanes.add(good, key("a", fmt::format("later{}", i)));
  out["good"] = 0;
  take_all();
  EXPECT_EQ(out["good"], 2) << "it begins anew";
}

TEST(Breaker, LetsOneThroughWhenTheBackOffIsOverAndAllWhenItWorked) {
  using Pass = Breaker::Pass;
  Breaker breaker({.first = milliseconds(100), .most = milliseconds(150)});
  EXPECT_EQ(breaker.enter(kStart), Pass::kFree);
  EXPECT_EQ(breaker.enter(kStart), Pass::kFree) << "closed: everybody";
  breaker.failed(kStart, 0, "no route");
  breaker.failed(kStart + milliseconds(90), 0, "it began before");
  EXPECT_EQ(breaker.why(), "no route");
  EXPECT_EQ(breaker.enter(kStart + milliseconds(99)), Pass::kNone);
  EXPECT_EQ(breaker.enter(kStart + milliseconds(100)), Pass::kProbe);
  EXPECT_EQ(breaker.enter(kStart + milliseconds(100)), Pass::kNone) << "one alone";
  breaker.did_not_try();
  EXPECT_EQ(breaker.enter(kStart + milliseconds(101)), Pass::kProbe);
  breaker.failed(kStart + milliseconds(110), 0, "still none");
  EXPECT_EQ(breaker.failures(), 2);
  EXPECT_EQ(breaker.next_probe(), kStart + milliseconds(260));
  EXPECT_EQ(breaker.enter(kStart + milliseconds(259)), Pass::kNone);
  EXPECT_EQ(breaker.enter(kStart + milliseconds(260)), Pass::kProbe);
  breaker.succeeded();
  EXPECT_EQ(breaker.enter(kStart + milliseconds(261)), Pass::kFree);
  EXPECT_EQ(breaker.enter(kStart + milliseconds(261)), Pass::kFree);
}

TEST(KeyQueue, BacksOffTwiceAsLongEachTimeUpToTheMost) {
  KeyQueue queue({.first = milliseconds(100), .most = milliseconds(300)});
  Instant now = kStart;
  queue.add(key("a", "x"));
  for (const int wait : {100, 200, 300, 300}) {
    ASSERT_TRUE(queue.take(now));
    queue.failed(key("a", "x"), now, 0);
    EXPECT_TRUE(queue.counts().idle());
    EXPECT_EQ(queue.counts().failing, 1u);
    EXPECT_EQ(queue.next_due(), now + milliseconds(wait));
    EXPECT_EQ(queue.take(now + milliseconds(wait - 1)), std::nullopt);
    now += milliseconds(wait);
  }
  ASSERT_TRUE(queue.take(now));
  queue.done(key("a", "x"));
  EXPECT_EQ(queue.failures(key("a", "x")).all, 0);
}

TEST(KeyQueue, WhatIsRefusedIsTriedSlowlyAndAnEventDoesNotWaitForThat) {
  KeyQueue queue({}, {}, {.first = milliseconds(1000), .most = milliseconds(1500)});
  Instant now = kStart;
  queue.add(key("a", "x"));
  for (const int wait : {1000, 1500}) {
    ASSERT_TRUE(queue.take(now));
    queue.failed(key("a", "x"), now, 0, {}, Pace::kSlowly);
    EXPECT_EQ(queue.counts().failing, 1u);
    EXPECT_EQ(queue.next_due(), now + milliseconds(wait));
    now += milliseconds(wait);
  }
  ASSERT_TRUE(queue.take(now));
  queue.failed(key("a", "x"), now, 0, {}, Pace::kSlowly);
  queue.add(key("a", "x"));
  EXPECT_TRUE(queue.take(now));
}

TEST(KeyQueue, ADenialIsFirstTriedSoonAndItsWaitDoesNotDependOnWhatCameBefore) {
  KeyQueue queue({.first = milliseconds(200)}, {},
                 {.first = milliseconds(60'000), .most = milliseconds(600'000)});
  Instant now = kStart;
  queue.add(key("a", "x"));
  const auto fail = [&](Pace pace) {
    EXPECT_TRUE(queue.take(now));
    queue.failed(key("a", "x"), now, 0, {}, pace);
    const auto wait = std::chrono::duration_cast<milliseconds>(*queue.next_due() - now);
    now += wait;
    return wait.count();
  };
  for (int i = 0; i < 10; ++i) fail(Pace::kSoon);  // the server is down
  for (const int wait : {200, 400, 800, 1600, 3200, 60'000, 120'000})
    EXPECT_EQ(fail(Pace::kDenied), wait);
  EXPECT_GT(fail(Pace::kSoon), 200'000) << "down again";
  EXPECT_EQ(fail(Pace::kSlowly), 60'000);
  EXPECT_EQ(fail(Pace::kDenied), 400) << "the second refusal in a row";
}

TEST(KeyQueue, AnEventDoesNotWaitForTheBackOff) {
  KeyQueue queue;
  queue.add(key("a", "x"));
  ASSERT_TRUE(queue.take(kStart));
  queue.failed(key("a", "x"), kStart, 1);
  queue.add(key("a", "x"));
  EXPECT_EQ(queue.counts().failing, 0u);
  EXPECT_EQ(queue.take(kStart), key("a", "x"));
}

TEST(KeyQueue, ScheduledKeysAreNotIdleAndTheSoonerTimeCounts) {
  KeyQueue queue;
  queue.add_at(key("a", "x"), kStart + milliseconds(50));
  queue.add_at(key("a", "x"), kStart + milliseconds(90));
  EXPECT_FALSE(queue.counts().idle());
  EXPECT_EQ(queue.take(kStart), std::nullopt);
  EXPECT_EQ(queue.take(kStart + milliseconds(50)), key("a", "x"));
  queue.done(key("a", "x"));
  EXPECT_TRUE(queue.counts().idle());
}

TEST(KeyQueue, ALookThatIsAskedForComesAtItsTimeAndIsNoWork) {
  KeyQueue queue;
  queue.add(key("a", "x"));
  ASSERT_TRUE(queue.take(kStart));
  queue.done(key("a", "x"), kStart + milliseconds(50));
  EXPECT_TRUE(queue.counts().idle());
  EXPECT_EQ(queue.counts().looking, 1u);
  EXPECT_EQ(queue.next_due(), kStart + milliseconds(50));
  EXPECT_EQ(queue.take(kStart + milliseconds(49)), std::nullopt);
  EXPECT_EQ(queue.take(kStart + milliseconds(50)), key("a", "x"));
  queue.done(key("a", "x"));
  EXPECT_EQ(queue.next_due(), std::nullopt) << "the last look asked for none";
}

TEST(KeyQueue, AnEventTakesThePlaceOfALook) {
  KeyQueue queue;
  queue.add(key("a", "before"));
  queue.add(key("a", "meanwhile"));
  ASSERT_TRUE(queue.take(kStart));
  ASSERT_TRUE(queue.take(kStart));
  queue.done(key("a", "before"), kStart + milliseconds(50));
  queue.add(key("a", "before"));
  queue.add(key("a", "meanwhile"));
  queue.done(key("a", "meanwhile"), kStart + milliseconds(50));
  EXPECT_EQ(queue.counts().looking, 0u);
  EXPECT_EQ(queue.counts().ready, 2u);
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST(KeyQueue, WorkThatIsDueIsNoMereLookWhicheverComesFirst) {
  for (const int work : {20, 80}) {
    KeyQueue queue;
    queue.add(key("a", "x"));
    ASSERT_TRUE(queue.take(kStart));
    queue.done(key("a", "x"), kStart + milliseconds(50));
    queue.add_at(key("a", "x"), kStart + milliseconds(work));
    EXPECT_EQ(queue.counts().scheduled, 1u) << work;
    EXPECT_EQ(queue.counts().looking, 0u) << work;
    EXPECT_EQ(queue.next_due(), kStart + milliseconds(std::min(work, 50)));
  }
}

// Random calls, checked against invariants.
TEST(KeyQueue, KeepsItsPromisesUnderRandomUse) {
  std::mt19937 random(7);
  const auto pick = [&](unsigned below) { return static_cast<int>(random() % below); };
  for (int round = 0; round < 200; ++round) {
    KeyQueue queue({.first = milliseconds(3), .most = milliseconds(20)}, {.first = 2});
    std::map<std::string, int> in_lane;
    const auto lane = [](const krm::ObjectKey& one) { return Lane{"", one.ns}; };
    std::set<krm::ObjectKey> running, owed;  // owed: added since last taken
    Instant now = kStart;
    for (int step = 0; step < 300; ++step) {
      const krm::ObjectKey one = key("ns" + std::to_string(pick(3)), std::to_string(pick(5)));
      switch (pick(5)) {
        case 0:
          queue.add(one, lane(one));
          owed.insert(one);
          break;
        case 1:
          queue.add_at(one, now + milliseconds(pick(30)), lane(one));
          break;
        case 2:
          if (const auto got = queue.take(now)) {
            EXPECT_TRUE(running.insert(*got).second) << "handed out twice";
            EXPECT_LE(++in_lane[got->ns], 2) << "more than the lane's limit";
            owed.erase(*got);
          } else {
            EXPECT_FALSE(queue.can_take());
          }
          break;
        case 3:
          if (running.erase(one) == 0) break;
          --in_lane[one.ns];
          if (pick(3) == 0)
            queue.not_yet(one, now + milliseconds(pick(30)));
          else if (pick(2) == 0)
            queue.done(one,
                       pick(2) == 0 ? std::optional(now + milliseconds(pick(30))) : std::nullopt);
          else
            queue.failed(one, now, 0.5);
          break;
        default:
          now += milliseconds(pick(10));
      }
      const QueueCounts counts = queue.counts();
      EXPECT_EQ(counts.running, running.size());
      EXPECT_FALSE(counts.idle() && queue.is_busy(one)) << one.text();
      EXPECT_TRUE(queue.is_busy(one) || !owed.contains(one)) << one.text();
      EXPECT_EQ(queue.next_due().has_value(),
                counts.scheduled + counts.failing + counts.looking > 0);
    }
    for (const krm::ObjectKey& one : running) queue.done(one);
    std::set<krm::ObjectKey> rest;
    while (const auto got = queue.take(now + std::chrono::hours(1))) {
      rest.insert(*got);
      queue.done(*got);
    }
    for (const krm::ObjectKey& one : owed) EXPECT_TRUE(rest.contains(one)) << one.text();
    const QueueCounts counts = queue.counts();
    EXPECT_EQ(counts.ready + counts.scheduled + counts.failing + counts.looking + counts.running,
              0u);
  }
}

TEST(WorkerPool, WakesForADelayThatEndsBeforeItsWait) {
  std::atomic<int> runs = 0;
  const auto pool =
      make_pool({.name = "test", .workers = 2, .back_off = {}, .log = nullptr},
                [&](const krm::ObjectKey&, const work::Run&) -> Result<NextReconcile> {
                  return ++runs, NextReconcile{};
                });
  pool->start();
  pool->add(key("a", "first"));
  while (!pool->counts().idle()) std::this_thread::yield();
  const Instant begin = std::chrono::steady_clock::now();
  pool->add_after(key("a", "later"), milliseconds(10));
  while (!pool->counts().idle()) std::this_thread::yield();
  EXPECT_EQ(runs, 2);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(10));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(900))
      << "not with the next look";
}

TEST(WorkerPool, LooksAgainWhenTheReconcilerAsksForIt) {
  std::atomic<int> runs = 0;
  const auto pool =
      make_pool({.name = "test", .workers = 2, .back_off = {}, .log = nullptr},
                [&](const krm::ObjectKey&, const work::Run&) -> Result<NextReconcile> {
                  return ++runs < 3 ? NextReconcile{.after = milliseconds(1)}
                                    : NextReconcile{.after = std::chrono::hours(1)};
                });
  pool->add(key("a", "x"));
  pool->start();
  while (runs < 3 || !pool->counts().idle()) std::this_thread::yield();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(pool->counts().looking, 1u);
  EXPECT_EQ(pool->counts().failing, 0u);
}

TEST(WorkerPool, IsWaitedForUntilItIsIdleOrStops) {
  Monitor<bool> go(false);
  const auto pool =
      make_pool({.name = "test", .workers = 1, .back_off = {}, .log = nullptr},
                [&](const krm::ObjectKey&, const work::Run&) -> Result<NextReconcile> {
                  go.wait([](bool now) { return now; }, [](bool) {});
                  return NextReconcile{};
                });
  pool->add(key("a", "x"));
  pool->start();
  EXPECT_FALSE(pool->wait_idle(std::chrono::steady_clock::now()));
  go.change([](bool& now) { now = true; });
  EXPECT_TRUE(pool->wait_idle(Instant::max()));
  pool->stop();
  pool->add(key("a", "y"));
  EXPECT_FALSE(pool->wait_idle(Instant::max())) << "it is stopped";
}

TEST(WorkerPool, TellsARunHowOftenTheKeyFailedAndWhatIsWaitedNext) {
  std::vector<int> failures;
  std::vector<milliseconds> waits;
  const auto pool = make_pool(
      {.name = "test", .workers = 1, .back_off = {.first = milliseconds(1)}, .log = nullptr},
      [&](const krm::ObjectKey&, const work::Run& run) -> Result<NextReconcile> {
        failures.push_back(run.failures);
        if (failures.size() == 4) return NextReconcile{};
        Error error = failures.size() == 1 ? conflict("moved") : unavailable("no answer");
        waits.push_back(*run.wait_after(error));
        return error;
      });
  pool->add(key("a", "x"));
  pool->start();
  while (!pool->counts().idle() || pool->counts().failing > 0) std::this_thread::yield();
  pool->stop();
  EXPECT_EQ(failures, (std::vector{0, 1, 2, 3}));
  ASSERT_EQ(waits.size(), 3u);
  EXPECT_EQ(waits[0], milliseconds(0)) << "a conflict is tried again at once";
  EXPECT_GE(waits[1], milliseconds(2));
  EXPECT_GE(waits[2], milliseconds(4));
  EXPECT_LE(waits[2], milliseconds(6));
  EXPECT_EQ(work::Run().wait_after(not_found("x")), std::nullopt) << "an event tells";
  EXPECT_EQ(work::Run().wait_after(refused("x")), std::chrono::minutes(1));
}

TEST(WorkerPool, SurvivesAnExceptionAndTellsNoSecrets) {
  class Lines : public Log {
   public:
    void write(LogLevel level, std::string_view, std::initializer_list<LogField> fields) override {
      EXPECT_EQ(level, LogLevel::kError);
      for (const LogField& field : fields) text += field.value + " ";
    }
    std::string text;
  } log;
  const auto pool = make_pool(
      {.name = "test", .workers = 1, .back_off = {.first = std::chrono::hours(1)}, .log = &log},
      [](const krm::ObjectKey&, const work::Run&) -> Result<NextReconcile> {
        throw std::runtime_error("no such host in https://me:secret@example.com/x");
      });
  pool->add(key("a", "x"));
  pool->start();
  while (!pool->counts().idle()) std::this_thread::yield();
  pool->stop();
  EXPECT_EQ(pool->counts().failing, 1u);
  EXPECT_NE(log.text.find("no such host"), std::string::npos);
  EXPECT_EQ(log.text.find("secret"), std::string::npos);
}

TEST(WorkerPool, WhatFailsAsBeforeIsNotToldAgain) {
  class Levels : public Log {
   public:
    void write(LogLevel level, std::string_view, std::initializer_list<LogField>) override {
      levels.push_back(level);
    }
    std::vector<LogLevel> levels;
  } log;
  int runs = 0;
  const auto pool =
      make_pool({.name = "test", .workers = 1, .back_off = {.first = milliseconds(1)}, .log = &log},
                [&](const krm::ObjectKey&, const work::Run&) -> Result<NextReconcile> {
                  constexpr const char* kErrors[] = {"503", "503", "504"};
                  return runs == 3 ? Result<NextReconcile>(NextReconcile{})
                                   : unavailable("{}", kErrors[runs++]);
                });
  pool->add(key("a", "x"));
  pool->start();
  while (pool->counts().taken < 4 || !pool->counts().idle()) std::this_thread::yield();
  pool->stop();
  EXPECT_EQ(log.levels, (std::vector{LogLevel::kWarning, LogLevel::kDebug, LogLevel::kWarning}));
}

TEST(WorkerPool, EachRunHasAnIdOfItsOwnAndIsTold) {
  struct Told : PoolObserver {
    void looked(const std::string& pool, const krm::ObjectKey& one, const work::Run& run,
                const Result<NextReconcile>& outcome, std::chrono::nanoseconds took) override {
      EXPECT_GE(took.count(), 0);
      lines.with([&](auto& all) {
        all.push_back(pool + " " + one.name + (outcome ? " done " : " failed ") + run.id);
      });
    }
    Guarded<std::vector<std::string>> lines;
  } told;
  Guarded<std::set<std::string>> ids;
  const auto pool =
      make_pool({.name = "test", .back_off = {}, .observer = &told},
                [&](const krm::ObjectKey& one, const work::Run& run) -> Result<NextReconcile> {
                  ids.with([&](auto& all) { all.insert(one.name + run.id); });
                  if (one.name == "bad") return invalid("no");
                  return NextReconcile{};
                });
  for (const char* name : {"good", "bad"}) pool->add(key("a", name));
  pool->start();
  while (!pool->counts().idle()) std::this_thread::yield();
  pool->stop();
  const auto lines = told.lines.with([](const auto& all) { return all; });
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with("test good done ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("test bad failed ")) << lines[1];
  const std::string first = lines[0].substr(15), second = lines[1].substr(16);
  EXPECT_EQ(first.size(), 8u);
  EXPECT_NE(first, second);
  EXPECT_EQ(ids.with([](const auto& all) { return all; }),
            (std::set<std::string>{"good" + first, "bad" + second}));
}

TEST(WorkerPool, NeverRunsAKeyTwiceAtOnceAndLosesNone) {
  struct Seen {
    std::map<std::string, int> begun, ended;
    bool may_end = false;
  };
  Monitor<Seen> seen;
  const auto pool =
      make_pool({.name = "test", .workers = 8, .back_off = {}, .log = nullptr},
                [&](const krm::ObjectKey& one, const work::Run&) -> Result<NextReconcile> {
                  seen.change([&](Seen& s) { ++s.begun[one.name]; });
                  if (one.name == "long")
                    seen.wait([](const Seen& s) { return s.may_end; }, [](const Seen&) {});
                  seen.change([&](Seen& s) { ++s.ended[one.name]; });
                  return NextReconcile{};
                });
  struct LetGo {  // also if the test fails early
    Monitor<Seen>& seen;
    ~LetGo() {
      seen.change([](Seen& s) { s.may_end = true; });
    }
  } const let_go{seen};
  const auto reaches = [&](const auto& what) {
    return seen.wait_until(std::chrono::steady_clock::now() + std::chrono::seconds(60), what, what);
  };
  pool->start();
  pool->add(key("a", "long"));
  ASSERT_TRUE(reaches([](const Seen& s) { return s.begun.contains("long"); }));
  for (int i = 0; i < 20; ++i) {
    // Workers get to keys that were added later, so they could have taken this one.
    pool->add(key("a", "long"));
    const std::string later = std::to_string(i);
    pool->add(key("a", later));
    ASSERT_TRUE(reaches([&](const Seen& s) { return s.ended.contains(later); }));
    ASSERT_EQ(seen.with([](const Seen& s) { return s.begun.at("long"); }), 1) << "twice at once";
  }
  seen.change([](Seen& s) { s.may_end = true; });
  ASSERT_TRUE(reaches([](const Seen& s) {
    return s.ended.contains("long") && s.ended.at("long") == 2;
  })) << "what came meanwhile is lost";
  while (!pool->counts().idle()) std::this_thread::yield();
  pool->stop();
  EXPECT_EQ(seen.with([](const Seen& s) { return s.begun.at("long"); }), 2);
}

TEST(WorkerPool, TheCodeOfTheErrorDecidesWhatComesNext) {
  std::atomic<int> conflicts = 0, invalids = 0, unavailables = 0, refusals = 0;
  const auto pool = make_pool(
      {.name = "test",
       .workers = 2,
       .back_off = {.first = std::chrono::hours(1), .most = std::chrono::hours(1)},
       .slow = {.first = milliseconds(1), .most = milliseconds(1)},
       .log = nullptr},
      [&](const krm::ObjectKey& one, const work::Run&) -> Result<NextReconcile> {
        if (one.name == "refused")
          return ++refusals < 3 ? Result<NextReconcile>(refused("no")) : NextReconcile{};
        if (one.name == "conflict")
          return ++conflicts < 3 ? Result<NextReconcile>(conflict("again")) : NextReconcile{};
        if (one.name == "invalid") return ++invalids, invalid("no");
        return ++unavailables, unavailable("later");
      });
  for (const char* name : {"conflict", "invalid", "unavailable", "refused"})
    pool->add(key("a", name));
  pool->start();
  while (!pool->counts().idle() || refusals < 3) std::this_thread::yield();
  EXPECT_EQ(refusals, 3) << "at the slow pace";
  EXPECT_EQ(conflicts, 3);
  EXPECT_EQ(invalids, 1);
  EXPECT_EQ(unavailables, 1);
  EXPECT_EQ(pool->counts().failing, 1u);
  const auto failing = pool->failing();
  ASSERT_EQ(failing.size(), 1u) << "what was got over or given up is not among it";
  EXPECT_EQ(failing.begin()->first, key("a", "unavailable"));
  EXPECT_EQ(failing.begin()->second.text(), "later");
}

}  // namespace
}  // namespace portico::work
