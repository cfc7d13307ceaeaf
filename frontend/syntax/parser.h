// parse_unit(): parses one unit of D text into its part of the Program, by recursive descent over the grammar of
// d-language.md 2. The parser chooses the lexer's mode (d-language.md 1.2). It uses neither the kernel nor types;
// callbacks in the ParseContext answer questions such as "is this name a type?".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/script_options.h"
#include "contract/tracer_identity.h"
#include "frontend/syntax/ast.h"
#include "frontend/syntax/token.h"
#include "support/diagnostic.h"

namespace dscope {

// The values of `$` tokens (d-language.md 1.7).
struct MacroArguments {
  std::vector<std::string> arguments;    // $1..., without $0
  std::string program_name;              // $0 of string units
  uint32_t target = 0;                   // $target
  std::optional<TracerIdentity> tracer;  // $pid and the like; nullopt: this process
  std::string format = "text";           // $$format: the output format
  std::vector<ScriptValue> options;      // values of the options that `#pragma D arg` declares
};

struct ParseOptions {
  bool default_arguments = false;      // option defaultargs: missing $N are 0, missing $$N are ""
  bool allow_unused_argument = false;  // option argref
  // Set for -h and -G: only the program that contains the probes declares the types of their arguments.
  bool accepts_unknown_types = false;
  bool allow_empty = false;       // option empty
  bool probe_specifiers = false;  // option pspec; always on for string units
};

// Whether an unscoped identifier names a type of the machine or of an earlier unit. The parser itself tracks the D
// types that this unit declares. Must be cheap for a name that it was asked before.
using IsTypeName = std::function<bool(std::string_view)>;
// Whether a name is a built-in variable, function or inline that exists before this unit (d-language.md 1.2 step 5).
using IsIdentifier = std::function<bool(std::string_view)>;
// Applies a `#pragma D option`. The parser calls it in source order, so that options that change parsing take effect at
// once. Returns an error text ("Invalid option name") to report as D_PRAGMA_OPTSET; empty on success.
using ApplyOption = std::function<std::string(std::string_view name, std::string_view value, bool has_value)>;
// Whether the provider, module or library `name` of a `#pragma D depends_on` exists. `kind` is one of these three
// words.
using IsAvailable = std::function<bool(std::string_view kind, std::string_view name)>;

// Whether a probe with this id exists, for a specifier that is a number.
using HasProbe = std::function<bool(uint32_t)>;

struct ParseContext {
  MacroArguments macros;
  ParseOptions* options = nullptr;  // apply_option may change it during the parse
  IsTypeName is_type;
  IsIdentifier is_identifier;
  HasProbe has_probe;  // if missing, the parser accepts every number
  ApplyOption apply_option;
  IsAvailable is_available;
  std::vector<Token>* tokens = nullptr;  // if set, receives every token and control line in reading order
};

// Appends `unit` to program.units. Reports the first mistake and skips the rest of the unit; the caller must not check
// such a program. Nesting deeper than program.max_levels is D_SYNTAX, never a stack overflow.
void parse_unit(Program& program, UnitId unit, const ParseContext& context, Diagnostics& diagnostics);

// Returns the names in the `#pragma D depends_on library NAME` lines of a D library without parsing it: the libraries
// that it needs must be compiled before it (d-language.md 8.3).
std::vector<std::string> library_dependencies(const SourceUnit& unit);

}  // namespace dscope
