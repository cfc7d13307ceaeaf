#include "frontend/check/expressions/member_typer.h"

#include "contract/types/member.h"
#include "frontend/check/declarations/translators.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/name_table.h"

namespace dscope {

namespace {

// Linux structs whose pointers also have members of Solaris objects, and the library's structs with these members.
const std::vector<std::pair<std::string, std::string>>& solaris_emulations() {
  static const std::vector<std::pair<std::string, std::string>> structs = {
      {"struct task_struct", Dialect::emulated_name("struct thread")},
      {Dialect::emulated_name("struct dev_info"), Dialect::emulated_name("struct device")}};
  return structs;
}

}  // namespace

ExprInfo MemberTyper::report_unknown_member(Tag tag, const Expr& expr, TypeId type, const std::string& member) {
  fail(tag, expr.at, "{} is not a member of {}", member, types_.spell(type));
  std::vector<std::string_view> names;
  for (const TypeMember& each : types_.resolved(type).members) names.push_back(each.name);
  for (const auto& [object, members] : solaris_emulations()) {
    auto own = type_finder_.find("", object), emulated = types_.find(members);
    if (!dialect().emulates_solaris_names() || !own || !emulated || !is_same_type(types_, type, *own)) continue;
    for (const TypeMember& each : types_.resolved(*emulated).members) names.push_back(each.name);
    list_emulated_members(member, *emulated);
  }
  suggest(member, names);
  return {};
}

// Hints at the emulated members with the prefix of an unknown one: those with t_ for t_xyz.
void MemberTyper::list_emulated_members(const std::string& member, TypeId emulated) {
  size_t kind = member.find('_');
  if (kind == std::string::npos) return;
  std::string there;
  for (const TypeMember& each : types_.resolved(emulated).members)
    if (each.name.compare(0, kind + 1, member, 0, kind + 1) == 0) there += (there.empty() ? "" : ", ") + each.name;
  if (!there.empty()) diagnostics_.hint("available members: " + there);
}

// make_named_argument() has found no argument of this name.
bool MemberTyper::report_unknown_argument(const Expr& base, const std::string& member) {
  const auto* name = std::get_if<Name>(&base.form);
  if (name == nullptr || !std::holds_alternative<ArgsArray>(names_.find(*name))) return false;
  fail(Tag::D_IDENT_BADREF, base.at, "no argument is called {}", member);
  if (std::string similar = arguments_.nearest_argument(member); !similar.empty())
    diagnostics_.hint(fmt::format("did you mean `args->{}`?", similar));
  else if (std::string probe = arguments_.probe_with_names(); !probe.empty())
    diagnostics_.hint(fmt::format("the arguments of `{}` have names", probe));
  else diagnostics_.hint("list the arguments with `-lv -n PROBE`");
  return true;
}

// Hints at the D spelling of `self.x`, which other tracers use.
void MemberTyper::explain_variable_access(const Expr& base, const std::string& member) {
  const auto* name = std::get_if<Name>(&base.form);
  if (name != nullptr && name->scope != VariableScope::Global && name->name.empty())
    diagnostics_.hint(fmt::format("the variable is `{}{}`", spell_name(*name), member));
}

ExprInfo MemberTyper::check(const Expr& expr, const Member& form) {
  std::string_view op = form.is_arrow ? "->" : ".";
  if (const Expr* argument = arguments_.make_named_argument(form)) {
    ExprInfo meaning = expressions_.check(*argument);
    return failed() || is_error(meaning) ? ExprInfo{} : expansions_.replacement_info(*argument, meaning.type);
  }
  if (report_unknown_argument(*form.base, form.member)) return {};
  ExprInfo base = expressions_.check(*form.base);
  if (failed()) explain_variable_access(*form.base, form.member);
  if (failed() || is_error(base)) return {};
  if (base.translated != nullptr) return translated_objects_.check_member(expr, form, *base.translated);
  if (dialect().emulates_solaris_names()) {
    if (auto emulated = check_emulated_member(expr, form, base)) return *emulated;
    if (failed()) return {};
  }
  TypeId object = base.type;
  if (form.is_arrow) {
    if (!is_pointer_or_array(types_, base.type)) {
      type_errors_.report_operand(Tag::D_OP_PTR, expr, op, "a pointer to a struct or union", base);
      if (types_.is_struct_or_union(base.type)) diagnostics_.hint("this is a structure, not a pointer: use `.`");
      return {};
    }
    object = target_of(types_, base.type);
  }
  object = type_finder_.complete(object);
  if (types_.get(object).kind == TypeKind::Forward) {
    fail(Tag::D_OP_INCOMPLETE, expr.at, "operator {} cannot be applied to incomplete type {}", op,
         types_.spell(object));
    type_finder_.suggest_type(object);
    return {};
  }
  if (!types_.is_struct_or_union(object)) {
    type_errors_.report_operand(Tag::D_OP_SOU, expr, op,
                                form.is_arrow ? "a pointer to a struct or union" : "a struct or union", base);
    bool points_to_members =
        is_pointer_or_array(types_, object) && types_.is_struct_or_union(target_of(types_, object));
    if (!form.is_arrow && points_to_members) diagnostics_.hint("this is a pointer: use `->`");
    return {};
  }
  auto found = find_member(host_, types_, object, form.member);
  if (!found) return report_unknown_member(Tag::D_TYPE_MEMBER, expr, object, form.member);
  // A member of a struct inside a union lies within the union too: `t->rcu_node.next`.
  const auto* outer = form.is_arrow ? nullptr : std::get_if<ResolvedMember>(&base.binding);
  if (outer != nullptr && outer->within_union) found->within_union = true;
  bool is_array = types_.resolved(base.type).kind == TypeKind::Array;
  Space space = is_array ? spaces_.object_space(*form.base, base) : base.space;
  ExprInfo result{.type = found->type, .is_lvalue = true, .bit_size = found->bit_size, .binding = *found};
  result.is_writable = form.is_arrow && !is_array ? is_own_memory(space) : base.is_writable;
  result.space = spaces_.loaded_space(form.is_arrow ? expr : *form.base, found->type, space, found->within_union);
  return result;
}

// Members of Solaris threads, processes and devices that Linux objects lack: the library translates them, for pointers
// to such an object and with either operator.
std::optional<ExprInfo> MemberTyper::check_emulated_member(const Expr& expr, const Member& form, const ExprInfo& base) {
  for (const auto& [object, members] : solaris_emulations())
    if (auto emulated = find_emulated_member(expr, form, base, object, members)) return emulated;
  return std::nullopt;
}

std::optional<ExprInfo> MemberTyper::find_emulated_member(const Expr& expr, const Member& form, const ExprInfo& base,
                                                          const std::string& object_name,
                                                          const std::string& members_name) {
  auto own = type_finder_.find("", object_name), emulated = types_.find(members_name);
  if (!own || !emulated || !types_.is_pointer(base.type)) return std::nullopt;
  if (!is_same_type(types_, target_of(types_, base.type), *own)) return std::nullopt;
  if (find_member(host_, types_, *own, form.member) || !find_member(host_, types_, *emulated, form.member))
    return std::nullopt;
  auto translator = translators_.find(base.type, false, *emulated);
  if (!translator) return std::nullopt;
  Member by_arrow = form;
  by_arrow.is_arrow = true;
  TranslatedObject object{
      .type = *emulated, .is_pointer = true, .translator = *translator, .operand = form.base, .members = {}};
  return translated_objects_.check_member(expr, by_arrow, object);
}

}  // namespace dscope
