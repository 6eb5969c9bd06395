// Package revisions through the API, as transcripts of requests and answers, over git repositories
// in a temporary folder.
#include <regex>
#include <sstream>
#include <utility>

#include "apiserver/server.h"
#include "drafts/tests/fleet.h"
#include "json/text.h"
#include "testing/cases.h"

namespace portico::apiserver {
namespace {

using drafts::Fleet;
using drafts::must;
using json::Value;

class ByHeader : public Authenticator {
 public:
  Result<access::User> who(const http::Request& request) override {
    access::User user{.name = std::string(request.headers.get("X-Test-User")),
                      .groups = {"system:authenticated"}};
    if (user.name == "admin") user.groups.emplace_back("system:masters");
    return user;
  }
  Result<ReviewedToken> review(std::string_view, const std::vector<std::string>&) override {
    return invalid("there are no tokens").because(Reason::kUnauthorized);
  }
};

class Lines : public Log {
 public:
  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField> fields) override {
    text += fmt::format("{}{}", level == LogLevel::kInfo ? "" : "not info: ", message);
    for (const LogField& field : fields) text += fmt::format(" {}={}", field.key, field.value);
    text += "\n";
  }
  std::string text;
};

/// Lines of a script:
///   METHOD RESOURCE[/NAME][?QUERY] [SECTION] [KEY=VALUE ...]   as the administrator; a whole path
///   begins with "/"
/// with the section as body, in which {VERSION} is the last version in an answer, and user=NAME,
/// type=CONTENT-TYPE; a trailing "raw" shows the body of the answer.
///   log: what was logged since the last such line
///   refs REPOSITORY | files REPOSITORY REF | show REPOSITORY PATH@REF | bind USER ROLE
class Transcript {
 public:
  explicit Transcript(const portico::testing::Case& one) : case_(one) {
    server_ = must(make_server({.registry = *fleet_.registry,
                                .authenticator = by_header_,
                                .clock = fleet_.clock,
                                .packages = fleet_.packages.get(),
                                .drafts = fleet_.drafts.get(),
                                .log = &log_},
                               {.address = "server", .version = "test"}));
    for (const char* name : {"up", "dep"}) {
      fleet_.make_git(name);
      fleet_.commit(name, "main", {{"README.md", "begin\n"}});
      if (name == std::string_view("up")) {
        fleet_.commit(name, "main",
                      {{"web/Kptfile", kKptfile},
                       {"web/cm.yaml", kConfigMap},
                       {"web/logo", std::string("\xff\xfe\0", 3)}},
                      [](const std::filesystem::path& work) {
                        std::filesystem::create_symlink("cm.yaml", work / "web/link.yaml");
                      });
        portico::testing::git(fleet_.bare(name), {"tag", "web/v1", "main"});
      }
      fleet_.store_new(fleet_.repository_object(name, name));
      must(fleet_.sync(name));
    }
  }

  std::string run() {
    std::istringstream lines(case_["script"]);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with("#")) continue;
      fleet_.clock.move(std::chrono::minutes(1));
      std::istringstream in(line);
      std::vector<std::string> words;
      for (std::string word; in >> word;) words.push_back(std::move(word));
      out_ += "$ " + line + "\n" + masked(answer_to(words));
    }
    return out_;
  }

 private:
  static constexpr const char* kKptfile =
      "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n";
  static constexpr const char* kConfigMap =
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  color: blue\n";

  std::string answer_to(const std::vector<std::string>& words) {
    if (words[0] == "refs")
      return portico::testing::git(fleet_.bare(words[1]), {"for-each-ref", "--format=%(refname)"}) +
             "\n";
    if (words[0] == "show") {
      const std::size_t mark = words[2].find('@');
      return portico::testing::git(fleet_.bare(words[1]), {"show", words[2].substr(mark + 1) + ":" +
                                                                       words[2].substr(0, mark)}) +
             "\n";
    }
    if (words[0] == "files")
      return portico::testing::git(fleet_.bare(words[1]), {"ls-tree", "-r", words[2]}) + "\n";
    if (words[0] == "log") return std::exchange(log_.text, "");
    if (words[0] == "bind") return bind(words[1], words[2]);
    http::Request request;
    request.method = words[0];
    request.target = words[1].starts_with("/")
                         ? words[1]
                         : "/apis/porch.kpt.dev/v1alpha1/namespaces/default/" + words[1];
    request.headers.set("X-Test-User", "admin");
    bool raw = false;
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::size_t equal = words[i].find('=');
      if (words[i] == "raw")
        raw = true;
      else if (words[i].starts_with("user="))
        request.headers.set("X-Test-User", words[i].substr(equal + 1));
      else if (words[i].starts_with("type="))
        request.headers.set("Content-Type", words[i].substr(equal + 1));
      else
        request.body = filled(case_[words[i]]);
    }
    request.peer = std::make_shared<http::Peer>();
    const http::Answer answer = server_->handle(std::move(request));
    return shown(std::get<http::Response>(answer), raw);
  }

  std::string bind(const std::string& user, const std::string& role) {
    fleet_.store_new(Value::object(
        {{"apiVersion", "rbac.authorization.k8s.io/v1"},
         {"kind", "RoleBinding"},
         {"metadata", Value::object({{"name", user}, {"namespace", Fleet::kNs}})},
         {"roleRef", Value::object({{"apiGroup", "rbac.authorization.k8s.io"},
                                    {"kind", "ClusterRole"},
                                    {"name", role}})},
         {"subjects",
          Value::array({Value::object(
              {{"kind", "User"}, {"apiGroup", "rbac.authorization.k8s.io"}, {"name", user}})})}}));
    return "";
  }

  std::string filled(std::string text) const {
    constexpr std::string_view kMark = "{VERSION}";
    for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark))
      text.replace(at, kMark.size(), version_);
    return text;
  }

  static std::string line_of(const Value& object) {
    std::string out =
        std::string(object["kind"].as_string()) + " " + std::string(krm::name_of(object));
    const Value& spec = object["spec"];
    if (spec.contains("lifecycle")) out += " " + std::string(spec["lifecycle"].as_string());
    if (spec.contains("revision")) out += " r" + std::to_string(spec["revision"].as_int());
    for (const char* field : {"labels", "annotations", "finalizers"})
      if (object["metadata"].contains(field)) out += " " + json::print(object["metadata"][field]);
    if (spec.contains("packageMetadata")) out += " " + json::print(spec["packageMetadata"]);
    if (krm::is_deleting(object)) out += " deleting";
    for (const json::Member& file : spec["resources"].members())
      out += fmt::format("\n    {}: {} bytes", file.name(), file.value.as_string().size());
    return out;
  }

  std::string shown(const http::Response& response, bool raw) {
    const Value body = must(json::parse(response.body));
    if (const Value& version = body["metadata"]["resourceVersion"]; version.is_string())
      version_ = version.as_string();
    std::string out = std::to_string(response.status) + " ";
    for (const std::string_view warning : response.headers.all("Warning"))
      out += std::string(warning) + " ";
    if (raw) return out + json::print_pretty(body, 2) + "\n";
    if (body["kind"].as_string() == "Status")
      return out + fmt::format("{} {}\n", body["reason"].as_string(), body["message"].as_string());
    if (!body.contains("kind")) return out + json::print(body).substr(0, 120) + "\n";
    if (!body.contains("items")) return out + line_of(body) + "\n";
    out += std::string(body["kind"].as_string()) + "\n";
    for (const Value& item : body["items"].items()) out += "  " + line_of(item) + "\n";
    return out;
  }

  std::string masked(std::string text) const {
    static const std::regex kUid("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    static const std::regex kCommit("\\b[0-9a-f]{40}\\b");
    static const std::regex kVersion("\"resourceVersion\": \"[0-9]+\"");
    text = std::regex_replace(text, kUid, "<uid>");
    text = std::regex_replace(text, kCommit, "<commit>");
    text = std::regex_replace(text, kVersion, "\"resourceVersion\": \"<version>\"");
    const std::string dir = fleet_.temp.path().string();
    for (std::size_t at = text.find(dir); at != std::string::npos; at = text.find(dir))
      text.replace(at, dir.size(), "<dir>");
    return text;
  }

  const portico::testing::Case& case_;
  Fleet fleet_;
  ByHeader by_header_;
  Lines log_;
  std::unique_ptr<http::Handler> server_;
  std::string version_, out_;
};

class Packages : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Packages, AnswerAsTheFileSays) { GetParam().expect("want", Transcript(GetParam()).run()); }
INSTANTIATE_TEST_SUITE_P(
    Data, Packages, ::testing::ValuesIn(portico::testing::cases("apiserver/tests/data/packages")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::apiserver
