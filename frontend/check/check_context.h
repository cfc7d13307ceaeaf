// CheckContext: the state that all classes of the checker share: the inputs, the result so far, and the current unit,
// clause and statement. CheckerPart: the base of these classes, with short names for the context and the helpers that
// every rule needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/option_values.h"
#include "catalog/version.h"
#include "contract/host.h"
#include "contract/types/header_types.h"
#include "frontend/check/created_names.h"
#include "frontend/semantics/compatibility.h"
#include "frontend/semantics/semantics.h"
#include "support/diagnostic.h"

namespace dscope {

// The properties of a unit that decide the meaning of its words.
struct UnitScope {
  UnitKind kind{};
  UnitRules rules;
  HeaderTypes* headers = nullptr;  // null in libraries, which are checked before all headers
  NameSet created_globals = {};    // they hide the names that dscope adds to D
};

struct CheckContext {
  CheckContext(const Program& checked_program, Host& asked_host, const OptionValues& given_options,
               Diagnostics& reported_diagnostics, Semantics& built_semantics);

  const Program& program;
  Host& host;
  const OptionValues& options;
  Diagnostics& diagnostics;
  Semantics& semantics;
  TypeTable& types;       // of `semantics`
  const Version version;  // built-in names of later versions are undefined

  UnitScope unit;
  bool in_header = false;                // in a declaration of an included header (C scope)
  ClauseInstance* instance = nullptr;    // null outside clauses
  const Statement* statement = nullptr;  // null in predicates and definitions
};

class CheckerPart {
 protected:
  explicit CheckerPart(CheckContext& context)
      : context_(context),
        host_(context.host),
        diagnostics_(context.diagnostics),
        semantics_(context.semantics),
        types_(context.types) {}

  // --- errors
  // Reports an error and returns the ExprInfo of an expression that has none.
  template <typename... Args>
  ExprInfo fail(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    diagnostics_.error(tag, at, "{}", without_emulation_prefix(fmt::format(text, std::forward<Args>(args)...)));
    return {};
  }
  bool failed() const { return diagnostics_.has_errors(); }
  // Hints at the candidate whose spelling is nearest to `name`, if one is near.
  void suggest(std::string_view name, const std::vector<std::string_view>& candidates);
  // The caret stands under `part`; the line is that of `whole`, the construct that reports the error.
  static Position caret_at(const Expr& whole, const Expr& part);

  // --- typed expressions
  ExprInfo info(const Expr& expr) const;
  const ExprInfo* find_info(const Expr& expr) const;  // null: not typed
  ExprInfo value(TypeId type) const;
  ExprInfo constant(TypeId type, uint64_t number) const;
  static bool is_error(const ExprInfo& info) { return info.type == TypeTable::error_type(); }
  // Whether this is the integer constant 0, which is also a null pointer and a missing string.
  bool is_zero(const ExprInfo& info) const;
  bool is_compatible_value(TypeId formal, const ExprInfo& actual) const;
  // The integer constant that a call passes as this argument; nullopt if it is absent or not a constant.
  std::optional<int64_t> constant_argument(const Call& form, size_t argument) const;

  // --- the unit being checked
  // The dialect of the unit: libraries are always written for Linux.
  Dialect dialect() const { return context_.unit.kind == UnitKind::Library ? Dialect{} : context_.semantics.dialect; }
  // Whether probe descriptions may match no probes (option zdefs).
  bool allows_unmatched() const;

  CheckContext& context_;
  Host& host_;
  Diagnostics& diagnostics_;
  Semantics& semantics_;
  TypeTable& types_;

 private:
  std::string without_emulation_prefix(std::string message) const;
};

}  // namespace dscope
