// The syntax tree of D. The parser builds it; all later phases only read it. Each form is one small struct; a wrapper
// (Expr, Statement, External) holds the members that all forms share. Nodes live in the pools of their Program and are
// linked by plain pointers. The tree holds neither types nor resolved names: the checker records these beside the tree
// (semantics.h).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/check.h"
#include "support/diagnostic.h"
#include "support/source.h"

namespace dscope {

// A dense index over all expressions of a Program; side tables are vectors indexed by it.
struct NodeId {
  uint32_t index = 0;
  bool operator==(const NodeId&) const = default;
};

struct Expr;
struct Statement;
struct TypeName;
struct Declarator;
struct DeclSpecifiers;

// ---------------------------------------------------------------- expressions

enum class IntLiteralType : uint8_t { Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong };

// 42, 0x2aUL, 'a' (Int), $pid (Int). The value is unsigned: the source writes a negative number with a unary minus.
struct IntLiteral {
  uint64_t value = 0;
  IntLiteralType type = IntLiteralType::Int;
};

// The bytes after escape processing; may contain NULs.
struct StringLiteral {
  std::string bytes;
};

enum class VariableScope : uint8_t { Global, Self, This };

// x, self->x, this->x. A plain name may turn out to be a variable, built-in, inline, enumerator or function.
// `self` or `this` without `->` is {Self or This, ""}.
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

// Calls visit(Expr*&) for each direct child of `expr`, in source order.
template <typename Visit>
void for_each_child(Expr& expr, Visit visit);

// ---------------------------------------------------------------- types and declarations

enum class StorageClass : uint8_t { None, Auto, Register, Static, Extern, Typedef, Self, This };

enum class BasicType : uint8_t { None, Void, Char, Int, Float, Double, String };

enum class TagKind : uint8_t { Struct, Union, Enum };

struct Enumerator {
  Position at;
  std::string name;
  Expr* value = nullptr;  // null: previous + 1
};

struct MemberDecl {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // null: unnamed struct/union member, or unnamed bit-field
  Expr* bit_width = nullptr;         // null: not a bit-field
  Position at;
};

// A struct, union or enum with an optional tag and an optional body.
struct TagSpecifier {
  TagKind kind{};
  std::string module;  // struct mod`tag; empty if unscoped
  std::string tag;     // empty if anonymous
  bool has_body = false;
  std::vector<MemberDecl> members;
  std::vector<Enumerator> enumerators;
};

// A typedef name, possibly scoped: mod`name.
struct NamedType {
  std::string module;
  std::string name;
};

// The words before the declarators. The parser reports words that can never combine (D_DECL_COMBO, _CHARATTR,
// _VOIDATTR, _SIGNINT, _LONGINT, D_DECL_CLASS). The checker does every check that depends on types.
struct DeclSpecifiers {
  Position at;
  StorageClass storage = StorageClass::None;
  bool is_const = false, is_volatile = false, is_restrict = false, is_userland = false;
  bool is_signed = false, is_unsigned = false, is_short = false;
  int long_count = 0;
  BasicType basic = BasicType::None;
  std::variant<std::monostate, NamedType, TagSpecifier> type;  // monostate: basic (or int by default)
};

struct Parameter {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // never null; name empty if abstract
  Position at;
};

struct PointerPart {
  bool is_const = false, is_volatile = false, is_restrict = false;
};
struct ArrayPart {
  Expr* size = nullptr;  // null: []
};
// Declarator brackets that contain types: the keys of an associative array or the parameters of an inline.
struct KeysPart {
  std::vector<Parameter> keys;
  bool has_varargs = false;
};
struct FunctionPart {
  std::vector<Parameter> parameters;
  bool has_varargs = false;
};

// Parts are ordered from the name outwards: `char *a[4]` has the name `a` and the parts {Array 4, Pointer}: an array of
// pointers to char.
struct Declarator {
  Position at;
  std::string name;  // empty: abstract
  std::vector<std::variant<PointerPart, ArrayPart, KeysPart, FunctionPart>> parts;
};

// A type as written in casts, sizeof, offsetof, xlate and translators.
struct TypeName {
  Position at;
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;  // abstract, never null
};

// ---------------------------------------------------------------- top level

struct Declaration {
  DeclSpecifiers* specifiers = nullptr;
  std::vector<Declarator*> declarators;
};

struct InlineDefinition {
  DeclSpecifiers* specifiers = nullptr;
  Declarator* declarator = nullptr;
  Expr* value = nullptr;
};

struct TranslatorMember {
  Position at;
  std::string name;
  Expr* value = nullptr;
};

struct TranslatorDefinition {
  TypeName* output = nullptr;
  TypeName* input = nullptr;
  std::string input_name;
  std::vector<TranslatorMember> members;
};

struct ProviderProbe {
  Position at;
  std::string name;
  FunctionPart arguments;
  std::optional<FunctionPart> translated;
};

struct ProviderDefinition {
  std::string name;
  std::vector<ProviderProbe> probes;
  bool accepts_unknown_types = false;  // ParseOptions
};

// provider:module:function:name after macro expansion, or a probe id.
struct ProbeSpecifier {
  Position at;
  std::optional<uint32_t> id;
  std::string provider, module, function, name;
};

struct ExprStatement {
  Expr* expr = nullptr;
};
struct IfStatement {
  Expr* condition = nullptr;
  std::vector<Statement*> then_body;
  std::vector<Statement*> else_body;
};
struct Statement {
  Position at;
  std::variant<ExprStatement, IfStatement> form;
};

// The parser drops empty statements: a clause with an empty `body` has the default action.
struct Clause {
  std::vector<ProbeSpecifier> probes;
  Expr* predicate = nullptr;  // may be null
  std::vector<Statement*> body;
  NodeId first_node, end_node;  // the ids of all expressions of predicate and body lie in [first_node, end_node)
  bool contains(NodeId id) const { return id.index >= first_node.index && id.index < end_node.index; }
};

// A control line that the checker applies in source order: #pragma D WORDS... (without the leading "pragma D").
// The parser handles #error, #ident, #line and unknown directives itself.
struct Pragma {
  std::vector<std::string> words;  // words[0] is the pragma's name: "option", "attributes", "binding" or "depends_on"
};

struct External {
  Position at;
  bool in_header = false;  // in a file included by the C preprocessor: declarations have C scope (d-language.md 1.3)
  std::variant<Declaration, InlineDefinition, TranslatorDefinition, ProviderDefinition, Clause, Pragma> form;
};

// How strictly to check a unit: set by its own pragmas and its origin. An empty member leaves the choice to the options
// of the command line.
struct UnitRules {
  std::optional<bool> allows_unmatched;        // zdefs
  std::optional<bool> allows_unknown_symbols;  // knodefs
  // True for a user's library: mistakes in its definitions are errors even if nothing uses them.
  bool is_checked_at_once = false;
};

struct ProgramUnit {
  UnitId source;
  UnitRules rules;
  std::vector<External> externals;  // in source order
  Position end;                     // the end of the file, for D_EMPTY and similar errors
  // A mistake at the end of the text. The checker reports it last: mistakes in the definitions come first.
  std::optional<Diagnostic> end_mistake;
};

// One compilation: all units of the command line (and libraries) in order. Move-only; node addresses are stable.
struct Program {
  std::vector<ProgramUnit> units;
  // The clauses of Probe::derivations by probe id, one unit for each derivation; not part of `units`.
  std::map<uint32_t, std::vector<ProgramUnit>> derivations;
  uint32_t node_count = 0;
  // Limits the nesting of constructs and the height of expression trees, and with them the stack of every recursive
  // walk.
  uint32_t max_levels = 1000;

  std::deque<Expr> exprs;
  std::deque<Statement> statements;
  std::deque<DeclSpecifiers> specifiers;
  std::deque<Declarator> declarators;
  std::deque<TypeName> type_names;

  Program() = default;
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
};

template <typename Visit>
void for_each_child(Expr& expr, Visit visit) {
  auto visit_all = [&](std::vector<Expr*>& list) {
    for (Expr*& each : list) visit(each);
  };
  std::visit(Overloaded{[&](Index& form) {
                          visit(form.base);
                          visit_all(form.arguments);
                        },
                        [&](Call& form) {
                          visit(form.callee);
                          visit_all(form.arguments);
                        },
                        [&](Member& form) { visit(form.base); },
                        [&](Unary& form) { visit(form.operand); },
                        [&](SizeofExpr& form) { visit(form.operand); },
                        [&](Stringof& form) { visit(form.operand); },
                        [&](Cast& form) { visit(form.operand); },
                        [&](Xlate& form) { visit(form.operand); },
                        [&](Binary& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [&](Assign& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [&](Ternary& form) {
                          visit(form.condition);
                          visit(form.then_value);
                          visit(form.else_value);
                        },
                        [&](Alternative& form) {
                          visit(form.first);
                          visit(form.second);
                        },
                        [&](Comma& form) {
                          visit(form.lhs);
                          visit(form.rhs);
                        },
                        [](IntLiteral&) {},
                        [](StringLiteral&) {},
                        [](Name&) {},
                        [](SymbolRef&) {},
                        [](AggregationRef&) {},
                        [](SizeofType&) {},
                        [](Offsetof&) {}},
             expr.form);
}

}  // namespace dscope
