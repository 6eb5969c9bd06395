#include "git/object.h"

#include <algorithm>
#include <charconv>

namespace portico::git {
namespace {

// The first entry of a tree's bytes. The views point into those bytes.
struct RawEntry {
  std::uint32_t mode = 0;
  std::string_view name;
  Oid id;
};

Result<RawEntry> take_entry(std::string_view& bytes) {
  RawEntry entry;
  std::size_t at = 0;
  for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '7' && at < 7; ++at)
    entry.mode = entry.mode * 8 + static_cast<std::uint32_t>(bytes[at] - '0');
  if (at == 0 || at == bytes.size() || bytes[at] != ' ')
    return invalid("a tree entry does not start with a mode");
  const std::size_t end = bytes.find('\0', at);
  if (end == std::string_view::npos || end == at + 1) return invalid("a tree entry has no name");
  entry.name = bytes.substr(at + 1, end - at - 1);
  if (bytes.size() - end - 1 < entry.id.bytes.size())
    return invalid("tree entry {:?} has no object id", entry.name);
  entry.id = oid_from_bytes(bytes.data() + end + 1);
  bytes.remove_prefix(end + 1 + entry.id.bytes.size());
  return entry;
}

Result<Done> take_into(RawEntry& entry, std::string_view& bytes) {
  PORTICO_TRY(entry, take_entry(bytes));
  return Done{};
}

// Removes the first line from `text` and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

Person parse_person(std::string_view text) {
  Person person;
  const std::size_t open = text.find('<'), close = text.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    person.name = std::string(text);
    return person;
  }
  std::string_view who = text.substr(0, open);
  while (who.ends_with(' ')) who.remove_suffix(1);
  person.name = std::string(who);
  person.email = std::string(text.substr(open + 1, close - open - 1));
  std::string_view when = text.substr(close + 1);
  while (when.starts_with(' ')) when.remove_prefix(1);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(when.data(), when.data() + when.size(), seconds);
  if (error != std::errc{}) return person;
  // Only broken tools write years beyond what a calendar type can hold.
  constexpr std::int64_t kLimit = 253'402'300'799;  // the end of the year 9999
  person.when = std::chrono::sys_time<std::chrono::seconds>(
      std::chrono::seconds(std::clamp(seconds, -kLimit, kLimit)));
  when.remove_prefix(static_cast<std::size_t>(end - when.data()));
  while (when.starts_with(' ')) when.remove_prefix(1);
  int zone = 0;
  const bool west = when.starts_with('-');
  if (west || when.starts_with('+')) when.remove_prefix(1);
  if (when.size() == 4 &&
      std::from_chars(when.data(), when.data() + 4, zone).ptr == when.data() + 4)
    person.offset = (zone / 100 * 60 + zone % 100) * (west ? -1 : 1);
  return person;
}

void append_clean(std::string& out, std::string_view text) {
  for (const char c : text)
    if (c != '<' && c != '>' && c != '\n' && c != '\r' && c != '\0') out += c;
}

void append_person(std::string& out, std::string_view role, const Person& person) {
  out += role;
  out += ' ';
  append_clean(out, person.name);
  out += " <";
  append_clean(out, person.email);
  const int minutes = person.offset < 0 ? -person.offset : person.offset;
  out += fmt::format("> {} {}{:02}{:02}\n", person.when.time_since_epoch().count(),
                     person.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

// Whether `a` sorts before `b` in a tree.
template <class Entry>
bool tree_less(const Entry& a, const Entry& b) {
  const std::size_t common = std::min(a.name.size(), b.name.size());
  if (const int order = std::memcmp(a.name.data(), b.name.data(), common); order != 0)
    return order < 0;
  const auto next = [common](const Entry& entry) -> unsigned char {
    if (entry.name.size() > common) return static_cast<unsigned char>(entry.name[common]);
    return entry.mode == kModeTree ? '/' : '\0';
  };
  return next(a) < next(b);
}

}  // namespace

const char* name(ObjectType type) {
  switch (type) {
    case ObjectType::kCommit:
      return "commit";
    case ObjectType::kTree:
      return "tree";
    case ObjectType::kBlob:
      return "blob";
    case ObjectType::kTag:
      return "tag";
  }
  return "object";
}

Oid object_id(ObjectType type, std::string_view bytes) {
  std::string all = fmt::format("{} {}", name(type), bytes.size());
  all += '\0';
  all += bytes;
  return Oid{sha1(all)};
}

Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes) {
  std::vector<TreeEntry> entries;
  while (!bytes.empty()) {
    PORTICO_TRY(const RawEntry raw, take_entry(bytes));
    entries.push_back({raw.mode, std::string(raw.name), raw.id});
  }
  return entries;
}

Result<TreeEntry> find_in_tree(std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    PORTICO_TRY(const RawEntry raw, take_entry(bytes));
    if (raw.name == name) return TreeEntry{raw.mode, std::string(raw.name), raw.id};
  }
  return not_found("no entry {:?}", name);
}

Result<std::vector<TreeChange>> diff_trees(std::string_view before, std::string_view after) {
  std::vector<TreeChange> out;
  const auto entry = [](const RawEntry& raw) {
    return TreeEntry{raw.mode, std::string(raw.name), raw.id};
  };
  std::string_view a = before, b = after;
  while (!a.empty() || !b.empty()) {
    // Read the front entry of each side; consume it only on the side that sorts first.
    std::string_view a_rest = a, b_rest = b;
    RawEntry left, right;
    if (!a.empty()) PORTICO_DO(take_into(left, a_rest));
    if (!b.empty()) PORTICO_DO(take_into(right, b_rest));
    const bool only_left = b.empty() || (!a.empty() && tree_less(left, right));
    const bool only_right = a.empty() || (!b.empty() && tree_less(right, left));
    if (only_left) {
      out.push_back({entry(left), {}});
    } else if (only_right) {
      out.push_back({{}, entry(right)});
    } else if (left.mode != right.mode || left.id != right.id) {
      out.push_back({entry(left), entry(right)});
    }
    if (!only_right) a = a_rest;
    if (!only_left) b = b_rest;
  }
  return out;
}

std::string encode_tree(std::vector<TreeEntry> entries) {
  std::sort(entries.begin(), entries.end(), tree_less<TreeEntry>);
  std::string out;
  for (const TreeEntry& entry : entries) {
    out += fmt::format("{:o} {}", entry.mode, entry.name);
    out += '\0';
    out.append(reinterpret_cast<const char*>(entry.id.bytes.data()), entry.id.bytes.size());
  }
  return out;
}

Result<Commit> parse_commit(std::string_view bytes) {
  Commit commit;
  bool has_tree = false, has_committer = false;
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.empty()) break;  // the message follows
    const std::size_t blank = line.find(' ');
    if (blank == 0 || blank == std::string_view::npos) continue;  // continuation line of a header
    const std::string_view key = line.substr(0, blank), value = line.substr(blank + 1);
    if (key == "tree" && !has_tree) {
      PORTICO_TRY(commit.tree, parse_oid(value), "tree");
      has_tree = true;
    } else if (key == "parent") {
      PORTICO_TRY(const Oid parent, parse_oid(value), "parent");
      commit.parents.push_back(parent);
    } else if (key == "author") {
      commit.author = parse_person(value);
    } else if (key == "committer") {
      commit.committer = parse_person(value);
      has_committer = true;
    }
  }
  if (!has_tree) return invalid("the commit has no tree");
  if (!has_committer) return invalid("the commit has no committer");
  commit.message = std::string(bytes);
  return commit;
}

std::string encode_commit(const Commit& commit) {
  std::string out = fmt::format("tree {}\n", commit.tree.hex());
  for (const Oid& parent : commit.parents) out += fmt::format("parent {}\n", parent.hex());
  append_person(out, "author", commit.author);
  append_person(out, "committer", commit.committer);
  out += '\n';
  for (const char c : commit.message)
    if (c != '\0') out += c;  // git ends the message at a NUL
  return out;
}

Result<Oid> parse_tag_target(std::string_view bytes) {
  const std::string_view line = take_line(bytes);
  if (!line.starts_with("object ")) return invalid("the tag has no object");
  return parse_oid(line.substr(7));
}

}  // namespace portico::git
