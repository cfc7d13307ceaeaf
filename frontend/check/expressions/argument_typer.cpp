#include "frontend/check/expressions/argument_typer.h"

#include <algorithm>

#include "arch/architecture.h"
#include "contract/follow.h"
#include "frontend/check/declarations/provider_definitions.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"
#include "frontend/semantics/machine_tables.h"

namespace dscope {

// The expression behind args[index]; null if the probe is not derived. All derivations of a probe agree on the types.
const ExprInfo* ArgumentTyper::derived_argument(const Probe& probe, uint64_t index) const {
  for (const DerivedProbe& derived : semantics_.derived_probes)
    if (derived.probe == &probe && index < derived.arguments.size())
      return &semantics_.info(derived.instance, *derived.arguments[index]);
  return nullptr;
}

bool ArgumentTyper::is_record_text(const ProbeArg& argument) const {
  ArgSourceKind kind = argument.source.kind;
  bool is_in_record = kind == ArgSourceKind::RecordAddress || kind == ArgSourceKind::RecordDataLoc ||
                      kind == ArgSourceKind::RecordRelLoc;
  return is_in_record && is_pointer_or_array(types_, argument.type) &&
         types_.resolved(target_of(types_, argument.type)).is_char;
}

// `args->filename` and `args.filename`: the argument of that name in the probe's signature, as args[n]; null if it has
// none.
const Expr* ArgumentTyper::make_named_argument(const Member& form) {
  const auto* name = std::get_if<Name>(&form.base->form);
  if (name == nullptr || context_.instance == nullptr || context_.instance->probes.empty()) return nullptr;
  if (!std::holds_alternative<ArgsArray>(names_.find(*name))) return nullptr;
  const Probe& probe = *context_.instance->probes.front();
  host_.load_args(probe, types_);
  auto found = std::ranges::find(probe.args, form.member, &ProbeArg::name);
  if (found == probe.args.end()) return nullptr;
  auto number = static_cast<uint64_t>(found - probe.args.begin());
  Expr* index = expansions_.make(form.base->at, IntLiteral{.value = number});
  Expr* argument = expansions_.make(form.base->at, Index{.base = expansions_.copy(*form.base), .arguments = {index}});
  return is_record_text(*found) ? expansions_.make(form.base->at, Stringof{argument}) : argument;
}

std::string ArgumentTyper::nearest_argument(std::string_view name) const {
  if (context_.instance == nullptr || context_.instance->probes.empty()) return "";
  // Other tracers spell some names without underscores.
  auto letters = [](std::string_view text) {
    std::string result{text};
    std::erase(result, '_');
    return result;
  };
  std::vector<std::string_view> names;
  for (const ProbeArg& argument : context_.instance->probes.front()->args) {
    if (argument.name.empty()) continue;
    if (letters(argument.name) == letters(name)) return argument.name;
    names.push_back(argument.name);
  }
  return std::string(nearest_name(name, names));
}

std::string ArgumentTyper::probe_with_names() const {
  if (context_.instance == nullptr || context_.instance->probes.empty()) return "";
  const Probe& probe = *context_.instance->probes.front();
  bool has_names = std::ranges::any_of(probe.args, [](const ProbeArg& each) { return !each.name.empty(); });
  if (probe.provider != "rawtp" || has_names) return "";
  ProbeDescription named{.provider = "sdt", .module = probe.module, .function = probe.function, .name = probe.name};
  return host_.match(named).empty() ? "" : to_string(named);
}

// ---------------------------------------------------------------- args[n]

// The constant n of args[n] and uregs[n].
std::optional<uint64_t> ArgumentTyper::constant_key(const Expr& expr, const Index& form, std::string_view name) {
  if (form.arguments.size() != 1) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}[ ] prototype mismatch: {} key{} passed, 1 expected", name,
         form.arguments.size(), form.arguments.size() == 1 ? "" : "s");
    return std::nullopt;
  }
  ExprInfo index = expressions_.check(*form.arguments[0]);
  if (failed() || is_error(index)) return std::nullopt;
  if (types_.is_integer(index.type) && index.constant) return index.constant;
  fail(Tag::D_PROTO_ARG, caret_at(expr, *form.arguments[0]),
       "{}[ ] key #1 is incompatible with prototype:\n\tprototype: integer constant\n\t{:>9}: {}", name, "key",
       types_.spell(index.type));
  return std::nullopt;
}

ExprInfo ArgumentTyper::check_uregs(const Expr& expr, const Index& form) {
  auto index = constant_key(expr, form, "uregs");
  if (!index) return {};
  auto number = static_cast<int64_t>(*index);
  if (number < 0) return fail(Tag::D_REGS_IDX, expr.at, "index {} is out of range for uregs[ ]", number);
  uint32_t last = architecture_of(host_.facts()).last_user_register();
  if (number > last)
    return fail(Tag::D_UNKNOWN, expr.at, "index {} is out of range for uregs[ ]: the last register is {}", number,
                last);
  ExprInfo base = value(types_.dynamic_type());
  base.binding = BuiltinVariable::Uregs;
  expressions_.store(*form.base, base);
  ExprInfo result = value(*types_.find("uint64_t"));
  result.binding = UserRegister{static_cast<uint32_t>(number)};
  return result;
}

ExprInfo ArgumentTyper::check_args(const Expr& expr, const Index& form) {
  if (context_.instance == nullptr)
    return fail(Tag::D_ARGS_NONE, expr.at, "args[ ] may not be used outside of a clause");
  auto index = constant_key(expr, form, "args");
  if (!index) return {};
  ExprInfo base = value(types_.dynamic_type());
  base.binding = ArgsArray{};
  expressions_.store(*form.base, base);
  auto arguments = arguments_of(expr);
  if (arguments) return check_typed_argument(expr, *index, *arguments);
  bool is_known_later = !failed() && !context_.instance->probes.empty();
  return is_known_later ? check_expected_args(expr, *index) : ExprInfo{};
}

std::optional<std::vector<ProbeArg>> ArgumentTyper::arguments_of(const Expr& expr) {
  // Without probes args[] has no types, and expressions made of it are not checked (-Z).
  if (context_.instance->probes.empty()) return std::nullopt;
  auto is_yet_to_come = [](const Probe* probe) { return is_awaited(*probe); };
  const ProbeInterface* defined = providers_.find_interface(*context_.instance->probes.front());
  if (defined == nullptr && std::ranges::any_of(context_.instance->probes, is_yet_to_come)) return std::nullopt;
  if (!load_signature(expr)) return std::nullopt;
  // The D program's definition of the probe applies unless the traced program has described the arguments itself.
  auto there = std::ranges::find_if_not(context_.instance->probes, is_yet_to_come);
  const std::vector<ProbeArg>* known = there == context_.instance->probes.end() ? nullptr : &(*there)->args;
  bool is_needed = defined != nullptr &&
                   (known == nullptr || (defined->input == defined->output && defined->input.size() == known->size()));
  return is_needed ? providers_.arguments_of(*defined) : *known;
}

// The arguments of awaited probes may be known already.
ExprInfo ArgumentTyper::check_expected_args(const Expr& expr, uint64_t index) {
  const Probe& probe = *context_.instance->probes.front();
  if (context_.instance->probes.size() == 1) host_.load_args(probe, types_);
  bool is_known = context_.instance->probes.size() == 1 && !probe.args.empty();
  return is_known ? check_typed_argument(expr, index, probe.args) : drop_untyped_clause(expr);
}

// Only a definition gives the argument types of most awaited probes. Without one, the clause is dropped if option zdefs
// allows it to match nothing.
ExprInfo ArgumentTyper::drop_untyped_clause(const Expr& expr) {
  if (!context_.unit.rules.allows_unmatched.value_or(context_.options.is_on(OptionId::Zdefs)))
    return fail(Tag::D_ARGS_TYPE, expr.at, "args[ ] cannot be used: {} has no probes yet; use arg0, arg1 ...",
                context_.instance->description);
  host_.stop_awaiting(description_of(context_.instance->clause->probes[context_.instance->specifier]));
  context_.instance->probes.clear();
  context_.instance->untyped = &expr;
  return {};
}

// A clause can use args[] if all probes of the description have arguments of the same types.
bool ArgumentTyper::load_signature(const Expr& expr) {
  if (!has_common_signature_) {
    has_common_signature_ = true;
    const Probe* first = nullptr;
    // The clause's program reads each argument from one source for all probes, unless the probe has several sites.
    bool has_places = !context_.instance->probes.front()->sites.empty();
    // Types that differ in const only are the same.
    auto has_same_name = [&](const ProbeArg& a, const ProbeArg& b) {
      bool are_known = a.type != TypeTable::error_type() && b.type != TypeTable::error_type();
      return a.type_text == b.type_text || (are_known && types_.spell(a.type) == types_.spell(b.type));
    };
    auto same_type = [&](const ProbeArg& a, const ProbeArg& b) {
      return has_same_name(a, b) && (has_places || a.source == b.source);
    };
    // Only the translated type matters to scripts.
    auto same_translation = [&](const ProbeArg& a, const ProbeArg& b) {
      return a.translated_text.empty() ? same_type(a, b) : a.translated_text == b.translated_text;
    };
    for (const Probe* probe : context_.instance->probes) {
      if (is_awaited(*probe)) continue;
      host_.load_args(*probe, types_);
      if (first == nullptr) first = probe;
      bool is_same =
          std::equal(probe->args.begin(), probe->args.end(), first->args.begin(), first->args.end(), same_type);
      if (is_same) continue;
      has_common_signature_ =
          !probe->derivations.empty() &&
          std::equal(probe->args.begin(), probe->args.end(), first->args.begin(), first->args.end(), same_translation);
      if (!*has_common_signature_) break;
      split_probes_.push_back(probe);
    }
    if (!*has_common_signature_) split_probes_.clear();
    std::erase_if(context_.instance->probes,
                  [&](const Probe* probe) { return std::ranges::find(split_probes_, probe) != split_probes_.end(); });
  }
  if (*has_common_signature_) return true;
  fail(Tag::D_ARGS_MULTI, expr.at, "args[ ] cannot be used: {} matches probes with different arguments",
       context_.instance->description);
  return false;
}

// The arguments of a process's function are in the debug information of its object, if there is any.
void ArgumentTyper::explain_missing_types(const Probe& probe) {
  if (!probe.is_process_function) return;
  std::string reason = host_.why_no_type(fmt::format("{}`{}", probe.provider, probe.module));
  if (reason.empty()) reason = fmt::format("the debug information of {} does not describe this function", probe.module);
  diagnostics_.hint(fmt::format("{}; use arg0, arg1 ...", reason));
}

bool ArgumentTyper::is_readable(const ProbeArg& argument, uint64_t index) const {
  if (derived_argument(*context_.instance->probes.front(), index) != nullptr) return true;
  return argument.type != TypeTable::error_type() && argument.source.kind != ArgSourceKind::VectorRegister;
}

ExprInfo ArgumentTyper::check_typed_argument(const Expr& expr, uint64_t index, const std::vector<ProbeArg>& arguments) {
  const Probe& probe = *context_.instance->probes.front();
  if (index >= arguments.size()) {
    fail(
        Tag::D_ARGS_IDX, expr.at, "index {} is out of range for {} args[ ]{}", static_cast<int64_t>(index),
        context_.instance->description,
        arguments.empty() ? ": the probe has no typed arguments" : fmt::format(": the probe has {}", arguments.size()));
    if (!arguments.empty())
      diagnostics_.hint(fmt::format("list the arguments with `-lv -n {}`", context_.instance->description));
    else explain_missing_types(probe);
    return {};
  }
  const ProbeArg& argument = arguments[index];
  if (const ExprInfo* derived = derived_argument(probe, index)) {
    ExprInfo result{.type = derived->type, .space = derived->space};
    result.binding = TypedArgument{static_cast<uint32_t>(index)};
    return argument.translated_text.empty() ? result : translated_objects_.translated_argument(expr, argument, result);
  }
  if (argument.type == TypeTable::error_type())
    return fail(Tag::D_ARGS_TYPE, expr.at, "type of args[{}] cannot be found: {}", index, argument.type_text);
  if (argument.source.kind == ArgSourceKind::VectorRegister)
    return fail(Tag::D_ARGS_TYPE, expr.at,
                "args[{}] cannot be used: a value of type {} is passed in a floating-point register, which the kernel "
                "does not pass to probes",
                index, argument.type_text);
  ExprInfo result = value(argument.type);
  result.binding = TypedArgument{static_cast<uint32_t>(index)};
  const Type& type = types_.resolved(argument.type);
  if (type.kind == TypeKind::Pointer) result.space = type.is_userland ? Space::User : Space::Kernel;
  if (types_.is_struct_or_union(argument.type) || type.kind == TypeKind::Array) {
    result.is_lvalue = true;
    result.space = Space::Kernel;
  }
  return argument.translated_text.empty() ? result : translated_objects_.translated_argument(expr, argument, result);
}

}  // namespace dscope
