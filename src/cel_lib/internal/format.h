// "...".format([...]).
#pragma once

#include <string_view>

#include "cel_lib/internal/declare.h"

namespace portico::cel_lib::internal {

/// kFirst is cel-go's strings library up to version 3: numbers in the style of `locale`, values
/// inside lists as CEL literals. kSecond is the CEL specification.
enum class Generation { kFirst, kSecond };

/// Adds the function, and a validator for literal format strings and argument lists.
void add_format(Declarations& to, Library& library, Generation generation, std::string_view locale);

/// %s, by the rules of the generation; an error value if there is no text form.
Value format_string(Generation generation, const Value& value);

/// %f and %e of a double in the first generation.
std::string format_fixed_local(double value, int precision, std::string_view locale);
std::string format_scientific_local(double value, int precision, std::string_view locale);

}  // namespace portico::cel_lib::internal
