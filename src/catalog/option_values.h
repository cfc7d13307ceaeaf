// Options: the table of d-language.md 9 as rows (options.def) and the values of one run. Set from the environment,
// -x, command-line letters and `#pragma D option`; read by every phase through OptionValues.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/data_model.h"
#include "support/result.h"

namespace dscope {

enum class OptionId : uint8_t {
#define DS_OPTION(id, name, when, kind, default_value, release, help) id,
#include "catalog/options.def"
#undef DS_OPTION
};

// C: compile time; R: run time, not once tracing is active; D: dynamic, any time (setopt).
enum class OptionWhen : uint8_t { Compile, Run, Dynamic, CompileCommandLine, RunCommandLine };
// Flag: takes no value; Bool, Number, Size, Rate (ns), Text: syntaxes of d-language.md 9.
enum class OptionKind : uint8_t { Flag, Bool, Number, Size, Rate, Text };

struct OptionRow {
  OptionId id;
  std::string_view name;
  OptionWhen when;
  OptionKind kind;
  int64_t default_value;  // -1: unset
  Release release;        // not Now: switching it on is refused
  std::string_view help;
};

const OptionRow& row(OptionId id);
const OptionRow* find_option(std::string_view name);
const std::vector<std::string_view>& all_option_names();
// What the option takes ("a size, as in 512k, 4m, 1g"), or which name was meant if there is no such option: the hint
// for a setting that was refused. May be empty.
std::string option_hint(std::string_view name);

// Who sets an option: pragmas may not set command-line-only ones, setopt() only dynamic ones.
enum class OptionOrigin : uint8_t { Environment, CommandLine, Pragma, Setopt };

class OptionValues {
 public:
  OptionValues();
  // Error texts are exactly "Invalid option name", "Invalid value for specified option", "Option cannot be used from
  // within a D program", "Operation illegal when tracing is active". value is ignored unless has_value. Text options
  // that may be given several times (libdir, define, undef, incdir, cppargs, setenv, unsetenv) are joined by newlines.
  Result<> set(std::string_view name, std::string_view value, bool has_value, OptionOrigin origin);
  void set_number(OptionId id, int64_t value);

  bool is_set(OptionId id) const { return numbers_[static_cast<size_t>(id)] != -1; }
  // Flags and bools: on or off. "quiet" set without a value is on.
  bool is_on(OptionId id) const;
  // Numbers, sizes in bytes, rates as a period in ns; -1 if unset and without default.
  int64_t number(OptionId id) const { return numbers_[static_cast<size_t>(id)]; }
  const std::string& text(OptionId id) const { return texts_[static_cast<size_t>(id)]; }
  // What define, undef, incdir, cpphdrs and cppargs ask of the C preprocessor, in the order in which they were set:
  // "-DX=1", "-I/dir", "-H". cppargs are split at blanks.
  const std::vector<std::string>& preprocessor_arguments() const { return preprocessor_arguments_; }
  // -32 and -64, which have no name among the options.
  DataModel data_model() const { return data_model_; }
  void set_data_model(DataModel model) { data_model_ = model; }
  // The values of a text option that may be given several times, in order.
  std::vector<std::string> list(OptionId id) const;

 private:
  Result<> set_value(const OptionRow& option, std::string_view value, bool has_value);
  Result<> set_text(const OptionRow& option, std::string_view value, bool has_value);
  void add_preprocessor_argument(OptionId id, std::string_view value);

  std::vector<int64_t> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::string> preprocessor_arguments_;
  DataModel data_model_ = DataModel::Lp64;
};

}  // namespace dscope
