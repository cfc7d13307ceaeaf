// Calls: which function is meant, and its arguments against the prototype of the catalogue (consumer-and-actions.md 3,
// 7).
#include <algorithm>

#include "frontend/check/checker.h"
#include "support/check.h"

namespace dscope {

Checker::Function Checker::lookup_function(std::string_view name) const {
  if (version_of(name) > version_) return {};
  if (const SubroutineRow* subroutine = find_subroutine(name)) return subroutine->id;
  if (const ActionRow* action = find_action(name)) return action->id;
  if (const AggregationRow* aggregation = find_aggregation(name)) return aggregation->id;
  return {};
}

Checker::Function Checker::find_function(const Expr& expr, const Call& form) {
  const auto* name = std::get_if<Name>(&form.callee->form);
  if (name == nullptr || name->scope != VariableScope::Global) {
    fail(Tag::D_FUNC_IDENT, expr.at, "function designator must be an identifier");
    return {};
  }
  Function function = lookup_function(name->name);
  if (!std::holds_alternative<std::monostate>(function)) return function;
  if (is_global_name(name->name)) {
    fail(Tag::D_FUNC_IDKIND, expr.at, "{} is not a function", name->name);
    diagnostics_.hint(fmt::format("it is a variable: write `{}` without parentheses", name->name));
    return {};
  }
  fail(Tag::D_FUNC_UNDEF, form.callee->at, "undefined function name: {}", name->name);
  std::vector<std::string_view> names;
  for (std::string_view candidate : all_names())
    if (!std::holds_alternative<std::monostate>(lookup_function(candidate))) names.push_back(candidate);
  suggest(name->name, names);
  return {};
}

// Which functions there are is known while parsing, before any clause is typed (d-language.md 0).
void Checker::check_function_names(const Clause& clause) {
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index; ++i) {
    if (i >= program_.exprs.size() || program_.exprs[i].id.index != i) return;
    const auto* call = std::get_if<Call>(&program_.exprs[i].form);
    if (call != nullptr) find_function(program_.exprs[i], *call);
    if (failed()) return;
  }
}

namespace {

// 0 as it is written: constants with names are known only when the clause is typed.
bool is_literal_zero(const Expr& expr) {
  if (const auto* literal = std::get_if<IntLiteral>(&expr.form)) return literal->value == 0;
  const auto* unary = std::get_if<Unary>(&expr.form);
  bool is_sign = unary != nullptr && (unary->op == UnaryOp::Minus || unary->op == UnaryOp::Plus);
  return is_sign && is_literal_zero(*unary->operand);
}

bool divides_by_literal_zero(const Expr& expr) {
  auto is_division = [](BinaryOp op) { return op == BinaryOp::Divide || op == BinaryOp::Modulo; };
  if (const auto* binary = std::get_if<Binary>(&expr.form))
    return is_division(binary->op) && is_literal_zero(*binary->rhs);
  const auto* assign = std::get_if<Assign>(&expr.form);
  return assign != nullptr && assign->op && is_division(*assign->op) && is_literal_zero(*assign->rhs);
}

}  // namespace

// And so is what constants are: of two mistakes, the first in the program is told.
void Checker::check_constants(const Clause& clause) {
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index && !failed(); ++i) {
    if (i >= program_.exprs.size() || program_.exprs[i].id.index != i) return;
    const Expr& expr = program_.exprs[i];
    if (const auto* offset = std::get_if<Offsetof>(&expr.form)) check(expr, *offset);
    else if (divides_by_literal_zero(expr)) fail(Tag::D_DIV_ZERO, expr.at, "expression contains division by zero");
  }
}

TypeId Checker::catalogue_type(std::string_view name) {
  if (auto type = types_.find(name)) return *type;
  if (auto type = host_.find_type(types_, "", name)) return *type;
  bool is_tag = name.starts_with("struct ") || name.starts_with("union ") || name.starts_with("enum ");
  // A kernel without the type: objects stay opaque, numbers are unsigned.
  TypeId type =
      is_tag ? types_.add({.kind = TypeKind::Forward, .name = std::string(name)})
             : types_.add(
                   {.kind = TypeKind::Typedef, .name = std::string(name), .size = 4, .base = types_.integer(4, false)});
  types_.define(name, type);
  return type;
}

const Prototype& Checker::prototype_of(std::string_view text) {
  auto found = prototypes_.find(text);
  if (found == prototypes_.end()) {
    Prototype prototype = parse_prototype(text, types_, [&](std::string_view name) {
      return name == "@" ? TypeTable::error_type() : catalogue_type(name);
    });
    found = prototypes_.emplace(text, std::move(prototype)).first;
  }
  return found->second;
}

ExprInfo Checker::check(const Expr& expr, const Call& form) {
  Function function = find_function(expr, form);
  if (failed()) return {};
  // Typing the arguments moves the marks on.
  ActionPlace place = placed_call_ == &expr ? action_place_ : ActionPlace::None;
  placed_call_ = nullptr;
  return std::visit(
      Overloaded{[&](std::monostate) { return ExprInfo{}; },
                 [&](Subroutine id) {
                   // Their argument is a type that Linux does not have: DTrace stumbles over that first.
                   if (id == Subroutine::Msgdsize || id == Subroutine::Msgsize)
                     return fail(Tag::D_UNKNOWN, expr.at,
                                 "failed to resolve type of {} arg#1 (mblk_t *): Unknown type name", row(id).name);
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   if (failed() || !check_subroutine(expr, form, id)) return ExprInfo{};
                   if (id == Subroutine::IsCurrent)
                     return constant(result.type, is_running_thread(*form.arguments[0]) ? 1 : 0);
                   bool allocates = id == Subroutine::Alloca || id == Subroutine::Copyin || id == Subroutine::Memref;
                   if (allocates) result.space = Space::Scratch;
                   return result;
                 },
                 [&](Action id) {
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   bool is_allowed =
                       place == ActionPlace::Statement ||
                       (place == ActionPlace::Key && row(id).effect == ActionEffect::Value) ||
                       (place == ActionPlace::FormatArgument && types_.resolved(result.type).kind == TypeKind::Stack);
                   if (!is_allowed) misplaced_call(expr, "tracing", row(id).name);
                   if (id == Action::Print && !failed()) print_whole(form);
                   return result;
                 },
                 [&](AggregationFunction id) {
                   ExprInfo result = check_function(expr, form, function, row(id).name, row(id).prototype);
                   if (place != ActionPlace::Key) misplaced_call(expr, "aggregating", row(id).name);
                   return result;
                 }},
      function);
}

// Whether an expression is `curthread`, where that is the thread that runs.
bool Checker::is_running_thread(const Expr& expr) const {
  ExprInfo meaning = info(expr);
  while (meaning.stands_for != nullptr) meaning = info(*meaning.stands_for);
  const auto* variable = std::get_if<BuiltinVariable>(&meaning.binding);
  if (variable == nullptr || *variable != BuiltinVariable::Curthread || instance_ == nullptr) return false;
  return std::ranges::none_of(instance_->probes, [](const Probe* probe) {
    const auto* iterator = std::get_if<HookIterator>(&probe->hook);
    return (iterator != nullptr && iterator->subject) ||
           std::ranges::any_of(probe->derivations, [](const Derivation& each) { return each.subject.has_value(); });
  });
}

void Checker::misplaced_call(const Expr& expr, std::string_view kind, std::string_view name) {
  defer(
      Tag::D_CG_EXPR, expr.at,
      fmt::format("{} function {}( ) may not be called from a D expression (D program context required)", kind, name));
}

ExprInfo Checker::check_function(const Expr& expr, const Call& form, const Function& function, std::string_view name,
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

// Stacks may be printed by printf and printa.
bool Checker::type_arguments(const Call& form, const Function& function) {
  const auto* action = std::get_if<Action>(&function);
  bool takes_stacks = action != nullptr && (*action == Action::Printf || *action == Action::Printa);
  for (const Expr* argument : form.arguments) {
    placed_call_ = takes_stacks ? argument : nullptr;
    action_place_ = ActionPlace::FormatArgument;
    check(*argument);
    placed_call_ = nullptr;
    if (failed()) return false;
  }
  return true;
}

// The prototype as one would declare it: `void exit(int)`.
std::string Checker::count_hint(const Function& function, std::string_view name, std::string_view prototype_text) {
  const auto* action = std::get_if<Action>(&function);
  if (action != nullptr && *action == Action::Trace) return "trace() takes one value; printf() prints several";
  size_t paren = prototype_text.find('(');
  return fmt::format("it is `{} {}{}`{}{}", prototype_text.substr(0, paren), name, prototype_text.substr(paren),
                     prototype_text.find('[') == std::string_view::npos ? "" : "; what is in [ ] may be left out",
                     prototype_text.find('@') == std::string_view::npos ? "" : "; @ is of any type");
}

bool Checker::check_argument_count(const Expr& expr, const Call& form, std::string_view name,
                                   const Prototype& prototype) {
  size_t count = form.arguments.size(), most = prototype.arguments.size();
  bool has_optional = prototype.required < most || prototype.has_varargs;
  bool is_too_few = count<prototype.required, is_too_many = count> most && !prototype.has_varargs;
  if (!is_too_few && !is_too_many) return true;
  fail(Tag::D_PROTO_LEN, expr.at, "{}( ) prototype mismatch: {} arg{} passed, {}{} expected", name, count,
       count == 1 ? "" : "s",
       !has_optional ? ""
       : is_too_few  ? "at least "
                     : "at most ",
       is_too_few ? prototype.required : most);
  return false;
}

bool Checker::check_argument_types(const Expr& expr, const Call& form, std::string_view name,
                                   const Prototype& prototype) {
  for (size_t i = 0; i < std::min(form.arguments.size(), prototype.arguments.size()); ++i) {
    const PrototypeArgument& wanted = prototype.arguments[i];
    ExprInfo given = info(*form.arguments[i]);
    if (wanted.is_any || is_error(given) || is_compatible_value(wanted.type, given)) continue;
    const Expr& argument = *form.arguments[i];
    bad_argument(expr, argument, Tag::D_PROTO_ARG, name, i + 1, wanted.text, types_.spell(given.type));
    if (wanted.text == "uintptr_t" && types_.is_pointer(given.type))
      diagnostics_.hint(
          fmt::format("an address is a number there: `(uintptr_t){}`", diagnostics_.sources().text(argument.at.range)));
    return false;
  }
  return true;
}

void Checker::bad_argument(const Expr& expr, const Expr& argument, Tag tag, std::string_view name, size_t number,
                           std::string_view wanted, std::string_view found) {
  fail(tag, place(expr, argument),
       "{}( ) argument #{} is incompatible with prototype:\n\tprototype: {}\n\t argument: {}", name, number, wanted,
       found);
}

// ---------------------------------------------------------------- rules of single subroutines

bool Checker::check_subroutine(const Expr& expr, const Call& form, Subroutine id) {
  const SubroutineRow& subroutine = row(id);
  switch (id) {
    case Subroutine::Alloca:
      if (!check_scratch_size(expr, form, id, 0)) return false;
      break;
    case Subroutine::Copyin:
      if (!check_scratch_size(expr, form, id, 1)) return false;
      break;
    case Subroutine::Bcopy:
      if (!check_scratch_target(expr, form, id, 1)) return false;
      break;
    case Subroutine::Copyinto:
      if (!check_scratch_target(expr, form, id, 2)) return false;
      break;
    case Subroutine::InetNtoa6:
      if (form.arguments.size() > 1 && !integer_argument(form, 1)) {
        fail(Tag::D_PROTO_ARG, place(expr, *form.arguments[1]), "{}( ) argument #2 must be an integer constant",
             subroutine.name);
        return false;
      }
      break;
    case Subroutine::Copyout:
    case Subroutine::Copyoutstr:
      // Outside clauses nothing runs yet: the clause that uses the inline is not seen from here.
      destructive_calls_.push_back(statement_);
      break;
    default: break;
  }
  if (subroutine.release == Release::Never) {
    defer(Tag::D_FUNC_UNDEF, expr.at, fmt::format("unimplemented subroutine: {}", subroutine.name));
  } else if (subroutine.release != Release::Now)
    not_available(expr.at, fmt::format("{}( ) {}", subroutine.name, unavailable_text(subroutine.release)));
  return true;
}

bool Checker::check_scratch_size(const Expr& expr, const Call& form, Subroutine id, size_t argument) {
  ExprInfo size = info(*form.arguments[argument]);
  int64_t most = options_.number(OptionId::Scratchsize);
  if (!size.constant || most < 0 || *size.constant <= static_cast<uint64_t>(most)) return true;
  fail(Tag::D_ALLOCA_SIZE, place(expr, *form.arguments[argument]), "{}({}) size larger than scratchsize {}",
       row(id).name, static_cast<int64_t>(*size.constant), most);
  return false;
}

bool Checker::check_scratch_target(const Expr& expr, const Call& form, Subroutine id, size_t argument) {
  ExprInfo target = info(*form.arguments[argument]);
  if (may_be_scratch(target.space)) return true;
  // A variable may get its scratch memory further down.
  auto root = root_variable(*form.arguments[argument]);
  if (is_error(target) || (root && target.space == Space::None)) return true;
  bad_argument(expr, *form.arguments[argument], Tag::D_PROTO_ARG, row(id).name, argument + 1, "alloca pointer",
               "non-alloca pointer");
  return false;
}

}  // namespace dscope
