#include "gotemplate/template.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gotemplate/internal/format.h"
#include "gotemplate/internal/functions.h"
#include "gotemplate/internal/parser.h"
#include "gotemplate/internal/tree.h"

namespace portico::gotemplate {

using internal::Command;
using internal::Node;
using internal::Operand;
using internal::Parsed;
using internal::Pipeline;
using json::Value;

namespace {

enum class Flow { kOn, kBreak, kContinue };

class Renderer {
 public:
  Renderer(const Parsed& parsed, const Value& root) : parsed_(parsed) {
    variables_.emplace_back("", root);
  }

  Result<std::string> run(const Value& root) {
    PORTICO_TRY(const Flow flow, nodes(parsed_.body, root));
    static_cast<void>(flow);
    return std::move(out_);
  }

 private:
  Error wrong(internal::Offset at, Error error) const {
    return std::move(error).in(internal::place(parsed_.text, at));
  }
  Result<Done> step(internal::Offset at) {
    if (++steps_ > Template::kMostSteps)
      return wrong(at, invalid("more than {} steps", Template::kMostSteps));
    if (out_.size() > Template::kMostBytes)
      return wrong(at, invalid("more than {} bytes of output", Template::kMostBytes));
    return Done{};
  }

  Result<Flow> nodes(const std::vector<Node>& all, const Value& dot) {
    for (const Node& node : all) {
      PORTICO_TRY(const Flow flow, one(node, dot));
      if (flow != Flow::kOn) return flow;
    }
    return Flow::kOn;
  }

  Result<Flow> one(const Node& node, const Value& dot) {
    PORTICO_DO(step(node.at));
    switch (node.kind) {
      case Node::Kind::kText:
        out_ += node.text;
        return Flow::kOn;
      case Node::Kind::kAction: {
        PORTICO_TRY(const Value value, evaluate(*node.pipeline, dot));
        if (node.pipeline->variables.empty())
          out_ += value.is_null() ? "<no value>" : internal::go_text(value);
        return Flow::kOn;
      }
      case Node::Kind::kIf:
      case Node::Kind::kWith: {
        const std::size_t known = variables_.size();
        PORTICO_TRY(const Value value, evaluate(*node.pipeline, dot));
        const bool holds = internal::truth(value);
        const bool with = node.kind == Node::Kind::kWith;
        auto flow = nodes(holds ? node.body : node.otherwise, holds && with ? value : dot);
        variables_.resize(known);
        return flow;
      }
      case Node::Kind::kRange: {
        const std::size_t known = variables_.size();
        auto flow = range(node, dot);
        variables_.resize(known);
        return flow;
      }
      case Node::Kind::kTemplate:
        return other(node, dot);
      case Node::Kind::kBreak:
        return Flow::kBreak;
      case Node::Kind::kContinue:
        return Flow::kContinue;
    }
    return Flow::kOn;
  }

  Result<Flow> range(const Node& node, const Value& dot) {
    PORTICO_TRY(const Value over, commands(*node.pipeline, dot));
    if (!over.is_null() && !over.is_array() && !over.is_object() && !over.is_int())
      return wrong(node.at, invalid("range can't iterate over {}", internal::go_text(over)));
    const auto count = static_cast<std::size_t>(
        over.is_int() ? std::max<std::int64_t>(over.as_int(), 0) : std::int64_t(over.size()));
    if (count == 0) return nodes(node.otherwise, dot);
    const std::size_t known = variables_.size();
    for (std::size_t i = 0; i < count; ++i) {
      PORTICO_DO(step(node.at));
      const Value key = over.is_object() ? over.members()[i].key : Value(std::int64_t(i));
      const Value value = over.is_object()  ? over.members()[i].value
                          : over.is_array() ? over[i]
                                            : key;
      const auto& names = node.pipeline->variables;
      if (names.size() == 2) set(names[0], key, node.pipeline->assigns);
      if (!names.empty()) set(names.back(), value, node.pipeline->assigns);
      PORTICO_TRY(const Flow flow, nodes(node.body, value));
      variables_.resize(known);
      if (flow == Flow::kBreak) break;
    }
    return Flow::kOn;
  }

  Result<Flow> other(const Node& node, const Value& dot) {
    const auto found = parsed_.defined.find(node.text);
    if (found == parsed_.defined.end())
      return wrong(node.at, invalid("template \"{}\" not defined", node.text));
    if (++depth_ > Template::kMostDepth)
      return wrong(node.at, invalid("exceeded maximum template depth of {}", Template::kMostDepth));
    Value given;
    if (node.pipeline != nullptr) {
      PORTICO_TRY(given, evaluate(*node.pipeline, dot));
    }
    auto outside = std::exchange(variables_, {{"", given}});
    PORTICO_TRY(const Flow flow, nodes(found->second, given));
    static_cast<void>(flow);
    variables_ = std::move(outside);
    --depth_;
    return Flow::kOn;
  }

  // When assigning, sets the innermost variable with the name.
  void set(const std::string& name, Value value, bool assign) {
    if (assign)
      for (auto at = variables_.rbegin(); at != variables_.rend(); ++at)
        if (at->first == name) {
          at->second = std::move(value);
          return;
        }
    variables_.emplace_back(name, std::move(value));
  }

  Result<Value> evaluate(const Pipeline& pipeline, const Value& dot) {
    PORTICO_TRY(Value value, commands(pipeline, dot));
    for (const std::string& name : pipeline.variables) set(name, value, pipeline.assigns);
    return value;
  }

  // Each command gets the result of the previous one as its last argument.
  Result<Value> commands(const Pipeline& pipeline, const Value& dot) {
    Value value;
    for (std::size_t i = 0; i < pipeline.commands.size(); ++i) {
      PORTICO_TRY(value, command(pipeline.commands[i], dot, i > 0 ? &value : nullptr));
    }
    return value;
  }

  Result<Value> command(const Command& command, const Value& dot, const Value* last) {
    const Operand& first = command.words.front();
    PORTICO_DO(step(first.at));
    if (first.kind != Operand::Kind::kFunction) return operand(first, dot);
    const bool stops_early = first.name == "and" || first.name == "or";
    std::vector<Value> arguments;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      PORTICO_TRY(Value value, operand(command.words[i], dot));
      const bool decided = stops_early && internal::truth(value) == (first.name == "or");
      arguments.push_back(std::move(value));
      if (decided) return std::move(arguments.back());
    }
    if (last != nullptr) arguments.push_back(*last);
    // Stops a string that is doubled again and again.
    std::size_t bytes = 0;
    for (const Value& each : arguments) bytes += each.as_string().size();
    if (bytes > Template::kMostBytes)
      return wrong(first.at, invalid("more than {} bytes of arguments", Template::kMostBytes));
    auto out = internal::call(first.name, arguments);
    if (!out) return wrong(first.at, std::move(out).error());
    return out;
  }

  Result<Value> operand(const Operand& word, const Value& dot) {
    Value value = dot;
    switch (word.kind) {
      case Operand::Kind::kDot:
        break;
      case Operand::Kind::kVariable:
        for (auto at = variables_.rbegin(); at != variables_.rend(); ++at)
          if (at->first == word.name) {
            value = at->second;
            break;
          }
        break;
      case Operand::Kind::kConstant:
        return word.constant;
      case Operand::Kind::kPipeline: {
        PORTICO_TRY(value, evaluate(*word.pipeline, dot));
        break;
      }
      case Operand::Kind::kFunction: {
        auto out = internal::call(word.name, {});
        if (!out) return wrong(word.at, std::move(out).error());
        return out;
      }
    }
    for (const std::string& field : word.fields) {
      if (!value.is_object() && !value.is_null())
        return wrong(word.at,
                     invalid("can't evaluate field \"{}\" in {}", field, internal::go_text(value)));
      value = Value(value[field]);
    }
    return value;
  }

  const Parsed& parsed_;
  std::vector<std::pair<std::string, Value>> variables_;
  std::string out_;
  std::size_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Template> Template::parse(std::string_view text) {
  Template out;
  PORTICO_TRY(Parsed parsed, internal::parse(text));
  out.parsed_ = std::make_shared<const Parsed>(std::move(parsed));
  return out;
}

Result<std::string> Template::render(const Value& root) const {
  return Renderer(*parsed_, root).run(root);
}

}  // namespace portico::gotemplate
