// Command lines: parsing, the order of settings, and the messages for rejected command lines.
#include "driver/command_line/command_line.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

tl::expected<CommandLine, CommandLineError> parse(std::vector<const char*> words,
                                                  const char* name = "/usr/bin/dscope") {
  words.insert(words.begin(), name);
  return parse_command_line(words);
}

std::string error_of(std::vector<const char*> words) {
  auto line = parse(std::move(words));
  return line ? "" : line.error().text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Result<OptionValues> options_of(std::vector<const char*> words, std::map<std::string, std::string> environment = {}) {
  auto line = parse(std::move(words));
  if (!line) return fail(Error{line.error().text});
  return make_options(*line, [&](const std::string& name) {
    auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(CommandLine, KeepsProgramsInOrder) {
  auto line = parse({"-n", "BEGIN", "-s", "a.d", "-P", "syscall", "-m", "vmlinux", "-f", "read", "-i", "1"});
  ASSERT_TRUE(line);
  std::string letters;
  for (const ProgramArgument& program : line->programs) letters += program.letter;
  EXPECT_EQ(letters, "nsPmfi");
  EXPECT_EQ(line->programs[1].text, "a.d");
  EXPECT_TRUE(line->programs[1].is_script());
  EXPECT_EQ(line->mode, RunMode::Trace);
}

TEST(CommandLine, ClustersLettersAndAttachesArguments) {
  auto line = parse({"-qws", "a.d", "-nBEGIN", "-b512k"});
  ASSERT_TRUE(line);
  ASSERT_EQ(line->programs.size(), 2U);
  EXPECT_EQ(line->programs[0].text, "a.d");
  EXPECT_EQ(line->programs[1].text, "BEGIN");
  ASSERT_EQ(line->settings.size(), 3U);
  EXPECT_EQ(line->settings[0].name, "quiet");
  EXPECT_EQ(line->settings[1].name, "destructive");
  EXPECT_EQ(line->settings[2].flag, "-b 512k");
}

TEST(CommandLine, OptionsMayFollowOperandsUntilDoubleDash) {
  auto line = parse({"one", "-q", "two words", "-", "--", "-v", "--help"});
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->targets.empty());
  EXPECT_EQ(line->operands, (std::vector<std::string>{"one", "two words", "-", "-v", "--help"}));
  EXPECT_EQ(line->settings.size(), 1U);
  EXPECT_FALSE(line->is_verbose);
}

TEST(CommandLine, RunsTheCommandAfterDoubleDash) {
  using Words = std::vector<std::string>;
  auto line = parse({"-s", "a.d", "one", "--", "git", "log", "two words", "-q", "--", "file"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->operands, Words{"one"});
  EXPECT_TRUE(line->settings.empty());
  ASSERT_EQ(line->targets.size(), 1U);
  EXPECT_TRUE(line->targets[0].is_command);
  EXPECT_EQ(line->targets[0].words, (Words{"git", "log", "two words", "-q", "--", "file"}));

  line = parse({"-s", "a.d", "--", "-5", "one", "--", "ls", "-l"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->operands, (Words{"-5", "one"}));
  EXPECT_EQ(line->targets.at(0).words, (Words{"ls", "-l"}));

  EXPECT_TRUE(parse({"-l", "--"})->targets.empty());
}

// Scripts for DTrace pass operands after `--`.
TEST(CommandLine, DoubleDashOnlyEndsTheOptionsOfDtraceAndOfObjects) {
  auto line = parse({"-s", "a.d", "--", "ls", "-l", "--"}, "/usr/sbin/dtrace");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->operands, (std::vector<std::string>{"ls", "-l", "--"}));
  EXPECT_TRUE(line->targets.empty());
  line = parse({"-G", "-s", "a.d", "--", "x.o"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->operands, std::vector<std::string>{"x.o"});
  EXPECT_TRUE(line->targets.empty());
}

TEST(CommandLine, CommandsHaveQuotes) {
  std::vector<std::string> words{"sh", "-c", "exit 3"};
  EXPECT_EQ(parse({"-c", "sh -c 'exit 3'"})->targets.at(0).words, words);
  EXPECT_EQ(error_of({"-c", "sh -c 'exit 3"}), "dscope: -c: unterminated ' in: sh -c 'exit 3\n");
  // Other DTraces split at blanks only.
  TargetRequest request = parse({"-c", "echo it's"}, "dtrace")->targets.at(0);
  EXPECT_EQ(request.text, "echo it's");
  EXPECT_TRUE(request.words.empty());
}

TEST(CommandLine, KeepsTheProgramName) {
  auto line = parse({"-l"}, "./bin/dtrace");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->program_name, "dtrace");
  EXPECT_EQ(line->invoked_as, "./bin/dtrace");
}

TEST(CommandLine, TargetsShareOneList) {
  auto line = parse({"-p", "12", "-c", "ls -l"});
  ASSERT_TRUE(line);
  ASSERT_EQ(line->targets.size(), 2U);
  EXPECT_FALSE(line->targets[0].is_command);
  EXPECT_EQ(line->targets[0].text, "12");
  EXPECT_TRUE(line->targets[1].is_command);
  EXPECT_EQ(line->targets[1].text, "ls -l");
}

TEST(CommandLine, ParsesModesAndFlags) {
  EXPECT_EQ(parse({"-l"})->mode, RunMode::List);
  EXPECT_EQ(parse({"-V"})->mode, RunMode::Version);
  EXPECT_EQ(parse({"--version"})->mode, RunMode::Version);
  EXPECT_EQ(parse({"--help", "-l", "-V"})->mode, RunMode::Help);
  EXPECT_TRUE(parse({"-e"})->is_compile_only);
  EXPECT_TRUE(parse({"-lv"})->is_verbose);
  EXPECT_EQ(parse({"-32", "-l"})->data_model, DataModel::Ilp32);
  EXPECT_EQ(parse({"-3", "2", "-64", "-l"})->data_model, DataModel::Lp64);
  EXPECT_EQ(parse({"-n", "BEGIN", "-o", "out"})->output_file, "out");
}

TEST(CommandLine, DumpImpliesDryRun) {
  auto plain = parse({"--dry-run", "-n", "BEGIN"});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->dumps, (std::vector<DumpStage>{DumpStage::Summary, DumpStage::Plan, DumpStage::Ir}));
  auto chosen = parse({"--dump=asm,tokens,asm", "-n", "BEGIN"});
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen->is_dry_run);
  EXPECT_EQ(chosen->dumps, (std::vector<DumpStage>{DumpStage::Tokens, DumpStage::Asm}));
  EXPECT_EQ(parse({"--dump", "ir-opt"})->dumps, std::vector<DumpStage>{DumpStage::IrOpt});
  EXPECT_EQ(
      error_of({"--dump=irx"}),
      "dscope: invalid --dump stage 'irx': expected one of summary, tokens, ast, source, types, probes, plan, ir, "
      "ir-opt, asm, object\n");
}

TEST(CommandLine, PrintsHelpWithoutArguments) {
  auto line = parse({});
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().exit_status, 2);
  EXPECT_NE(line.error().text.find("syscall:::entry"), std::string::npos);
}

TEST(CommandLine, WrongOptionsPrintErrorThenUsage) {
  EXPECT_EQ(first_line(error_of({"-y"})), "dscope: invalid option -- 'y'");
  EXPECT_EQ(first_line(error_of({"-qn"})), "dscope: option requires an argument -- 'n'");
  EXPECT_EQ(first_line(error_of({"-31"})), "dscope: illegal option -- 31");
  EXPECT_EQ(first_line(error_of({"--dryrun"})), "dscope: unrecognized option '--dryrun'; did you mean '--dry-run'?");
  EXPECT_EQ(first_line(error_of({"--facts"})), "dscope: option '--facts' requires an argument");
  EXPECT_EQ(first_line(error_of({"--frobnicate"})), "dscope: unrecognized option '--frobnicate'");
  EXPECT_EQ(first_line(error_of({"--help=x"})), "dscope: option '--help' doesn't allow an argument");
  EXPECT_NE(error_of({"-y"}).find("\nUsage: dscope "), std::string::npos);
}

TEST(CommandLine, ModesExcludeEachOther) {
  std::string only_one = "dscope: only one of the [-GhlV] options can be specified at a time\n";
  EXPECT_EQ(error_of({"-l", "-V"}), only_one);
  EXPECT_EQ(error_of({"-G", "-h"}), only_one);
  EXPECT_EQ(error_of({"-lB"}), "dscope: -B not valid in combination with [-Gl] options\n");
  EXPECT_EQ(error_of({"-B", "-o", "x"}), "dscope: -B not valid in combination with -o option\n");
}

TEST(CommandLine, HeadersAndObjectsNeedPrograms) {
  EXPECT_EQ(error_of({"-h"}), "dscope: -h requires one or more scripts or enabling options\n");
  EXPECT_EQ(error_of({"-G", "x.o"}), "dscope: -G requires one or more scripts or enabling options\n");
  EXPECT_EQ(error_of({"-h", "-s", "a.d", "-s", "b.d"}),
            "dscope: -h requires an output file if multiple scripts are specified\n");
  EXPECT_EQ(error_of({"-h", "-n", "BEGIN"}), "dscope: -h requires an output file if no scripts are specified\n");
  EXPECT_EQ(parse({"-h", "-s", "a.d", "-s", "b.d", "-o", "x.h"})->mode, RunMode::Header);
  auto object = parse({"-32", "-G", "-xnolibs", "-C", "-DX", "-s", "a.d", "x.o", "y.o"});
  EXPECT_EQ(object->mode, RunMode::Object);
  EXPECT_EQ(object->operands.size(), 2u);
}

TEST(CommandLine, MergingIsAModeOfItsOwn) {
  auto line = parse({"--merge", "--format=csv", "a.json", "-"});
  EXPECT_EQ(line->mode, RunMode::Merge);
  EXPECT_EQ(line->operands, (std::vector<std::string>{"a.json", "-"}));
  EXPECT_EQ(error_of({"--merge"}),
            "dscope: --merge requires results of --format=json: files, or - for standard input\n");
  std::string alone = "dscope: --merge only adds up results: omit programs, targets and other modes\n";
  for (const char* other : {"-l", "-e", "--live", "--dry-run", "-h"})
    EXPECT_EQ(error_of({"--merge", "a", other}), alone);
  EXPECT_EQ(error_of({"--merge", "a", "-n", "BEGIN"}), alone);
  EXPECT_EQ(error_of({"--merge", "a", "--", "true"}), alone);
}

TEST(CommandLine, AnonymousTracingIsRejected) {
  EXPECT_EQ(error_of({"-A"}), "dscope: anonymous tracing is not supported\n");
}

TEST(CommandLine, PreprocessorLettersAreAcceptedWithoutScript) {
  EXPECT_TRUE(parse({"-C", "-n", "BEGIN"}));
  EXPECT_TRUE(parse({"-D", "X=1", "-U", "Y", "-I", "dir", "-H", "-X", "s", "-s", "x.d"}));
  EXPECT_TRUE(parse({"-e", "-B"}));
}

TEST(Options, LaterSettingsOverrideEnvironmentAndDefaults) {
  EXPECT_EQ(options_of({"-l"})->number(OptionId::Strsize), 256);
  EXPECT_EQ(options_of({"-l"}, {{"DTRACE_OPT_STRSIZE", "64"}})->number(OptionId::Strsize), 64);
  EXPECT_EQ(
      options_of({"-x", "strsize=32", "-x", "strsize=1k"}, {{"DTRACE_OPT_STRSIZE", "64"}})->number(OptionId::Strsize),
      1024);
  EXPECT_EQ(options_of({"-b", "1m", "-x", "bufsize=2m"})->number(OptionId::Bufsize), 2 << 20);
  EXPECT_TRUE(options_of({"-l"}, {{"DTRACE_OPT_QUIET", ""}})->is_on(OptionId::Quiet));
  EXPECT_TRUE(options_of({"-qFwZ"})->is_on(OptionId::Zdefs));
  EXPECT_EQ(options_of({"-L", "a", "-x", "libdir=b"})->text(OptionId::Libdir), "a\nb");
  EXPECT_EQ(options_of({"--format=text", "-l"})->text(OptionId::Format), "text");
  EXPECT_TRUE(options_of({"--format=csv", "-l"})->is_on(OptionId::Quiet));
  EXPECT_TRUE(options_of({"-x", "oformat=json", "-l"})->is_on(OptionId::Quiet));
}

TEST(Options, FailuresNameTheSetting) {
  auto unknown = options_of({"-x", "strsiz=3"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message(), "failed to set -x strsiz: Invalid option name");
  EXPECT_EQ(unknown.error().hint_text(), "did you mean `strsize`?");
  EXPECT_EQ(unknown.error().exit_status(), 1);
  EXPECT_EQ(options_of({"-x", "strsize=1"}).error().message(),
            "failed to set -x strsize: Invalid value for specified option");
  EXPECT_EQ(options_of({"-b", "4q"}).error().message(), "failed to set -b 4q: Invalid value for specified option");
  EXPECT_EQ(options_of({"-X", "z"}).error().message(), "failed to set -X z: Invalid value for specified option");
  EXPECT_EQ(options_of({"-l"}, {{"DTRACE_OPT_CPU", "x"}}).error().message(),
            "failed to set DTRACE_OPT_CPU: Invalid value for specified option");
  EXPECT_EQ(options_of({"-x", "oformat=xml", "-l"}).error().message(),
            "failed to set -x oformat: option `oformat=xml` is not available in this version of dscope");
  EXPECT_EQ(options_of({"--format=yaml", "-l"}).error().message(),
            "failed to set --format=yaml: Invalid value for specified option");
}

TEST(Options, ConformanceEnvironmentIsAccepted) {
  EXPECT_TRUE(options_of(
      {"-l"},
      {{"DTRACE_OPT_DEBUGASSERT", "mutexes"}, {"DTRACE_OPT_SYSLIBDIR", "/tmp"}, {"DTRACE_OPT_CPPARGS", "-I/tmp"}}));
}

TEST(Version, PrintsTextThatScriptsExpect) {
  EXPECT_EQ(version_text("dtrace", false), "dtrace: Oracle D 2.0\n");
  EXPECT_EQ(version_text("dscope", false).find("dscope: dscope "), 0U);
  std::string verbose = version_text("dtrace", true);
  EXPECT_EQ(std::count(verbose.begin(), verbose.end(), '\n'), 4);
}

TEST(NoticeName, EndsBeforePredicateOrAction) {
  EXPECT_EQ(notice_name("BEGIN { }"), "BEGIN ");
  EXPECT_EQ(notice_name("BEGIN{}"), "BEGIN");
  EXPECT_EQ(notice_name("syscall::read:entry/pid == 1/{}"), "syscall::read:entry");
  EXPECT_EQ(notice_name("BEGIN;END"), "BEGIN");
  EXPECT_EQ(notice_name("BEGIN"), "BEGIN");
}

}  // namespace
}  // namespace dscope
