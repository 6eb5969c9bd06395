// ResourceLists as text: what functions outside of this process read and write, and what
// `fn source`, `fn sink` and pipes between `fn eval` pass on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "krm/resource_list.h"

namespace portico::render {

/// The items with their places as annotations, as kpt writes them: index and path in both families
/// (config.kubernetes.io, internal.config.kubernetes.io) and the indentation of lists. `package`
/// becomes part of the path: all of them lie in one root.
Result<std::vector<krm::Item>> with_places(std::vector<krm::Item> items);

/// An object without the annotations that only travel: places, package path, and ids unless they
/// are to stay (somebody's own, where nobody has given any). Annotations and metadata that are
/// empty then go too.
enum class Ids { kDrop, kKeep };
krm::Object without_place(krm::Object object, Ids ids = Ids::kDrop);

/// `answer` with the annotations that travelled on the item of `asked` it comes from
/// (Item::origin): ids, and what else the program that asks knows it by. Its place is the item's
/// own.
krm::Item with_travelling(krm::Item answer, const std::vector<krm::Item>& asked);

/// The resources of a package in the order of a directory walk, with their places; not the file
/// `config_file`.
Result<std::vector<krm::Item>> source(const krm::Package& package, const std::string& config_file);

/// The package with the places of all its resources written into them.
Result<krm::Package> with_places(const krm::Package& package);

/// Where the comments stand that are at the head of an item: behind its dash, as `fn source` has
/// them, or in front of it, as `-o stdout`.
enum class HeadComments { kInside, kInFront };
/// Where a stream has them.
HeadComments head_comments(std::string_view text);

/// One document of kind ResourceList with the items, their comments and order of keys, and the
/// config, if there is one. Laid out as kpt does: no blank lines, lists at their key's column.
std::string write_stream(const std::vector<krm::Item>& items,
                         const std::optional<krm::Object>& config,
                         HeadComments comments = HeadComments::kInside);
/// The same with the list's results.
std::string write_stream(const krm::ResourceList& list);
/// The documents of the items one after the other, without places and blank lines.
std::string write_unwrapped(const std::vector<krm::Item>& items);

/// The items keep their annotations; file and index are read from them: "" and -1 where there are
/// none. Results are a list, or a map with `items` as older functions write them. kInvalid for what
/// is no ResourceList, with its line and column or the item's position.
Result<krm::ResourceList> read_stream(std::string_view text);

/// The files that hold the items, without the annotations of their places; lists are as wide as
/// these say. Items without a path get
/// kpt's default one; a path that leaves the package is kInvalid, with the object's name.
Result<krm::Package> sink(const std::vector<krm::Item>& items);

/// What a function outside is given: `input` with places and ids.
Result<std::string> function_input_text(const krm::ResourceList& input);
/// What it gave back: where an item came from is read from its id, and of such an item the text of
/// `input` is kept but for what the function changed. Comments that the function wrote are taken
/// over, those that it lost stay.
Result<krm::ResourceList> function_output(std::string_view text, const krm::ResourceList& input);

}  // namespace portico::render
