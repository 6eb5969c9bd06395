#include "kubeapi/protobuf.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <vector>

#include "base/hash.h"
#include "base/time.h"
#include "json/text.h"
#include "kubeapi/internal/protobuf_kinds.h"
#include "kubeapi/internal/wire.h"

namespace portico::kubeapi {

using json::Value;
using Form = WireField::Form;

namespace {

constexpr int kMostJsonDepth = 100;  // maximum nesting of raw JSON
constexpr std::string_view kMark("k8s\0", 4);

Error wrong_form(const WireField& field, std::string_view name) {
  constexpr int kWire[] = {0, 1, 2, 5};
  return invalid("proto: wrong wireType = {} for field {}",
                 kWire[static_cast<std::size_t>(field.form)], name);
}

Result<std::string_view> bytes_of(const WireField& field, std::string_view name) {
  if (field.form != Form::kBytes) return wrong_form(field, name);
  return field.bytes;
}

// Go would replace invalid UTF-8; here it is an error, because JSON cannot represent it.
Result<Value> text_of(std::string_view bytes, std::string_view name) {
  Value out(bytes);
  if (!json::check_printable(out)) return invalid("proto: field {} is not UTF-8", name);
  return out;
}

// metav1.Time and MicroTime are messages of seconds and nanoseconds; an empty one is null.
Result<Value> time_of(std::string_view bytes, bool micro) {
  if (bytes.empty()) return Value();
  std::int64_t seconds = 0, nanos = 0;
  for (WireReader reader(bytes); !reader.done();) {
    PORTICO_TRY(const WireField field, reader.next());
    if (field.number == 1) seconds = static_cast<std::int64_t>(field.value);
    if (field.number == 2) nanos = static_cast<std::int64_t>(field.value);
  }
  // The years 1 to 9999, the range of RFC 3339.
  constexpr std::int64_t kFirst = -62135596800, kLast = 253402300799, kBillion = 1'000'000'000;
  if (seconds < kFirst || seconds > kLast || nanos < 0 || nanos >= kBillion)
    return invalid("proto: time out of range: {} seconds and {} nanoseconds", seconds, nanos);
  std::string text = rfc3339(TimePoint(std::chrono::seconds(seconds)));
  if (micro) text.insert(text.size() - 1, fmt::format(".{:06}", nanos / 1000));
  return Value(text);
}

Result<Value> raw_json(std::string_view bytes) {
  for (WireReader reader(bytes); !reader.done();) {
    PORTICO_TRY(const WireField field, reader.next());
    if (field.number == 1 && field.form == Form::kBytes)
      return json::parse(field.bytes, {.depth = kMostJsonDepth});
  }
  return Value();
}

class Decoder {
 public:
  Result<Value> message(std::span<const ProtoField> fields, std::string_view bytes, int depth) {
    // No kind is nested deeper, so this is never reached for a valid object.
    constexpr int kMostDepth = 16;
    if (depth > kMostDepth) return invalid("proto: nested too deep");
    std::map<std::uint32_t, Value> single;  // of a repeated number, the last value counts
    std::map<std::uint32_t, std::vector<Value>> lists;
    std::map<std::uint32_t, std::vector<json::Member>> maps;
    for (WireReader reader(bytes); !reader.done();) {
      PORTICO_TRY(const WireField field, reader.next());
      const auto known = std::find_if(fields.begin(), fields.end(), [&](const ProtoField& one) {
        return one.number == field.number;
      });
      if (known == fields.end()) continue;
      if (known->type == Proto::kTextMap || known->type == Proto::kBytesMap ||
          known->type == Proto::kListsMap) {
        PORTICO_TRY(json::Member entry, entry_of(*known, field));
        maps[known->number].push_back(std::move(entry));
        continue;
      }
      PORTICO_TRY(Value value, value_of(*known, field, depth));
      if (known->repeated)
        lists[known->number].push_back(std::move(value));
      else
        single[known->number] = std::move(value);
    }
    std::vector<json::Member> out;
    for (const ProtoField& field : fields) {
      if (const auto list = lists.find(field.number); list != lists.end())
        out.push_back({Value(field.name), Value::array(std::move(list->second))});
      if (const auto map = maps.find(field.number); map != maps.end())
        out.push_back({Value(field.name), Value::object(std::move(map->second))});
      if (const auto one = single.find(field.number);
          one != single.end() && is_said(field, one->second))
        out.push_back({Value(field.name), std::move(one->second)});
    }
    return Value::object(std::move(out));
  }

 private:
  // Go encodes empty values in protobuf, but omits them in JSON.
  static bool is_said(const ProtoField& field, const Value& value) {
    if (value.is_null()) return false;
    if (field.keeps_zero) return true;
    if (value.is_string()) return !value.as_string().empty();
    if (value.is_number()) return value.as_int() != 0;
    if (value.is_bool()) return value.as_bool();
    return !value.empty();
  }

  Result<Value> value_of(const ProtoField& known, const WireField& field, int depth) {
    if (known.type == Proto::kInt || known.type == Proto::kBool) {
      if (field.form != Form::kVarint) return wrong_form(field, known.name);
      if (known.type == Proto::kBool) return Value(field.value != 0);
      return Value(static_cast<std::int64_t>(field.value));
    }
    PORTICO_TRY(const std::string_view bytes, bytes_of(field, known.name));
    switch (known.type) {
      case Proto::kTime:
      case Proto::kMicroTime:
        return time_of(bytes, known.type == Proto::kMicroTime);
      case Proto::kRawJson:
        return raw_json(bytes);
      case Proto::kBytes:
        return Value(base64_encode(bytes));
      case Proto::kMessage:
        if (const ProtoMessage* below = proto_message(known.message))
          return message(below->fields, bytes, depth + 1);
        return internal("the message {} has no table", known.message);
      default:
        return text_of(bytes, known.name);
    }
  }

  static Result<json::Member> entry_of(const ProtoField& known, const WireField& field) {
    PORTICO_TRY(const std::string_view entry, bytes_of(field, known.name));
    std::string_view key, value;
    for (WireReader reader(entry); !reader.done();) {
      PORTICO_TRY(const WireField part, reader.next());
      if (part.number > 2) continue;
      PORTICO_TRY((part.number == 1 ? key : value), bytes_of(part, known.name));
    }
    json::Member out;
    PORTICO_TRY(out.key, text_of(key, known.name));
    if (known.type == Proto::kBytesMap) {
      out.value = Value(base64_encode(value));
      return out;
    }
    if (known.type == Proto::kListsMap) {
      PORTICO_TRY(out.value, list_of(value, known.name));
      return out;
    }
    PORTICO_TRY(out.value, text_of(value, known.name));
    return out;
  }

  // A message whose only field is a list of strings.
  static Result<Value> list_of(std::string_view bytes, std::string_view name) {
    std::vector<Value> out;
    for (WireReader reader(bytes); !reader.done();) {
      PORTICO_TRY(const WireField field, reader.next());
      if (field.number != 1) continue;
      PORTICO_TRY(const std::string_view item, bytes_of(field, name));
      PORTICO_TRY(Value text, text_of(item, name));
      out.push_back(std::move(text));
    }
    return Value::array(std::move(out));
  }
};

}  // namespace

Result<Envelope> open_envelope(std::string_view body) {
  if (!body.starts_with(kMark))
    return invalid(
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  Envelope out;
  for (WireReader reader(body.substr(kMark.size())); !reader.done();) {
    PORTICO_TRY(const WireField field, reader.next());
    if (field.form != Form::kBytes) continue;
    if (field.number == 2) out.object = field.bytes;
    if (field.number != 1) continue;
    for (WireReader type(field.bytes); !type.done();) {
      PORTICO_TRY(const WireField part, type.next());
      if (part.number == 1) out.api_version = part.bytes;
      if (part.number == 2) out.kind = part.bytes;
    }
  }
  return out;
}

bool has_protobuf(std::string_view group, std::string_view kind) {
  return proto_kind(group, kind) != nullptr;
}

Result<Value> decode_protobuf(std::string_view group, std::string_view kind,
                              std::string_view object) {
  const ProtoKind* known = proto_kind(group, kind);
  if (known == nullptr) return internal("{} has no protobuf encoding", kind);
  return Decoder().message(known->fields, object, 0);
}

}  // namespace portico::kubeapi
