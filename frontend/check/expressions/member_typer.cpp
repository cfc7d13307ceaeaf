// Members and elements: p->m, s.m, a[i], assoc[keys], inline[arguments], args[n] (d-language.md 4.1, 5.2, 5.4).
#include <algorithm>

#include "contract/follow.h"
#include "frontend/check/checker.h"
#include "frontend/semantics/machine_tables.h"

namespace dscope {

namespace {

// What the library gives to pointers to objects of Solaris's kernel: the object here, and the struct with the members.
constexpr std::pair<const char*, const char*> solaris_emulations[] = {
    {"struct task_struct", "struct __solaris_thread"}, {"struct __solaris_dev_info", "struct __solaris_device"}};

}  // namespace

// ---------------------------------------------------------------- types that are filled in late

// `type` with its members known, as far as anyone knows them; typedefs removed.
TypeId Checker::complete(TypeId type) {
  type = types_.resolve(type);
  bool is_open = types_.get(type).kind == TypeKind::Forward && !types_.get(type).is_userland;
  if (is_open && !defining_.contains(type.index)) {
    // Declared here, defined elsewhere: in a header, the program or the kernel.
    std::string name = types_.get(type).name;
    if (auto found = find_type("", name)) type = types_.resolve(*found);
  }
  if (!types_.get(type).is_complete) host_.complete_type(types_, type);
  return type;
}

uint64_t Checker::size_of(TypeId type) {
  type = types_.resolve(type);
  if (types_.get(type).kind == TypeKind::Array) {
    uint64_t element = size_of(types_.get(type).base);  // may add types: get() again
    return TypeTable::array_size(types_.get(type).count, element);
  }
  return types_.size_of(complete(type));
}

// ---------------------------------------------------------------- members

// Without the prefix that the library gives to names of Solaris.
std::string Checker::as_scripts_say(std::string message) const {
  constexpr std::string_view prefix = "__solaris_";
  for (size_t at = 0; is_solaris_mode() && (at = message.find(prefix, at)) != std::string::npos;)
    message.erase(at, prefix.size());
  return message;
}

ExprInfo Checker::unknown_member(Tag tag, const Expr& expr, TypeId type, const std::string& member) {
  fail(tag, expr.at, "{} is not a member of {}", member, types_.spell(type));
  std::vector<std::string_view> names;
  for (const TypeMember& each : types_.resolved(type).members) names.push_back(each.name);
  for (auto [object, members] : solaris_emulations) {
    auto own = find_type("", object), emulated = types_.find(members);
    if (!is_solaris_mode() || !own || !emulated || !is_same_type(types_, type, *own)) continue;
    for (const TypeMember& each : types_.resolved(*emulated).members) names.push_back(each.name);
    hint_at_emulated(member, *emulated);
  }
  suggest(member, names);
  return {};
}

// Members of Solaris's threads and processes that are not here: those of the same kind that are.
void Checker::hint_at_emulated(const std::string& member, TypeId emulated) {
  size_t kind = member.find('_');
  if (kind == std::string::npos) return;
  std::string there;
  for (const TypeMember& each : types_.resolved(emulated).members)
    if (each.name.compare(0, kind + 1, member, 0, kind + 1) == 0) there += (there.empty() ? "" : ", ") + each.name;
  if (!there.empty()) diagnostics_.hint("of such members there are " + there);
}

// `args->nothing` and `self.x`, as other tracers write them: says how D does.
void Checker::hint_at_argument(const Expr& base, const std::string& member) {
  const auto* name = std::get_if<Name>(&base.form);
  if (name == nullptr) return;
  if (name->scope != VariableScope::Global && name->name.empty())
    return diagnostics_.hint(fmt::format("the variable is `{}{}`", spell(*name), member));
  if (!std::holds_alternative<ArgsArray>(find_name(*name))) return;
  diagnostics_.hint(fmt::format("no argument is called `{}`; `-lv -n PROBE` lists them", member));
}

// Characters that lie in the record of a tracepoint: args[n] is their address, but its name means the text.
bool Checker::is_text_of_record(const ProbeArg& argument) const {
  ArgSourceKind kind = argument.source.kind;
  bool is_in_record = kind == ArgSourceKind::RecordAddress || kind == ArgSourceKind::RecordDataLoc ||
                      kind == ArgSourceKind::RecordRelLoc;
  return is_in_record && is_pointer_or_array(types_, argument.type) &&
         types_.resolved(target_of(types_, argument.type)).is_char;
}

// `args->filename` and `args.filename`: the argument that the probe's signature calls so, as args[n]. Nothing if there
// is none.
const Expr* Checker::named_argument(const Member& form) {
  const auto* name = std::get_if<Name>(&form.base->form);
  if (name == nullptr || instance_ == nullptr || instance_->probes.empty()) return nullptr;
  if (!std::holds_alternative<ArgsArray>(find_name(*name))) return nullptr;
  const Probe& probe = *instance_->probes.front();
  host_.load_args(probe, types_);
  auto found = std::ranges::find(probe.args, form.member, &ProbeArg::name);
  if (found == probe.args.end()) return nullptr;
  auto number = static_cast<uint64_t>(found - probe.args.begin());
  Expr* index = made(form.base->at, IntLiteral{.value = number});
  Expr* argument = made(form.base->at, Index{.base = copy_of(*form.base), .arguments = {index}});
  return is_text_of_record(*found) ? made(form.base->at, Stringof{argument}) : argument;
}

ExprInfo Checker::check(const Expr& expr, const Member& form) {
  std::string_view op = form.is_arrow ? "->" : ".";
  if (const Expr* argument = named_argument(form)) {
    ExprInfo meaning = check(*argument);
    return failed() || is_error(meaning) ? ExprInfo{} : standing_for(*argument, meaning.type);
  }
  ExprInfo base = check(*form.base);
  if (failed()) hint_at_argument(*form.base, form.member);
  if (failed() || is_error(base)) return {};
  if (base.translated != nullptr) return translated_member(expr, form, *base.translated);
  if (is_solaris_mode()) {
    if (auto emulated = solaris_member(expr, form, base)) return *emulated;
    if (failed()) return {};
  }
  TypeId object = base.type;
  if (form.is_arrow) {
    if (!is_pointer_or_array(types_, base.type)) {
      operand_error(Tag::D_OP_PTR, expr, op, "a pointer to a struct or union", base);
      if (types_.is_struct_or_union(base.type)) diagnostics_.hint("this is a structure, not a pointer: use `.`");
      return {};
    }
    object = target_of(types_, base.type);
  }
  object = complete(object);
  if (types_.get(object).kind == TypeKind::Forward) {
    fail(Tag::D_OP_INCOMPLETE, expr.at, "operator {} cannot be applied to incomplete type {}", op,
         types_.spell(object));
    suggest_type(object);
    return {};
  }
  if (!types_.is_struct_or_union(object)) {
    operand_error(Tag::D_OP_SOU, expr, op, form.is_arrow ? "a pointer to a struct or union" : "a struct or union",
                  base);
    bool points_to_members =
        is_pointer_or_array(types_, object) && types_.is_struct_or_union(target_of(types_, object));
    if (!form.is_arrow && points_to_members) diagnostics_.hint("this is a pointer: use `->`");
    return {};
  }
  auto place = find_member(host_, types_, object, form.member);
  if (!place) return unknown_member(Tag::D_TYPE_MEMBER, expr, object, form.member);
  // A struct inside a union stays inside it: `t->rcu_node.next`.
  const auto* outer = form.is_arrow ? nullptr : std::get_if<MemberPlace>(&base.binding);
  if (outer != nullptr && outer->within_union) place->within_union = true;
  bool is_array = types_.resolved(base.type).kind == TypeKind::Array;
  Space space = is_array ? object_space(*form.base, base) : base.space;
  ExprInfo result{.type = place->type, .is_lvalue = true, .is_bitfield = place->bit_size != 0, .binding = *place};
  result.is_writable = form.is_arrow && !is_array ? is_own_memory(space) : base.is_writable;
  result.space = loaded_space(form.is_arrow ? expr : *form.base, place->type, space, place->within_union);
  return result;
}

// What Solaris's threads and processes have and Linux's tasks do not, and what its devices have: members that the D
// library translates, of a pointer to such an object, whichever operator is used.
std::optional<ExprInfo> Checker::solaris_member(const Expr& expr, const Member& form, const ExprInfo& base) {
  for (auto [object, members] : solaris_emulations)
    if (auto found = emulated_member(expr, form, base, object, members)) return found;
  return std::nullopt;
}

std::optional<ExprInfo> Checker::emulated_member(const Expr& expr, const Member& form, const ExprInfo& base,
                                                 const char* object_name, const char* members_name) {
  auto own = find_type("", object_name), emulated = types_.find(members_name);
  if (!own || !emulated || !types_.is_pointer(base.type)) return std::nullopt;
  if (!is_same_type(types_, target_of(types_, base.type), *own)) return std::nullopt;
  if (find_member(host_, types_, *own, form.member) || !find_member(host_, types_, *emulated, form.member))
    return std::nullopt;
  auto translator = find_translator(base.type, false, *emulated);
  if (!translator) return std::nullopt;
  Member by_arrow = form;
  by_arrow.is_arrow = true;
  TranslatedObject object{
      .type = *emulated, .is_pointer = true, .translator = *translator, .operand = form.base, .members = {}};
  return translated_member(expr, by_arrow, object);
}

// ---------------------------------------------------------------- elements

ExprInfo Checker::check(const Expr& expr, const Index& form) {
  if (std::holds_alternative<AggregationRef>(form.base->form)) return aggregation_element(expr, form);
  if (const auto* inner = std::get_if<Index>(&form.base->form))
    if (const auto* reference = std::get_if<AggregationRef>(&inner->base->form))
      return fail(Tag::D_AGG_MDIM, expr.at, "improper attempt to reference @{} as a multi-dimensional array",
                  reference->name);
  if (const auto* name = std::get_if<Name>(&form.base->form); name != nullptr && !name->name.empty())
    return check_named_index(expr, form, *name, find_name(*name));
  if (const auto* symbol = std::get_if<SymbolRef>(&form.base->form); symbol != nullptr && !symbol->is_user)
    if (auto emulated = find_solaris(symbol->name); emulated && meaning_.inlines[emulated->index].has_parameters)
      return check_inline_call(expr, form, *emulated);
  return check_element(expr, form);
}

ExprInfo Checker::check_named_index(const Expr& expr, const Index& form, const Name& name, const Meaning& meaning) {
  if (std::holds_alternative<ArgsArray>(meaning)) return check_args(expr, form);
  if (const auto* id = std::get_if<BuiltinVariable>(&meaning); id && *id == BuiltinVariable::Uregs)
    return check_uregs(expr, form);
  if (std::holds_alternative<std::monostate>(meaning)) {
    fail(Tag::D_VAR_UNDEF, form.base->at, "undefined variable name: {}", spell(name));
    suggest(name.name, names_like(name));
    return {};
  }
  if (const auto* id = std::get_if<VariableId>(&meaning); id && meaning_.variables[id->index].is_associative)
    return check_associative(expr, form, *id);
  if (const auto* id = std::get_if<InlineId>(&meaning); id && meaning_.inlines[id->index].has_parameters)
    return check_inline_call(expr, form, *id);
  return check_element(expr, form);
}

ExprInfo Checker::check_element(const Expr& expr, const Index& form) {
  ExprInfo base = check(*form.base);
  if (failed()) return {};
  ExprInfo index;
  for (const Expr* argument : form.arguments) {
    index = check(*argument);
    if (failed()) return {};
  }
  if (is_error(base) || is_error(index)) return {};
  if (form.arguments.size() != 1)
    return fail(Tag::D_ARR_BADREF, expr.at, "an array of type {} takes one index, not {}", types_.spell(base.type),
                form.arguments.size());
  bool is_text = types_.is_string(base.type);
  if (!is_text && !is_pointer_or_array(types_, base.type))
    return fail(Tag::D_DEREF_NONPTR, expr.at, "cannot use an index on a value that is no array or pointer: {}",
                types_.spell(base.type));
  if (!types_.is_integer(index.type)) return incompatible(expr, "[]", base, index);
  if (is_text)
    return {.type = types_.plain_char(), .space = Space::Storage, .is_lvalue = true, .is_writable = base.is_writable};
  TypeId type = target_of(types_, base.type);
  if (is_void(types_, type)) return fail(Tag::D_DEREF_VOID, expr.at, "cannot dereference a pointer to void");
  if (is_function(types_, type))
    return fail(Tag::D_DEREF_FUNC, expr.at, "cannot dereference a pointer to a function: {}", types_.spell(base.type));
  if (size_of(type) == 0) return fail(Tag::D_OP_INCOMPLETE, expr.at, "size of {} is not known", types_.spell(type));
  if (!check_constant_index(expr, base, index)) return {};
  bool is_array = types_.resolved(base.type).kind == TypeKind::Array;
  Space space = is_array ? object_space(*form.base, base) : derived(base.space);
  if (!index.constant) space = derived(space);
  bool is_writable = is_array ? base.is_writable : is_own_memory(space);
  return {.type = type,
          .space = loaded_space(is_array ? *form.base : expr, type, space, false),
          .is_lvalue = true,
          .is_writable = is_writable};
}

// ---------------------------------------------------------------- associative arrays, inlines with parameters

std::optional<std::vector<TypeId>> Checker::new_keys(const Index& form, std::string_view what) {
  std::vector<TypeId> keys;
  for (size_t i = 0; i < form.arguments.size(); ++i) {
    ExprInfo key = check(*form.arguments[i]);
    if (failed()) return std::nullopt;
    TypeKind kind = types_.resolved(key.type).kind;
    bool is_value =
        kind != TypeKind::Void && kind != TypeKind::Dynamic && kind != TypeKind::Forward && kind != TypeKind::Function;
    if (!is_value) {
      fail(Tag::D_KEY_TYPE, form.arguments[i]->at, "{} expression may not be used as {} index: key #{}",
           types_.spell(key.type), what, i + 1);
      return std::nullopt;
    }
    keys.push_back(key.type);
  }
  return keys;
}

bool Checker::check_keys(const Expr& expr, const std::string& name, const Index& form,
                         const std::vector<TypeId>& expected) {
  size_t count = form.arguments.size();
  if (count != expected.size()) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}[ ] prototype mismatch: {} key{} passed, {} expected", name, count,
         count == 1 ? "" : "s", expected.size());
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    ExprInfo key = check(*form.arguments[i]);
    if (failed()) return false;
    bool is_known = !is_error(key) && expected[i] != TypeTable::error_type();
    if (!is_known || is_compatible_value(expected[i], key)) continue;
    fail(Tag::D_PROTO_ARG, place(expr, *form.arguments[i]),
         "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}", name, i + 1,
         types_.spell(expected[i]), "key", types_.spell(key.type));
    return false;
  }
  return true;
}

ExprInfo Checker::check_associative(const Expr& expr, const Index& form, VariableId id) {
  const Variable& variable = meaning_.variables[id.index];
  std::string name = spell(Name{.scope = variable.scope, .name = variable.name});
  // A copy: a key may create a variable, which moves the others.
  std::vector<TypeId> keys = variable.keys;
  if (!check_keys(expr, name, form, keys)) return {};
  ExprInfo base = value(types_.dynamic_type());
  base.binding = id;
  store(*form.base, base);
  ExprInfo result = value(meaning_.variables[id.index].type);
  result.binding = id;
  result.is_lvalue = result.is_writable = true;
  result.space = types_.is_pointer(result.type) ? read_pointee(id) : Space::Storage;
  return result;
}

// The arguments are evaluated where the parameters stand, as often as they stand there.
ExprInfo Checker::check_inline_call(const Expr& expr, const Index& form, InlineId id) {
  const Inline definition = meaning_.inlines[id.index];
  if (!check_keys(expr, definition.name, form, definition.parameter_types)) return {};
  std::vector<const Expr*> arguments(form.arguments.begin(), form.arguments.end());
  Parameters parameters{
      .names = definition.parameter_names, .types = definition.parameter_types, .arguments = arguments};
  const Expr* value = expand(*definition.value, parameters, expr);
  if (value == nullptr) return {};
  ExprInfo result = standing_for(*value, definition.type);
  result.binding = id;
  return result;
}

// ---------------------------------------------------------------- args[n]

// The index of args[n] and uregs[n].
std::optional<uint64_t> Checker::constant_key(const Expr& expr, const Index& form, std::string_view name) {
  if (form.arguments.size() != 1) {
    fail(Tag::D_PROTO_LEN, expr.at, "{}[ ] prototype mismatch: {} key{} passed, 1 expected", name,
         form.arguments.size(), form.arguments.size() == 1 ? "" : "s");
    return std::nullopt;
  }
  ExprInfo index = check(*form.arguments[0]);
  if (failed() || is_error(index)) return std::nullopt;
  if (types_.is_integer(index.type) && index.constant) return index.constant;
  fail(Tag::D_PROTO_ARG, place(expr, *form.arguments[0]),
       "{}[ ] key #1 is incompatible with prototype:\n\tprototype: integer constant\n\t{:>9}: {}", name, "key",
       types_.spell(index.type));
  return std::nullopt;
}

ExprInfo Checker::check_uregs(const Expr& expr, const Index& form) {
  auto index = constant_key(expr, form, "uregs");
  if (!index) return {};
  auto number = static_cast<int64_t>(*index);
  if (number < 0) return fail(Tag::D_REGS_IDX, expr.at, "index {} is out of range for uregs[ ]", number);
  if (number > last_user_register)
    return fail(Tag::D_UNKNOWN, expr.at, "index {} is out of range for uregs[ ]: the last register is {}", number,
                last_user_register);
  ExprInfo base = value(types_.dynamic_type());
  base.binding = BuiltinVariable::Uregs;
  store(*form.base, base);
  ExprInfo result = value(*types_.find("uint64_t"));
  result.binding = UserRegister{static_cast<uint32_t>(number)};
  return result;
}

ExprInfo Checker::check_args(const Expr& expr, const Index& form) {
  if (instance_ == nullptr) return fail(Tag::D_ARGS_NONE, expr.at, "args[ ] may not be used outside of a clause");
  auto index = constant_key(expr, form, "args");
  if (!index) return {};
  ExprInfo base = value(types_.dynamic_type());
  base.binding = ArgsArray{};
  store(*form.base, base);
  // Without probes there is nothing to know: what is made of it is not checked (-Z).
  if (instance_->probes.empty()) return {};
  auto is_yet_to_come = [](const Probe* probe) { return is_awaited(*probe); };
  const ProbeInterface* defined = defined_interface(*instance_->probes.front());
  if (defined == nullptr && std::ranges::any_of(instance_->probes, is_yet_to_come)) return expected_args(expr, *index);
  if (!load_signature(expr)) return {};
  // The program's definition of the probe, if the traced program has not brought along its own.
  auto there = std::ranges::find_if_not(instance_->probes, is_yet_to_come);
  const std::vector<ProbeArg>* known = there == instance_->probes.end() ? nullptr : &(*there)->args;
  bool is_needed = defined != nullptr &&
                   (known == nullptr || (defined->input == defined->output && defined->input.size() == known->size()));
  return typed_argument(expr, *index, is_needed ? arguments_of(*defined) : *known);
}

// What probes to come may have already been seen to take.
ExprInfo Checker::expected_args(const Expr& expr, uint64_t index) {
  const Probe& probe = *instance_->probes.front();
  if (instance_->probes.size() == 1) host_.load_args(probe, types_);
  bool is_known = instance_->probes.size() == 1 && !probe.args.empty();
  return is_known ? typed_argument(expr, index, probe.args) : leave_out(expr);
}

// Of a probe that is yet to come, mostly only a definition tells the types: without one, its clause is left out where
// it may be missing.
ExprInfo Checker::leave_out(const Expr& expr) {
  if (!unit_rules_.allows_unmatched.value_or(options_.is_on(OptionId::Zdefs)))
    return fail(Tag::D_ARGS_TYPE, expr.at, "args[ ] cannot be used: {} has no probes yet; arg0, arg1 ... can",
                instance_->description);
  host_.stop_awaiting(description_of(instance_->clause->probes[instance_->specifier]));
  instance_->probes.clear();
  instance_->untyped = &expr;
  return {};
}

// args[] can be used if all probes of the description have arguments of the same types.
bool Checker::load_signature(const Expr& expr) {
  if (!signature_) {
    signature_ = true;
    const Probe* first = nullptr;
    // Where an argument is, the program of the clause knows once; but each place of a probe has it elsewhere.
    bool has_places = !instance_->probes.front()->sites.empty();
    // What is written with const in one of them is the same.
    auto has_same_name = [&](const ProbeArg& a, const ProbeArg& b) {
      bool are_known = a.type != TypeTable::error_type() && b.type != TypeTable::error_type();
      return a.type_text == b.type_text || (are_known && types_.spell(a.type) == types_.spell(b.type));
    };
    auto same_type = [&](const ProbeArg& a, const ProbeArg& b) {
      return has_same_name(a, b) && (has_places || a.source == b.source);
    };
    // What scripts see of them is the same.
    auto same_translation = [&](const ProbeArg& a, const ProbeArg& b) {
      return a.translated_text.empty() ? same_type(a, b) : a.translated_text == b.translated_text;
    };
    for (const Probe* probe : instance_->probes) {
      if (is_awaited(*probe)) continue;
      host_.load_args(*probe, types_);
      if (first == nullptr) first = probe;
      bool is_same =
          std::equal(probe->args.begin(), probe->args.end(), first->args.begin(), first->args.end(), same_type);
      if (is_same) continue;
      signature_ = !probe->derivations.empty() && std::equal(probe->args.begin(), probe->args.end(),
                                                             first->args.begin(), first->args.end(), same_translation);
      if (!*signature_) break;
      put_off_.push_back(probe);
    }
    if (!*signature_) put_off_.clear();
    std::erase_if(instance_->probes,
                  [&](const Probe* probe) { return std::ranges::find(put_off_, probe) != put_off_.end(); });
  }
  if (*signature_) return true;
  fail(Tag::D_ARGS_MULTI, expr.at, "args[ ] cannot be used: {} matches probes with different arguments",
       instance_->description);
  return false;
}

// Of a function of a process: what it takes is in the debug information of its object, where there is some.
void Checker::hint_at_untyped(const Probe& probe) {
  bool is_of_process = probe.provider.starts_with("pid") && (probe.name == "entry" || probe.name == "return");
  if (!is_of_process) return;
  std::string reason = host_.why_no_type(fmt::format("{}`{}", probe.provider, probe.module));
  if (reason.empty()) reason = fmt::format("the debug information of {} does not describe this function", probe.module);
  diagnostics_.hint(fmt::format("{}; arg0, arg1 ... are there without it", reason));
}

ExprInfo Checker::typed_argument(const Expr& expr, uint64_t index, const std::vector<ProbeArg>& arguments) {
  const Probe& probe = *instance_->probes.front();
  if (index >= arguments.size()) {
    fail(
        Tag::D_ARGS_IDX, expr.at, "index {} is out of range for {} args[ ]{}", static_cast<int64_t>(index),
        instance_->description,
        arguments.empty() ? ": the probe has no typed arguments" : fmt::format(": the probe has {}", arguments.size()));
    if (!arguments.empty()) diagnostics_.hint(fmt::format("`-lv -n {}` lists them", instance_->description));
    else hint_at_untyped(probe);
    return {};
  }
  const ProbeArg& argument = arguments[index];
  if (const ExprInfo* derived = derived_argument(probe, index)) {
    ExprInfo result{.type = derived->type, .space = derived->space};
    result.binding = TypedArgument{static_cast<uint32_t>(index)};
    return argument.translated_text.empty() ? result : translated_argument(expr, argument, result);
  }
  if (argument.type == TypeTable::error_type())
    return fail(Tag::D_ARGS_TYPE, expr.at, "type of args[{}] cannot be found: {}", index, argument.type_text);
  if (argument.source.kind == ArgSourceKind::VectorRegister)
    return fail(Tag::D_ARGS_TYPE, expr.at,
                "args[{}] cannot be used: a value of type {} is passed in a floating-point register, which the kernel "
                "does not show",
                index, argument.type_text);
  ExprInfo result = value(argument.type);
  result.binding = TypedArgument{static_cast<uint32_t>(index)};
  const Type& type = types_.resolved(argument.type);
  if (type.kind == TypeKind::Pointer) result.space = type.is_userland ? Space::User : Space::Kernel;
  if (types_.is_struct_or_union(argument.type) || type.kind == TypeKind::Array) {
    result.is_lvalue = true;
    result.space = Space::Kernel;
  }
  return argument.translated_text.empty() ? result : translated_argument(expr, argument, result);
}

}  // namespace dscope
