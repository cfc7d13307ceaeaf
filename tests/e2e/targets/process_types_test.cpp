// Types of processes whose debug information is in other files or missing, and of 32-bit programs. The script
// language/types_of_a_process.d tests the use of such types.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

Outcome run_with(const std::string& program, const std::string& script) {
  return dscope({"-q", "-xerrtags", "-n", script, "-c", std::string(DSCOPE_TRIGGERS "/") + program});
}

// Prints the record that `described` writes, by its own types.
constexpr const char* read_record =
    "syscall::write:entry /pid == $target && arg2 == sizeof(pid$target`record_t)/ "
    "{ printf(\"%d %s\\n\", ((pid$target`record_t *)arg1)->value, "
    "stringof(((pid$target`record_t *)arg1)->list->text)); }";

TEST(ProcessTypes, AreFoundInASeparateFile) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_with("described_linked", read_record);
  EXPECT_EQ(outcome.out, "-42 last\n\n") << outcome.err;
}

// -gsplit-dwarf puts names and types into .dwo files beside the objects.
TEST(ProcessTypes, AreFoundInSplitFiles) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_with("described_split", read_record);
  EXPECT_EQ(outcome.out, "-42 last\n\n") << outcome.err;
}

// In a .dwp package, in the objects themselves, or compressed in a format that not every libelf supports.
TEST(ProcessTypes, AreFoundInEveryDebugFormat) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "split_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::string split = " -g -O0 " DSCOPE_SOURCE_DIR "/tests/e2e/triggers/described.cpp -gsplit-dwarf";
  const std::string builds[] = {
      "clang++-19" + split + " -c -o a.o && clang++-19 a.o -o p && llvm-dwp-19 -e p -o p.dwp && rm a.dwo",
      "clang++-19" + split + " -gdwarf-4 -c -o a.o && clang++-19 a.o -o p && llvm-dwp-19 -e p -o p.dwp && rm a.dwo",
      "clang++-19" + split + "=single -c -o a.o && clang++-19 a.o -o p",
      "c++ -fdebug-types-section" + split + " -c -o a.o && c++ a.o -o p",
      "objcopy --compress-debug-sections=zstd " DSCOPE_TRIGGERS "/described p"};
  int built = 0;
  for (const std::string& build : builds) {
    if (std::system(("cd " + directory + " && rm -f * && { " + build + "; } > log 2>&1").c_str()) != 0) continue;
    Outcome outcome = dscope({"-q", "-n", read_record, "-c", directory + "/p"});
    EXPECT_EQ(outcome.out, "-42 last\n\n") << build << outcome.err;
    ++built;
  }
  EXPECT_GT(built, 0) << "no compiler is installed";
  std::filesystem::remove_all(directory);
}

// The message names the missing file.
TEST(ProcessTypes, MissingSplitFilesAreNamed) {
  SKIP_UNLESS_TRACING();
  std::string directory = std::filesystem::temp_directory_path() / "split_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::string build = "cd " + directory +
                      " && c++ -g -gsplit-dwarf -c -o a.o " DSCOPE_SOURCE_DIR
                      "/tests/e2e/triggers/described.cpp && c++ a.o -o p && rm a.dwo";
  ASSERT_EQ(std::system(build.c_str()), 0);
  Outcome outcome = dscope({"-q", "-xdiagnostics=full", "-n", read_record, "-c", directory + "/p"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("is in missing files: a.dwo (-gsplit-dwarf)"), std::string::npos) << outcome.err;
  std::filesystem::remove_all(directory);
}

TEST(ProcessTypes, MissingDebugInformationIsReported) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_with("described_bare", "BEGIN { trace(sizeof(struct pid$target`node)); }");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("[D_UNKNOWN] in action list: failed to resolve type struct pid"), std::string::npos)
      << outcome.err;
}

// A uprobe names a file and no process, so the types come from the file.
TEST(ProcessTypes, DescribeFunctionsOfAFile) {
  SKIP_UNLESS_TRACING();
  std::string probe = "uprobe:" DSCOPE_TRIGGERS "/typed:find_shape:";
  Outcome outcome =
      run_with("typed", probe +
                            "entry /pid == $target/ { printf(\"%s %d, %s %d\\n\", stringof(args[0]->name), "
                            "args[0]->width, stringof(args[0]->next->name), args[1]); }" +
                            probe + "return /pid == $target/ { printf(\"%s\", stringof(args[1]->name)); }");
  EXPECT_EQ(outcome.out, "outer 30, inner -7\ninner\n") << outcome.err;
}

// Objects are passed in registers, on the stack, or in memory of the caller.
TEST(ProcessTypes, DescribeObjectsPassedByValue) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_with(
      "typed",
      "pid$target:a.out:turned:entry { printf(\"%d %d %c %s\\n\", args[0].first, args[0].second, args[0].mark, "
      "stringof(args[2])); }"
      "pid$target:a.out:turned:return { printf(\"%d %d %c\\n\", args[1].first, args[1].second, args[1].mark); }"
      "pid$target:a.out:enlarged:entry { this->shape = args[1]; printf(\"%d %s %d %d\\n\", args[0], "
      "stringof(args[1].name), this->shape.height, args[2]); }"
      "pid$target:a.out:enlarged:return { printf(\"%d %s\\n\", args[1].width, stringof(args[1].name)); }"
      "pid$target:a.out:by_value:entry { printf(\"%s %d\", stringof(args[0].next->name), args[1]); }");
  EXPECT_EQ(outcome.out, "inner 1100 -3 a word\n-3 100 z\n2 inner 4 9\n6 inner\n\n") << outcome.err;
}

TEST(ProcessTypes, DescribeObjectsWithCopyConstructors) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_with("described",
                             "pid$target:a.out:*measure*:entry { printf(\"%d %s %d %d\", args[0].number, "
                             "stringof(args[0].label.text), args[1].size, args[2]); }");
  EXPECT_EQ(outcome.out, "5 last 4 6\n") << outcome.err;
}

// The compiler moved parts of the function, or the linker put its debug information into another unit.
TEST(ProcessTypes, DescribeSplitFunctions) {
  SKIP_UNLESS_TRACING();
  for (const char* program : {"pieces", "pieces_linked"}) {
    Outcome outcome = run_with(program,
                               "pid$target:a.out:split*:entry { printf(\"%s %d %s\\n\", probefunc, args[0], "
                               "stringof(args[1])); } pid$target:a.out:split:return { printf(\"%d\", args[1]); }");
    EXPECT_EQ(outcome.out, "split 1 A\n67\n") << program << outcome.err;
  }
}

TEST(ProcessTypes, FloatingPointRegistersAreRejected) {
  SKIP_UNLESS_TRACING();
  for (const char* argument : {"find_shape:entry { trace(args[2]); }", "turned:entry { trace(args[1].x); }"}) {
    Outcome outcome = run_with("typed", std::string{"pid$target:a.out:"} + argument);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("is passed in a floating-point register"), std::string::npos) << outcome.err;
  }
}

// args[0] is the object whose member function is called (`this`).
TEST(ProcessTypes, DescribeMemberFunctions) {
  SKIP_UNLESS_TRACING();
  for (const char* provider : {"pid$target:a.out:", "uprobe:" DSCOPE_TRIGGERS "/described:"}) {
    Outcome outcome =
        run_with("described", std::string{provider} +
                                  "*Meter*read*:entry /pid == $target/ { printf(\"%d %d\", args[0]->level, "
                                  "args[1]); }");
    EXPECT_EQ(outcome.out, "40 2\n") << provider << outcome.err;
  }
}

TEST(ProcessTypes, RequireAProcessNumber) {
  Outcome outcome =
      dscope({"-xerrtags", "-xdiagnostics=classic", "-e", "-n", "BEGIN { trace(sizeof(struct pid$name`node)); }"});
  EXPECT_EQ(
      outcome.err,
      "dscope: invalid probe specifier BEGIN { trace(sizeof(struct pid$name`node)); }: [D_MACRO_UNDEF] macro $name is "
      "not a process id\n");
}

// Arguments are on the stack, objects too. Return values that are addresses are zero-extended.
TEST(ProcessTypes, DescribeFunctionsOf32BitPrograms) {
  SKIP_UNLESS_TRACING();
  if (!std::filesystem::exists(DSCOPE_TRIGGERS "/narrow32")) GTEST_SKIP() << "no 32-bit program was built";
  if (!runs_32_bit_program(DSCOPE_TRIGGERS "/narrow32")) return;
  Outcome outcome =
      run_with("narrow32",
               "pid$target:a.out:sum:entry { printf(\"%s %x %d %d %d\\n\", stringof(args[0]->name), args[1], args[2], "
               "args[3].second, args[4]); }"
               "pid$target:a.out:next:return { printf(\"%s\\n\", stringof(args[1]->name)); }"
               "pid$target:a.out:below:return { printf(\"%d\\n\", args[1]); }"
               "pid$target:a.out:made:entry, pid$target:a.out:middle:entry { printf(\"%d\\n\", args[0]); }"
               "pid$target:a.out:made:return { printf(\"%d\\n\", args[1].third); }");
  EXPECT_EQ(outcome.out, "outer 200000000 -5 2 77\n2\n-5\n5\n7\ninner\n\n") << outcome.err;
}

// At the first and last instruction of a function, the return address is the word on top of the stack.
TEST(ProcessTypes, FindCallersIn32BitPrograms) {
  SKIP_UNLESS_TRACING();
  if (!std::filesystem::exists(DSCOPE_TRIGGERS "/narrow32")) GTEST_SKIP() << "no 32-bit program was built";
  if (!runs_32_bit_program(DSCOPE_TRIGGERS "/narrow32")) return;
  Outcome outcome = run_with("narrow32",
                             "pid$target:a.out:leaf:entry { ustack(2); usym(ucaller); }"
                             "pid$target:a.out:leaf:return { usym(ucaller); }");
  EXPECT_NE(outcome.out.find("narrow32`leaf\n              narrow32`middle+0x"), std::string::npos) << outcome.out;
  size_t first = outcome.out.find("  narrow32`middle  ");
  EXPECT_NE(outcome.out.find("  narrow32`middle  ", first + 1), std::string::npos) << outcome.out;
}

TEST(ProcessTypes, Have32BitSizesIn32BitPrograms) {
  SKIP_UNLESS_TRACING();
  if (!std::filesystem::exists(DSCOPE_TRIGGERS "/described32")) GTEST_SKIP() << "no 32-bit program was built";
  if (!runs_32_bit_program(DSCOPE_TRIGGERS "/described32")) return;
  // The call has its 32-bit number, so syscall::write: does not fire.
  Outcome outcome =
      run_with("described32",
               "BEGIN { printf(\"%d %d %d\\n\", sizeof(pid$target`record_t), offsetof(pid$target`record_t, list), "
               "sizeof(long)); }"
               "rawtp:::sys_enter /pid == $target && arg1 == 4/ {"
               "  this->r = (pid$target`record_t *)((struct pt_regs *)arg0)->cx;"
               "  printf(\"%c %d %s %d\\n\", this->r->letter, this->r->value, stringof(this->r->first.text), "
               "this->r->first.wide);"
               "  self->next = this->r->first.next;"
               "  printf(\"%d %s %d %u\\n\", self->next->number, stringof(this->r->list->text), self->next->value,"
               "    self->next->positive);"
               "  printf(\"%d\\n\", (self->next + 1) - self->next); }");
  EXPECT_EQ(outcome.out, "40 36 8\nx -42 first text -3\n99 last -5 4000000000\n1\n\n") << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
