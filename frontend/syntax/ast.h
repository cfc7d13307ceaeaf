// The syntax tree of D: what the parser makes and everyone after it only reads. One small struct per form; a
// wrapper holds what all nodes share. Nodes live in the pools of their Program and are linked by plain pointers.
// Names are not resolved here and types not known: see semantics.h for what the checker adds beside the tree.
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

// Dense index over all expressions of a Program: side tables are vectors indexed by it.
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

// 42, 0x2aUL, 'a' (Int), $pid (Int). The value is that of an unsigned 64-bit quantity; never negative in the source.
struct IntLiteral {
  uint64_t value = 0;
  IntLiteralType type = IntLiteralType::Int;
};

// Bytes after escape processing; may hold NULs.
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

// `sym, mod`sym, ``sym, obj``sym (d-language.md 1.3). object may be empty.
struct SymbolRef {
  std::string object;
  std::string name;
  bool is_user = false;  // two marks
};

// @name; the anonymous @ has the name "_".
struct AggregationRef {
  std::string name;
};

// base[arguments]: element of an array, associative array, parameterised inline, args[], or aggregation.
struct Index {
  Expr* base = nullptr;
  std::vector<Expr*> arguments;
};

// callee is a Name in every program that checks (else D_FUNC_IDENT).
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

// a ?? b in D libraries: a if it makes sense on this machine, else b. Kernels differ in the members of their types.
struct Alternative {
  Expr* first = nullptr;
  Expr* second = nullptr;
};

struct Expr {
  NodeId id;
  Position at;  // range of the whole expression; line as d-language.md 10.2 counts it
  bool parenthesised = false;
  std::variant<IntLiteral, StringLiteral, Name, SymbolRef, AggregationRef, Index, Call, Member, Unary, SizeofExpr,
               SizeofType, Offsetof, Stringof, Cast, Xlate, Binary, Assign, Ternary, Comma, Alternative>
      form;
};

// Calls visit(Expr*&) for each expression right below `expr`, in source order.
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

// struct/union/enum with optional tag and optional body.
struct TagSpecifier {
  TagKind kind{};
  std::string module;  // struct mod`tag; empty if unscoped
  std::string tag;     // empty if anonymous
  bool has_body = false;
  std::vector<MemberDecl> members;
  std::vector<Enumerator> enumerators;
};

// typedef name, possibly scoped mod`name.
struct NamedType {
  std::string module;
  std::string name;
};

// The words before the declarators. The parser reports words that can never combine (D_DECL_COMBO, _CHARATTR,
// _VOIDATTR, _SIGNINT, _LONGINT, D_DECL_CLASS); everything that needs to know types is left to the checker.
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
// Declarator brackets holding types: an associative array (or parameterised inline).
struct KeysPart {
  std::vector<Parameter> keys;
  bool has_varargs = false;
};
struct FunctionPart {
  std::vector<Parameter> parameters;
  bool has_varargs = false;
};

// Parts read from the name outwards: `char *a[4]` is name a, parts {Array 4, Pointer}: array of pointer to char.
struct Declarator {
  Position at;
  std::string name;  // empty: abstract
  std::vector<std::variant<PointerPart, ArrayPart, KeysPart, FunctionPart>> parts;
};

// A type as written in casts, sizeof, offsetof, xlate, translators.
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
  bool takes_unknown_types = false;  // ParseOptions
};

// provider:module:function:name after $-expansion; or a probe id.
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

// Empty statements are not kept: a clause with an empty `body` means the default action.
struct Clause {
  std::vector<ProbeSpecifier> probes;
  Expr* predicate = nullptr;  // may be null
  std::vector<Statement*> body;
  NodeId first_node, end_node;  // all expressions of predicate and body have ids in [first_node, end_node)
  bool holds(NodeId id) const { return id.index >= first_node.index && id.index < end_node.index; }
};

// A control line that must be acted on in source order: #pragma D WORDS... (without the leading "pragma D").
// #error, #ident, #line and unknown directives are dealt with by the parser.
struct Pragma {
  std::vector<std::string> words;  // words[0] is the pragma's name; "option", "attributes", "binding", "depends_on"
};

struct External {
  Position at;
  bool in_header = false;  // in a file included by the C preprocessor: declarations have C scope (d-language.md 1.3)
  std::variant<Declaration, InlineDefinition, TranslatorDefinition, ProviderDefinition, Clause, Pragma> form;
};

// What a unit's own pragmas, and where it came from, say of checking it; empty: the options of the command line hold.
struct UnitRules {
  std::optional<bool> allows_unmatched;        // zdefs
  std::optional<bool> allows_unknown_symbols;  // knodefs
  // A library of the user: mistakes in its definitions are errors even if nothing uses them.
  bool is_checked_at_once = false;
};

struct ProgramUnit {
  UnitId source;
  UnitRules rules;
  std::vector<External> externals;  // in source order
  Position end;                     // end of file, for D_EMPTY and friends
  // A mistake found at the end of the text: what is wrong with the definitions is reported first.
  std::optional<Diagnostic> end_mistake;
};

// One compilation: all units of the command line (and libraries) in order. Move-only; node addresses are stable.
struct Program {
  std::vector<ProgramUnit> units;
  // The clauses of Probe::derivations, by probe id, one unit for each; not part of `units`.
  std::map<uint32_t, std::vector<ProgramUnit>> derivations;
  uint32_t node_count = 0;
  // How deep constructs may nest and how high expressions may grow: bounds the stack of every recursive walk.
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
