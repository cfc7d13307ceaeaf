// ElementTyper: a[i], assoc[keys] and inline[arguments] (d-language.md 4.1, 5.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/check_context.h"
#include "frontend/check/name_table.h"

namespace dscope {

class AddressSpaces;
class AggregationTyper;
class ArgumentTyper;
class ArithmeticTyper;
class Expansions;
class ExpressionTyper;
class ForwardArrays;
class NameTable;
class TypeErrors;
class TypeFinder;

class ElementTyper : private CheckerPart {
 public:
  ElementTyper(CheckContext& context, AddressSpaces& spaces, AggregationTyper& aggregations, ArgumentTyper& arguments,
               ArithmeticTyper& arithmetic, Expansions& expansions, ExpressionTyper& expressions,
               ForwardArrays& forward_arrays, NameTable& names, TypeErrors& type_errors, TypeFinder& type_finder)
      : CheckerPart(context),
        spaces_(spaces),
        aggregations_(aggregations),
        arguments_(arguments),
        arithmetic_(arithmetic),
        expansions_(expansions),
        expressions_(expressions),
        forward_arrays_(forward_arrays),
        names_(names),
        type_errors_(type_errors),
        type_finder_(type_finder) {}

  ExprInfo check(const Expr& expr, const Index& form);
  std::optional<std::vector<TypeId>> new_keys(const Index& form, std::string_view what);
  // Whether the element belongs to an undefined array that a clause further down assigns to.
  bool is_assigned_later(const Index& form);
  ExprInfo check_associative(const Expr& expr, const Index& form, VariableId id);

 private:
  ExprInfo check_named_index(const Expr& expr, const Index& form, const Name& name, const ResolvedName& meaning);
  ExprInfo check_undefined(const Expr& expr, const Index& form, const Name& name);
  ExprInfo check_element(const Expr& expr, const Index& form);
  bool check_keys(const Expr& expr, const std::string& name, const Index& form, const std::vector<TypeId>& expected);
  ExprInfo check_inline_call(const Expr& expr, const Index& form, InlineId id);

  AddressSpaces& spaces_;
  AggregationTyper& aggregations_;
  ArgumentTyper& arguments_;
  ArithmeticTyper& arithmetic_;
  Expansions& expansions_;
  ExpressionTyper& expressions_;
  ForwardArrays& forward_arrays_;
  NameTable& names_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
