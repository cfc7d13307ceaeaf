// ProbeSpecifierParser: the fields of probe specifiers (d-language.md 2.3).
#pragma once

#include <optional>

#include "contract/script_options.h"
#include "frontend/syntax/grammar_part.h"

namespace dscope {

class MacroExpander;

class ProbeSpecifierParser : private GrammarPart {
 public:
  ProbeSpecifierParser(const GrammarContext& context, MacroExpander& macros) : GrammarPart(context), macros_(macros) {}

  // has_probe: see ParseContext::has_probe.
  // Returns nothing for a description with an option of the script that is not set.
  std::optional<ProbeSpecifier> parse_specifier(const HasProbe& has_probe);

 private:
  void set_probe_id(ProbeSpecifier& specifier, const Token& token, const HasProbe& has_probe);
  void set_probe_fields(ProbeSpecifier& specifier, const Token& token);
  bool has_unset_option(std::string_view text) const;
  std::string option_text(const ScriptOption& option) const;
  std::optional<std::string> expand_field(std::string_view field);

  MacroExpander& macros_;
};

}  // namespace dscope
