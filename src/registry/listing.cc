#include "registry/listing.h"

#include <map>
#include <tuple>

#include "registry/page_token.h"

namespace portico::registry {

using json::Value;

namespace {

/// The objects that changed since a version, as they were then (null: absent).
using Then = std::map<krm::ObjectKey, Value>;

Then changed_since(const State& state, ResourceVersion version, const Selector& selector) {
  Then out;
  for (auto at = state.window.lower_bound(version + 1); at; ++at)
    if (selector.matches_key(at->value->key))
      out.emplace(at->value->key, at->value->event.previous);  // as before the first event
  return out;
}

bool less(const krm::ObjectKey& a, const Table::Item& b) {
  return std::tie(a.type, a.ns, a.name) < std::tie(b.type, b.ns, b.name);
}
bool same(const krm::ObjectKey& a, const Table::Item& b) {
  return std::tie(a.type, a.ns, a.name) == std::tie(b.type, b.ns, b.name);
}

/// Visits in order the objects that matched the query at that version. Every state but the newest
/// costs a lookup in `then` per object.
void each_then(const State& state, const Query& query, const Selector& selector, const Then& then,
               const krm::ObjectKey* after, const Table::Visit& visit) {
  auto past = after != nullptr ? then.upper_bound(*after) : then.begin();
  const auto visit_past = [&] {
    const auto& [key, object] = *past++;
    if (object.is_null() || !selector.matches_content(object)) return true;
    return visit({key.type, key.ns, key.name, object});
  };
  bool more = true;
  state.table.each(query, selector, after, [&](const Table::Item& item) {
    while (more && past != then.end() && less(past->first, item)) more = visit_past();
    if (more) more = past != then.end() && same(past->first, item) ? visit_past() : visit(item);
    return more;
  });
  while (more && past != then.end()) more = visit_past();
}

std::size_t count_after(const State& state, const Query& query, const Then& then,
                        const krm::ObjectKey& last) {
  std::size_t count = state.table.count_after(query, last);
  for (auto past = then.upper_bound(last); past != then.end(); ++past) {
    count += past->second.is_null() ? 0 : 1;
    count -= state.table.find(past->first) != nullptr ? 1 : 0;
  }
  return count;
}

}  // namespace

Result<Listing> list(const State& state, const Query& query) {
  PORTICO_TRY(const Selector selector, Selector::make(query, *state.table.fields()));
  Listing out;
  out.version = query.version.value_or(state.version());
  PageToken token;
  if (!query.continue_from.empty()) {
    PORTICO_TRY(token, parse_page_token(query.continue_from));
    if (query.version && *query.version != token.version)
      return invalid("the continue token is for version {}, not {}", token.version, *query.version)
          .because(Reason::kBadRequest);
    out.version = token.version;
  }
  PORTICO_DO(state.check_kept(out.version));
  const krm::ObjectKey* after = query.continue_from.empty() ? nullptr : &token.last;
  const Then then = changed_since(state, out.version, selector);

  bool cut = false;
  krm::ObjectKey last;
  each_then(state, query, selector, then, after, [&](const Table::Item& item) {
    cut = query.limit > 0 && out.objects.size() == query.limit;
    if (cut) return false;
    out.objects.push_back(item.object);
    if (out.objects.size() == query.limit) last = {item.type, item.ns, item.name};
    return true;
  });
  if (!cut) return out;
  out.next = PageToken{out.version, last}.text();
  if (selector.every_content() && query.name.empty())
    out.remaining = count_after(state, query, then, last);
  return out;
}

}  // namespace portico::registry
