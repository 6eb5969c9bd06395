#include "krm/diff.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace portico::krm {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Finds the lines in which two texts differ. Lines are compared as numbers.
class LineDiff {
 public:
  LineDiff(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after)
      : gone(before.size()), fresh(after.size()) {
    std::unordered_map<std::string_view, int> numbers;
    const auto number = [&](std::string_view line) {
      return numbers.try_emplace(line, static_cast<int>(numbers.size())).first->second;
    };
    for (const auto line : before) a_.push_back(number(line));
    for (const auto line : after) b_.push_back(number(line));
    compare(0, static_cast<int>(a_.size()), 0, static_cast<int>(b_.size()));
  }

  std::vector<bool> gone, fresh;

 private:
  struct Snake {
    int x_begin, y_begin, x_end, y_end;
  };

  void compare(int a, int a_end, int b, int b_end) {
    while (a < a_end && b < b_end && a_[a] == b_[b]) ++a, ++b;
    while (a < a_end && b < b_end && a_[a_end - 1] == b_[b_end - 1]) --a_end, --b_end;
    if (a == a_end || b == b_end) {
      for (; a < a_end; ++a) gone[a] = true;
      for (; b < b_end; ++b) fresh[b] = true;
      return;
    }
    const Snake middle = middle_snake(a, a_end, b, b_end);
    compare(a, middle.x_begin, b, middle.y_begin);
    compare(middle.x_end, a_end, middle.y_end, b_end);
  }

  /// Myers' linear-space search from both ends ("An O(ND) Difference Algorithm", section 4b). Texts
  /// that differ by more than kMaxCost are split in the middle instead; the diff is then correct,
  /// but not the shortest.
  Snake middle_snake(int a, int a_end, int b, int b_end) {
    constexpr int kMaxCost = 4096;
    const int n = a_end - a, m = b_end - b, delta = n - m;
    const int limit = std::min((n + m + 1) / 2 + 1, kMaxCost);
    const int width = 2 * limit + 3, zero = limit + 1;
    forward_.assign(static_cast<std::size_t>(width), 0);
    backward_.assign(static_cast<std::size_t>(width), 0);
    for (int d = 0; d <= limit; ++d) {
      for (int k = -d; k <= d; k += 2) {
        int x = k == -d || (k != d && forward_[zero + k - 1] < forward_[zero + k + 1])
                    ? forward_[zero + k + 1]
                    : forward_[zero + k - 1] + 1;
        int y = x - k;
        const int x_begin = x, y_begin = y;
        if (x > n || y > m || y < 0) {
          forward_[zero + k] = x;
          continue;
        }
        while (x < n && y < m && a_[a + x] == b_[b + y]) ++x, ++y;
        forward_[zero + k] = x;
        const int reverse = delta - k;
        if (delta % 2 != 0 && reverse >= -(d - 1) && reverse <= d - 1 &&
            x + backward_[zero + reverse] >= n)
          return {a + x_begin, b + y_begin, a + x, b + y};
      }
      for (int k = -d; k <= d; k += 2) {
        int x = k == -d || (k != d && backward_[zero + k - 1] < backward_[zero + k + 1])
                    ? backward_[zero + k + 1]
                    : backward_[zero + k - 1] + 1;
        int y = x - k;
        const int x_begin = x, y_begin = y;
        if (x > n || y > m || y < 0) {
          backward_[zero + k] = x;
          continue;
        }
        while (x < n && y < m && a_[a_end - 1 - x] == b_[b_end - 1 - y]) ++x, ++y;
        backward_[zero + k] = x;
        const int reverse = delta - k;
        if (delta % 2 == 0 && reverse >= -d && reverse <= d && x + forward_[zero + reverse] >= n)
          return {a_end - x, b_end - y, a_end - x_begin, b_end - y_begin};
      }
    }
    const int x = a + n / 2, y = b + m / 2;
    return {x, y, x, y};
  }

  std::vector<int> a_, b_;
  std::vector<int> forward_, backward_;
};

void append_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

/// "12,3", or "12" for one line; an empty range gives the line before it.
std::string range_text(std::size_t begin, std::size_t count) {
  const std::string line = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? line : line + "," + std::to_string(count);
}

bool is_binary(std::string_view bytes) {
  return bytes.substr(0, 8000).find('\0') != std::string_view::npos;
}

const char* mode_text(FileMode mode) {
  switch (mode) {
    case FileMode::kExecutable:
      return "100755";
    case FileMode::kSymlink:
      return "120000";
    case FileMode::kRegular:
      break;
  }
  return "100644";
}

void append_file(std::string& out, const std::string& path, const File* before, const File* after,
                 const DiffOptions& options) {
  out += "diff --git a/" + path + " b/" + path + "\n";
  if (before == nullptr) {
    out += std::string("new file mode ") + mode_text(after->mode) + "\n";
  } else if (after == nullptr) {
    out += std::string("deleted file mode ") + mode_text(before->mode) + "\n";
  } else if (before->mode != after->mode) {
    out += std::string("old mode ") + mode_text(before->mode) + "\nnew mode " +
           mode_text(after->mode) + "\n";
  }
  const std::string_view old_text = before == nullptr ? std::string_view() : before->text();
  const std::string_view new_text = after == nullptr ? std::string_view() : after->text();
  if (old_text == new_text) return;
  const std::string old_name = before == nullptr ? "/dev/null" : "a/" + path;
  const std::string new_name = after == nullptr ? "/dev/null" : "b/" + path;
  if (is_binary(old_text) || is_binary(new_text)) {
    out += "Binary files " + old_name + " and " + new_name + " differ\n";
    return;
  }
  out += "--- " + old_name + "\n+++ " + new_name + "\n";
  out += diff_text(old_text, new_text, options);
}

}  // namespace

std::string diff_text(std::string_view before, std::string_view after, const DiffOptions& options) {
  if (before == after) return "";
  const std::vector<std::string_view> old_lines = split_lines(before),
                                      new_lines = split_lines(after);
  const LineDiff lines(old_lines, new_lines);
  std::string out;
  std::size_t i = 0, k = 0;  // the next line of each text
  while (i < old_lines.size() || k < new_lines.size()) {
    // Skip to the next difference, which begins a hunk.
    while (i < old_lines.size() && k < new_lines.size() && !lines.gone[i] && !lines.fresh[k])
      ++i, ++k;
    if (i == old_lines.size() && k == new_lines.size()) break;
    const std::size_t lead = std::min({options.context, i, k});
    const std::size_t old_begin = i - lead, new_begin = k - lead;
    std::string body;
    for (std::size_t at = old_begin; at < i; ++at) append_line(body, ' ', old_lines[at]);
    for (;;) {
      while (i < old_lines.size() && lines.gone[i]) append_line(body, '-', old_lines[i++]);
      while (k < new_lines.size() && lines.fresh[k]) append_line(body, '+', new_lines[k++]);
      std::size_t same = 0;
      while (i + same < old_lines.size() && k + same < new_lines.size() && !lines.gone[i + same] &&
             !lines.fresh[k + same])
        ++same;
      const bool ends = i + same == old_lines.size() && k + same == new_lines.size();
      // Two differences with up to twice the context between them share a hunk.
      const bool last = ends || same > 2 * options.context;
      const std::size_t shown = last ? std::min(same, options.context) : same;
      for (std::size_t n = 0; n < shown; ++n) append_line(body, ' ', old_lines[i + n]);
      i += shown;
      k += shown;
      if (last) break;
    }
    out += "@@ -" + range_text(old_begin, i - old_begin) + " +" +
           range_text(new_begin, k - new_begin) + " @@\n" + body;
  }
  return out;
}

std::string diff_packages(const Package& before, const Package& after, const DiffOptions& options) {
  std::string out;
  auto old_file = before.files.begin();
  auto new_file = after.files.begin();
  while (old_file != before.files.end() || new_file != after.files.end()) {
    const bool has_old = old_file != before.files.end(), has_new = new_file != after.files.end();
    if (!has_new || (has_old && old_file->first < new_file->first)) {
      append_file(out, old_file->first, &old_file->second, nullptr, options);
      ++old_file;
    } else if (!has_old || new_file->first < old_file->first) {
      append_file(out, new_file->first, nullptr, &new_file->second, options);
      ++new_file;
    } else {
      if (!(old_file->second == new_file->second))
        append_file(out, old_file->first, &old_file->second, &new_file->second, options);
      ++old_file;
      ++new_file;
    }
  }
  return out;
}

std::string diff_stat(std::string_view diff) {
  struct Counts {
    std::string path{};
    std::size_t added = 0, removed = 0;
    bool hunks = false, binary = false;
  };
  std::vector<Counts> files;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    diff.remove_prefix(std::min(end + 1, diff.size()));
    if (line.starts_with("diff --git ")) {
      // "a/PATH b/PATH", with equal lengths.
      const std::string_view both = line.substr(11);
      files.emplace_back().path = both.substr(2, (both.size() - 1) / 2 - 2);
    } else if (files.empty()) {
      continue;
    } else if (line.starts_with("@@")) {
      files.back().hunks = true;
    } else if (line.starts_with("Binary files ")) {
      files.back().binary = true;
    } else if (files.back().hunks && line.starts_with("+")) {
      ++files.back().added;
    } else if (files.back().hunks && line.starts_with("-")) {
      ++files.back().removed;
    }
  }
  if (files.empty()) return "";
  std::size_t widest = 0, added = 0, removed = 0;
  for (const Counts& file : files) {
    widest = std::max(widest, file.path.size());
    added += file.added;
    removed += file.removed;
  }
  std::string out;
  for (const Counts& file : files)
    out += fmt::format(
        " {:<{}} | {}\n", file.path, widest,
        file.binary ? std::string("binary") : fmt::format("+{} -{}", file.added, file.removed));
  const auto lines = [](std::size_t count) { return count == 1 ? "line" : "lines"; };
  return out + fmt::format(" {} {}, {} {} added, {} {} removed\n", files.size(),
                           files.size() == 1 ? "file" : "files", added, lines(added), removed,
                           lines(removed));
}

}  // namespace portico::krm
