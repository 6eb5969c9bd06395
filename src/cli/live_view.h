// The content of `top`: sets and their variants, one line each, updated by events. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::cli {

class LiveView {
 public:
  /// Adds or updates an object, or removes it; ignores kinds other than sets, variants and
  /// revisions.
  void put(const json::Value& object);
  void remove(const json::Value& object);

  enum class Filter { kAll, kFailing, kOpen };  // kOpen: with a draft or proposal
  /// The lines in order of names: sets, each followed by its variants, then variants without a set.
  struct Line {
    json::Value object;    // the set or variant
    json::Value revision;  // of a variant: its current one; null if there is none
  };
  std::vector<Line> lines(Filter filter) const;

  struct Counts {
    std::size_t sets = 0, variants = 0, settled = 0, waiting = 0, failing = 0;
    std::size_t drafts = 0, proposed = 0;
  };
  Counts counts() const;

  /// The line as text, and its color.
  static std::string text_of(const Line& line);
  static Colour colour_of(const Line& line);

 private:
  std::map<krm::ObjectKey, json::Value> sets_, variants_, revisions_;
  std::map<std::string, std::set<krm::ObjectKey>> variants_of_, revisions_of_;  // by owner's uid
};

}  // namespace portico::cli
