// The syntax tree of a template.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::gotemplate::internal {

/// Bytes from the start of the text.
using Offset = std::size_t;

struct Pipeline;

/// One word of a command.
struct Operand {
  enum class Kind {
    kDot,       // .a.b; without fields, . itself
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
  std::vector<std::string> variables;  // assigned variables; a range may have two
  bool assigns = false;                // assigns to existing variables
  std::vector<Command> commands;       // never empty
  Offset at = 0;
};

struct Node {
  enum class Kind { kText, kAction, kIf, kWith, kRange, kTemplate, kBreak, kContinue };
  Kind kind = Kind::kText;
  std::string text;                          // of kText; for kTemplate, its name
  std::shared_ptr<const Pipeline> pipeline;  // optional for kTemplate
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
