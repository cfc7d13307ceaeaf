// Command lines of scripts that declare options: which words are the script's, and which dscope's.
#include "driver/command_line/script_arguments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "driver/command_line/command_line.h"
#include "driver/command_line/usage.h"

namespace dscope {
namespace {

class ScriptCommandLine : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::path(testing::TempDir()) / (std::string(test->name()) + ".d")).string();
    write(
        "/* Which calls? */\n#pragma D arg -p -n -x -d\n#pragma D arg -m, --min TIME=1ms \"the shortest\"\n"
        "#pragma D arg [PATTERN]\n");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

  tl::expected<CommandLine, CommandLineError> parse(std::vector<const char*> after,
                                                    std::vector<const char*> before = {}) const {
    std::vector<const char*> words{"dscope"};
    words.insert(words.end(), before.begin(), before.end());
    words.insert(words.end(), {"-s", path_.c_str()});
    words.insert(words.end(), after.begin(), after.end());
    return parse_command_line(words);
  }
  std::string error_of(std::vector<const char*> after) const {
    auto line = parse(std::move(after));
    return line ? "" : line.error().text.substr(0, line.error().text.find('\n'));
  }

  std::string path_;
};

using Values = std::vector<ScriptValue>;

TEST_F(ScriptCommandLine, TakesDeclaredOptionsAfterTheScript) {
  auto line = parse({"-xn", "cat", "--min=5us", "open*"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->script.values(), (Values{{"errors", "1"}, {"name", "cat"}, {"min", "5us"}, {"pattern", "open*"}}));
  EXPECT_EQ(line->programs.size(), 1U);
  EXPECT_TRUE(line->settings.empty());
}

TEST_F(ScriptCommandLine, LeavesOtherOptionsToDscope) {
  auto line = parse({"-o", "file", "-p", "12", "-q"}, {"-x", "strsize=64"});
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->script.values().empty());
  EXPECT_EQ(line->output_file, "file");
  ASSERT_EQ(line->targets.size(), 1U);
  ASSERT_EQ(line->settings.size(), 2U);
  EXPECT_EQ(line->settings[0].name, "strsize");
}

TEST_F(ScriptCommandLine, DurationIsAnOptionOfDscope) {
  auto line = parse({"-d", "500ms"});
  ASSERT_TRUE(line);
  ASSERT_EQ(line->settings.size(), 1U);
  EXPECT_EQ(line->settings[0].name, "duration");
  EXPECT_EQ(line->settings[0].value, "500ms");
}

TEST_F(ScriptCommandLine, ExplainsMistakes) {
  EXPECT_EQ(error_of({"--min", "fast"}),
            "dscope: invalid value 'fast' of --min: expected a time, as in 10s, 500ms or 20us");
  EXPECT_EQ(error_of({"a", "b"}), "dscope: unexpected argument 'b'");
  EXPECT_EQ(error_of({"-n"}), "dscope: option requires an argument -- 'n'");
  EXPECT_EQ(error_of({"--errors=yes"}), "dscope: option '--errors' doesn't allow an argument");
  EXPECT_EQ(error_of({"--mim", "1"}), "dscope: unrecognized option '--mim'; did you mean '--min'?");
  EXPECT_EQ(error_of({"-y"}), "dscope: invalid option -- 'y'");
}

// The second line of the message.
TEST_F(ScriptCommandLine, HintsNameTheOptionsForAName) {
  auto hint = [&] {
    auto line = parse({"x"});
    std::string text = line ? "" : line.error().text;
    return text.substr(text.find('\n') + 1, text.find('\n', text.find('\n') + 1) - text.find('\n') - 1);
  };
  write("#pragma D arg -n\n");
  EXPECT_EQ(hint(), "dscope: hint: to trace one program: -n x");
  write("#pragma D arg -n\n#pragma D arg -m, --module NAME=a.out \"\"\n#pragma D arg -k, --kernel NAME \"\"\n");
  EXPECT_EQ(hint(), "dscope: hint: did you mean -n x or -k x?");
  write("#pragma D arg -f, --function NAME \"\"\n");
  EXPECT_EQ(hint(), "dscope: hint: did you mean -f x?");
}

TEST_F(ScriptCommandLine, RequiredOperandsMustBePresent) {
  write("#pragma D arg PATTERN\n");
  EXPECT_EQ(error_of({}), "dscope: PATTERN is missing");
}

TEST_F(ScriptCommandLine, HelpIsTheScripts) {
  for (const char* help : {"-h", "--help"}) {
    auto line = parse({help});
    ASSERT_TRUE(line);
    EXPECT_EQ(line->mode, RunMode::Help);
    std::string text = help_text(*line);
    EXPECT_TRUE(text.starts_with("Which calls?\n")) << text;
    EXPECT_NE(text.find("  -m, --min TIME         the shortest (default 1ms)\n"), std::string::npos) << text;
    EXPECT_NE(text.find(" [PATTERN] "), std::string::npos) << text;
  }
}

TEST_F(ScriptCommandLine, HelpWrapsTheNotesOfTheScript) {
  write(
      "/* Which calls?\n *\n * One line.\n * Another line of the same paragraph, which is so long that it is broken.\n "
      "*/\n"
      "#pragma D arg -n\n");
  auto line = parse({"-h"});
  ASSERT_TRUE(line);
  EXPECT_TRUE(help_text(*line).ends_with(
      "\n\nOne line. Another line of the same paragraph, which is so long that it is\nbroken.\n"))
      << help_text(*line);
}

TEST_F(ScriptCommandLine, ScriptsWithoutDeclarationsChangeNothing) {
  write("#pragma D option quiet\nBEGIN { }\n");
  auto line = parse({"-x", "strsize=64", "one", "two", "-n", "BEGIN"});
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->script.is_empty());
  EXPECT_EQ(line->operands.size(), 2U);
  EXPECT_EQ(line->programs.size(), 2U);
  EXPECT_EQ(line->settings[0].value, "64");
  auto header = parse({"-h"});
  ASSERT_TRUE(header);
  EXPECT_EQ(header->mode, RunMode::Header);
}

}  // namespace
}  // namespace dscope
