// The CEL suite: expressions with their bindings, declarations and outcomes.
#include <charconv>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "cel/activation.h"
#include "cel/env.h"
#include "cel_lib/libraries.h"
#include "conformance/support.h"
#include "json/text.h"

namespace portico::conformance {
namespace {

using cel::Type;
using cel::TypeKind;
using cel::Value;

template <class T>
T number(std::string_view text) {
  T out{};
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

double real(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinity;
  return text == "-Infinity" ? -kInfinity : number<double>(text);
}

// The data has times in CEL's own text form.
Result<Value> time_value(std::string_view function, std::string_view text) {
  PORTICO_TRY(const cel::Env env, cel::EnvBuilder().add(cel_lib::standard()).build());
  PORTICO_TRY(const cel::Program program,
              env.compile(std::string(function) + "('" + std::string(text) + "')"));
  return program.evaluate(cel::Variables());
}

Result<Value> decode_value(const json::Value& typed);

Result<Value> decode_list(const json::Value& items) {
  std::vector<Value> values;
  for (const json::Value& item : items.items()) {
    PORTICO_TRY(Value value, decode_value(item));
    values.push_back(std::move(value));
  }
  return Value::list(std::move(values));
}

Result<Value> decode_map(const json::Value& pairs) {
  std::vector<std::pair<Value, Value>> entries;
  for (const json::Value& pair : pairs.items()) {
    if (pair.size() != 2) return invalid("a map entry has {} parts", pair.size());
    PORTICO_TRY(Value key, decode_value(pair.items()[0]));
    PORTICO_TRY(Value value, decode_value(pair.items()[1]));
    entries.emplace_back(std::move(key), std::move(value));
  }
  return Value::map(std::move(entries));
}

Result<Value> decode_value(const json::Value& typed) {
  if (typed.members().size() != 1) return invalid("no typed value: {}", json::print(typed));
  const std::string form(typed.members()[0].name());
  const json::Value& given = typed.members()[0].value;
  if (form == "int") return Value(number<std::int64_t>(given.as_string()));
  if (form == "uint") return Value(number<std::uint64_t>(given.as_string()));
  if (form == "double") return Value(real(given.as_string()));
  if (form == "string") return Value::string(given.as_string());
  if (form == "bool") return Value(given.as_bool());
  if (form == "null") return Value();
  if (form == "list") return decode_list(given);
  if (form == "map") return decode_map(given);
  if (form == "type") return Value::type(given.as_string());
  if (form == "timestamp" || form == "duration") return time_value(form, given.as_string());
  if (form == "object") return decode_value(given["native"]);
  if (form == "bytes_b64") {
    std::string bytes;
    if (!base64_decode(given.as_string(), bytes)) return invalid("bytes_b64 is no base64");
    return Value::bytes(bytes);
  }
  if (form == "optional") {
    if (given.is_null()) return Value::optional_none();
    PORTICO_TRY(Value held, decode_value(given));
    return Value::optional_of(std::move(held));
  }
  return invalid("unknown form of value \"{}\"", form);
}

Type simple_type(std::string_view name) {
  constexpr std::pair<std::string_view, TypeKind> kNames[] = {
      {"dyn", TypeKind::kDyn},          {"any", TypeKind::kAny},
      {"null_type", TypeKind::kNull},   {"bool", TypeKind::kBool},
      {"int", TypeKind::kInt},          {"uint", TypeKind::kUint},
      {"double", TypeKind::kDouble},    {"string", TypeKind::kString},
      {"bytes", TypeKind::kBytes},      {"timestamp", TypeKind::kTimestamp},
      {"duration", TypeKind::kDuration}};
  for (const auto& [text, kind] : kNames)
    if (text == name) return kind;
  return TypeKind::kError;
}

Type decode_type(const json::Value& type) {
  if (type.is_string()) return simple_type(type.as_string());
  const std::string form(type.members().empty() ? "" : type.members()[0].name());
  if (type.contains("opaque")) {
    std::vector<Type> params;
    for (const json::Value& param : type["params"].items()) params.push_back(decode_type(param));
    return Type::opaque(std::string(type["opaque"].as_string()), std::move(params));
  }
  const json::Value& given = type[form];
  if (form == "list") return Type::list(decode_type(given));
  if (form == "map") return Type::map(decode_type(given.items()[0]), decode_type(given.items()[1]));
  if (form == "wrapper") return Type::wrapper(decode_type(given));
  if (form == "type")
    return given.is_null() ? Type(TypeKind::kType) : Type::type_of(decode_type(given));
  if (form == "type_param") return Type::param(std::string(given.as_string()));
  if (form == "message") return Type::message(std::string(given.as_string()));
  return TypeKind::kError;
}

void declare(cel::EnvBuilder& builder, const json::Value& declaration) {
  const std::string name(declaration["name"].as_string());
  if (declaration["kind"].as_string() == "variable") {
    builder.variable(name, decode_type(declaration["type"]));
    return;
  }
  for (const json::Value& each : declaration["overloads"].items()) {
    cel::Overload overload;
    overload.id = each["id"].as_string();
    for (const json::Value& param : each["params"].items())
      overload.params.push_back(decode_type(param));
    overload.result = decode_type(each["result"]);
    overload.member = each["member"].as_bool();
    builder.function(name, std::move(overload));
  }
}

// Libraries that the specification's files need; rows about extensions name theirs.
const std::vector<std::string> kSpecificationLibraries = {
    "strings",         "math",    "encoders", "optionals", "bindings",
    "comprehensions2", "network", "block",    "lists",     "sets"};

Result<cel::Env> environment(const json::Value& row) {
  cel::EnvBuilder builder;
  builder.add(cel_lib::standard());
  std::vector<std::string> libraries;
  for (const json::Value& library : row["libs"].items())
    libraries.emplace_back(library.as_string());
  if (!row.contains("libs")) libraries = kSpecificationLibraries;
  for (const std::string& name : libraries) {
    auto library = cel_lib::find_library(name, row["locale"].as_string());
    if (!library) return not_found("no library \"{}\"", name);
    builder.add(std::move(*library));
  }
  cel::Options options;
  options.check = !row["disable_check"].as_bool();
  options.macros = !row["disable_macros"].as_bool();
  options.container = row["container"].as_string();
  for (const json::Value& option : row["env_options"].items())
    if (option.as_string() == "error_on_bad_presence_test")
      options.error_on_bad_presence_test = true;
  builder.options(std::move(options));
  for (const json::Value& declaration : row["type_env"].items()) declare(builder, declaration);
  return builder.build();
}

// Equal values of equal types.
bool same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is(cel::Kind::kDouble) && std::isnan(a.as_double())) return std::isnan(b.as_double());
  if (a.is(cel::Kind::kList)) {
    if (a.as_list().size() != b.as_list().size()) return false;
    for (std::size_t i = 0; i < a.as_list().size(); ++i)
      if (!same(a.as_list().at(i), b.as_list().at(i))) return false;
    return true;
  }
  if (a.is(cel::Kind::kMap)) {
    if (a.as_map().size() != b.as_map().size()) return false;
    for (const Value& key : a.as_map().keys()) {
      const auto theirs = b.as_map().find(key);
      if (!theirs || !same(*a.as_map().find(key), *theirs)) return false;
    }
    return true;
  }
  if (a.is(cel::Kind::kOptional)) {
    const Value* mine = a.as_optional();
    const Value* theirs = b.as_optional();
    return mine == nullptr || theirs == nullptr ? mine == theirs : same(*mine, *theirs);
  }
  return a == b;
}

struct Got {
  enum class Phase { kCheck, kEval, kValue } phase = Phase::kValue;
  std::string error;
  Type type;
  Value value;
};

Result<Got> run_row(const json::Value& row) {
  PORTICO_TRY(const cel::Env env, environment(row));
  const std::string text(row["expr"].as_string());
  Got got;
  const cel::Checked checked = env.check(text);
  if (!checked.issues.empty()) {
    got.phase = Got::Phase::kCheck;
    got.error = cel::display(checked.issues, text);
    return got;
  }
  got.type = checked.type;
  if (row["check_only"].as_bool()) return got;
  PORTICO_TRY(const cel::Program program, env.compile(text));
  cel::Variables variables;
  for (const json::Member& binding : row["bindings"].members()) {
    PORTICO_TRY(Value value, decode_value(binding.value), std::string(binding.name()));
    variables.set(std::string(binding.name()), std::move(value));
  }
  auto value = program.evaluate(variables);
  if (!value) {
    got.phase = Got::Phase::kEval;
    got.error = value.error().text();
    return got;
  }
  got.value = *std::move(value);
  return got;
}

std::string describe(const Got& got) {
  if (got.phase == Got::Phase::kCheck) return "check error: " + got.error;
  if (got.phase == Got::Phase::kEval) return "evaluation error: " + got.error;
  return "value " + cel::show(got.value) + " of type " + got.type.text();
}

// Describes what is wrong with the outcome; "" if nothing is.
Result<std::string> judge(const json::Value& row, const Got& got) {
  const json::Value& expect = row["expect"];
  if (const json::Value* error = expect.find("error")) {
    if (got.phase == Got::Phase::kValue)
      return "wanted an error: " + std::string(error->as_string());
    const std::string_view phase = row["error_phase"].as_string();
    if (phase.empty()) return std::string();
    if ((phase == "check") != (got.phase == Got::Phase::kCheck))
      return "wanted the error from phase " + std::string(phase);
    if (got.error.find(error->as_string()) == std::string::npos)
      return "wanted the error text " + std::string(error->as_string());
    return std::string();
  }
  if (got.phase != Got::Phase::kValue) return "wanted " + json::print(expect);
  if (const json::Value* type = expect.find("type"))
    if (!(decode_type(*type) == got.type)) return "wanted the type " + decode_type(*type).text();
  if (const json::Value* value = expect.find("value")) {
    PORTICO_TRY(const Value want, decode_value(*value));
    if (!same(want, got.value)) return "wanted " + cel::show(want);
  }
  return std::string();
}

CaseResult run_case(const json::Value& row) {
  const std::string name(row["id"].as_string());
  if (row["needs_proto"].as_bool()) return skipped(name, "needs protobuf messages");
  const auto got = run_row(row);
  if (!got) return failed(name, got.error().text());
  const auto verdict = judge(row, *got);
  if (!verdict) return failed(name, verdict.error().text());
  if (verdict->empty()) return passed(name);
  return failed(name,
                std::string(row["expr"].as_string()) + "\n" + *verdict + "\ngot " + describe(*got));
}

}  // namespace

std::vector<CaseResult> run_cel(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const std::filesystem::path& file : files_with(data, ".jsonl")) {
    const auto rows = read_jsonl(file);
    if (!rows) {
      results.push_back(failed(file.filename().string(), rows.error().text()));
      continue;
    }
    for (const json::Value& row : *rows)
      results.push_back(
          guarded(std::string(row["id"].as_string()), [&row] { return run_case(row); }));
  }
  return results;
}

}  // namespace portico::conformance
