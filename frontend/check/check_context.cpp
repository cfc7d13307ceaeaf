#include "frontend/check/check_context.h"

namespace dscope {

CheckContext::CheckContext(const Program& checked_program, Host& asked_host, const OptionValues& given_options,
                           Diagnostics& reported_diagnostics, Semantics& built_semantics)
    : program(checked_program),
      host(asked_host),
      options(given_options),
      diagnostics(reported_diagnostics),
      semantics(built_semantics),
      types(*built_semantics.types),
      version(parse_version(given_options.text(OptionId::Version)).value_or(latest_version)) {}

// ---------------------------------------------------------------- errors

// The library prefixes its names for Solaris objects; scripts use the names without the prefix.
std::string CheckerPart::without_emulation_prefix(std::string message) const {
  return dialect().emulates_solaris_names() ? Dialect::without_emulation_prefixes(std::move(message)) : message;
}

void CheckerPart::suggest(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view near = nearest_name(name, candidates);
  if (!near.empty() && near != name) diagnostics_.hint(fmt::format("did you mean `{}`?", near));
}

Position CheckerPart::caret_at(const Expr& whole, const Expr& part) {
  return {.range = part.at.range, .line = whole.at.line, .file = whole.at.file};
}

// ---------------------------------------------------------------- typed expressions

const ExprInfo* CheckerPart::find_info(const Expr& expr) const {
  uint32_t index = expr.id.index;
  if (context_.instance != nullptr) {
    const Clause& clause = *context_.instance->clause;
    if (index >= clause.first_node.index && index < clause.end_node.index)
      return &context_.instance->infos[index - clause.first_node.index];
  }
  return index < semantics_.global_infos.size() ? &semantics_.global_infos[index] : nullptr;
}

ExprInfo CheckerPart::info(const Expr& expr) const {
  const ExprInfo* found = find_info(expr);
  return found != nullptr ? *found : ExprInfo{};
}

ExprInfo CheckerPart::value(TypeId type) const {
  return {.type = type, .space = types_.is_string(type) ? Space::Storage : Space::None, .is_checked = true};
}

ExprInfo CheckerPart::constant(TypeId type, uint64_t number) const {
  ExprInfo result = value(type);
  result.constant = number;
  return result;
}

bool CheckerPart::is_zero(const ExprInfo& info) const {
  return info.constant && *info.constant == 0 && types_.is_integer(info.type);
}

bool CheckerPart::is_compatible_value(TypeId formal, const ExprInfo& actual) const {
  return is_compatible(types_, formal, actual.type, is_zero(actual));
}

std::optional<int64_t> CheckerPart::constant_argument(const Call& form, size_t argument) const {
  if (argument >= form.arguments.size()) return std::nullopt;
  ExprInfo found = info(*form.arguments[argument]);
  if (!found.constant || !types_.is_integer(found.type)) return std::nullopt;
  return static_cast<int64_t>(*found.constant);
}

// ---------------------------------------------------------------- the unit being checked

bool CheckerPart::allows_unmatched() const {
  return context_.unit.rules.allows_unmatched.value_or(context_.options.is_on(OptionId::Zdefs));
}

}  // namespace dscope
