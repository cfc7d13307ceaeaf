#include "frontend/semantics/compatibility.h"

#include "support/check.h"

namespace dscope {

namespace {

bool is_tagged(TypeKind kind) {
  return kind == TypeKind::Struct || kind == TypeKind::Union || kind == TypeKind::Enum || kind == TypeKind::Forward;
}

// True for "struct list_head", but not for the "struct" or "struct (anon)" of a type without a tag.
bool has_tag(const Type& type) { return type.name.find(' ') != std::string::npos && !type.name.ends_with(')'); }

}  // namespace

bool is_same_type(const TypeTable& types, TypeId a, TypeId b) {
  a = types.resolve(a);
  b = types.resolve(b);
  if (a == b) return true;
  const Type& left = types.get(a);
  const Type& right = types.get(b);
  if (is_tagged(left.kind) && is_tagged(right.kind)) return has_tag(left) && left.name == right.name;
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case TypeKind::Integer:
      return left.size == right.size && left.is_signed == right.is_signed && left.is_bool == right.is_bool;
    case TypeKind::Float: return left.size == right.size;
    case TypeKind::Pointer: return is_same_type(types, left.base, right.base);
    case TypeKind::Array: return left.count == right.count && is_same_type(types, left.base, right.base);
    case TypeKind::Function: return true;  // all functions are one type
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::Forward:
    case TypeKind::String:
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr:
    case TypeKind::Dynamic: return left.kind == TypeKind::Void;
  }
  DS_UNREACHABLE();
}

bool is_pointer_or_array(const TypeTable& types, TypeId id) {
  TypeKind kind = types.resolved(id).kind;
  return kind == TypeKind::Pointer || kind == TypeKind::Array;
}

bool is_function(const TypeTable& types, TypeId id) { return types.resolved(id).kind == TypeKind::Function; }
bool is_void(const TypeTable& types, TypeId id) { return types.resolved(id).kind == TypeKind::Void; }

TypeId target_of(const TypeTable& types, TypeId id) {
  DS_CHECK(is_pointer_or_array(types, id));
  return types.resolved(id).base;
}

TypeId decay(TypeTable& types, TypeId id) {
  const Type& type = types.resolved(id);
  return type.kind == TypeKind::Array ? types.pointer_to(type.base) : id;
}

bool are_pointer_compatible(const TypeTable& types, TypeId a, TypeId b) {
  auto has_target = [&](TypeId id) { return is_pointer_or_array(types, id) || is_function(types, id); };
  if (!has_target(a) || !has_target(b)) return false;
  // A function named without a call decays to a pointer.
  auto target = [&](TypeId id) { return is_function(types, id) ? id : target_of(types, id); };
  TypeId left = target(a), right = target(b);
  return is_void(types, left) || is_void(types, right) || is_same_type(types, left, right);
}

bool is_compatible(const TypeTable& types, TypeId formal, TypeId actual, bool is_zero) {
  if (types.is_integer(formal) && types.is_integer(actual)) return true;
  if (is_zero && (types.is_pointer(formal) || types.is_string(formal))) return true;
  if (types.is_string_compatible(formal) && types.is_string_compatible(actual)) return true;
  if (are_pointer_compatible(types, formal, actual)) return true;
  // Strings decay to `char *`, so they are compatible with every untyped address.
  if (types.is_pointer(formal) && is_void(types, target_of(types, formal)) && types.is_string(actual)) return true;
  TypeKind kind = types.resolved(formal).kind;
  switch (kind) {
    case TypeKind::Stack:
    case TypeKind::SymAddr:
    case TypeKind::UsymAddr: return kind == types.resolved(actual).kind;
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Function:
    case TypeKind::Float: return is_same_type(types, formal, actual);
    case TypeKind::Error:
    case TypeKind::Void:
    case TypeKind::Integer:
    case TypeKind::Pointer:
    case TypeKind::Array:
    case TypeKind::Enum:
    case TypeKind::Typedef:
    case TypeKind::Forward:
    case TypeKind::String:
    case TypeKind::Dynamic: return false;
  }
  DS_UNREACHABLE();
}

TypeId operand_type(const TypeTable& types, TypeId id, uint32_t bit_size) {
  const Type& type = types.resolved(id);
  bool fits_int = bit_size != 0 && bit_size + (types.is_signed_integer(id) ? 0 : 1) <= 32;
  if (type.kind == TypeKind::Enum || fits_int) return types.int_type();
  return type.is_bool ? types.integer(1, false) : id;
}

TypeId arithmetic_type(const TypeTable& types, TypeId left, TypeId right) {
  left = operand_type(types, left);
  right = operand_type(types, right);
  auto rank = [&](TypeId id) { return types.size_of(id) * 8 + (types.is_signed_integer(id) ? 0 : 1); };
  return rank(right) > rank(left) ? right : left;
}

uint64_t narrow(const TypeTable& types, TypeId id, uint64_t value) {
  const Type& type = types.resolved(id);
  if (type.is_bool) return value != 0;
  bool is_signed = types.is_signed_integer(id);
  auto sign_extended = [](auto number) { return static_cast<uint64_t>(int64_t{number}); };
  switch (type.size) {
    case 1: return is_signed ? sign_extended(static_cast<int8_t>(value)) : static_cast<uint8_t>(value);
    case 2: return is_signed ? sign_extended(static_cast<int16_t>(value)) : static_cast<uint16_t>(value);
    case 4: return is_signed ? sign_extended(static_cast<int32_t>(value)) : static_cast<uint32_t>(value);
    default: return value;
  }
}

namespace {

uint64_t divide(bool is_signed, BinaryOp op, uint64_t left, uint64_t right) {
  DS_CHECK(right != 0);
  bool is_modulo = op == BinaryOp::Modulo;
  if (!is_signed) return is_modulo ? left % right : left / right;
  // The only quotient that overflows (INT64_MIN / -1) wraps around, as in BPF.
  if (right == ~uint64_t{0}) return is_modulo ? 0 : uint64_t{0} - left;
  auto dividend = static_cast<int64_t>(left), divisor = static_cast<int64_t>(right);
  return static_cast<uint64_t>(is_modulo ? dividend % divisor : dividend / divisor);
}

bool is_less(bool is_signed, uint64_t left, uint64_t right) {
  return is_signed ? static_cast<int64_t>(left) < static_cast<int64_t>(right) : left < right;
}

}  // namespace

uint64_t fold(const TypeTable& types, BinaryOp op, TypeId type, uint64_t left, uint64_t right) {
  bool is_signed = types.is_signed_integer(type);
  // Shift counts are modulo 64, whatever the size of the operand.
  bool is_shift = op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight;
  if (is_shift) right &= 63;
  switch (op) {
    case BinaryOp::Multiply: return left * right;
    case BinaryOp::Divide:
    case BinaryOp::Modulo: return divide(is_signed, op, left, right);
    case BinaryOp::Add: return left + right;
    case BinaryOp::Subtract: return left - right;
    case BinaryOp::ShiftLeft: return left << right;
    case BinaryOp::ShiftRight:
      return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(left) >> right) : left >> right;
    case BinaryOp::Less: return is_less(is_signed, left, right);
    case BinaryOp::LessEqual: return !is_less(is_signed, right, left);
    case BinaryOp::Greater: return is_less(is_signed, right, left);
    case BinaryOp::GreaterEqual: return !is_less(is_signed, left, right);
    case BinaryOp::Equal: return left == right;
    case BinaryOp::NotEqual: return left != right;
    case BinaryOp::BitAnd: return left & right;
    case BinaryOp::BitXor: return left ^ right;
    case BinaryOp::BitOr: return left | right;
    case BinaryOp::LogicalAnd: return left != 0 && right != 0;
    case BinaryOp::LogicalXor: return (left != 0) != (right != 0);
    case BinaryOp::LogicalOr: return left != 0 || right != 0;
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
