// The expressions of the syntax tree (ast.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contract/types/type.h"
#include "support/diagnostic.h"

namespace dscope {

// A dense index over all expressions of a Program; side tables are vectors indexed by it.
struct NodeId {
  uint32_t index = 0;
  bool operator==(const NodeId&) const = default;
};

struct Expr;
struct TypeName;

enum class IntLiteralType : uint8_t { Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong };

// 42, 0x2aUL, 'a' (Int), $pid (Int). The value is unsigned: the source writes a negative number with a unary minus.
struct IntLiteral {
  uint64_t value = 0;
  IntLiteralType type = IntLiteralType::Int;
  bool is_macro = false;   // from $1 or $pid: the value differs from run to run
  bool is_option = false;  // from an option of the script (script_options.h)
};

// The bytes after escape processing; may contain NULs.
struct StringLiteral {
  std::string bytes;
  bool is_macro = false;  // from $$1 or the machine, as in IntLiteral
  bool is_option = false;
};

enum class VariableScope : uint8_t {
  Global,
  Self,
  This,
  Traced,  // $x: a variable of the traced program
};

// The name of $$vars, which stands for all variables.
inline constexpr std::string_view all_traced_variables = "$vars";

// x, self->x, this->x, $x; $$vars has the name "$vars". A plain name may turn out to be a variable, built-in, inline,
// enumerator or function. `self` or `this` without `->` is {Self or This, ""}.
struct Name {
  VariableScope scope = VariableScope::Global;
  std::string name;
};

// `sym, mod`sym, ``sym, obj``sym (d-language.md 1.3). `object` may be empty.
struct SymbolRef {
  std::string object;
  std::string name;
  bool is_user = false;  // two backquotes
};

// @name; the anonymous @ has the name "_".
struct AggregationRef {
  std::string name;
};

// base[arguments]: an element of an array, associative array, parameterized inline, args[] or aggregation.
struct Index {
  Expr* base = nullptr;
  std::vector<Expr*> arguments;
};

// The checker rejects a callee that is not a Name (D_FUNC_IDENT).
struct Call {
  Expr* callee = nullptr;
  std::vector<Expr*> arguments;
};

struct Member {
  Expr* base = nullptr;
  std::string member;
  bool is_arrow = false;
};

enum class UnaryOp : uint8_t {
  Plus,
  Minus,
  BitNot,
  Not,
  Deref,
  AddressOf,
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement
};

struct Unary {
  UnaryOp op{};
  Expr* operand = nullptr;
};

struct SizeofExpr {
  Expr* operand = nullptr;
};
struct SizeofType {
  TypeName* type = nullptr;
};
struct Offsetof {
  TypeName* type = nullptr;
  std::string member;
};
// stringof e; (string)e is a Cast.
struct Stringof {
  Expr* operand = nullptr;
};
struct Cast {
  TypeName* type = nullptr;
  Expr* operand = nullptr;
  TypeId known_type = {};  // in place of `type`, in expressions that the checker creates
};
// xlate <type> (operand)
struct Xlate {
  TypeName* type = nullptr;
  Expr* operand = nullptr;
};

enum class BinaryOp : uint8_t {
  Multiply,
  Divide,
  Modulo,
  Add,
  Subtract,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  LogicalAnd,
  LogicalXor,
  LogicalOr,
};

struct Binary {
  BinaryOp op{};
  Expr* lhs = nullptr;
  Expr* rhs = nullptr;
};

// lhs = rhs, or lhs op= rhs when `op` is set.
struct Assign {
  std::optional<BinaryOp> op;
  Expr* lhs = nullptr;
  Expr* rhs = nullptr;
};

struct Ternary {
  Expr* condition = nullptr;
  Expr* then_value = nullptr;
  Expr* else_value = nullptr;
};

struct Comma {
  Expr* lhs = nullptr;
  Expr* rhs = nullptr;
};

// a ?? b in D libraries: `a` if its types and members exist on this machine, else `b`. Kernels differ in the members
// of their types.
struct Alternative {
  Expr* first = nullptr;
  Expr* second = nullptr;
};

struct Expr {
  NodeId id;
  Position at;  // the range of the whole expression; the line as d-language.md 10.2 counts it
  bool is_parenthesized = false;
  std::variant<IntLiteral, StringLiteral, Name, SymbolRef, AggregationRef, Index, Call, Member, Unary, SizeofExpr,
               SizeofType, Offsetof, Stringof, Cast, Xlate, Binary, Assign, Ternary, Comma, Alternative>
      form;
};

}  // namespace dscope
