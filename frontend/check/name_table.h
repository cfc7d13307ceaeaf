// NameTable: the names that a program may use, and their bindings (d-language.md 5): variables, inlines,
// enumerators, aggregations, external symbols, and the parameters of the definition being typed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

struct EnumConstant {
  TypeId type;
  int64_t value = 0;
};
using GlobalName = std::variant<VariableId, InlineId, EnumConstant>;

struct FunctionName {};
struct TracedVariableName {};
// The entity that a name refers to; monostate: undefined.
using ResolvedName = std::variant<std::monostate, VariableId, InlineId, EnumConstant, DefinitionParameter,
                                  BuiltinVariable, RawArgument, ArgsArray, FunctionName, TracedVariableName>;
// The function that a name refers to; monostate: none.
using Callee = std::variant<std::monostate, Subroutine, Action, AggregationFunction>;

// The parameters of a definition, in scope while the definition or a copy of it is typed.
struct Parameters {
  std::span<const std::string> names;
  std::span<const TypeId> types;
  std::span<const Expr* const> arguments;  // of one use; empty while the definition itself is typed
};

// `self->x` for the variable x of scope self.
std::string spell_name(const Name& name);

class NameTable : private CheckerPart {
 public:
  explicit NameTable(CheckContext& context) : CheckerPart(context) {}
  using LocalNames = std::unordered_map<std::string, VariableId>;

  // --- lookup
  ResolvedName find(const Name& name) const;
  bool is_global_name(const std::string& name) const;
  const GlobalName* find_definition(const std::string& name) const;  // null: the program defines no such global name
  std::optional<InlineId> find_inline(const std::string& name) const;
  // The library's emulation of a Solaris name; nullopt if the dialect has none.
  std::optional<InlineId> find_emulated(const std::string& name) const;
  std::optional<AggregationId> find_aggregation(const std::string& name) const;
  Callee find_callee(std::string_view name) const;
  // All names of the scope of `name`, sorted, for hints.
  std::vector<std::string_view> similar_names(const Name& name) const;

  // --- definition
  void define(const std::string& name, GlobalName meaning) { globals_[name] = meaning; }
  void undefine(const std::string& name) { globals_.erase(name); }
  InlineId define_constant(std::string name, TypeId type, uint64_t number);
  VariableId add_variable(Variable variable);
  bool create_variable(const Expr& expr, const Name& name, TypeId type);
  AggregationId add_aggregation(Aggregation aggregation);

  // --- kernel symbols that extern declarations give a type
  // The first declared type of the symbol, which may be another one than `type`.
  TypeId declare_extern(const std::string& name, TypeId type) { return externs_.try_emplace(name, type).first->second; }
  std::optional<TypeId> find_extern_type(const std::string& name) const;

  // --- parameters of the definition being typed; null: none
  const Parameters* parameters() const { return parameters_; }
  const Parameters* exchange_parameters(const Parameters* parameters) { return std::exchange(parameters_, parameters); }

  // --- clause-local variables, which each unit has its own set of
  const LocalNames& clause_locals() const { return clause_locals_; }
  void set_clause_locals(LocalNames names) { clause_locals_ = std::move(names); }

  // --- undo
  struct Mark {
    size_t variables = 0, aggregations = 0;
  };
  Mark mark() const {
    return {.variables = semantics_.variables.size(), .aggregations = semantics_.aggregations.size()};
  }
  // Removes the variables and aggregations created after `mark`.
  void roll_back(const Mark& mark);

 private:
  LocalNames& locals(VariableScope scope);
  ResolvedName find_global(const std::string& name) const;
  bool is_hidden_addition(const std::string& name) const;

  std::unordered_map<std::string, GlobalName> globals_;
  LocalNames thread_locals_, clause_locals_;
  std::unordered_map<std::string, AggregationId> aggregations_;
  std::unordered_map<std::string, TypeId> externs_;
  const Parameters* parameters_ = nullptr;
};

}  // namespace dscope
