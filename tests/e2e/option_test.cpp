// Effects of options that no other test covers, one test per option (d-language.md 9).
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Compiles only and returns stderr.
std::string compile(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-xerrtags", "-e"});
  return dscope(arguments).err;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text = "") {
    int fd = mkstemp(path_.data());
    if (fd >= 0) close(fd);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  std::string text() const {
    std::stringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "dscope-option-XXXXXX").string();
};

// ---------------------------------------------------------------- where options come from

TEST(Options, PragmasOverrideCommandLineAndEnvironment) {
  SKIP_UNLESS_TRACING();
  const std::string program = "BEGIN { trace(sizeof(string)); exit(0); }";
  EXPECT_EQ(dscope({"-qn", program}, {"DTRACE_OPT_STRSIZE=10"}).out, "10\n");
  EXPECT_EQ(dscope({"-xstrsize=20", "-qn", program}, {"DTRACE_OPT_STRSIZE=10"}).out, "20\n");
  EXPECT_EQ(dscope({"-xstrsize=20", "-xstrsize=25", "-qn", program}).out, "25\n");
  EXPECT_EQ(dscope({"-xstrsize=20", "-qn", "#pragma D option strsize=30\n" + program}).out, "30\n");
  EXPECT_EQ(dscope({"-n", "BEGIN { exit(0); }"}, {"DTRACE_OPT_QUIET="}).err, "");
}

TEST(Options, MessagesNameTheOption) {
  EXPECT_EQ(dscope({"-xnosuch", "-n", "BEGIN"}).err.substr(0, 54),
            "dscope: failed to set -x nosuch: Invalid option name\n");
  const std::string hint = "dscope: `strsize` takes a size, as in 512k, 4m, 1g\n";
  EXPECT_EQ(dscope({"-xstrsize=1", "-n", "BEGIN"}).err,
            "dscope: failed to set -x strsize: Invalid value for specified option\n" + hint);
  EXPECT_EQ(dscope({"-xdiagnostics=classic", "-b", "4q", "-n", "BEGIN"}).err,
            "dscope: failed to set -b 4q: Invalid value for specified option\n");
  EXPECT_EQ(compile({"-n", "#pragma D option cpppath=x\nBEGIN"}),
            "dscope: invalid probe specifier #pragma D option cpppath=x\nBEGIN: [D_PRAGMA_OPTSET] failed to set option "
            "'cpppath' to 'x': Option cannot be used from within a D program\n"
            "dscope: hint: set it on the command line: -x cpppath=x\n");
}

// The run ends as by exit(0): END fires, aggregations are printed. A command that still runs does not delay the end.
TEST(Options, DurationEndsTheRun) {
  SKIP_UNLESS_TRACING();
  auto run =
      dscope({"-x", "duration=200ms", "-qn", "BEGIN { @ = count(); } END { trace(\"ended\"); }", "-c", "sleep 60"});
  EXPECT_EQ(run.out, "ended\n                1\n");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(dscope({"-x", "duration=0", "-qn", "tick-1ms { trace(1); } END { trace(2); }"}).out, "2\n");
}

// Pragmas about parsing apply to their own program only.
TEST(Options, ParsingPragmasApplyToTheirUnit) {
  TemporaryFile lax("#pragma D option defaultargs\nBEGIN { trace($1); }\n"), strict("BEGIN { trace($1); }\n");
  EXPECT_EQ(compile({"-s", lax.path()}), "");
  EXPECT_TRUE(has(compile({"-s", lax.path(), "-s", strict.path()}), "[D_MACRO_UNDEF]"));
}

// ---------------------------------------------------------------- single options, by name

TEST(Options, CoreAbortsAfterTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-xcore", "-qn", "BEGIN { printf(\"done\\n\"); exit(0); }"});
  EXPECT_EQ(outcome.out, "done\n\n");
  EXPECT_EQ(outcome.status, 128 + SIGABRT);
}

TEST(Options, CtypesAndDtypesWriteTypes) {
  TemporaryFile kernel, d;
  EXPECT_EQ(compile({"-xctypes=" + kernel.path(), "-xdtypes=" + d.path(), "-n",
                     "struct point { int x; string name; }; BEGIN { trace(curthread->pid); }"}),
            "");
  EXPECT_TRUE(has(kernel.text(), "struct task_struct {"));
  EXPECT_TRUE(has(kernel.text(), " pid;"));
  EXPECT_FALSE(has(kernel.text(), "struct point"));
  EXPECT_TRUE(has(d.text(), "struct point {\t/* 264 bytes */\n\tint x;\t/* 0 */\n\tstring name;\t/* 4 */\n};\n"));
  EXPECT_FALSE(has(d.text(), "struct task_struct {"));
  EXPECT_TRUE(has(compile({"-xctypes=/nosuch/file", "-n", "BEGIN"}), "failed to open /nosuch/file: "));
  EXPECT_TRUE(
      has(compile({"-xctypes=", "-n", "BEGIN"}), "failed to set -x ctypes: Invalid value for specified option"));
}

TEST(Options, DebugassertIsAccepted) {
  EXPECT_EQ(compile({"-xdebugassert=mutexes", "-n", "BEGIN"}), "");
  EXPECT_EQ(compile({"-xdebugassert=x", "-n", "BEGIN"}), "");
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(Options, DisasmChoosesListings) {
  const std::vector<std::string> program{"-S", "-n", "BEGIN { trace(1); } syscall::read:entry { trace(2); }"};
  auto listing = [&](const std::string& mask) {
    std::vector<std::string> arguments{"-xdisasm=" + mask};
    arguments.insert(arguments.end(), program.begin(), program.end());
    return compile(arguments);
  };
  EXPECT_EQ(count(listing("1"), "Disassembly of "), 2);
  EXPECT_EQ(count(listing("2"), "\nDisassembly of program dtrace:::BEGIN, <prog_"), 1);
  EXPECT_EQ(count(listing("4"), "\nDisassembly of linked program "), 2);
  EXPECT_EQ(count(listing("15"), "Disassembly of "), 8);
  EXPECT_TRUE(has(listing("16"), "-x disasm: Invalid value for specified option"));
}

TEST(Options, IregsLimitsRegisters) {
  EXPECT_EQ(compile({"-xiregs=8", "-n", "BEGIN"}), "");
  EXPECT_EQ(compile({"-xiregs=7", "-n", "BEGIN"}),
            "dscope: invalid probe specifier BEGIN: Insufficient registers to generate code\n");
  EXPECT_TRUE(has(compile({"-xiregs=9", "-n", "BEGIN"}), "-x iregs: Invalid value for specified option"));
}

TEST(Options, KnodefsAcceptsUnknownSymbols) {
  SKIP_UNLESS_TRACING();
  const std::string program = "BEGIN { trace(`no_such_symbol); } BEGIN { exit(0); }";
  EXPECT_TRUE(has(compile({"-n", program}), "[D_IDENT_UNDEF]"));
  EXPECT_TRUE(has(compile({"-xknodefs", "-xkdefs", "-n", program}), "[D_IDENT_UNDEF]"));
  Outcome outcome = dscope({"-xknodefs", "-qn", program});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.err, "invalid address (0x0)")) << outcome.err;
}

TEST(Options, LinkmodeDynamicRejectsAddresses) {
  EXPECT_TRUE(has(compile({"-xlinkmode=dynamic", "-n", "BEGIN { trace(&`vfs_read); }"}), "[D_ASRELO]"));
  EXPECT_EQ(compile({"-xlinkmode=dynamic", "-xknodefs", "-n", "BEGIN { trace(&`vfs_read); }"}), "");
  EXPECT_EQ(compile({"-xlinkmode=dynamic", "-n", "BEGIN { trace(pid); }"}), "");
}

TEST(Options, LockmemIsAccepted) {
  SKIP_UNLESS_TRACING();
  for (const char* value : {"lockmem=64k", "lockmem=unlimited"})
    EXPECT_EQ(dscope({"-x", value, "-qn", "BEGIN { exit(3); }"}).status, 3) << value;
}

TEST(Options, PreallocateReservesMemory) {
  EXPECT_EQ(compile({"-xpreallocate=4m", "-n", "BEGIN"}), "");
  EXPECT_TRUE(has(compile({"-xpreallocate=1000t", "-n", "BEGIN"}), "cannot preallocate 1099511627776000 bytes: "));
}

TEST(Options, SetenvAndUnsetenvChangeTheEnvironment) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-xsetenv=DS_A=1", "-xsetenv=DS_A=2", "-xsetenv=DS_B=", "-xunsetenv=DS_C", "-c", "env", "-qn", "BEGIN"},
             {"DS_A=0", "DS_C=3", "DS_D=4"});
  EXPECT_TRUE(has(outcome.out, "DS_A=2\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "DS_B=\n"));
  EXPECT_TRUE(has(outcome.out, "DS_D=4\n"));
  EXPECT_FALSE(has(outcome.out, "DS_C=")) << outcome.out;
  EXPECT_TRUE(has(compile({"-xsetenv=DS_A", "-n", "BEGIN"}), "-x setenv: Invalid value for specified option"));
}

TEST(Options, TreeDumpsEachPhase) {
  const std::string program = "BEGIN { x = 1; }";
  EXPECT_EQ(compile({"-xtree=0", "-n", program}), "");
  EXPECT_TRUE(has(compile({"-xtree=1", "-n", program}), "Assign\n"));
  EXPECT_EQ(compile({"-xtree=2", "-n", program}), "x: int\n");
  EXPECT_TRUE(has(compile({"-xtree=4", "-n", program}), "program prog_0 for dtrace:::BEGIN\n"));
  EXPECT_TRUE(has(compile({"-xtree=8", "-n", program}), "define i32 @prog_0"));
  std::string failed = compile({"-xtree=15", "-n", "BEGIN { x = y; }"});
  EXPECT_TRUE(has(failed, "Assign\n")) << failed;
  EXPECT_FALSE(has(failed, "program prog_0"));
}

TEST(Options, TregsLimitsKeys) {
  const std::string program = "BEGIN { a[1, 2, 3] = 1; @[1, 2, 3, 4] = count(); }";
  EXPECT_EQ(compile({"-n", program}), "");
  EXPECT_EQ(compile({"-xtregs=4", "-n", program}), "");
  EXPECT_TRUE(has(compile({"-n", "BEGIN { a[1, 2, 3, 4, 5, 6, 7, 8, 9] = 1; }"}),
                  ": Insufficient tuple registers to generate code\n"));
  EXPECT_EQ(compile({"-n", "BEGIN { a[1, 2, 3, 4, 5, 6, 7, 8] = 1; @[1, 2, 3, 4, 5, 6, 7, 8, 9] = count(); }"}), "");
  EXPECT_EQ(compile({"-xtregs=9", "-n", "BEGIN { a[1, 2, 3, 4, 5, 6, 7, 8, 9] = 1; }"}), "");
  EXPECT_TRUE(has(compile({"-xtregs=3", "-n", program}), ": Insufficient tuple registers to generate code\n"));
}

TEST(Options, VerboseListsClauses) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-S", "-qn", "BEGIN { this->x = 1; } BEGIN { printf(\"%d\\n\", this->x + 1); exit(0); }"});
  EXPECT_EQ(outcome.out, "2\n\n");
  std::string head =
      "\nDisassembly of clause :::BEGIN, <dt_clause_0>:\nINS  OFF    OPCODE                  INSTRUCTION\n";
  EXPECT_EQ(outcome.err.substr(0, head.size()), head);
  EXPECT_TRUE(has(outcome.err, "\nDisassembly of clause :::BEGIN, <dt_clause_1>:\n"));
  EXPECT_TRUE(std::regex_search(outcome.err, std::regex("\n[0-9]{4} [0-9]{5}: 95 0 0 0000 00000000    exit\n")));
  EXPECT_EQ(dscope({"-xverbose", "-e", "-n", "BEGIN"}).err, dscope({"-S", "-e", "-n", "BEGIN"}).err);
}

}  // namespace
}  // namespace dscope::e2e
