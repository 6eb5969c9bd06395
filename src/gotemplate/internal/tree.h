// A template as a tree.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::gotemplate::internal {

/// Bytes from the beginning of the text.
using Offset = std::size_t;

struct Pipeline;

/// One word of a command.
struct Operand {
  enum class Kind {
    kDot,       // .a.b, . itself without fields
    kVariable,  // $x.a.b; $ itself has the name ""
    kConstant,
    kPipeline,  // (...).a
    kFunction,
  } kind = Kind::kDot;
  std::string name;
  std::vector<std::string> fields;
  json::Value constant;
  std::shared_ptr<const Pipeline> pipeline;
  Offset at = 0;
};

struct Command {
  std::vector<Operand> words;  // never empty
};

struct Pipeline {
  std::vector<std::string> variables;  // what it is given to; two of a range
  bool assigns = false;                // to variables that are there already
  std::vector<Command> commands;       // never empty
  Offset at = 0;
};

struct Node {
  enum class Kind { kText, kAction, kIf, kWith, kRange, kTemplate, kBreak, kContinue };
  Kind kind = Kind::kText;
  std::string text;                          // of kText; of kTemplate its name
  std::shared_ptr<const Pipeline> pipeline;  // of kTemplate maybe none
  std::vector<Node> body, otherwise;
  Offset at = 0;
};

struct Parsed {
  std::string text;
  std::vector<Node> body;
  std::map<std::string, std::vector<Node>, std::less<>> defined;
};

/// "line 2, column 5".
std::string place(std::string_view text, Offset at);

}  // namespace portico::gotemplate::internal
