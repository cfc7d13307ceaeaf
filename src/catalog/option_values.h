// Options: the table of d-language.md 9 as rows (options.def), and the values of one run. The environment, -x,
// command-line letters and `#pragma D option` set the values; every phase reads them through OptionValues.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/data_model.h"
#include "catalog/dialect.h"
#include "support/result.h"

namespace dscope {

enum class OptionId : uint8_t {
#define DS_OPTION(id, name, when, kind, default_value, release, help) id,
#include "catalog/options.def"
#undef DS_OPTION
};

// Compile: at compile time. Run: until tracing is active. Dynamic: at any time (setopt). ...CommandLine: not by
// pragmas.
enum class OptionWhen : uint8_t { Compile, Run, Dynamic, CompileCommandLine, RunCommandLine };
// Flag: takes no value. Bool, Number, Size, Rate (in ns), Text: have the syntaxes of d-language.md 9. Duration (in ns):
// as Rate, but a number without a unit counts seconds. Share: a percentage, in millionths.
enum class OptionKind : uint8_t { Flag, Bool, Number, Size, Rate, Duration, Share, Text };

struct OptionRow {
  OptionId id;
  std::string_view name;
  OptionWhen when;
  OptionKind kind;
  int64_t default_value;  // -1: unset
  Release release;        // unless Now, dscope rejects the option when switched on
  std::string_view help;
};

const OptionRow& row(OptionId id);
const OptionRow* find_option(std::string_view name);
const std::vector<std::string_view>& all_option_names();
// Returns the hint for a rejected setting: the values that the option takes ("`strsize` takes a size, as in 512k, 4m,
// 1g"), or the nearest name if no such option exists. May be empty.
std::string option_hint(std::string_view name);

// The origin of a setting. Pragmas may not set command-line-only options; setopt() may set only dynamic options.
enum class OptionOrigin : uint8_t { Environment, CommandLine, Pragma, Setopt };

class OptionValues {
 public:
  OptionValues();
  // Error texts are exactly "Invalid option name", "Invalid value for specified option", "Option cannot be used from
  // within a D program", "Operation illegal when tracing is active". Ignores `value` unless `has_value`. Joins the
  // values of repeatable text options (libdir, define, undef, incdir, cppargs, setenv, unsetenv) by newlines.
  Result<> set(std::string_view name, std::string_view value, bool has_value, OptionOrigin origin);
  void set_number(OptionId id, int64_t value);

  bool is_set(OptionId id) const { return numbers_[static_cast<size_t>(id)] != -1; }
  // Flags and bools: on or off. "quiet" set without a value is on.
  bool is_on(OptionId id) const;
  // Numbers, sizes in bytes, rates as a period in ns; -1 if unset and without default.
  int64_t number(OptionId id) const { return numbers_[static_cast<size_t>(id)]; }
  const std::string& text(OptionId id) const { return texts_[static_cast<size_t>(id)]; }
  // The arguments of the C preprocessor from define, undef, incdir, cpphdrs and cppargs, in the order of the settings:
  // "-DX=1", "-I/dir", "-H". Splits cppargs at blanks.
  const std::vector<std::string>& preprocessor_arguments() const { return preprocessor_arguments_; }
  // Set by -32 and -64, which have no option name.
  DataModel data_model() const { return data_model_; }
  void set_data_model(DataModel model) { data_model_ = model; }
  Dialect dialect() const { return Dialect::of_option(text(OptionId::Compat)); }
  // Returns the values of a repeatable text option, in order.
  std::vector<std::string> list(OptionId id) const;

  // An option that differs from its default: the parsed number, -1 if unset, and the text.
  struct Saved {
    std::string name;
    int64_t number = -1;
    std::string text;
  };
  // All such options but those of the preprocessor, which matter only while a program is compiled.
  std::vector<Saved> save() const;
  // Sets the options to the saved values and all others to their defaults. False if a name is unknown.
  bool restore(const std::vector<Saved>& saved);

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
