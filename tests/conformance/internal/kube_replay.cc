#include "conformance/internal/kube_replay.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "apiserver/server.h"
#include "base/hash.h"
#include "conformance/internal/kube_api.h"
#include "conformance/support.h"
#include "http/memory_stream.h"
#include "json/text.h"
#include "krm/object.h"
#include "store/embedded.h"

namespace portico::conformance {
namespace {

using json::Value;

// Who a request is from stands in headers of the test's own.
class ByHeader : public apiserver::Authenticator {
 public:
  Result<access::User> who(const http::Request& request) override {
    access::User user{.name = std::string(request.headers.get("X-Test-User")), .groups = {}};
    if (user.name == "anonymous") return invalid("anonymous").because(Reason::kUnauthorized);
    for (const std::string_view group : request.headers.all("X-Test-Group"))
      user.groups.emplace_back(group);
    user.groups.emplace_back("system:authenticated");
    return user;
  }
};

/// A server of its own for one case, with an empty store.
class Replay {
 public:
  static Result<std::unique_ptr<Replay>> open(const Value& exchanges,
                                              const std::filesystem::path& crds) {
    std::unique_ptr<Replay> out(new Replay());
    PORTICO_TRY(out->registry_, store::open_embedded({}));
    PORTICO_TRY(out->server_, apiserver::make_server({.registry = *out->registry_,
                                                      .authenticator = out->by_header_,
                                                      .clock = out->clock_},
                                                     {.address = "<server>", .version = "test"}));
    for (const Value& name : exchanges["crds"].items())
      PORTICO_DO(out->define(crds / (std::string(name.as_string()) + ".yaml")));
    const auto namespaces =
        exchanges["namespaces"].is_null() ? 1 : exchanges["namespaces"].as_int();
    for (int i = 0; i < namespaces; ++i) PORTICO_DO(out->make_namespace(i == 0 ? "ns-a" : "ns-bb"));
    return out;
  }

  /// "" where the answer is the recorded one.
  std::string run(const Value& step) {
    const Value& want = step["response"];
    http::Answer answer = server_->handle(request_of(step["request"]));
    if (want.contains("events")) return against_events(step, answer);
    auto* response = std::get_if<http::Response>(&answer);
    if (response == nullptr) return "a stream, and not expected\n";
    if (response->status != want["status"].as_int())
      return fmt::format("want status {}, have {}: {}\n", want["status"].as_int(), response->status,
                         response->body.substr(0, 600));
    for (const json::Member& header : want["headers"].members())
      if (std::string text = against_header(header, *response); !text.empty()) return text;
    if (!want.contains("body")) return "";
    const auto have = decoded(*response);
    if (!have) return "the body is not readable: " + have.error().text() + "\n";
    return against_body(step, want["body"], *have);
  }

 private:
  http::Request request_of(const Value& step) {
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
    out.headers.set("X-Test-User", user.is_null()     ? "admin"
                                   : user.is_string() ? std::string(user.as_string())
                                                      : std::string(user["name"].as_string()));
    if (user.is_null()) out.headers.add("X-Test-Group", "system:masters");
    for (const Value& group : user["groups"].items())
      out.headers.add("X-Test-Group", std::string(group.as_string()));
    out.peer = std::make_shared<http::Peer>();
    return out;
  }

  Result<Done> post(const std::string& path, const Value& body) {
    http::Request request;
    request.method = "POST";
    request.target = path;
    request.headers.set("User-Agent", "cleaner");
    request.headers.set("X-Test-User", "admin");
    request.headers.set("X-Test-Group", "system:masters");
    request.body = json::print(body);
    request.peer = std::make_shared<http::Peer>();
    const http::Answer answer = server_->handle(std::move(request));
    const auto& response = std::get<http::Response>(answer);
    if (response.status == 201) return Done{};
    return internal("{}: {}", path, response.body);
  }

  Result<Done> define(const std::filesystem::path& file) {
    PORTICO_TRY(const std::string text, read_file(file));
    PORTICO_TRY(const krm::Object object, krm::Object::parse(text), file.string());
    return post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", object.value());
  }

  Result<Done> make_namespace(const std::string& name) {
    return post("/api/v1/namespaces",
                Value::object({{"apiVersion", "v1"},
                               {"kind", "Namespace"},
                               {"metadata", Value::object({{"name", name}})}}));
  }

  static Result<Value> decoded(const http::Response& response) {
    if (response.headers.get("Content-Type") != "application/yaml")
      return json::parse(response.body);
    PORTICO_TRY(const krm::Object object, krm::Object::parse(response.body));
    return object.value();
  }

  std::string against_header(const json::Member& header, const http::Response& response) {
    if (header.name() == "ETag")
      return placeholders_.difference(header.value,
                                      Value(std::string(response.headers.get("ETag"))));
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

  // What a step says is not compared, in both.
  std::string against_body(const Value& step, Value want, Value have) {
    for (const Value& path : step["any"].items()) {
      want = without_path(want, path.as_string());
      have = without_path(have, path.as_string());
    }
    // Descriptions of columns are ours.
    want = without_path(want, "columnDefinitions.*.description");
    have = without_path(have, "columnDefinitions.*.description");
    // So are those of parameters and of the schemas of Kubernetes' own types.
    if (want.contains("openapi") || want.contains("swagger")) {
      want = without_descriptions(want);
      have = without_descriptions(have);
    }
    for (const Value& one : step["select"].items()) have = selected(have, one);
    for (const Value& one : step["sort"].items()) have = sorted(have, one);
    if (have["kind"].as_string() == "Status") {
      have = with_sorted_causes(have);
      want = with_sorted_causes(want);
    }
    return placeholders_.difference(want, have);
  }

  static Value without_descriptions(const Value& value) {
    Value out = value["description"].is_string() ? value.without("description") : value;
    for (const json::Member& member : out.members())
      out = out.with(member.name(), without_descriptions(member.value));
    for (std::size_t i = 0; i < out.items().size(); ++i)
      out = out.with_item(i, without_descriptions(out[i]));
    return out;
  }

  template <class F>
  static Value changed_at(const Value& value, std::string_view path, const F& change) {
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

  static const Value& at(const Value& value, std::string_view path) {
    const Value* out = &value;
    while (!path.empty()) {
      const std::size_t dot = path.find('.');
      out = &(*out)[path.substr(0, dot)];
      path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    }
    return *out;
  }

  static Value selected(const Value& body, const Value& select) {
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
      // In the record's order, which is by chance.
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

  static Value sorted(const Value& body, const Value& sort) {
    return changed_at(body, sort["path"].as_string(), [&](const Value& list) {
      std::vector<Value> items(list.items().begin(), list.items().end());
      std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
        return json::print(at(a, sort["by"].as_string())) <
               json::print(at(b, sort["by"].as_string()));
      });
      return Value::array(std::move(items));
    });
  }

  std::string against_events(const Value& step, http::Answer& answer) {
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
    const char* const description = "*.object.columnDefinitions.*.description";
    const Value want = without_path(step["response"]["events"], description);
    const Value have = without_path(Value::array(std::move(events)), description);
    return placeholders_.difference(want, have);
  }

  ByHeader by_header_;
  SystemClock clock_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<http::Handler> server_;
  Placeholders placeholders_;
};

CaseResult run_case(const std::string& name, const std::filesystem::path& file) {
  const auto exchanges = read_exchanges(file);
  if (!exchanges) return failed(name, exchanges.error().text() + "\n");
  for (const Value& step : (*exchanges)["steps"].items())
    if (step.contains("kubectl") || step.contains("compact"))
      return skipped(name, "the replay has no kubectl and no compaction");
  auto replay = Replay::open(*exchanges, file.parent_path().parent_path() / "crds");
  if (!replay) return failed(name, replay.error().text() + "\n");
  int number = 0;
  for (const Value& step : (*exchanges)["steps"].items()) {
    ++number;
    if (!step.contains("request")) continue;
    if (const std::string text = (*replay)->run(step); !text.empty())
      return failed(name, fmt::format("step {}: {}", number, text));
  }
  return passed(name);
}

}  // namespace

std::vector<CaseResult> replay_kube_api(const std::filesystem::path& data,
                                        std::string_view prefix) {
  std::vector<CaseResult> results;
  for (const auto& file : files_with(data, ".yaml")) {
    const std::string name = std::string(prefix) + file.stem().string();
    results.push_back(guarded(name, [&] { return run_case(name, file); }));
  }
  return results;
}

}  // namespace portico::conformance
