// The YAML test suite, checked against the strict dialect: the events of valid input, an error for
// invalid input. Then two recordings of Go's libraries, checked against the dialect of packages:
// "go/ID", which input go-yaml v3 accepts and its values; "comments/ID", the line comments that
// go-yaml finds.
#include <optional>

#include "conformance/suite.h"
#include "conformance/support.h"
#include "json/text.h"
#include "krm/object.h"
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

/// The events of a stream. Empty documents have an event too, so this walks the separators itself.
Result<std::string> events(std::string_view text) {
  std::string out = "+STR\n";
  PORTICO_TRY(const std::vector<yaml::Document> documents,
              yaml::parse_documents(text, {.dialect = yaml::Dialect::kStrict}));
  for (const yaml::Document& document : documents) {
    out += document.explicit_start() ? "+DOC ---\n" : "+DOC\n";
    append_events(out, document, document.root());
    out += document.explicit_end() ? "-DOC ...\n" : "-DOC\n";
  }
  return out + "-STR\n";
}

CaseResult run_suite_case(const json::Value& one) {
  const std::string name(one["id"].as_string());
  const auto got = events(one["yaml"].as_string());
  if (one["fail"].as_bool()) return got ? failed(name, "invalid text was accepted") : passed(name);
  if (!got) return failed(name, got.error().text());
  std::string want;
  for (const json::Value& event : one["events"].items())
    want += std::string(event.as_string()) + "\n";
  if (want != *got) return compare(name, want, *got);
  std::string joined;
  const auto parts = yaml::parse_stream(one["yaml"].as_string());
  if (!parts) return failed(name, parts.error().text());
  for (const yaml::StreamPart& part : *parts)
    joined += part.before + part.document.text() + part.after;
  return parts->empty() ? passed(name) : compare(name, one["yaml"].as_string(), joined);
}

/// The documents of a stream as packages are parsed; null for an empty one.
Result<json::Value> values(std::string_view text) {
  PORTICO_TRY(const std::vector<yaml::Document> documents, yaml::parse_documents(text));
  std::vector<json::Value> out;
  for (const yaml::Document& document : documents) {
    if (document.is_empty()) {
      out.emplace_back();
      continue;
    }
    PORTICO_TRY(const krm::Object object, krm::Object::parse(document.text()));
    out.push_back(object.value());
  }
  return json::Value::array(std::move(out));
}

std::string lines(const json::Value& list) {
  std::string out;
  for (const json::Value& item : list.items()) out += json::print(item) + "\n";
  return out;
}

/// `suite` is the test suite's case with the same text.
CaseResult run_go_case(const json::Value& one, const json::Value& suite) {
  const std::string name = "go/" + std::string(one["id"].as_string());
  const auto got = values(suite["yaml"].as_string());
  if (!got) return failed(name, got.error().text());
  const json::Value* equal = one.find("json_equal");
  if (equal == nullptr) return passed(name);
  const json::Value& want = equal->as_bool() ? suite["json_docs"] : one["json_docs"];
  return compare(name, lines(want), lines(*got));
}

/// "doc1 key /a/0" -> document number and path; nullopt for the document itself.
std::optional<std::pair<std::size_t, krm::Path>> node_of(std::string_view at,
                                                         const std::vector<krm::Object>& objects) {
  std::size_t number = 0;
  if (at.starts_with("doc")) {
    number = static_cast<std::size_t>(at[3] - '0');
    at.remove_prefix(std::min<std::size_t>(5, at.size()));
  }
  const std::size_t blank = at.find(' ');
  if (blank == std::string_view::npos || number >= objects.size()) return std::nullopt;
  at.remove_prefix(blank + 1);
  krm::Path path;
  const json::Value* value = &objects[number].value();
  while (!at.empty()) {
    const std::size_t end = std::min(at.find('/', 1), at.size());
    const std::string step(at.substr(1, end - 1));
    at.remove_prefix(end);
    if (value != nullptr && value->is_array()) {
      const std::size_t index = std::stoul(step);
      path.emplace_back(index);
      value = index < value->size() ? &(*value)[index] : nullptr;
    } else {
      path.emplace_back(step);
      value = value == nullptr ? nullptr : value->find(step);
    }
  }
  return std::pair(number, path);
}

/// The file must be reproduced byte for byte, and line comments found at the nodes where go-yaml
/// has them: at a value, or at the key of a value that has none.
CaseResult run_comments_case(const json::Value& one) {
  const std::string name = "comments/" + std::string(one["id"].as_string());
  const std::string_view text = one["in"].as_string();
  const auto objects = krm::Object::parse_file(text);
  if (!objects) return failed(name, objects.error().text());
  if (!objects->empty() && krm::Object::join_file(*objects) != text)
    return failed(name, difference(text, krm::Object::join_file(*objects)));
  std::string want, have;
  std::map<std::pair<std::size_t, krm::Path>, std::string_view> comments;
  for (const json::Value& comment : one["go_yaml"]["comments"].items()) {
    const json::Value* line = comment.find("line");
    auto node = node_of(comment["at"].as_string(), *objects);
    if (line != nullptr && node)
      comments[*std::move(node)] = line->as_string();  // values come last
  }
  for (const auto& [node, comment] : comments) {
    const std::string at = std::to_string(node.first) + " " + krm::path_text(node.second) + ": ";
    want += at + std::string(comment) + "\n";
    have += at + (*objects)[node.first].line_comment(node.second) + "\n";
  }
  return compare(name, want, have);
}

}  // namespace

std::vector<CaseResult> run_yaml(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  const auto each = [&](const char* file, const auto& run) {
    const auto rows = read_jsonl(data / file);
    if (!rows) {
      results.push_back(failed(file, rows.error().text()));
      return;
    }
    for (const json::Value& row : *rows) run(row);
  };
  std::map<std::string, json::Value, std::less<>> suite;
  each("cases.jsonl", [&](const json::Value& row) {
    suite.emplace(row["id"].as_string(), row);
    results.push_back(run_suite_case(row));
  });
  each("go_yaml_v3.jsonl", [&](const json::Value& row) {
    const auto same = suite.find(row["id"].as_string());
    if (row["accepts"].as_bool() && same != suite.end())
      results.push_back(run_go_case(row, same->second));
  });
  each("kyaml_roundtrip.jsonl", [&](const json::Value& row) {
    if (row["go_yaml"].find("error") == nullptr) results.push_back(run_comments_case(row));
  });
  return results;
}

}  // namespace portico::conformance
