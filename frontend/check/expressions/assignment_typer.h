// AssignmentTyper: assignments, the variables that they create, and the values that they may store (d-language.md 4.3,
// 4.4, 5.3).
#pragma once

#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class AddressSpaces;
class ArithmeticTyper;
class ElementTyper;
class ExpressionTyper;
class NameTable;
class TranslatedObjects;
class PendingMistakes;
class TypeErrors;
class TypeFinder;

class AssignmentTyper : private CheckerPart {
 public:
  AssignmentTyper(CheckContext& context, AddressSpaces& spaces, ArithmeticTyper& arithmetic, ElementTyper& elements,
                  ExpressionTyper& expressions, NameTable& names, PendingMistakes& pending,
                  TranslatedObjects& translated_objects, TypeErrors& type_errors, TypeFinder& type_finder)
      : CheckerPart(context),
        spaces_(spaces),
        arithmetic_(arithmetic),
        elements_(elements),
        expressions_(expressions),
        names_(names),
        pending_(pending),
        translated_objects_(translated_objects),
        type_errors_(type_errors),
        type_finder_(type_finder) {}

  ExprInfo check(const Expr& expr, const Assign& form);
  bool needs_creation(const Expr& target) const;
  ExprInfo create_target(const Expr& target, TypeId type);
  bool check_writable(const Expr& expr, std::string_view op, const Expr& target, const ExprInfo& info);

 private:
  TypeId new_type(const ExprInfo& source) const;
  ExprInfo create_element(const Expr& target, const Index& form, const Name& name, TypeId type);
  bool can_be_stored(const Expr& expr, const ExprInfo& source);
  bool is_dynamic_storage(const Expr& target) const;
  ExprInfo check_plain_assignment(const Expr& expr, const Assign& form);
  ExprInfo check_compound_assignment(const Expr& expr, const Assign& form);
  bool check_compound_operands(const Expr& expr, BinaryOp op, const ExprInfo& left, const ExprInfo& right);

  AddressSpaces& spaces_;
  ArithmeticTyper& arithmetic_;
  ElementTyper& elements_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  PendingMistakes& pending_;
  TranslatedObjects& translated_objects_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
