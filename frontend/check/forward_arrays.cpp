#include "frontend/check/forward_arrays.h"

#include <algorithm>

#include "frontend/check/created_names.h"
#include "frontend/check/name_table.h"

namespace dscope {

namespace {

// The array in `x[keys] = e` and `x[keys]++`; null for other expressions.
const Name* assigned_array(const Expr& expr) {
  const Expr* target = created_target(expr);
  const auto* index = target == nullptr ? nullptr : std::get_if<Index>(&target->form);
  return index == nullptr ? nullptr : std::get_if<Name>(&index->base->form);
}

}  // namespace

void ForwardArrays::start_unit(const ProgramUnit& unit) {
  assigned_.clear();
  types_of_arrays_.clear();
  untyped_reads_.clear();
  is_first_pass_ = true;
  has_forward_read_ = false;
  for_each_clause_expr(context_.program, unit, [&](const Expr& expr) {
    if (const Name* name = assigned_array(expr)) assigned_.insert(spell_name(*name));
  });
}

ForwardArrays::State ForwardArrays::resolve(const Name& name, const Position& at) {
  std::string spelled = spell_name(name);
  if (name.scope == VariableScope::This || !assigned_.contains(spelled)) return State::Unknown;
  has_forward_read_ = true;
  if (is_first_pass_) return State::Unknown;
  auto found = types_of_arrays_.find(spelled);
  if (found == types_of_arrays_.end()) {
    untyped_reads_.push_back({.name = &name, .at = at});
    return State::Untyped;
  }
  names_.add_variable({.name = name.name,
                       .scope = name.scope,
                       .type = found->second.type,
                       .is_associative = true,
                       .keys = found->second.keys});
  return State::Defined;
}

bool ForwardArrays::needs_another_pass() {
  if (is_first_pass_) {
    bool is_forward_read = failed() && has_forward_read_ && diagnostics_.first().tag == Tag::D_VAR_UNDEF;
    if (!is_forward_read) return false;
    is_first_pass_ = false;
    diagnostics_.clear();
    return true;
  }
  if (failed() || untyped_reads_.empty()) return false;
  if (learn_types()) return true;
  const Read& read = untyped_reads_.front();
  bool is_assigned = std::holds_alternative<VariableId>(names_.find(*read.name));
  fail(Tag::D_VAR_UNDEF, read.at, "undefined variable name: {}{}", spell_name(*read.name),
       is_assigned ? " (the type of its first assignment depends on the array itself)" : "");
  if (is_assigned) diagnostics_.hint("declare the array above the clauses: `int name[int];`");
  return false;
}

// Takes the types of the arrays that this pass read before it assigned them. Returns false if none got a type.
bool ForwardArrays::learn_types() {
  size_t known = types_of_arrays_.size();
  for (const Read& read : untyped_reads_) {
    ResolvedName found = names_.find(*read.name);
    const auto* id = std::get_if<VariableId>(&found);
    if (id == nullptr) continue;
    const Variable& variable = semantics_.variables[id->index];
    bool is_typed = variable.type != TypeTable::error_type() &&
                    std::ranges::find(variable.keys, TypeTable::error_type()) == variable.keys.end();
    if (is_typed) types_of_arrays_[spell_name(*read.name)] = {.type = variable.type, .keys = variable.keys};
  }
  bool has_learned = types_of_arrays_.size() > known;
  if (has_learned) untyped_reads_.clear();
  return has_learned;
}

}  // namespace dscope
