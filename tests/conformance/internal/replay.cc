#include "conformance/internal/replay.h"

#include <algorithm>
#include <memory>

#include "base/hash.h"
#include "conformance/support.h"
#include "http/memory_stream.h"
#include "json/text.h"
#include "krm/object.h"

namespace portico::conformance {

using json::Value;

namespace {

Result<Value> decoded(const http::Response& response) {
  if (response.headers.get("Content-Type") != "application/yaml") return json::parse(response.body);
  PORTICO_TRY(const krm::Object object, krm::Object::parse(response.body));
  return object.value();
}

Value without_descriptions(const Value& value) {
  Value out = value["description"].is_string() ? value.without("description") : value;
  for (const json::Member& member : out.members())
    out = out.with(member.name(), without_descriptions(member.value));
  for (std::size_t i = 0; i < out.items().size(); ++i)
    out = out.with_item(i, without_descriptions(out[i]));
  return out;
}

template <class F>
Value changed_at(const Value& value, std::string_view path, const F& change) {
  if (path.empty()) return change(value);
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  const std::string_view rest = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  if (first == "*") {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(changed_at(item, rest, change));
    return Value::array(std::move(items));
  }
  if (!value.contains(first)) return value;
  return value.with(first, changed_at(value[first], rest, change));
}

const Value& at(const Value& value, std::string_view path) {
  const Value* out = &value;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    out = &(*out)[path.substr(0, dot)];
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return *out;
}

Value selected(const Value& body, const Value& select) {
  const auto kept = [&](std::string_view name) {
    const auto items = select["keep"].items();
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& one) { return one.as_string() == name; });
  };
  return changed_at(body, select["path"].as_string(), [&](const Value& list) {
    if (list.is_object()) {
      Value out = list;
      for (const json::Member& member : list.members())
        if (!kept(member.name())) out = out.without(member.name());
      return out;
    }
    std::vector<Value> items;
    for (const Value& item : list.items())
      if (kept(at(item, select["by"].as_string()).as_string())) items.push_back(item);
    // Sort in the recorded order, which is arbitrary.
    std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
      const auto place = [&](const Value& item) {
        const auto keep = select["keep"].items();
        return std::find_if(
                   keep.begin(), keep.end(),
                   [&](const Value& one) { return one == at(item, select["by"].as_string()); }) -
               keep.begin();
      };
      return place(a) < place(b);
    });
    return Value::array(std::move(items));
  });
}

Value sorted(const Value& body, const Value& sort) {
  return changed_at(body, sort["path"].as_string(), [&](const Value& list) {
    std::vector<Value> items(list.items().begin(), list.items().end());
    std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
      return json::print(at(a, sort["by"].as_string())) <
             json::print(at(b, sort["by"].as_string()));
    });
    return Value::array(std::move(items));
  });
}

}  // namespace

Result<access::User> ByHeader::who(const http::Request& request) {
  access::User user{.name = std::string(request.headers.get("X-Test-User")), .groups = {}};
  if (others_ != nullptr && (user.name.empty() || user.name == "anonymous"))
    return others_->who(request);
  if (user.name == "anonymous") return invalid("anonymous").because(Reason::kUnauthorized);
  for (const std::string_view group : request.headers.all("X-Test-Group"))
    user.groups.emplace_back(group);
  user.groups.emplace_back("system:authenticated");
  user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=test"};
  return user;
}

Result<apiserver::ReviewedToken> ByHeader::review(std::string_view token,
                                                  const std::vector<std::string>& audiences) {
  if (others_ != nullptr) return others_->review(token, audiences);
  return invalid("there are no tokens").because(Reason::kUnauthorized);
}

bool ReplayRules::fits(const Value&, int, const Value&) { return false; }
void ReplayRules::adjust(Value&, Value&) {}

std::string Replay::run(const Value& step) {
  const Value& want = step["response"];
  http::Answer answer = server_.handle(request_of(rules_.request(step["request"])));
  if (want.contains("events")) return against_events(step, answer);
  auto* response = std::get_if<http::Response>(&answer);
  if (response == nullptr) return "a stream, and not expected\n";
  const auto have = decoded(*response);
  if (response->status != want["status"].as_int() && have &&
      rules_.fits(want, response->status, *have))
    return "";
  if (response->status != want["status"].as_int())
    return fmt::format("want status {}, have {}: {}\n", want["status"].as_int(), response->status,
                       response->body.substr(0, 600));
  for (const json::Member& header : want["headers"].members())
    if (std::string text = against_header(header, *response); !text.empty()) return text;
  if (!want.contains("body")) return "";
  if (!have) return "the body is not readable: " + have.error().text() + "\n";
  return against_body(step, want["body"], *have);
}

http::Request Replay::request_of(const Value& step) {
  http::Request out;
  out.method = step["method"].as_string();
  out.target = placeholders_.filled(step["path"].as_string());
  const bool is_protobuf = step.contains("bodyBase64");
  const bool has_body = step.contains("body") || step.contains("bodyText");
  const Value& headers = step["headers"];
  const auto add = [&](const char* name, const char* usual) {
    if (const Value* given = headers.find(name)) {
      if (!given->is_null()) out.headers.add(name, std::string(given->as_string()));
    } else if (usual != nullptr) {
      out.headers.add(name, usual);
    }
  };
  add("User-Agent", "conformance");
  add("Accept", "application/json");
  add("Content-Type", is_protobuf ? "application/vnd.kubernetes.protobuf"
                      : has_body  ? "application/json"
                                  : nullptr);
  for (const json::Member& header : headers.members())
    if (!out.headers.has(header.name()) && !header.value.is_null())
      out.headers.add(std::string(header.name()), placeholders_.filled(header.value.as_string()));
  if (is_protobuf)
    base64_decode(step["bodyBase64"].as_string(), out.body);
  else if (step.contains("bodyText"))
    out.body = placeholders_.filled(step["bodyText"].as_string());
  else if (has_body)
    out.body = json::print(placeholders_.filled(step["body"]));
  const Value& user = step["user"];
  if (user.contains("token"))
    out.headers.set("Authorization", "Bearer " + placeholders_.filled(user["token"].as_string()));
  out.headers.set("X-Test-User", user.is_null() ? "admin"
                                 : user.is_string()
                                     ? std::string(user.as_string())
                                     : placeholders_.filled(user["name"].as_string()));
  if (user.is_null()) out.headers.add("X-Test-Group", "system:masters");
  for (const Value& group : user["groups"].items())
    out.headers.add("X-Test-Group", placeholders_.filled(group.as_string()));
  out.peer = std::make_shared<http::Peer>();
  return out;
}

Result<Done> Replay::post(const std::string& path, const Value& body) {
  http::Request request;
  request.method = "POST";
  request.target = path;
  request.headers.set("User-Agent", "cleaner");
  request.headers.set("X-Test-User", "admin");
  request.headers.set("X-Test-Group", "system:masters");
  request.body = json::print(body);
  request.peer = std::make_shared<http::Peer>();
  const http::Answer answer = server_.handle(std::move(request));
  const auto& response = std::get<http::Response>(answer);
  if (response.status == 201) return Done{};
  return internal("{}: {}", path, response.body);
}

std::string Replay::against_header(const json::Member& header, const http::Response& response) {
  if (header.name() == "ETag")
    return placeholders_.difference(header.value, Value(std::string(response.headers.get("ETag"))));
  if (header.name() == "Vary" || header.name() == "Allow") return "";
  std::string want;
  const auto add = [&](std::string_view text) {
    want += (want.empty() ? "" : " | ") + std::string(text);
  };
  if (header.value.is_array())
    for (const Value& item : header.value.items()) add(item.as_string());
  else
    add(header.value.as_string());
  std::string have;
  for (const std::string_view each : response.headers.all(header.name()))
    have += (have.empty() ? "" : " | ") + std::string(each);
  return want == have ? ""
                      : fmt::format("header {}: want {}, have {}\n", header.name(), want, have);
}

std::string Replay::against_body(const Value& step, Value want, Value have) {
  for (const Value& path : step["any"].items()) {
    want = without_path(want, path.as_string());
    have = without_path(have, path.as_string());
  }
  // Column descriptions are Portico's own.
  want = without_path(want, "columnDefinitions.*.description");
  have = without_path(have, "columnDefinitions.*.description");
  // So are descriptions of parameters and of the schemas of Kubernetes' types.
  if (want.contains("openapi") || want.contains("swagger")) {
    want = without_descriptions(want);
    have = without_descriptions(have);
  }
  rules_.adjust(want, have);
  for (const Value& one : step["select"].items()) have = selected(have, one);
  for (const Value& one : step["sort"].items()) have = sorted(have, one);
  if (have["kind"].as_string() == "Status") {
    have = with_sorted_causes(have);
    want = with_sorted_causes(want);
  }
  return placeholders_.difference(want, have);
}

std::string Replay::against_events(const Value& step, http::Answer& answer) {
  auto* streaming = std::get_if<http::Streaming>(&answer);
  if (streaming == nullptr) return "no stream: " + std::get<http::Response>(answer).body + "\n";
  auto stream = std::make_shared<http::MemoryStream>();
  streaming->start(stream);
  std::string text;
  for (const Value& inner : step["during"].items()) {
    if (!inner.contains("request")) continue;
    if (std::string difference = run(inner); !difference.empty()) return "during: " + difference;
  }
  while (!stream->is_over())
    text += stream->read(std::chrono::steady_clock::now() + std::chrono::seconds(10));
  std::vector<Value> events;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    auto event = json::parse(text.substr(0, end));
    if (!event) return "an event is not JSON: " + text.substr(0, end) + "\n";
    const bool plain =
        (*event)["type"].as_string() == "BOOKMARK" &&
        !(*event)["object"]["metadata"]["annotations"].contains("k8s.io/initial-events-end");
    if (!plain) events.push_back(*std::move(event));
    text.erase(0, end + 1);
  }
  return against_list(step, events);
}

// Compares events in order, or as a set if their order is arbitrary.
std::string Replay::against_list(const Value& step, const std::vector<Value>& events) {
  // Column descriptions are Portico's own.
  const char* const description = "*.object.columnDefinitions.*.description";
  Value want = without_path(step["response"]["events"], description);
  Value have = without_path(Value::array(std::vector<Value>(events)), description);
  for (const Value& path : step["any"].items()) {
    want = without_path(want, path.as_string());
    have = without_path(have, path.as_string());
  }
  std::vector<Value> wanted = rules_.events({want.items().begin(), want.items().end()});
  std::vector<Value> had = rules_.events({have.items().begin(), have.items().end()});
  for (std::size_t i = 0; i < std::min(wanted.size(), had.size()); ++i) {
    Value of_want = wanted[i]["object"], of_have = had[i]["object"];
    rules_.adjust(of_want, of_have);
    wanted[i] = wanted[i].with("object", std::move(of_want));
    had[i] = had[i].with("object", std::move(of_have));
  }
  if (step["unordered"].as_bool()) {
    const auto key = [](const Value& event) {
      return std::pair(std::string(krm::name_of(event["object"])),
                       std::string(event["type"].as_string()));
    };
    const auto before = [&](const Value& a, const Value& b) { return key(a) < key(b); };
    std::stable_sort(wanted.begin(), wanted.end(), before);
    std::stable_sort(had.begin(), had.end(), before);
  }
  return placeholders_.difference(Value::array(std::move(wanted)), Value::array(std::move(had)));
}

}  // namespace portico::conformance
