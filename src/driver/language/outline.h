// The declarations of a D text that need not parse: what editors list as symbols, jump to, and complete. They come from
// the tokens alone, so that they are available while the user types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/scan/scan.h"

namespace dscope {

enum class DefinitionKind : uint8_t {
  Clause,
  Inline,
  Typedef,
  Struct,  // also unions
  Enum,
  Enumerator,
  Member,  // of a struct or union
  Translator,
  TranslatorMember,
  Provider,
  ProviderProbe,
  Variable,  // global
  SelfVariable,
  ThisVariable,
  Aggregation,
};

struct Definition {
  DefinitionKind kind{};
  std::string name;       // of a variable without self-> and this->, of an aggregation without @
  std::string container;  // of a member, an enumerator or a probe: the type or the provider
  SourceRange range;      // the whole declaration; of a variable, its first assignment
  SourceRange name_range;
  bool is_declared = true;  // false: a variable that is only assigned
};

// In the order of the text. Variables and aggregations that are assigned several times appear once.
std::vector<Definition> find_definitions(const Scan& scan);

// The text of a declaration in one line, without comments, cut at `max_length` characters.
std::string one_line(const Scan& scan, SourceRange range, size_t max_length = 200);
// The text of the comment that ends on the line before the declaration, without the marks; may be empty.
std::string comment_before(const Scan& scan, SourceRange range);

}  // namespace dscope
