// ResourceLists as text: the input and output of external functions, `fn source`, `fn sink` and
// pipes between `fn eval`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "krm/resource_list.h"

namespace portico::render {

/// Adds annotations with each item's place, like kpt: index and path in both families
/// (config.kubernetes.io, internal.config.kubernetes.io) and the list indentation. `package`
/// becomes part of the path, so all items share one root.
Result<std::vector<krm::Item>> with_places(std::vector<krm::Item> items);

/// Removes the annotations that only exist in transit: places, package path and, with kDrop,
/// resource ids. kKeep is for lists in which ids belong to the user, because no function was given
/// any. Annotations and metadata that become empty are removed too.
enum class Ids { kDrop, kKeep };
krm::Object without_place(krm::Object object, Ids ids = Ids::kDrop);

/// Adds to `answer` the transit annotations of the item in `asked` that it comes from
/// (Item::origin): ids, and others by which the calling program recognizes it. Path and index are
/// those of `answer`.
krm::Item with_travelling(krm::Item answer, const std::vector<krm::Item>& asked);

/// The resources of a package in the order of a directory walk, with their places, without the file
/// `config_file`.
Result<std::vector<krm::Item>> source(const krm::Package& package, const std::string& config_file);

/// The package with place annotations in all its resources.
Result<krm::Package> with_places(const krm::Package& package);

/// Where comments at the head of an item are: after its dash, as in `fn source`, or before it, as
/// in `-o stdout`.
enum class HeadComments { kInside, kInFront };
/// Detects where a stream has them.
HeadComments head_comments(std::string_view text);

/// Prints one ResourceList document with the items, keeping comments and key order, and the config,
/// if any. Formatted like kpt: no blank lines, lists at the column of their key.
std::string write_stream(const std::vector<krm::Item>& items,
                         const std::optional<krm::Object>& config,
                         HeadComments comments = HeadComments::kInside);
/// The same, including the list's results.
std::string write_stream(const krm::ResourceList& list);
/// Prints the items as consecutive documents, without places and blank lines.
std::string write_unwrapped(const std::vector<krm::Item>& items);

/// Parses a ResourceList. The items keep their annotations; file and index are read from them (""
/// and -1 if missing). Results are a list, or a map with `items` as written by older functions.
/// kInvalid if it is not a ResourceList, with line and column or the item's position.
Result<krm::ResourceList> read_stream(std::string_view text);

/// The files that contain the items, without place annotations; list indentation is restored from
/// them. Items without a path get kpt's default path. A path that leaves the package is kInvalid,
/// with the object's name.
Result<krm::Package> sink(const std::vector<krm::Item>& items);

/// The text for an external function: `input` with places and ids.
Result<std::string> function_input_text(const krm::ResourceList& input);
/// Parses a function's output. Ids identify the input item each item comes from; the text of that
/// item is kept except for what the function changed. Comments that the function wrote are adopted;
/// those that it lost are kept.
Result<krm::ResourceList> function_output(std::string_view text, const krm::ResourceList& input);

}  // namespace portico::render
