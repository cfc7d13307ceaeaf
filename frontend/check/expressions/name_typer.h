// NameTyper: names as expressions: variables, inlines, built-in variables, parameters, aggregations and kernel symbols
// (d-language.md 5).
#pragma once

#include <string>

#include "frontend/check/check_context.h"
#include "frontend/check/name_table.h"

namespace dscope {

class AddressSpaces;
class Expansions;
class ExpressionTyper;
class Inlines;
class NameTable;
class PendingMistakes;
class TracedVariableTyper;
class TypeFinder;

class NameTyper : private CheckerPart {
 public:
  NameTyper(CheckContext& context, AddressSpaces& spaces, Expansions& expansions, Inlines& inlines, NameTable& names,
            PendingMistakes& pending, TracedVariableTyper& traced_variables, TypeFinder& type_finder,
            ExpressionTyper& expressions)
      : CheckerPart(context),
        spaces_(spaces),
        expansions_(expansions),
        inlines_(inlines),
        names_(names),
        pending_(pending),
        traced_variables_(traced_variables),
        type_finder_(type_finder),
        expressions_(expressions) {}

  ExprInfo check(const Expr& expr, const Name& form);
  ExprInfo check(const Expr& expr, const AggregationRef& form);
  ExprInfo check(const Expr& expr, const SymbolRef& form);
  ExprInfo report_no_address(const Expr& expr, const SymbolRef& form);

 private:
  ExprInfo info_of(const Expr& expr, const Name& name, const ResolvedName& meaning);
  ExprInfo variable_info(const Expr& expr, const Name& name, VariableId id);
  ExprInfo inline_info(const Expr& expr, InlineId id);
  ExprInfo alias_info(const Inline& definition, const ExprInfo& value);
  ExprInfo parameter_info(const DefinitionParameter& parameter);
  ExprInfo builtin_info(const Expr& expr, BuiltinVariable id);
  ExprInfo report_undefined(const Expr& expr, const Name& name);
  void suggest_symbol(const std::string& name);
  void explain_missing_variables();

  AddressSpaces& spaces_;
  Expansions& expansions_;
  Inlines& inlines_;
  NameTable& names_;
  PendingMistakes& pending_;
  TracedVariableTyper& traced_variables_;
  TypeFinder& type_finder_;
  ExpressionTyper& expressions_;
};

}  // namespace dscope
