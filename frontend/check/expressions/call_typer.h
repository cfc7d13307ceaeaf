// CallTyper: the function that a call names, and its arguments against the prototype in the catalog
// (consumer-and-actions.md 3, 7).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "frontend/check/check_context.h"
#include "frontend/check/name_table.h"
#include "frontend/check/prototype.h"

namespace dscope {

class AddressSpaces;
class ArgumentObject;
class ExpressionTyper;
class HeldValues;
class NameTable;
class PendingMistakes;
class TranslatedObjects;
class TypeErrors;
class TypeFinder;

// Where a call may be an action; anywhere else an action is D_CG_EXPR.
enum class ActionPosition : uint8_t { None, Statement, Key, FormatArgument };

class CallTyper : private CheckerPart {
 public:
  CallTyper(CheckContext& context, AddressSpaces& spaces, ArgumentObject& argument_object, ExpressionTyper& expressions,
            HeldValues& held_values, NameTable& names, PendingMistakes& pending, TranslatedObjects& translated_objects,
            TypeErrors& type_errors, TypeFinder& type_finder)
      : CheckerPart(context),
        spaces_(spaces),
        argument_object_(argument_object),
        expressions_(expressions),
        held_values_(held_values),
        names_(names),
        pending_(pending),
        translated_objects_(translated_objects),
        type_errors_(type_errors),
        type_finder_(type_finder) {}

  Callee resolve_callee(const Expr& expr, const Call& form);
  ExprInfo check(const Expr& expr, const Call& form);
  // The next typing of `call` accepts an action for `position`. Typing any call ends this.
  void allow_action(const Expr& call, ActionPosition position) {
    action_call_ = &call;
    action_position_ = position;
  }
  void allow_no_action() { action_call_ = nullptr; }

 private:
  const Prototype& prototype_of(std::string_view text);
  bool is_running_thread(const Expr& expr) const;
  void defer_misplaced_call(const Expr& expr, std::string_view kind, std::string_view name);
  ExprInfo check_function(const Expr& expr, const Call& form, const Callee& function, std::string_view name,
                          std::string_view prototype);
  bool type_arguments(const Call& form, const Callee& function);
  static std::string count_hint(const Callee& function, std::string_view name, std::string_view prototype_text);
  bool check_argument_count(const Expr& expr, const Call& form, std::string_view name, const Prototype& prototype);
  bool check_argument_types(const Expr& expr, const Call& form, std::string_view name, const Prototype& prototype);
  bool check_rule(const Expr& expr, const Call& form, Subroutine id);
  bool check_subroutine(const Expr& expr, const Call& form, Subroutine id);
  bool check_scratch_size(const Expr& expr, const Call& form, Subroutine id, size_t argument);
  bool check_scratch_target(const Expr& expr, const Call& form, Subroutine id, size_t argument);
  void evaluate_printed_object(const Call& form);

  AddressSpaces& spaces_;
  ArgumentObject& argument_object_;
  ExpressionTyper& expressions_;
  HeldValues& held_values_;
  NameTable& names_;
  PendingMistakes& pending_;
  TranslatedObjects& translated_objects_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;

  const Expr* action_call_ = nullptr;  // the call that may be an action
  ActionPosition action_position_ = ActionPosition::None;
  std::unordered_map<std::string_view, Prototype> prototypes_;  // by the text in the catalog
};

}  // namespace dscope
