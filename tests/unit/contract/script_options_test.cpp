// The declarations of `#pragma D arg`: which options they make, the values of options, and mistakes.
#include "contract/script_options.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

ScriptOption only(std::string_view declaration) {
  auto options = parse_script_options(declaration);
  EXPECT_TRUE(options) << declaration;
  return options && options->size() == 1 ? options->front() : ScriptOption{};
}

std::string mistake(std::string_view declaration) {
  std::vector<ScriptOption> options;
  Result<> added = add_script_options(options, declaration);
  return added ? "" : added.error().message();
}

uint64_t number(ScriptValueKind kind, std::string_view text) {
  return script_number({.name = "x", .kind = kind}, text).value_or(~uint64_t{0});
}

TEST(ScriptOptions, LettersAreCommonOptions) {
  auto options = parse_script_options(" -p -n -t ");
  ASSERT_TRUE(options);
  ASSERT_EQ(options->size(), 3U);
  EXPECT_TRUE((*options)[0].is_of_dscope);
  EXPECT_EQ((*options)[1].name, "name");
  EXPECT_EQ((*options)[1].kind, ScriptValueKind::Text);
  EXPECT_EQ((*options)[2].default_text, "20");
  EXPECT_EQ((*options)[2].kind, ScriptValueKind::Number);
}

TEST(ScriptOptions, ACommonOptionMayHaveAnotherDefaultOrHelp) {
  EXPECT_EQ(only("-t N=30").default_text, "30");
  ScriptOption errors = only("-x \"only denials\"");
  EXPECT_EQ(errors.name, "errors");
  EXPECT_EQ(errors.help, "only denials");
}

TEST(ScriptOptions, DeclaresNamesValuesAndHelp) {
  ScriptOption min = only("-m, --min-time TIME=10ms \"a, b: c\"");
  EXPECT_EQ(min.letter, 'm');
  EXPECT_EQ(min.macro(), "min_time");
  EXPECT_EQ(min.default_text, "10ms");
  EXPECT_EQ(min.help, "a, b: c");
  EXPECT_EQ(min.synopsis(), "-m, --min-time TIME");
  EXPECT_EQ(only("--all").kind, ScriptValueKind::Flag);
}

TEST(ScriptOptions, WordsInCapitalsAreOperands) {
  EXPECT_TRUE(only("PATTERN").is_required);
  EXPECT_FALSE(only("[PATTERN]").is_required);
  EXPECT_EQ(only("[PATTERN] \"text\"").name, "pattern");
}

TEST(ScriptOptions, ExplainsMistakes) {
  EXPECT_EQ(mistake("-q"), "-q is not a common option");
  EXPECT_EQ(mistake("-q \"x\""), "-q needs a name");
  EXPECT_EQ(mistake("--Min"), "invalid option name `--Min`");
  EXPECT_EQ(mistake("--min time"), "`time` is not the name of a value");
  EXPECT_EQ(mistake("--min TIME=fast"), "invalid value 'fast' of --min: expected a time, as in 10s, 500ms or 20us");
  EXPECT_EQ(mistake("--min \"open"), "the help text lacks its closing quote");
  EXPECT_EQ(mistake("--min \"a\" b"), "nothing may follow the help text");
  EXPECT_EQ(mistake("--target"), "the name `target` is reserved");
  EXPECT_EQ(mistake("-n -n"), "`name` is declared twice");
  EXPECT_EQ(mistake(""), "expected [-LETTER,] [--NAME] [VALUE[=DEFAULT]] [\"HELP\"]");
}

TEST(ScriptOptions, ReadsNumbers) {
  EXPECT_EQ(number(ScriptValueKind::Number, "42"), 42U);
  EXPECT_EQ(number(ScriptValueKind::Number, "-1"), ~uint64_t{0});
  EXPECT_EQ(number(ScriptValueKind::Time, "2"), 2'000'000'000U);
  EXPECT_EQ(number(ScriptValueKind::Time, "20us"), 20'000U);
  EXPECT_EQ(number(ScriptValueKind::Time, "10hz"), ~uint64_t{0});
  EXPECT_EQ(number(ScriptValueKind::Time, "9999999999999999d"), ~uint64_t{0});
  EXPECT_EQ(number(ScriptValueKind::Size, "64k"), 65'536U);
  EXPECT_EQ(number(ScriptValueKind::Size, "1x"), ~uint64_t{0});
  EXPECT_EQ(number(ScriptValueKind::Flag, ""), 1U);
}

TEST(ScriptOptions, DescribesAScript) {
  auto script = describe_script(
      "#!/usr/bin/dscope -s\n/* Which files?\n *\n * A note.\n#pragma D arg -x\n */\n#pragma D arg -n\n# pragma  D arg "
      "-T\n"
      "BEGIN { trace(\"#pragma D arg -d\"); }\n");
  ASSERT_TRUE(script);
  ASSERT_EQ(script->options.size(), 2U);
  EXPECT_EQ(script->options[1].letter, 'T');
  EXPECT_EQ(script->summary, "Which files?");
  EXPECT_EQ(script->notes.front(), "A note.");
}

TEST(ScriptOptions, AScriptWithoutThePragmaHasNone) {
  auto script = describe_script("/* Text. */\n#pragma D option quiet\n#pragma D arguments\nBEGIN { }\n");
  ASSERT_TRUE(script);
  EXPECT_TRUE(script->options.empty());
}

}  // namespace
}  // namespace dscope
