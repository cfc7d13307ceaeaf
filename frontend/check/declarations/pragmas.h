// Pragmas: `#pragma D attributes` and `#pragma D binding`, which set the stability or the version of an
// identifier (d-language.md 8.2). They may precede the definition; one whose identifier is still undefined at the end
// of the unit is an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/check_context.h"
#include "frontend/check/name_table.h"

namespace dscope {

class NameTable;
class Translators;

class Pragmas : private CheckerPart {
 public:
  Pragmas(CheckContext& context, NameTable& names, Translators& translators)
      : CheckerPart(context), names_(names), translators_(translators) {}

  void add(const External& external, const Pragma& pragma);
  void apply_pending();
  void check_unused();
  void start_unit();

 private:
  bool apply(const Position& at, const Pragma& pragma);
  bool apply_attributes(const Position& at, const Attributes& attributes, const std::string& name);
  bool apply_binding(const Position& at, const std::string& text, const std::string& name);
  bool apply_provider_attributes(const Position& at, const Attributes& attributes, std::string_view word,
                                 const std::string& provider, std::string_view field);
  std::optional<GlobalName> find_own_global(const Position& at, std::string_view pragma, const std::string& name);

  NameTable& names_;
  Translators& translators_;

  struct PendingPragma {
    Position at;
    const Pragma* pragma = nullptr;
  };
  std::vector<PendingPragma> pending_;
  // The number of variables and inlines of earlier units.
  size_t first_own_variable_ = 0, first_own_inline_ = 0;
};

}  // namespace dscope
