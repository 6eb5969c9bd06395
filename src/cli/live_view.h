// What `top` shows: sets and their variants, one line each, kept up to date by events. Pure.
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
  /// An object as it is now, or that is gone; other kinds than sets, variants and revisions are
  /// passed over.
  void put(const json::Value& object);
  void remove(const json::Value& object);

  enum class Filter { kAll, kFailing, kOpen };  // kOpen: with a draft or proposal
  /// The names of the lines in order: sets, each with its variants, then variants of nobody.
  struct Line {
    json::Value object;    // the set or variant
    json::Value revision;  // of a variant: the one that people mean; null where there is none
  };
  std::vector<Line> lines(Filter filter) const;

  struct Counts {
    std::size_t sets = 0, variants = 0, settled = 0, waiting = 0, failing = 0;
    std::size_t drafts = 0, proposed = 0;
  };
  Counts counts() const;

  /// The line as text, and its colour.
  static std::string text_of(const Line& line);
  static Colour colour_of(const Line& line);

 private:
  std::map<krm::ObjectKey, json::Value> sets_, variants_, revisions_;
  std::map<std::string, std::set<krm::ObjectKey>> variants_of_, revisions_of_;  // by owner's uid
};

}  // namespace portico::cli
