// Every state with every input, and the copies in the histories of data/*.txt.
#include "reflector/reflector.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "testing/cases.h"

namespace portico::reflector {
namespace {

using json::Value;

// "a=1@5": the ConfigMap a with data 1, at version 5.
Value object_of(const std::string& word) {
  const std::size_t is = word.find('='), at = word.find('@');
  return Value::object({{"metadata", Value::object({{"name", word.substr(0, std::min(is, at))},
                                                    {"namespace", "default"},
                                                    {"resourceVersion", word.substr(at + 1)}})},
                        {"data", is == std::string::npos ? "" : word.substr(is + 1, at - is - 1)}});
}

std::string word_of(const Value& object) {
  return fmt::format("{}={}@{}", object["metadata"]["name"].as_string(), object["data"].as_string(),
                     object["metadata"]["resourceVersion"].as_string());
}

Error error_of(const std::string& word) {
  if (word == "expired") return not_found("too old").because(Reason::kExpired);
  if (word == "forbidden") return forbidden("watch is not permitted");
  if (word == "invalid") return invalid("sendInitialEvents is not known");
  return unavailable("connection refused");
}

// "page 5 a=1@3 next=x", "list-failed expired", "added a=1@6", "bookmark 7 end", "ended", ...
Input input_of(const std::string& line) {
  std::istringstream in(line);
  std::string verb, word;
  in >> verb;
  const auto rest = [&] {
    std::vector<std::string> words;
    while (in >> word) words.push_back(word);
    return words;
  }();
  std::optional<std::chrono::milliseconds> after;
  if (rest.size() > 1 && rest[1].starts_with("after="))
    after = std::chrono::milliseconds(std::stoi(rest[1].substr(6)));
  if (verb == "begin") return Begin{};
  if (verb == "page") {
    ListPage page{.objects = {}, .version = rest.at(0), .next = ""};
    for (std::size_t i = 1; i < rest.size(); ++i)
      if (rest[i].starts_with("next="))
        page.next = rest[i].substr(5);
      else
        page.objects.push_back(object_of(rest[i]));
    return page;
  }
  if (verb == "list-failed") return ListFailed{error_of(rest.at(0)), after};
  if (verb == "watch-failed") return WatchFailed{error_of(rest.at(0)), after};
  if (verb == "no-initial-events")
    return NoInitialEvents{.remember = !rest.empty() && rest[0] == "remember"};
  if (verb == "ended") return WatchEnded{};
  if (verb == "wait-over") return WaitOver{};
  if (verb == "bookmark") {
    Value mark = object_of("@" + rest.at(0));
    if (rest.size() > 1)
      mark = mark.with_at({"metadata", "annotations", "k8s.io/initial-events-end"}, "true");
    return WatchEvent{EventType::kBookmark, mark};
  }
  const EventType type = verb == "added"      ? EventType::kAdded
                         : verb == "modified" ? EventType::kModified
                                              : EventType::kDeleted;
  if (verb != "added" && verb != "modified" && verb != "deleted")
    throw std::runtime_error("no input: " + line);
  return WatchEvent{type, object_of(rest.at(0))};
}

std::string told(const Step& step) {
  static constexpr const char* kNews[] = {"added", "modified", "deleted", "renewed"};
  std::vector<std::string> parts;
  if (step.problem) parts.push_back("problem: " + step.problem->what);
  for (const Change& change : step.changes)
    parts.push_back(
        fmt::format("{} {}", kNews[static_cast<int>(change.news)], word_of(change.object)));
  if (step.complete) parts.emplace_back("complete");
  if (step.request) {
    if (const auto* list = std::get_if<List>(&*step.request))
      parts.push_back("list" + (list->next.empty() ? "" : " " + list->next));
    if (const auto* watch = std::get_if<Watch>(&*step.request))
      parts.push_back(watch->initial_events ? "watch from nothing" : "watch " + watch->version);
    if (const auto* wait = std::get_if<Wait>(&*step.request))
      parts.push_back(fmt::format("wait {} ms", wait->time.count()));
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, "; "));
}

class Lives : public ::testing::TestWithParam<portico::testing::Case> {};

// A line "+5000" advances the time, in milliseconds.
TEST_P(Lives, MatchTheirFile) {
  const auto& one = GetParam();
  State state(Settings{.streaming = one["settings"].starts_with("streaming"),
                       .resumes = !one["settings"].starts_with("without resuming")});
  std::istringstream in(one["happens"]);
  std::string line, out;
  Instant now{0};
  while (std::getline(in, line)) {
    if (line.starts_with('+')) {
      now += Instant(std::stoi(line.substr(1)));
      continue;
    }
    Step done = step(std::move(state), input_of(line), now, 0.5);
    out += fmt::format("{} -> {}\n", line, told(done));
    state = std::move(done.state);
  }
  one.expect("does", out);
}
INSTANTIATE_TEST_SUITE_P(Data, Lives, ::testing::ValuesIn(testing::cases("reflector/tests/data")),
                         portico::testing::case_name);

// However often lists and watches are interrupted: once the server is idle and a list is complete,
// the copy equals the server's state, and the changes lead to it.
RC_GTEST_PROP(Reflector, ComesToWhatTheServerHas, ()) {
  std::map<std::string, Value> server, copy;
  int version = 1;
  const auto change_server = [&] {
    const std::string name(1, static_cast<char>('a' + *rc::gen::inRange(0, 5)));
    ++version;
    if (*rc::gen::inRange(0, 3) == 0)
      server.erase(name);
    else
      server[name] = object_of(fmt::format("{}={}@{}", name, *rc::gen::inRange(0, 3), version));
  };
  const auto note = [&](const Step& done) {
    for (const Change& change : done.changes) {
      const std::string name(change.object["metadata"]["name"].as_string());
      RC_ASSERT((change.news == News::kAdded) == !copy.contains(name));
      if (change.news != News::kAdded) RC_ASSERT(change.previous == copy[name]);
      if (change.news == News::kDeleted)
        copy.erase(name);
      else
        copy[name] = change.object;
    }
  };
  State state(
      Settings{.streaming = *rc::gen::arbitrary<bool>(), .resumes = *rc::gen::arbitrary<bool>()});
  std::optional<Request> asked;
  const auto feed = [&](Input input) {
    Step done = step(std::move(state), std::move(input), Instant(0), 0.5);
    note(done);
    state = std::move(done.state);
    if (done.request)
      asked = done.request;
    else if (done.complete)
      asked = Watch{};  // the stream continues as a normal watch
    return done.complete;
  };
  // The server's response to the last request.
  const auto answer = [&]() -> bool {
    if (std::holds_alternative<Wait>(*asked)) return feed(WaitOver{});
    if (std::holds_alternative<List>(*asked)) {
      ListPage page{.objects = {}, .version = std::to_string(version), .next = ""};
      for (const auto& [name, object] : server) page.objects.push_back(object);
      return feed(page);
    }
    if (!std::get<Watch>(*asked).initial_events) return feed(WatchFailed{error_of("expired")});
    for (const auto& [name, object] : server) feed(WatchEvent{EventType::kAdded, object});
    Value mark = object_of(fmt::format("@{}", version));
    return feed(
        WatchEvent{EventType::kBookmark,
                   mark.with_at({"metadata", "annotations", "k8s.io/initial-events-end"}, "true")});
  };
  feed(Begin{});
  const int events = *rc::gen::inRange(0, 40);
  for (int i = 0; i < events; ++i) {
    change_server();
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        feed(WatchFailed{error_of("refused")});
        break;
      case 1:
        feed(ListFailed{error_of("expired")});
        break;
      case 2:
        feed(WatchEnded{});
        break;
      case 3:
        feed(NoInitialEvents{.remember = *rc::gen::arbitrary<bool>()});
        break;
      default:
        answer();
    }
  }
  for (int i = 0; i < 5; ++i)
    if (answer()) break;
  RC_ASSERT(copy == server);
}

}  // namespace
}  // namespace portico::reflector
