// Evaluates expressions in the model.
#include <algorithm>

#include "model.h"
#include "string_model.h"

namespace dscope::oracle {

namespace {

const Type int_operand{.kind = Kind::Integer, .name = "int", .bits = 32};

bool is_string(const Type& type) { return type.kind == Kind::String; }
bool is_character_array(const Type& type) { return type.kind == Kind::Array && type.element->bits == 8; }

template <typename T>
bool holds(const std::string& op, const T& left, const T& right) {
  if (op == "<") return left < right;
  if (op == "<=") return left <= right;
  if (op == ">") return left > right;
  if (op == ">=") return left >= right;
  return (op == "==") == (left == right);
}

// D passes strings by reference: the value of an operand is undefined after another operand has stored to it.
void must_be_unchanged(const Value& text) {
  for (const auto& [stores, before] : text.stores)
    if (*stores != before) throw Undefined{};
}

}  // namespace

Value Model::cut(std::string text) const {
  if (text.size() > strsize_) text.resize(strsize_);
  return {.text = std::move(text)};
}

Value Model::converted(Value value, const Type& from, const Type& to) const {
  if (from.kind == Kind::Integer && to.kind == Kind::Integer) value.number = narrow(value.number, to);
  return value;
}

Value Model::text_of(const Expr& expr) {
  Value text = value(expr);
  if (text.is_null) throw Fault{"invalid address (0x0)"};
  return text;
}

Value Model::value(const Expr& expr) {
  switch (expr.form) {
    case Form::Number: return {.number = expr.number};
    case Form::Text: return cut(expr.word);
    case Form::Known: return is_string(*expr.type) ? cut(expr.known) : Value{.number = expr.number};
    case Form::Null: return {.is_null = true};
    case Form::Index:
      if (is_string(*expr.parts[0]->type)) return element_of_text(expr);
      return load(place(expr));
    case Form::Deref:
      if (is_string(*expr.parts[0]->type)) {
        std::string text = text_of(*expr.parts[0]).text;
        return {.number = narrow(text.empty() ? 0 : text[0], *expr.type)};
      }
      return load(place(expr));
    case Form::Variable:
    case Form::Element:
    case Form::Member:
    case Form::Arrow:
      if (expr.type->kind == Kind::Array) throw Undefined{};
      return load(place(expr));
    case Form::AddressOf: return {.number = pointer_to(place(*expr.parts[0]))};
    case Form::Unary: return unary(expr);
    case Form::Binary: return binary(expr);
    case Form::Compare: return compare(expr);
    case Form::Logical: return logical(expr);
    case Form::PointerStep: return pointer_step(expr);
    case Form::PointerDifference: {
      int64_t left = number(*expr.parts[0]), right = number(*expr.parts[1]);
      if (left >> 32 != right >> 32) throw Undefined{};
      return {.number = (left - right) / expr.parts[0]->type->element->size};
    }
    case Form::Assign: return assign(expr);
    case Form::Compound: return compound(expr);
    case Form::Step: return step(expr);
    case Form::Ternary: {
      return value(*expr.parts[truth(*expr.parts[0]) ? 1 : 2]);
    }
    case Form::Comma: value(*expr.parts[0]); return value(*expr.parts[1]);
    case Form::Cast: return cast(expr);
    case Form::Stringof: {
      const Expr& source = *expr.parts[0];
      if (is_string(*source.type)) return value(source);
      if (!is_character_array(*source.type)) throw Undefined{};
      std::vector<uint8_t> bytes = load(place(source)).bytes;
      return cut({bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)});
    }
    case Form::Call: return call(expr);
    case Form::UserPointer: return user_pointer(expr);
    case Form::UserText: return user_text(expr);
  }
  throw Undefined{};
}

Value Model::unary(const Expr& expr) {
  Value operand = value(*expr.parts[0]);
  if (expr.word == "!") return {.number = operand.number == 0};
  if (expr.word == "-") operand.number = static_cast<int64_t>(-static_cast<uint64_t>(operand.number));
  if (expr.word == "~") operand.number = ~operand.number;
  return {.number = operand.number};
}

// Computes with 64 bits; `type` decides only the sign.
int64_t Model::arithmetic(const std::string& op, int64_t left, int64_t right, const Type& type) {
  auto x = static_cast<uint64_t>(left), y = static_cast<uint64_t>(right);
  auto is = [&](const char* other) { return op == other; };
  uint64_t result = 0;
  if (is("/") || is("%")) {
    if (right == 0) throw Fault{"divide-by-zero"};
    if (type.is_unsigned) result = is("/") ? x / y : x % y;
    else if (right == -1) result = is("/") ? -x : 0;
    else result = static_cast<uint64_t>(is("/") ? left / right : left % right);
  } else if (is("<<")) {
    result = x << (y & 63);
  } else if (is(">>")) {
    result = type.is_unsigned ? x >> (y & 63) : static_cast<uint64_t>(left >> (y & 63));
  } else {
    result = is("+") ? x + y : is("-") ? x - y : is("*") ? x * y : is("&") ? x & y : is("|") ? x | y : x ^ y;
  }
  return static_cast<int64_t>(result);
}

Value Model::binary(const Expr& expr) {
  int64_t left = number(*expr.parts[0]);
  int64_t right = number(*expr.parts[1]);
  return {.number = arithmetic(expr.word, left, right, *expr.type)};
}

Value Model::compare(const Expr& expr) {
  const Type& left_type = *expr.parts[0]->type;
  Value left = value(*expr.parts[0]), right = value(*expr.parts[1]);
  must_be_unchanged(left);
  const std::string& op = expr.word;
  if (is_string(left_type)) {
    // NULL sorts below every string.
    auto order = [](const Value& v) { return std::pair(!v.is_null, v.is_null ? std::string() : v.text); };
    if (!left.is_null && !right.is_null) return {.number = holds(op, left.text, right.text)};
    return {.number = holds(op, order(left).first, order(right).first)};
  }
  if (left_type.kind == Kind::Pointer) {
    bool is_order = op != "==" && op != "!=";
    if (is_order && left.number >> 32 != right.number >> 32) throw Undefined{};
    return {.number = holds(op, left.number, right.number)};
  }
  const Type& type = promoted(operand_type(*expr.parts[0], int_operand), operand_type(*expr.parts[1], int_operand));
  if (type.is_unsigned)
    return {.number = holds(op, static_cast<uint64_t>(left.number), static_cast<uint64_t>(right.number))};
  return {.number = holds(op, left.number, right.number)};
}

Value Model::logical(const Expr& expr) {
  bool left = truth(*expr.parts[0]);
  if (expr.word == "&&") return {.number = left && truth(*expr.parts[1])};
  if (expr.word == "||") return {.number = left || truth(*expr.parts[1])};
  return {.number = left != truth(*expr.parts[1])};
}

Value Model::pointer_step(const Expr& expr) {
  if (is_string(*expr.type)) {
    Value from = text_of(*expr.parts[0]);
    int64_t by = number(*expr.parts[1]);
    must_be_unchanged(from);
    const std::string& text = from.text;
    if (by < 0 || by > static_cast<int64_t>(text.size())) throw Undefined{};
    return {.text = text.substr(static_cast<size_t>(by))};
  }
  const Type& element = *expr.type->element;
  int64_t pointer =
      expr.parts[0]->type->kind == Kind::Array ? pointer_to(place(*expr.parts[0])) : number(*expr.parts[0]);
  int64_t by = number(*expr.parts[1]);
  if (pointer == 0 || by < -100 || by > 100) throw Undefined{};
  return {.number = expr.word == "-" ? pointer - by * element.size : pointer + by * element.size};
}

// Characters are unsigned bytes, so that comparisons match std::string.
Value Model::element_of_text(const Expr& expr) {
  Value text = value(*expr.parts[0]);
  int64_t index = number(*expr.parts[1]);
  must_be_unchanged(text);
  if (text.is_null || index < 0 || index > static_cast<int64_t>(text.text.size())) throw Undefined{};
  auto at = static_cast<size_t>(index);
  return {.number = narrow(at == text.text.size() ? 0 : text.text[at], *expr.type)};
}

// Evaluates the right side first, then the location on the left.
Value Model::assign(const Expr& expr) {
  const Expr &target = *expr.parts[0], &source = *expr.parts[1];
  bool is_decay = source.type->kind == Kind::Array && target.type->kind == Kind::Pointer;
  Value assigned = is_decay ? Value{.number = pointer_to(place(source))} : value(source);
  assigned = converted(std::move(assigned), *source.type, *target.type);
  Place to = place(target);
  must_be_unchanged(assigned);
  // The value of an assignment refers to both variables.
  Value result = store(to, assigned);
  result.stores.insert(result.stores.end(), assigned.stores.begin(), assigned.stores.end());
  return result;
}

// `x += x = 4` reads x first.
Value Model::compound(const Expr& expr) {
  const Expr &target = *expr.parts[0], &source = *expr.parts[1];
  Place to = place(target);
  int64_t before = load(to).number;
  int64_t operand = number(source);
  if (target.type->kind == Kind::Pointer) {
    if (before == 0 || operand < -100 || operand > 100) throw Undefined{};
    int64_t by = operand * target.type->element->size;
    return store(to, {.number = expr.word == "-" ? before - by : before + by});
  }
  bool is_shift = expr.word == "<<" || expr.word == ">>";
  const Type& target_type = operand_type(target, int_operand);
  const Type& type = is_shift ? target_type : promoted(target_type, operand_type(source, int_operand));
  return store(to, {.number = narrow(arithmetic(expr.word, before, operand, type), *target.type)});
}

Value Model::step(const Expr& expr) {
  const Expr& target = *expr.parts[0];
  Place to = place(target);
  int64_t before = load(to).number;
  int64_t by = expr.word == "++" ? 1 : -1;
  if (target.type->kind == Kind::Pointer) {
    if (before == 0) throw Undefined{};
    Value after = store(to, {.number = before + by * target.type->element->size});
    return {.number = expr.number != 0 ? before : after.number};
  }
  Value after = store(to, {.number = narrow(arithmetic("+", before, by, *target.type), *target.type)});
  return {.number = expr.number != 0 ? before : after.number};
}

Value Model::cast(const Expr& expr) {
  const Expr& operand = *expr.parts[0];
  if (expr.type->kind == Kind::Pointer && operand.type->kind == Kind::Array)
    return {.number = pointer_to(place(operand))};
  return converted(value(operand), *operand.type, *expr.type);
}

Value Model::call(const Expr& expr) {
  const auto& parts = expr.parts;
  const std::string& name = expr.word;
  auto nullable = [&](const std::optional<std::string>& text) { return text ? cut(*text) : Value{.is_null = true}; };
  if (name == "lltostr") return cut(std::to_string(number(*parts[0])));
  Value first = text_of(*parts[0]);
  Value second, third;
  bool is_text = name == "strjoin" || name == "strstr" || name == "index" || name == "rindex";
  if (parts.size() > 1) second = is_text ? text_of(*parts[1]) : value(*parts[1]);
  if (parts.size() > 2) third = value(*parts[2]);
  must_be_unchanged(first);
  must_be_unchanged(second);
  const std::string &text = first.text, &other = second.text;
  auto as_int = [](const Value& v) { return narrow_bits(v.number, 32, false); };
  if (name == "strlen") return {.number = static_cast<int64_t>(text.size())};
  if (name == "basename") return cut(basename_of(text));
  if (name == "dirname") return cut(dirname_of(text));
  if (name == "strchr") return nullable(strchr_of(text, static_cast<char>(second.number)));
  if (name == "strrchr") return nullable(strrchr_of(text, static_cast<char>(second.number)));
  if (name == "strjoin") return cut(text + other);
  if (name == "strstr") return nullable(strstr_of(text, other));
  bool has_third = parts.size() > 2;
  if (name == "substr") return cut(substr_of(text, as_int(second), has_third ? as_int(third) : int64_t{strsize_}));
  if (name == "index") return {.number = index_of(text, other, has_third ? as_int(third) : 0)};
  if (name == "rindex") return {.number = rindex_of(text, other, has_third ? as_int(third) : no_start)};
  throw Undefined{};
}

}  // namespace dscope::oracle
