#include "controllers/action_logger.h"

#include <gtest/gtest.h>

#include <sstream>

#include "api/kinds.h"
#include "controllers/dump.h"

namespace portico::controllers {
namespace {

class Lines : public Log {
 public:
  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField> fields) override {
    if (level == LogLevel::kDebug) return;
    std::string line(message);
    for (const LogField& field : fields)
      if (field.key != "object") line.append(" ").append(field.value);
    lines.push_back(line);
  }
  std::vector<std::string> lines;
};

using Told = std::vector<std::string>;

TEST(ActionLogger, TellsAnErrorOnceUntilItIsOver) {
  Lines log;
  const RepositoryHealth repository_health;
  ActionLogger narrator(log, repository_health);
  const krm::ObjectKey edge{api::repository_kind(), "default", "edge"};
  const Error down = unavailable("no route");
  const Result<work::NextReconcile> failed = down;
  for (const char* run : {"1", "2"}) {
    narrator.repository_reconciled(edge, {run}, &down);
    narrator.looked("repository", edge, {run}, failed, {});
  }
  EXPECT_EQ(log.lines, Told({"repository not ready 1 Unavailable no route"}));
  narrator.looked("repository", edge, {"3"}, work::NextReconcile{}, {});
  EXPECT_EQ(log.lines.size(), 1u) << "it was counted, not synced";
  for (const char* run : {"4", "5"}) narrator.repository_reconciled(edge, {run}, nullptr);
  EXPECT_EQ(log.lines.size(), 2u);
  EXPECT_EQ(log.lines.back(), "repository ready again 4");
  narrator.repository_reconciled(edge, {"6"}, &down);
  EXPECT_EQ(log.lines.size(), 3u) << "it fails anew";
}

TEST(ActionLogger, TellsOfErrorsThatOnlyThePoolKnows) {
  Lines log;
  const RepositoryHealth repository_health;
  ActionLogger narrator(log, repository_health);
  const krm::ObjectKey web{api::variant_kind(), "default", "web"};
  const Result<work::NextReconcile> failed = internal("a mistake"), moved = conflict("moved");
  narrator.looked("packagevariant", web, {"1"}, moved, {});
  EXPECT_EQ(log.lines, Told()) << "it is tried again at once";
  narrator.looked("packagevariant", web, {"2"}, failed, {});
  narrator.looked("packagevariant", web, {"3"}, failed, {});
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0], "failing 2 Internal a mistake");
  narrator.looked("packagevariant", web, {"4"}, work::NextReconcile{}, {});
  ASSERT_EQ(log.lines.size(), 2u);
  EXPECT_EQ(log.lines[1], "recovered 4");
}

TEST(Dump, SaysWhatRunsWaitsAndDoesNotAnswer) {
  const work::Instant now{std::chrono::hours(1)};
  work::PoolState pool;
  pool.name = "packagevariant";
  pool.workers = 4;
  pool.counts = {.ready = 2, .failing = 1, .running = 1, .taken = 7};
  const krm::ObjectKey web{api::variant_kind(), "default", "web"};
  pool.running = {{web, {"1f2e3d4c"}, now - std::chrono::milliseconds(2500)}};
  pool.waiting = {{{"default", "edge"}, 2}};
  pool.next = {{now + std::chrono::seconds(3), web}, {now - std::chrono::seconds(1), web}};
  const std::string text =
      dump({pool}, {{"default", "edge", "see https://a:b@host/x", 3, now}}, now);
  EXPECT_EQ(text,
            "queue packagevariant: 1 of 4 workers busy, 2 ready, 0 scheduled, 1 failing, "
            "0 to be rechecked, 7 reconciled so far\n"
            "  running " +
                web.text() +
                " for 2.5 s run=1f2e3d4c\n"
                "  lane default/edge: 2 waiting\n"
                "  next " +
                web.text() +
                " in 3.0 s\n"
                "  next " +
                web.text() +
                " in 0.0 s\n"
                "repository default/edge does not answer: 3 failures, next probe in 0.0 s: "
                "see https://***@host/x\n");
}

}  // namespace
}  // namespace portico::controllers
