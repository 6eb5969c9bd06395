// The YAML test suite: events of what is valid, an error for what is not.
#include <fstream>

#include "conformance/suite.h"
#include "json/text.h"
#include "yaml/document.h"

namespace portico::conformance {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\b':
        out += "\\b";
        break;
      default:
        out += c;
    }
  }
}

void append_properties(std::string& out, const yaml::Document& document, yaml::NodeId id) {
  const yaml::Node& node = document[id];
  if (node.has_anchor) out += " &" + std::string(document.anchor(id));
  if (node.has_tag) out += " <" + document.tag(id) + ">";
}

void append_events(std::string& out, const yaml::Document& document, yaml::NodeId id) {
  const yaml::Node& node = document[id];
  if (node.kind == yaml::Kind::kAlias) {
    out += "=ALI *" + std::string(document.anchor(id)) + "\n";
    return;
  }
  if (node.kind == yaml::Kind::kScalar) {
    out += "=VAL";
    append_properties(out, document, id);
    switch (node.style) {
      case yaml::Style::kSingle:
        out += " '";
        break;
      case yaml::Style::kDouble:
        out += " \"";
        break;
      case yaml::Style::kLiteral:
        out += " |";
        break;
      case yaml::Style::kFolded:
        out += " >";
        break;
      default:
        out += " :";
    }
    append_escaped(out, document.scalar(id));
    out += "\n";
    return;
  }
  const bool map = node.kind == yaml::Kind::kMap;
  out += map ? "+MAP" : "+SEQ";
  if (node.style == yaml::Style::kFlow) out += map ? " {}" : " []";
  append_properties(out, document, id);
  out += "\n";
  for (auto child = document.first_child(id); child != yaml::kNoNode;
       child = document.next_sibling(id, child))
    append_events(out, document, child);
  out += map ? "-MAP\n" : "-SEQ\n";
}

/// The events of a stream; documents that hold nothing have an event too, so this walks the
/// separators itself.
Result<std::string> events(std::string_view text) {
  std::string out = "+STR\n";
  PORTICO_TRY(const std::vector<yaml::Document> documents, yaml::parse_documents(text));
  for (const yaml::Document& document : documents) {
    out += document.explicit_start() ? "+DOC ---\n" : "+DOC\n";
    append_events(out, document, document.root());
    out += document.explicit_end() ? "-DOC ...\n" : "-DOC\n";
  }
  return out + "-STR\n";
}

CaseResult run_case(const json::Value& one) {
  CaseResult result{std::string(one["id"].as_string()), Outcome::kPassed, ""};
  const auto fail = [&](std::string detail) {
    result.outcome = Outcome::kFailed;
    result.detail = std::move(detail);
    return result;
  };
  const auto got = events(one["yaml"].as_string());
  if (one["fail"].as_bool()) return got ? fail("invalid text was accepted") : result;
  if (!got) return fail(got.error().text());
  std::string want;
  for (const json::Value& event : one["events"].items())
    want += std::string(event.as_string()) + "\n";
  if (*got != want) return fail("wanted\n" + want + "got\n" + *got);
  return result;
}

}  // namespace

std::vector<CaseResult> run_yaml(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  std::ifstream file(data / "cases.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto one = json::parse(line);
    if (!one) {
      results.push_back(
          {"line " + std::to_string(results.size() + 1), Outcome::kFailed, one.error().text()});
      continue;
    }
    results.push_back(run_case(*one));
  }
  return results;
}

}  // namespace portico::conformance
