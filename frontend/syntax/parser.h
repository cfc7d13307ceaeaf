// parse(): one unit of D text -> its part of the Program. Recursive descent over the grammar of d-language.md 2, the
// lexer's mode (1.2) chosen by the parser. No kernel, no types: the only question asked outside is "is this a type?".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/token.h"
#include "support/diagnostic.h"

namespace dscope {

// What `$`-tokens stand for (d-language.md 1.7).
struct MacroArguments {
  std::vector<std::string> arguments;  // $1...: without $0
  std::string program_name;            // $0 of string units
  uint32_t target = 0;                 // $target
};

struct ParseOptions {
  bool default_arguments = false;      // option defaultargs: missing $N are 0, missing $$N are ""
  bool allow_unused_argument = false;  // option argref
  // Arguments of probes may have types that only the program knows for which -h or -G is run.
  bool takes_unknown_types = false;
  bool allow_empty = false;       // option empty
  bool probe_specifiers = false;  // option pspec; always on for string units
};

// Tells whether an unscoped identifier names a type the machine or an earlier unit knows (not the D types declared
// in this unit: the parser sees those itself). Must be cheap when the name was asked before.
using IsTypeName = std::function<bool(std::string_view)>;
// Tells whether a name is a built-in variable, function or inline known before this unit (d-language.md 1.2 step 5).
using IsIdentifier = std::function<bool(std::string_view)>;
// Called at each `#pragma D option` in source order, so that options which change parsing take effect at once.
// Returns an error text ("Invalid option name") to be reported as D_PRAGMA_OPTSET, or empty.
using ApplyOption = std::function<std::string(std::string_view name, std::string_view value, bool has_value)>;
// Whether the provider, module or library `name` is there for a `#pragma D depends_on`; kind is one of these words.
using IsAvailable = std::function<bool(std::string_view kind, std::string_view name)>;

// Tells whether there is a probe of that number, for specifiers that are one.
using HasProbe = std::function<bool(uint32_t)>;

struct ParseContext {
  MacroArguments macros;
  ParseOptions* options = nullptr;  // may be changed by apply_option during the parse
  IsTypeName is_type;
  IsIdentifier is_identifier;
  HasProbe has_probe;  // if missing, every number is taken for one
  ApplyOption apply_option;
  IsAvailable is_available;
  std::vector<Token>* tokens = nullptr;  // if set, gets every token and control line as they are read
};

// Appends `unit` to program.units. On a mistake the first diagnostic is reported and the rest of the unit is skipped;
// the program must then not be checked. Nesting deeper than program.max_levels is D_SYNTAX, never a stack overflow.
void parse_unit(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics);

// The names in the `#pragma D depends_on library NAME` lines of a D library, found without parsing it: what it needs
// must be compiled before it (d-language.md 8.3).
std::vector<std::string> library_dependencies(const SourceUnit& unit);

}  // namespace dscope
