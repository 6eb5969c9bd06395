#include "git/internal/packed_refs.h"

#include <algorithm>

namespace portico::git {

const PackedRef* PackedRefs::find(std::string_view name) const {
  const auto at = std::lower_bound(
      refs.begin(), refs.end(), name,
      [](const PackedRef& ref, std::string_view wanted) { return ref.name < wanted; });
  return at == refs.end() || at->name != name ? nullptr : &*at;
}

Result<PackedRefs> parse_packed_refs(std::string_view text) {
  PackedRefs packed;
  packed.fully_peeled = text.empty();
  packed.refs.reserve(text.size() / 80);
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with('#')) {
      if (number == 1) packed.fully_peeled = line.find(" fully-peeled") != std::string_view::npos;
      continue;
    }
    const std::string place = fmt::format("packed-refs:{}", number);
    if (line.starts_with('^')) {
      if (packed.refs.empty()) return invalid("a peeled id comes before any ref").in(place);
      PORTICO_TRY(packed.refs.back().peeled, parse_oid(line.substr(1)), place);
      continue;
    }
    if (line.size() < 42 || line[40] != ' ')
      return invalid("{:?} is not '<object id> <ref>'", line.substr(0, 80)).in(place);
    PORTICO_TRY(const Oid id, parse_oid(line.substr(0, 40)), place);
    packed.refs.push_back({std::string(line.substr(41)), id, {}});
  }
  const auto by_name = [](const PackedRef& a, const PackedRef& b) { return a.name < b.name; };
  if (!std::is_sorted(packed.refs.begin(), packed.refs.end(), by_name))
    std::sort(packed.refs.begin(), packed.refs.end(), by_name);
  return packed;
}

std::string print_packed_refs(const PackedRefs& packed) {
  std::string out = packed.fully_peeled ? "# pack-refs with: peeled fully-peeled sorted \n"
                                        : "# pack-refs with: peeled sorted \n";
  out.reserve(out.size() + packed.refs.size() * 100);
  for (const PackedRef& ref : packed.refs) {
    out += ref.id.hex();
    out += ' ';
    out += ref.name;
    out += '\n';
    if (ref.peeled) {
      out += '^';
      out += ref.peeled->hex();
      out += '\n';
    }
  }
  return out;
}

}  // namespace portico::git
