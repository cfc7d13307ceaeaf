#include "frontend/check/expressions/name_typer.h"

#include "contract/process_provider.h"
#include "frontend/check/declarations/inlines.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/traced_variable_typer.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/check/prototype.h"
#include "support/check.h"
#include "support/text/word_list.h"

namespace dscope {

ExprInfo NameTyper::check(const Expr& expr, const Name& form) {
  if (form.scope != VariableScope::Global && form.name.empty())
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} must be followed by -> and the name of a variable",
                form.scope == VariableScope::Self ? "self" : "this");
  return info_of(expr, form, names_.find(form));
}

ExprInfo NameTyper::info_of(const Expr& expr, const Name& name, const ResolvedName& meaning) {
  return std::visit(
      Overloaded{
          [&](std::monostate) {
            bool is_known = name.scope == VariableScope::Global && has_word("B_FALSE B_TRUE", name.name);
            if (!is_known) return report_undefined(expr, name);
            if (auto emulated = names_.find_emulated(name.name)) return inline_info(expr, *emulated);
            // The values of boolean_t, which is a foreign type too.
            return constant(types_.integer(4, true), name.name == "B_TRUE" ? 1 : 0);
          },
          [&](VariableId id) { return variable_info(expr, name, id); },
          [&](InlineId id) { return inline_info(expr, id); },
          [&](const EnumConstant& id) { return constant(id.type, static_cast<uint64_t>(id.value)); },
          [&](const DefinitionParameter& id) { return parameter_info(id); },
          [&](BuiltinVariable id) { return builtin_info(expr, id); },
          [&](RawArgument id) {
            ExprInfo result = value(*types_.find("int64_t"));
            result.binding = id;
            return result;
          },
          [&](ArgsArray) { return fail(Tag::D_IDENT_BADREF, expr.at, "args may only be used with an index: args[0]"); },
          [&](TracedVariableName) { return traced_variables_.check(expr, name); },
          [&](FunctionName) {
            return fail(Tag::D_IDENT_BADREF, expr.at, "{} is a function and must be called: {}( )", name.name,
                        name.name);
          }},
      meaning);
}

ExprInfo NameTyper::variable_info(const Expr& expr, const Name& name, VariableId id) {
  const Variable& variable = semantics_.variables[id.index];
  if (variable.is_associative)
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} is an associative array and must be used with an index",
                spell_name(name));
  ExprInfo result = value(variable.type);
  result.binding = id;
  result.is_lvalue = result.is_writable = true;
  result.space = types_.is_pointer(variable.type) ? spaces_.read_pointee(id) : Space::Storage;
  return result;
}

ExprInfo NameTyper::inline_info(const Expr& expr, InlineId id) {
  const Inline& definition = semantics_.inlines[id.index];
  if (!definition.has_parameters) inlines_.type_on_use(id, expr);
  if (failed()) return {};
  if (definition.has_parameters)
    return fail(Tag::D_IDENT_BADREF, expr.at, "{} is an inline with parameters and must be used with arguments: {}[ ]",
                definition.name, definition.name);
  if (definition.constant) {
    ExprInfo result = constant(definition.type, *definition.constant);
    result.binding = id;
    return result;
  }
  if (!expansions_.check_extent(*definition.value, expr)) return {};
  ExprInfo found = info(*definition.value);
  bool is_alias = found.is_writable && is_same_type(types_, found.type, definition.type);
  ExprInfo result =
      is_alias ? alias_info(definition, found) : expansions_.replacement_info(*definition.value, definition.type);
  result.binding = id;
  return result;
}

// An alias of a variable or a part of one; assigning to the alias assigns to the variable.
ExprInfo NameTyper::alias_info(const Inline& definition, const ExprInfo& found) {
  ExprInfo result = found;
  result.stands_for = definition.value;
  auto root = spaces_.root_variable(*definition.value);
  if (root && types_.is_pointer(result.type)) result.space = spaces_.read_pointee(*root);
  return result;
}

// In a use, the parameter stands for the argument. In the definition only its type is known: the space of a pointer
// differs between uses.
ExprInfo NameTyper::parameter_info(const DefinitionParameter& parameter) {
  const Parameters& parameters = *names_.parameters();
  TypeId type = parameters.types[parameter.index];
  if (!parameters.arguments.empty()) return expansions_.replacement_info(*parameters.arguments[parameter.index], type);
  ExprInfo result = value(type);
  result.binding = parameter;
  bool is_object = types_.is_struct_or_union(type) || types_.resolved(type).kind == TypeKind::Array;
  if (is_object) result.is_lvalue = true;
  if (types_.is_pointer(type) || is_object)
    result.space = types_.is_pointer(type) && types_.resolved(type).is_userland ? Space::User : Space::Kernel;
  return result;
}

ExprInfo NameTyper::builtin_info(const Expr& expr, BuiltinVariable id) {
  const VariableRow& variable = row(id);
  if (variable.release != Release::Now) {
    if (auto emulated = names_.find_emulated(std::string{variable.name})) return inline_info(expr, *emulated);
    pending_.defer_unavailable(expr.at, fmt::format("{} {}", variable.name, unavailable_text(variable.release)));
  }
  if (id == BuiltinVariable::Vtimestamp)
    if (auto finer = names_.find_inline("__vtimestamp")) return inline_info(expr, *finer);
  if (id == BuiltinVariable::Uregs)
    return fail(Tag::D_IDENT_BADREF, expr.at, "uregs may only be used with an index: uregs[R_PC]");
  ExprInfo result = value(
      parse_type_text(variable.type, types_, [&](std::string_view name) { return type_finder_.catalog_type(name); }));
  // The current task is the only kernel object whose members the verifier lets a program load directly.
  if (id == BuiltinVariable::Curthread) result.space = Space::Trusted;
  result.binding = id;
  return result;
}

ExprInfo NameTyper::report_undefined(const Expr& expr, const Name& name) {
  if (name.scope == VariableScope::Global)
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}: Unknown variable name", spell_name(name));
  else fail(Tag::D_VAR_UNDEF, expr.at, "undefined variable name: {}", spell_name(name));
  suggest(name.name, names_.similar_names(name));
  return {};
}

ExprInfo NameTyper::check(const Expr& expr, const AggregationRef& form) {
  auto found = names_.find_aggregation(form.name);
  if (!found) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "undefined aggregation: @{}", form.name);
    std::vector<std::string_view> names;
    for (const Aggregation& aggregation : semantics_.aggregations) names.push_back(aggregation.name);
    suggest(form.name, names);
    return {};
  }
  ExprInfo result = value(types_.dynamic_type());
  result.binding = *found;
  return result;
}

ExprInfo NameTyper::check(const Expr& expr, const SymbolRef& form) {
  if (form.is_user)
    return fail(Tag::D_SYM_BADREF, expr.at, "user-space symbol {}``{} may not be used in a D expression", form.object,
                form.name);
  if (auto emulated = names_.find_emulated(form.name)) return inline_info(expr, *emulated);
  auto symbol = host_.find_symbol(types_, form.object, form.name);
  bool may_be_unknown = context_.unit.rules.allows_unknown_symbols.value_or(context_.options.is_on(OptionId::Knodefs));
  // The library replaces variables whose address or type the kernel does not publish.
  if (!symbol || (!symbol->type && !expressions_.is_addressed(expr)))
    if (auto given = names_.find_inline("__kernel_" + form.name)) return inline_info(expr, *given);
  if (!symbol && may_be_unknown) symbol = KernelSymbol{};
  if (!symbol) {
    fail(Tag::D_IDENT_UNDEF, expr.at, "failed to resolve {}`{}: Unknown symbol name", form.object, form.name);
    if (parse_process_scope(form.object))
      diagnostics_.hint("read a variable of a process by its address from nm(1): *(int *)copyin(ADDRESS, 4)");
    else if (!expressions_.has_alternative()) suggest_symbol(form.name);
    return {};
  }
  // Dynamic link mode leaves the address unresolved, which only knodefs allows.
  if (context_.options.text(OptionId::Linkmode) == "dynamic" && !may_be_unknown)
    pending_.defer(Tag::D_ASRELO, expr.at,
                   fmt::format("kernel symbol {}`{} is left unresolved by linkmode dynamic, which needs knodefs",
                               form.object, form.name));
  TypeId type = symbol->type.value_or(*types_.find("uintptr_t"));
  if (auto declared = names_.find_extern_type(form.name)) type = *declared;
  ExprInfo result = value(type);
  result.is_lvalue = true;
  result.space = types_.is_pointer(type) && types_.resolved(type).is_userland ? Space::User : Space::Kernel;
  result.binding = SymbolAddress{symbol->address};
  return result;
}

void NameTyper::suggest_symbol(const std::string& name) {
  // Slow: compares all symbols of the kernel.
  std::string near = host_.nearest_symbol(name);
  if (!near.empty() && near != name) return diagnostics_.hint(fmt::format("did you mean the symbol `{}`?", near));
  explain_missing_variables();
}

void NameTyper::explain_missing_variables() {
  if (!host_.find_symbol(types_, "", "jiffies"))
    diagnostics_.hint("this kernel has no symbols of variables: it lacks CONFIG_KALLSYMS_ALL");
}

// The library's replacement of a kernel variable is a value without an address.
ExprInfo NameTyper::report_no_address(const Expr& expr, const SymbolRef& form) {
  fail(Tag::D_ADDROF_LVAL, expr.at, "cannot take the address of {}`{}: only its value is known", form.object,
       form.name);
  if (!names_.find_emulated(form.name)) explain_missing_variables();
  return {};
}

}  // namespace dscope
