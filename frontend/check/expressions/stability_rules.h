// StabilityRules: the stability of the names that an expression uses (d-language.md 11.1).
#pragma once

#include <optional>
#include <utility>

#include "frontend/check/check_context.h"

namespace dscope {

class StabilityRules : private CheckerPart {
 public:
  explicit StabilityRules(CheckContext& context)
      : CheckerPart(context), minimum_(parse_attributes(context.options.text(OptionId::Amin))) {}

  Attributes attributes_of(const Expr& expr, const ExprInfo& info) const;
  void require(const Expr& expr, const Attributes& attributes);
  void require(const ProbeSpecifier& specifier, const ClauseInstance& instance);
  // Sets the minimum of option amin and returns the previous minimum; nullopt: no minimum.
  std::optional<Attributes> exchange_minimum(std::optional<Attributes> minimum) {
    return std::exchange(minimum_, minimum);
  }

 private:
  ProviderAttributes bound_provider() const;
  Attributes builtin_attributes(BuiltinVariable id) const;
  Attributes translated_attributes(const TranslatedObject& object, const ExprInfo& member) const;
  Attributes own_attributes(const Expr& expr, const ExprInfo& info) const;
  const Expr* dead_branch(const Expr& expr) const;

  std::optional<Attributes> minimum_;  // option amin
};

}  // namespace dscope
