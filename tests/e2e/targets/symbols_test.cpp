// Names of addresses in processes: every location of symbols, exited processes, C++ names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

std::string variant(const std::string& name) { return DSCOPE_TRIGGERS "/" + name; }

size_t count_of(const std::string& text, const std::string& wanted) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; at += wanted.size()) ++count;
  return count;
}

class SymbolsOf : public ::testing::TestWithParam<const char*> {};

// Full symbol table, debug file found by debug link, compressed table (.gnu_debugdata). Debian's debug packages use the
// fourth location, a debug file found by build id.
INSTANTIATE_TEST_SUITE_P(Symbols, SymbolsOf, ::testing::Values("names", "names_linked", "names_compressed"));

TEST_P(SymbolsOf, AreFoundAndDemangled) {
  SKIP_UNLESS_TRACING();
  std::string name = GetParam();
  Outcome outcome = dscope(
      {"-qn", "syscall::getppid:entry /pid == $target/ { ustack(1); usym(uregs[R_RIP]); }", "-c", variant(name)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("              " + name + "`shop::Cart<int>::add+0x"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("  " + name + "`shop::Cart<int>::add  "), std::string::npos) << outcome.out;
}

// Each element has the number of frames and the kind of stack that its statement requested.
TEST(Symbols, OneAggregationKeepsSeveralKindsOfStacks) {
  SKIP_UNLESS_TRACING();
  for (const char* unwinding : {"-xustackunwind=fp", "-xustackunwind=dwarf"}) {
    Outcome outcome = dscope({"-q", unwinding, "-c", variant("names"), "-n",
                              "syscall::getppid:entry /pid == $target/ { @a[stack(1)] = max(1); @a[stack(2)] = max(2);"
                              " @a[ustack(1)] = max(3); }"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    size_t frames = 0, elements = 0;
    bool is_user = false;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find('`') != std::string::npos) {
        ++frames;
        is_user = line.find("vmlinux`") == std::string::npos;
      } else if (line.find_first_not_of(' ') != std::string::npos) {
        int kind = std::stoi(line);
        EXPECT_EQ(frames, kind % 2 == 1 ? 1U : 2U) << outcome.out;
        EXPECT_EQ(is_user, kind > 2) << outcome.out;
        frames = 0;
        ++elements;
      }
    }
    EXPECT_EQ(elements, 3U) << outcome.out;
  }
}

TEST(Symbols, MangledKeepsLinkerNames) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-qxmangled", "-n", "syscall::getppid:entry /pid == $target/ { ustack(1); }", "-c", variant("names")});
  EXPECT_NE(outcome.out.find("names`_ZN4shop4CartIiE3addERKi+0x"), std::string::npos) << outcome.out;
}

TEST(Symbols, CallTreesAreDemangled) {
  SKIP_UNLESS_TRACING();
  const char* probes = "pid$target:a.out:main:entry, pid$target:a.out:*Cart*:entry, pid$target:a.out:*Cart*:return";
  Outcome outcome = dscope({"-F", "-n", probes, "-c", variant("names")});
  EXPECT_NE(outcome.out.find(" -> main "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("   -> shop::Cart<int>::add "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("   <- shop::Cart<int>::add "), std::string::npos) << outcome.out;
  outcome = dscope({"-F", "-xmangled", "-n", probes, "-c", variant("names")});
  EXPECT_NE(outcome.out.find("   -> _ZN4shop4CartIiE3addERKi "), std::string::npos) << outcome.out;
}

// The call tree from main() on. Functions are numbered in order of appearance.
std::string tree_of(const std::string& program) {
  Outcome outcome = dscope({"-F", "-n",
                            "pid$target:a.out:main:entry { self->in = 1; } pid$target:a.out::entry /self->in/ {}"
                            "pid$target:a.out::return /self->in/ {} pid$target:a.out:main:return { self->in = 0; }",
                            "-c", variant(program)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<std::string> names;
  std::string tree;
  for (std::string line; std::getline(lines, line);) {
    size_t arrow = std::min(line.find("-> "), line.find("<- "));
    if (arrow == std::string::npos) continue;
    std::string name = line.substr(arrow + 3, line.find(' ', arrow + 3) - arrow - 3);
    auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) known = names.insert(names.end(), name);
    tree += line.substr(3, arrow) + (name == "main" ? name : std::to_string(known - names.begin())) + "\n";
  }
  return tree;
}

// strip(1) keeps the unwind tables, which contain the start of each function.
TEST(Symbols, StrippedFunctionsAreNamedByAddress) {
  SKIP_UNLESS_TRACING();
  std::string stripped = tree_of("functions_stripped");
  EXPECT_EQ(stripped, tree_of("functions"));
  EXPECT_EQ(count_of(stripped, "-> "), 8U) << stripped;
  EXPECT_NE(stripped.find("-> main"), std::string::npos) << stripped;
  Outcome stack = dscope({"-qn", "syscall::getppid:entry /pid == $target/ { ustack(2); }", "-xustackunwind=dwarf", "-c",
                          variant("functions_stripped")});
  EXPECT_NE(stack.out.find("functions_stripped`main+0x"), std::string::npos) << stack.out;
}

// For unwinding by DWARF the consumer keeps the aggregation's elements itself. It cannot with bufpolicy=ring, which
// discards records.
TEST(Symbols, StackKeysInRingBuffersFollowFramePointers) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-xustackunwind=dwarf", "-xbufpolicy=ring", "-c", variant("names"), "-n",
                            "syscall::getppid:entry /pid == $target/ { @stacks[ustack()] = count(); }"});
  EXPECT_NE(outcome.err.find("with bufpolicy=ring: ustack() in @stacks[] follows frame pointers"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("names`shop::Cart<int>::add"), std::string::npos) << outcome.out;
  outcome = dscope({"-q", "-xustackunwind=dwarf", "-c", variant("names"), "-n",
                    "syscall::getppid:entry /pid == $target/ { ustack(); @[ufunc(ucaller)] = count(); }"});
  EXPECT_EQ(outcome.err, "");
}

TEST(Symbols, NoresolvePrintsObjectAndOffset) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-qxnoresolve", "-n", "syscall::getppid:entry /pid == $target/ { ustack(1); }", "-c", variant("names")});
  EXPECT_NE(outcome.out.find("              names:0x"), std::string::npos) << outcome.out;
}

// Large .bss variables lie in anonymous pages, which no file backs.
TEST(Symbols, ZeroInitializedVariablesHaveNames) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qn", "pid$target:a.out:look_at:entry { usym(arg0); }", "-c", variant("variables")});
  for (const char* name : {"small_zeroed", "large_zeroed", "initialized", "constant"})
    EXPECT_NE(outcome.out.find(std::string{"  variables`"} + name + "  "), std::string::npos) << outcome.out;
}

// The consumer reads the records after all processes have exited.
TEST(Symbols, ExitedProcessesKeepTheirSymbols) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qxswitchrate=60s", "-n", "syscall::getppid:entry /ppid == $target/ { ustack(1); }", "-c",
                            variant("names run 20")});
  EXPECT_EQ(count_of(outcome.out, "names`shop::Cart<int>::add+0x"), 20u) << outcome.out;
  Outcome keys = dscope(
      {"-qn", "syscall::getppid:entry /ppid == $target/ { @[ustack(1)] = count(); }", "-c", variant("names run 20")});
  EXPECT_EQ(count_of(keys.out, "names`shop::Cart<int>::add+0x"), 20u) << keys.out;
}

// The program exists only in its container's mounts. It has exited when its stack is printed, but the container runs
// on.
TEST(Symbols, ExitedProcessesOfContainersKeepTheirSymbols) {
  SKIP_UNLESS_TRACING();
  if (run({"unshare", "-m", "true"}).status != 0) GTEST_SKIP() << "no mount namespaces";
  std::string directory = std::filesystem::temp_directory_path() / "container_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::filesystem::create_directory(directory + "/hidden");
  std::ofstream(directory + "/run") << "cd " << directory << "; mkfifo end; mount -t tmpfs none hidden; cp "
                                    << variant("names") << " hidden/contained; hidden/contained; read word < end\n";
  Outcome outcome = dscope({"-qwn",
                            "syscall::getppid:entry /execname == \"contained\"/ { ustack(1); }"
                            "proc:::exit /execname == \"contained\"/ { system(\"echo > " +
                                directory + "/end\"); }",
                            "-c", "unshare -m sh " + directory + "/run"});
  EXPECT_NE(outcome.out.find("contained`shop::Cart<int>::add+0x"), std::string::npos) << outcome.out << outcome.err;
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace dscope::e2e
