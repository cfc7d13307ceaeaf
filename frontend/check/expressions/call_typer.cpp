#include "frontend/check/expressions/call_typer.h"

#include <algorithm>

#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/argument_object.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/held_values.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/semantics/scratch_need.h"
#include "support/check.h"

namespace dscope {

// print() shows all of a translated object. This belongs to typing, because typing may be repeated.
void CallTyper::evaluate_printed_object(const Call& form) {
  const TranslatedObject* object = info(*form.arguments[0]).translated;
  if (object == nullptr || !object->members.empty()) return;
  TranslatedObject whole = *object;
  whole.is_pointer = false;
  translated_objects_.evaluate_whole(*form.arguments[0], whole);
}

Callee CallTyper::resolve_callee(const Expr& expr, const Call& form) {
  const auto* name = std::get_if<Name>(&form.callee->form);
  if (name == nullptr || name->scope != VariableScope::Global) {
    fail(Tag::D_FUNC_IDENT, expr.at, "function designator must be an identifier");
    return {};
  }
  Callee function = names_.find_callee(name->name);
  if (!std::holds_alternative<std::monostate>(function)) return function;
  if (names_.is_global_name(name->name)) {
    fail(Tag::D_FUNC_IDKIND, expr.at, "{} is not a function", name->name);
    diagnostics_.hint(fmt::format("it is a variable: write `{}` without parentheses", name->name));
    return {};
  }
  fail(Tag::D_FUNC_UNDEF, form.callee->at, "undefined function name: {}", name->name);
  std::vector<std::string_view> names;
  for (std::string_view candidate : all_names())
    if (!std::holds_alternative<std::monostate>(names_.find_callee(candidate))) names.push_back(candidate);
  suggest(name->name, names);
  return {};
}

const Prototype& CallTyper::prototype_of(std::string_view text) {
  auto found = prototypes_.find(text);
  if (found == prototypes_.end()) {
    Prototype prototype = parse_prototype(text, types_, [&](std::string_view name) {
      return name == "@" ? TypeTable::error_type() : type_finder_.catalog_type(name);
    });
    found = prototypes_.emplace(text, std::move(prototype)).first;
  }
  return found->second;
}

ExprInfo CallTyper::check(const Expr& expr, const Call& form) {
  Callee function = resolve_callee(expr, form);
  if (failed()) return {};
  // Read first, because typing the arguments changes both members.
  ActionPosition position = action_call_ == &expr ? action_position_ : ActionPosition::None;
  allow_no_action();
  return std::visit(
      Overloaded{[&](std::monostate) { return ExprInfo{}; },
                 [&](Subroutine id) {
                   // DTrace first reports their argument's type, which Linux lacks.
                   if (id == Subroutine::Msgdsize || id == Subroutine::Msgsize)
                     return fail(Tag::D_UNKNOWN, expr.at,
                                 "failed to resolve type of {} arg#1 (mblk_t *): Unknown type name", row(id).name);
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   if (failed() || !check_subroutine(expr, form, id)) return ExprInfo{};
                   if (id == Subroutine::IsCurrent)
                     return constant(result.type, is_running_thread(*form.arguments[0]) ? 1 : 0);
                   if (row(id).effect == SubroutineEffect::Allocates) result.space = Space::Scratch;
                   return result;
                 },
                 [&](Action id) {
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   bool is_allowed = position == ActionPosition::Statement ||
                                     (position == ActionPosition::Key && row(id).record == ActionRecord::Itself) ||
                                     (position == ActionPosition::FormatArgument &&
                                      types_.resolved(result.type).kind == TypeKind::Stack);
                   if (!is_allowed) defer_misplaced_call(expr, "tracing", row(id).name);
                   if (id == Action::Print && !failed()) evaluate_printed_object(form);
                   return result;
                 },
                 [&](AggregationFunction id) {
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   if (position != ActionPosition::Key) defer_misplaced_call(expr, "aggregating", row(id).name);
                   return result;
                 }},
      function);
}

// Whether an expression is `curthread` in a clause where this is the running thread.
bool CallTyper::is_running_thread(const Expr& expr) const {
  ExprInfo meaning = info(expr);
  while (meaning.stands_for != nullptr) meaning = info(*meaning.stands_for);
  const auto* variable = std::get_if<BuiltinVariable>(&meaning.binding);
  if (variable == nullptr || *variable != BuiltinVariable::Curthread || context_.instance == nullptr) return false;
  return std::ranges::none_of(context_.instance->probes, [](const Probe* probe) {
    const auto* iterator = std::get_if<HookIterator>(&probe->hook);
    return (iterator != nullptr && iterator->subject) ||
           std::ranges::any_of(probe->derivations, [](const Derivation& each) { return each.subject.has_value(); });
  });
}

void CallTyper::defer_misplaced_call(const Expr& expr, std::string_view kind, std::string_view name) {
  pending_.defer(
      Tag::D_CG_EXPR, expr.at,
      fmt::format("{} function {}( ) may not be called from a D expression (D program context required)", kind, name));
}

ExprInfo CallTyper::check_function(const Expr& expr, const Call& form, const Callee& function, std::string_view name,
                                   std::string_view prototype_text) {
  if (!type_arguments(form, function)) return {};
  const Prototype& prototype = prototype_of(prototype_text);
  if (!check_argument_count(expr, form, name, prototype)) {
    diagnostics_.hint(count_hint(function, name, prototype_text));
    return {};
  }
  if (!check_argument_types(expr, form, name, prototype)) return {};
  ExprInfo result = value(prototype.result);
  if (types_.is_pointer(prototype.result)) result.space = Space::Kernel;
  std::visit(Overloaded{[](std::monostate) {}, [&](const auto& id) { result.binding = id; }}, function);
  return result;
}

// printf and printa may print stacks, print the arguments of the probe.
bool CallTyper::type_arguments(const Call& form, const Callee& function) {
  const auto* action = std::get_if<Action>(&function);
  bool takes_stacks = action != nullptr && (*action == Action::Printf || *action == Action::Printa);
  bool takes_args = action != nullptr && *action == Action::Print;
  bool takes_text = action != nullptr && (*action == Action::Printf || *action == Action::Trace);
  for (const Expr* argument : form.arguments) {
    if (takes_stacks) allow_action(*argument, ActionPosition::FormatArgument);
    else allow_no_action();
    if (takes_args && argument_object_.is_args(*argument)) argument_object_.check(*argument);
    else expressions_.check(*argument);
    allow_no_action();
    if (!failed() && (takes_args || takes_text)) held_values_.replace(*argument, takes_args);
    if (failed()) return false;
  }
  return true;
}

// Shows the prototype as a declaration: `void exit(int)`.
std::string CallTyper::count_hint(const Callee& function, std::string_view name, std::string_view prototype_text) {
  const auto* action = std::get_if<Action>(&function);
  if (action != nullptr && *action == Action::Trace) return "trace() takes one value; print several with printf()";
  size_t paren = prototype_text.find('(');
  return fmt::format("the prototype is `{} {}{}`{}{}", prototype_text.substr(0, paren), name,
                     prototype_text.substr(paren),
                     prototype_text.find('[') == std::string_view::npos ? "" : "; [ ] marks optional arguments",
                     prototype_text.find('@') == std::string_view::npos ? "" : "; @ is any type");
}

bool CallTyper::check_argument_count(const Expr& expr, const Call& form, std::string_view name,
                                     const Prototype& prototype) {
  size_t count = form.arguments.size(), max_count = prototype.arguments.size();
  bool has_optional = prototype.required < max_count || prototype.has_varargs;
  bool is_too_few = count<prototype.required, is_too_many = count> max_count && !prototype.has_varargs;
  if (!is_too_few && !is_too_many) return true;
  fail(Tag::D_PROTO_LEN, expr.at, "{}( ) prototype mismatch: {} arg{} passed, {}{} expected", name, count,
       count == 1 ? "" : "s",
       !has_optional ? ""
       : is_too_few  ? "at least "
                     : "at most ",
       is_too_few ? prototype.required : max_count);
  return false;
}

bool CallTyper::check_argument_types(const Expr& expr, const Call& form, std::string_view name,
                                     const Prototype& prototype) {
  for (size_t i = 0; i < std::min(form.arguments.size(), prototype.arguments.size()); ++i) {
    const PrototypeArgument& wanted = prototype.arguments[i];
    ExprInfo given = info(*form.arguments[i]);
    if (wanted.is_any || is_error(given) || is_compatible_value(wanted.type, given)) continue;
    // copyin() and its kin take user addresses, also as typed arguments of system calls have them.
    bool is_user_pointer = types_.is_pointer(given.type) && given.space == Space::User;
    if (wanted.text == "uintptr_t" && is_user_pointer) continue;
    const Expr& argument = *form.arguments[i];
    type_errors_.report_argument(expr, argument, Tag::D_PROTO_ARG, name, i + 1, wanted.text, types_.spell(given.type));
    if (wanted.text == "uintptr_t" && types_.is_pointer(given.type))
      diagnostics_.hint(
          fmt::format("cast the address to a number: `(uintptr_t){}`", diagnostics_.sources().text(argument.at.range)));
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- rules of single subroutines
bool CallTyper::check_rule(const Expr& expr, const Call& form, Subroutine id) {
  const ArgumentRule& rule = row(id).rule;
  switch (rule.kind) {
    case ArgumentRule::Kind::NoRule: return true;
    case ArgumentRule::Kind::ScratchSize: return check_scratch_size(expr, form, id, rule.argument);
    case ArgumentRule::Kind::ScratchTarget: return check_scratch_target(expr, form, id, rule.argument);
    case ArgumentRule::Kind::Constant:
      if (form.arguments.size() <= rule.argument || constant_argument(form, rule.argument)) return true;
      fail(Tag::D_PROTO_ARG, caret_at(expr, *form.arguments[rule.argument]),
           "{}( ) argument #{} must be an integer constant", row(id).name, rule.argument + 1);
      return false;
  }
  DS_UNREACHABLE();
}

bool CallTyper::check_subroutine(const Expr& expr, const Call& form, Subroutine id) {
  const SubroutineRow& subroutine = row(id);
  if (!check_rule(expr, form, id)) return false;
  // Outside clauses the statement is null: the clauses that use the inline are not known here.
  if (subroutine.effect == SubroutineEffect::Destructive) pending_.add_destructive_call();
  if (subroutine.release == Release::Never) {
    pending_.defer(Tag::D_FUNC_UNDEF, expr.at, fmt::format("unimplemented subroutine: {}", subroutine.name));
  } else if (subroutine.release != Release::Now)
    pending_.defer_unavailable(expr.at, fmt::format("{}( ) {}", subroutine.name, unavailable_text(subroutine.release)));
  return true;
}

bool CallTyper::check_scratch_size(const Expr& expr, const Call& form, Subroutine id, size_t argument) {
  ExprInfo size = info(*form.arguments[argument]);
  int64_t scratch_size = context_.options.number(OptionId::Scratchsize);
  if (!size.constant || scratch_size < 0 || *size.constant <= static_cast<uint64_t>(scratch_size)) return true;
  // The driver raises the default to what the copies need.
  bool is_default = scratch_size == row(OptionId::Scratchsize).default_value;
  if (id == Subroutine::Copyin && is_default && *size.constant <= max_default_scratch_bytes) return true;
  fail(Tag::D_ALLOCA_SIZE, caret_at(expr, *form.arguments[argument]), "{}({}) size larger than scratchsize {}",
       row(id).name, static_cast<int64_t>(*size.constant), scratch_size);
  return false;
}

bool CallTyper::check_scratch_target(const Expr& expr, const Call& form, Subroutine id, size_t argument) {
  ExprInfo target = info(*form.arguments[argument]);
  if (may_be_scratch(target.space)) return true;
  // A later clause may assign scratch memory to the variable.
  auto root = spaces_.root_variable(*form.arguments[argument]);
  if (is_error(target) || (root && target.space == Space::None)) return true;
  type_errors_.report_argument(expr, *form.arguments[argument], Tag::D_PROTO_ARG, row(id).name, argument + 1,
                               "alloca pointer", "non-alloca pointer");
  return false;
}

}  // namespace dscope
