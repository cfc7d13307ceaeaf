// --help: short, complete, and generated from the catalog's rows.
#include "driver/command_line/usage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "catalog/option_values.h"
#include "driver/command_line/letters.h"

namespace dscope {
namespace {

TEST(Help, FitsSixtyLines) {
  std::string help = help_text("dscope");
  EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 60);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Help, HintsAtTheMissingLetter) {
  EXPECT_EQ(program_hint({.program_name = "dtrace"}),
            "pass a program with -n or a script file with -s: dtrace -s script.d");
  EXPECT_EQ(program_hint({.program_name = "dtrace", .operands = {"nosuch.d", "1"}}),
            "pass a script file with -s: dtrace -s nosuch.d");
  EXPECT_EQ(program_hint({.program_name = "dtrace", .operands = {"/dev/null"}}),
            "pass a script file with -s: dtrace -s /dev/null");
  EXPECT_EQ(program_hint({.program_name = "dtrace", .operands = {"BEGIN { trace(1); }"}}),
            "pass a program with -n: dtrace -n 'BEGIN { trace(1); }'");
}

TEST(Help, StartsWithThreeOneLiners) {
  std::istringstream lines(help_text("dtrace"));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  for (int i = 0; i < 3; ++i) {
    std::getline(lines, line);
    EXPECT_EQ(line.find("  dtrace -"), 0U) << line;
  }
}

TEST(Help, NamesEveryLetterWithAnEffect) {
  std::string help = help_text("dscope");
  for (const LetterRow& row : letter_rows) {
    bool is_named = help.find(std::string("\n  -") + row.letter) != std::string::npos;
    EXPECT_EQ(is_named, row.group != LetterGroup::Hidden) << row.letter;
  }
  // The options of --serve and --otlp are in the manual only.
  for (std::string_view option : long_options) {
    bool is_named = help.find(option) != std::string::npos;
    EXPECT_TRUE(is_named || option.starts_with("--serve-") || option.starts_with("--otlp-")) << option;
  }
}

TEST(Letters, MatchDtracesGetoptString) {
  constexpr std::string_view getopt_string = "3:6:aAb:Bc:CD:ef:FGhHi:I:lL:m:n:o:p:P:qs:SU:vVwx:X:Z";
  size_t letters = 0;
  for (size_t i = 0; i < getopt_string.size(); ++i) {
    if (getopt_string[i] == ':') continue;
    bool wants_argument = i + 1 < getopt_string.size() && getopt_string[i + 1] == ':';
    const LetterRow* row = find_letter(getopt_string[i]);
    ASSERT_NE(row, nullptr) << getopt_string[i];
    EXPECT_EQ(!row->argument.empty(), wants_argument) << getopt_string[i];
    ++letters;
  }
  EXPECT_EQ(letters, std::size(letter_rows));
}

TEST(Letters, SetExistingOptions) {
  for (const LetterRow& row : letter_rows) {
    bool sets_option = row.effect == LetterEffect::Setting;
    EXPECT_EQ(sets_option && !find_option(row.option), false) << row.letter;
  }
}

}  // namespace
}  // namespace dscope
