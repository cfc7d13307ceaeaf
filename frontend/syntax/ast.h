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

#include "frontend/syntax/ast_declarations.h"
#include "frontend/syntax/ast_expressions.h"
#include "support/diagnostic.h"
#include "support/source.h"

namespace dscope {

struct Statement;

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

// The parser drops empty statements: a clause with an empty `body` has the default action. It drops descriptions with
// an option of the script that is not set, such as tick-$interval without -i: a clause with empty `probes` never fires.
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

}  // namespace dscope
