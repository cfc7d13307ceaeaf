// Builds programs with static probes as makefiles do, with -h and -G, and traces them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

constexpr const char* definition = R"(
provider test_prov {
  probe go(int, char *);
  probe go__now(int64_t a, string s) : (string s, int64_t a);
  probe zero();
  probe wide(int8_t, uint8_t, short, unsigned short, uint32_t, long, size_t, uint64_t, void *, double);
};
)";

// Each test works in its own directory, which is removed.
class UsdtBuild : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "usdt_build_XXXXXX";
    directory_ = ::mkdtemp(name.data());
    write("prov.d", definition);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::string path(const std::string& name) const { return directory_ / name; }

  // Runs shell lines in the directory: $D is dscope, $CC and $CXX are the compilers. Stops at the first failure.
  Outcome shell(const std::string& lines) const {
    return run(
        {"sh", "-ec",
         "cd " + directory_.string() + "; D=" DSCOPE_PROGRAM "; CC='" DSCOPE_CC "'; CXX='" DSCOPE_CXX "'\n" + lines});
  }
  void build(const std::string& lines) const {
    Outcome built = shell(lines);
    ASSERT_EQ(built.status, 0) << lines << "\n" << built.out << built.err;
    EXPECT_EQ(built.err, "");
  }
  // The program's own output comes first: dscope reads its rows only after the program has ended.
  Outcome trace(const std::string& program, const std::string& script) const {
    return dscope({"-q", "-x", "switchrate=50s", "-n", script, "-c", path(program)});
  }

  std::filesystem::path directory_;
};

constexpr const char* program = R"(
#include <stdio.h>
#include "prov.h"
static void inner(int i, char *s) {
  if (TEST_PROV_GO_ENABLED())
    puts("enabled");
  TEST_PROV_GO(i, s);
  if (i == 2) TEST_PROV_GO_NOW(-1, "text"); else TEST_PROV_ZERO();
}
int main(void) {
  char place[] = "place";
  int i;
  for (i = 0; i < 4; i++) inner(i, place);
  TEST_PROV_WIDE(-1, 255, -2, 65535, 5, -3L, sizeof place, 0x123456789abcULL, place, 2.5);
  return 0;
}
)";

constexpr const char* script = R"(
test_prov$target:::go { @calls[probefunc, copyinstr(arg1)] = sum(arg0); }
test_prov$target:::zero { @zero = count(); }
test_prov$target:::wide {
  printf("%d %d %d %d %d %d %d %x %s %x\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, copyinstr(arg8), arg9);
}
END { printa("%s %s %@d\n", @calls); printa("%@d\n", @zero); })";

TEST_F(UsdtBuild, ProbesFireInEveryKindOfProgram) {
  SKIP_UNLESS_TRACING();
  write("test.c", program);
  for (const std::string flags : {"-O0 -no-pie", "-O2 -fno-inline -pie -fPIE", "-O2 -fno-inline -static",
                                  "-O1 -fno-inline -ffunction-sections -Wl,--gc-sections",
                                  "-O2 -fno-inline -std=c99 -pedantic -Wall -Wextra -Werror"}) {
    build("$D -h -s prov.d; $CC " + flags + " -c test.c; $D -G -s prov.d test.o; $CC " + flags +
          " -o test test.o prov.o");
    EXPECT_EQ(run({path("test")}).out, "") << "untraced: " << flags;
    Outcome outcome = trace("test", script);
    EXPECT_EQ(outcome.out,
              "enabled\nenabled\nenabled\nenabled\n"
              "-1 255 -2 65535 5 -3 6 123456789abc place 4004000000000000\ninner place 6\n3\n\n")
        << flags << outcome.err;
  }
}

TEST_F(UsdtBuild, CppInlineFunctionsHaveProbesInManyObjects) {
  SKIP_UNLESS_TRACING();
  write("shared.h", R"(
#include "prov.h"
template <typename T> inline __attribute__((noinline)) void sell(T what) { TEST_PROV_GO(what, nullptr); }
)");
  write("one.cpp", "#include \"shared.h\"\nvoid one() { sell(1); sell('a'); TEST_PROV_ZERO(); }\n");
  write("two.cpp", "#include \"shared.h\"\nvoid one();\nint main() { sell(3L); sell(4); one(); TEST_PROV_ZERO(); }\n");
  // The header alone suffices, as in makefiles that only generate headers.
  build("$D -h -s prov.d -o prov.h; $CXX -O1 -c one.cpp two.cpp; $CXX -o test one.o two.o");
  Outcome outcome =
      trace("test", R"(test_prov$target:::go { @ = sum(arg0); } test_prov$target:::zero { @z[probefunc] = count(); }
    END { printa("%@d\n", @); printa("%s %@d\n", @z); })");
  EXPECT_EQ(outcome.out, "105\n_Z3onev 1\nmain 1\n\n") << outcome.err;
}

TEST_F(UsdtBuild, OneFunctionFiresOneProbeAtManySites) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include "prov.h"
int main(int argc, char **argv) {
  TEST_PROV_GO(argc, *argv);
  TEST_PROV_GO(10, 0);
  if (argc > 0) TEST_PROV_GO(argc + 99, *argv);
  return 0;
}
)");
  build("$D -h -s prov.d; $CC -O1 -o test test.c");
  Outcome outcome =
      trace("test", R"(test_prov$target:::go { @[probefunc] = count(); @sum[probename, probemod] = sum(arg0); }
END { printa("%s %@d\n", @); printa("%s %s %@d\n", @sum); })");
  EXPECT_EQ(outcome.out, "main 3\ngo test 111\n\n") << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(UsdtBuild, LibrariesHaveTheirOwnSemaphores) {
  SKIP_UNLESS_TRACING();
  write("lib.c", "#include \"prov.h\"\nint in_library(void) { TEST_PROV_ZERO(); return TEST_PROV_ZERO_ENABLED(); }\n");
  write("test.c", R"(
#include <stdio.h>
#include "prov.h"
int in_library(void);
int main(void) { printf("%d %d\n", in_library(), TEST_PROV_ZERO_ENABLED()); return 0; }
)");
  build(R"($D -h -s prov.d
$CC -fPIC -c lib.c; $D -G -s prov.d -o libprov.o lib.o; $CC -shared -o libprov.so lib.o libprov.o
$CC -c test.c; $D -G -s prov.d test.o; $CC -o test test.o prov.o -L. -lprov -Wl,-rpath,$PWD)");
  Outcome outcome = trace("test", "test_prov$target:libprov::zero { printf(\"%s %s\\n\", probemod, probefunc); }");
  EXPECT_EQ(outcome.out, "1 0\nlibprov.so in_library\n\n") << outcome.err;
}

TEST_F(UsdtBuild, ObjectsWithProbeCallsAreLinked) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include <stdint.h>
#include <stdio.h>
extern void __dtrace_test_prov___go(int, char *);
extern void __dtrace_test_prov___wide(int8_t, uint8_t, short, unsigned short, uint32_t, long, size_t, uint64_t, void *, double);
extern void __dtraceenabled_test_prov___go(uint32_t *);
extern void __dtrace_test_prov___zero(void);
__attribute__((noinline)) static void last(void) { __dtrace_test_prov___zero(); }
int main(void) {
  uint32_t flag = 7;
  __dtraceenabled_test_prov___go(&flag);
  printf("%u\n", flag);
  char called[] = "called", stack[] = "stack";
  __dtrace_test_prov___go(-5, called);
  __dtrace_test_prov___wide(-1, 255, -2, 65535, 5, -3, 6, 7, stack, 2.5);
  last();
  return 0;
}
)");
  for (const std::string flags : {"-O0", "-O2 -no-pie"}) {
    build("$CC " + flags + " -c test.c; $D -G -s prov.d test.o; $D -G -s prov.d test.o; $CC " + flags +
          " -o test test.o prov.o");
    EXPECT_EQ(run({path("test")}).out, "0\n");
    Outcome outcome = trace("test", R"(
test_prov$target:::go { printf("%s %d %s\n", probefunc, arg0, copyinstr(arg1)); }
test_prov$target:::wide { printf("%d %d %d %d %d %d %d %s\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, copyinstr(arg8)); }
test_prov$target:::zero { printf("%s %s\n", probefunc, probename); })");
    EXPECT_EQ(outcome.out, "1\nmain -5 called\n-1 255 -2 65535 5 -3 6 stack\nlast zero\n\n") << flags << outcome.err;
  }
}

TEST_F(UsdtBuild, SdtMacrosNameProbesInTheProgram) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <stdio.h>
__attribute__((section(".probes"))) unsigned short my_go_semaphore, my_three__args_semaphore, my_all_semaphore;
int main(void) {
  signed char c = -1;
  unsigned short u = 65535;
  char text[] = "text";
  if (my_go_semaphore) DTRACE_PROBE(my, go);
  DTRACE_PROBE3(my, three__args, -5, text, (void *)0);
  STAP_PROBE12(my, all, c, u, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12u);
  return 0;
}
)");
  for (const std::string compiler : {"$CC -O0", "$CC -O2 -std=c99 -pedantic -Wall -Werror", "$CXX -x c++ -O2"}) {
    build(compiler + " -I " DSCOPE_SOURCE_DIR "/include -o test test.c");
    Outcome outcome = trace("test", R"(my$target:::go { printf("%s\n", probefunc); }
my$target:::three-args { printf("%d %s %d\n", args[0], copyinstr(arg1), arg2); }
my$target:::all { printf("%d %d %d %d %d\n", args[0], args[1], arg9, args[10], args[11]); })");
    EXPECT_EQ(outcome.out, "main\n-5 text 0\n-1 65535 10 11 12\n\n") << compiler << outcome.err;
  }
}

TEST_F(UsdtBuild, ScriptDefinitionsTypeForeignProbes) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include <sys/sdt.h>
struct item { int number; long weight; };
int main(void) {
  struct item apple = {7, 150}, pear = {9, 200}, *basket[] = {&apple, &pear};
  const char *words[] = {"one", "two"};
  DTRACE_PROBE4(fruit, sold__out, -3, "apple", basket, words);
  return 0;
}
)");
  build("$CC -I " DSCOPE_SOURCE_DIR "/include -o test test.c");
  Outcome outcome = trace("test", R"(struct item { int number; long weight; };
provider fruit { probe sold__out(int, string, struct item **, char **); };
fruit$target:::sold-out { printf("%d %s %d %s\n", args[0], args[1], args[2][1]->weight, stringof(args[3][1])); })");
  EXPECT_EQ(outcome.out, "-3 apple 200 two\n\n") << outcome.err;
  // A definition that does not fit is ignored.
  outcome = trace("test", R"(provider fruit { probe sold__out(string); };
fruit$target:::sold-out { printf("%d\n", args[0]); })");
  EXPECT_EQ(outcome.out, "-3\n\n") << outcome.err;
}

// Other implementations of <sys/sdt.h> may leave such operands.
TEST_F(UsdtBuild, GlobalVariablesAreArguments) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
int counter = 42;
static long big[] = {1, 2, 3};
__attribute__((noinline)) static void f(void) {
  __asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
                   "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte 0\n.asciz \"my\"\n"
                   ".asciz \"go\"\n.asciz \"-4@%0 -8@%1 8@nosuch(%%rip)\"\n994: .balign 4\n.popsection\n"
                   :: "m"(counter), "m"(big[2]));
}
int main(void) { f(); counter = -7; f(); return 0; }
)");
  for (const std::string flags : {"-fPIE -pie", "-no-pie"}) {
    build("$CC -O1 " + flags + " -o test test.c");
    Outcome outcome = trace("test", R"(my$target:::go { printf("%d %d\n", args[0], args[1]); })");
    EXPECT_EQ(outcome.out, "42 3\n-7 3\n\n") << outcome.err;
    std::string refused = trace("test", "my$target:::go { trace(args[2]); }").err;
    EXPECT_NE(refused.find("args[2] cannot be found: uint64_t (in a location that tracers cannot read)"),
              std::string::npos)
        << refused;
  }
}

constexpr const char* shop = R"(
struct item { int number; char *name; };
typedef struct iteminfo { string name; int number; } iteminfo_t;
translator iteminfo_t < struct item *I > {
  name = copyinstr((uintptr_t)((struct item *)copyin((uintptr_t)I, sizeof (struct item)))->name);
  number = ((struct item *)copyin((uintptr_t)I, sizeof (struct item)))->number;
};
)";
constexpr const char* shop_probes = R"(
#pragma D attributes Evolving/Evolving/Common provider shop provider
provider shop {
  probe sale(struct item *I, int price, char *buyer) : (int price, iteminfo_t *I, string buyer, uint64_t price);
  probe plain(unsigned short, uid_t, char *, string);
};
#pragma D attributes Stable/Evolving/Common provider shop name
#pragma D attributes Evolving/Stable/Group provider shop args
)";

TEST_F(UsdtBuild, DefinitionsTypeArguments) {
  SKIP_UNLESS_TRACING();
  write("shop.d", std::string(shop) + shop_probes);
  write("test.c", R"(
#include "shop.h"
struct item { int number; char *name; } apple = {7, "apple"};
int main(void) {
  char buyer[] = "Bob", chars[] = "chars", string[] = "string", *volatile name = apple.name;
  if (*name) SHOP_SALE(&apple, -3, buyer);
  SHOP_PLAIN(65535, 1000, chars, string);
  return 0;
}
)");
  build("$D -h -s shop.d; $CC -O1 -c test.c; $D -G -s shop.d test.o; $CC -o test test.o shop.o; strip test");
  Outcome outcome = trace("test", std::string(shop) + R"(
shop$target:::sale { printf("%d %s %d %s %d\n", args[0], args[1]->name, args[1]->number, args[2], args[3] > 0); }
shop$target:::sale { printf("%d %d\n", arg0, arg3 == arg0); @[args[2]] = sum(args[0]); }
END { printa("%s %@d\n", @); }
shop$target:::plain { printf("%d %d %s %s\n", args[0], args[1], stringof(args[2]), args[3]); })");
  EXPECT_EQ(outcome.out, "-3 apple 7 Bob 1\n-3 1\n65535 1000 chars string\nBob -3\n\n") << outcome.err;
  Outcome listing = dscope({"-lvv", "-n", "shop$target:::sale", "-c", path("test")});
  EXPECT_NE(listing.out.find(R"(
	Probe Description Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: Unknown

	Argument Attributes
		Identifier Names: Evolving
		Data Semantics:   Stable
		Dependency Class: Group

	Argument Types
		args[0]: int
		args[1]: iteminfo_t *
		args[2]: string
		args[3]: uint64_t
)"),
            std::string::npos)
      << listing.out;
  Outcome unknown =
      dscope({"-xerrtags", "-n", "typedef struct { int n; } iteminfo_t; shop$target:::sale { trace(args[1]->n); }",
              "-c", path("test")});
  EXPECT_NE(unknown.err.find("[D_ARGS_XLATOR]"), std::string::npos) << unknown.err;
}

TEST_F(UsdtBuild, DebugInformationDescribesArgumentTypes) {
  SKIP_UNLESS_TRACING();
  write("prov.d", "typedef struct item item_t;\nprovider fruit { probe sold(struct item *, item_t *, int); };\n");
  write("test.c", R"(
#include "prov.h"
typedef struct item { int number; long weight; } item_t;
int main(void) {
  static item_t apple = {7, 150}, pear = {9, 200};
  FRUIT_SOLD(&apple, &pear, 3);
  return 0;
}
)");
  build("$D -h -s prov.d; $CC -O1 -g -o test test.c");
  Outcome outcome =
      trace("test", R"(fruit$target:::sold { printf("%d %d %d\n", args[0]->number, args[1]->weight, args[2]); })");
  EXPECT_EQ(outcome.out, "7 200 3\n\n") << outcome.err;
}

// Fires a probe and prints a line for each line it reads.
constexpr const char* server = R"(
#include <stdio.h>
#include "prov.h"
int main(void) {
  char line[16];
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    TEST_PROV_GO(getpid(), line);
    puts("fired");
    fflush(stdout);
  }
  return 0;
}
)";

// The types come from the program's own headers, which -h and -G do not read.
TEST_F(UsdtBuild, ProgramHeadersDefineArgumentTypes) {
  SKIP_UNLESS_TRACING();
  write("prov.d", "provider test_prov { probe go(char *argv[], own_t *own, time_t then); };");
  write("test.c",
        "#include <time.h>\ntypedef struct { int a; } own_t;\n#include \"prov.h\"\n"
        "int main(int count, char **words) { own_t own; (void)count; TEST_PROV_GO(words, &own, 42); return 0; }");
  build("$D -h -s prov.d; $CC -O1 -c test.c; $D -G -s prov.d test.o; $CC -o test test.o prov.o");
  Outcome outcome = trace("test", "test_prov$target:::go { printf(\"%d %d %d\", arg0 != 0, arg1 != 0, arg2); }");
  EXPECT_EQ(outcome.out, "1 1 42\n") << outcome.err;
}

TEST_F(UsdtBuild, PatternsMatchCurrentAndLaterProcesses) {
  SKIP_UNLESS_TRACING();
  write("server.c", server);
  write(
      "go.sh",
      "echo one >in; read answer <out; test $answer = fired; echo two | ./server >none; echo three | ./server >none\n");
  build("$D -h -s prov.d; $CC -O1 -o server server.c");
  Outcome outcome = shell(R"(mkfifo in out; exec 3<>in 4<>out
./server <&3 >&4 & read answer <&4
$D -q -c 'sh go.sh' -n 'test_prov*::main:go {
  printf("%s %d %d %s", probename, probeprov == strjoin("test_prov", lltostr(pid)), arg0 == pid, copyinstr(arg1));
  @[probeprov] = count(); } END { printa("%@d ", @); }'
kill $!)");
  EXPECT_EQ(outcome.out, "go 1 1 one\ngo 1 1 two\ngo 1 1 three\n1 1 1 \n") << outcome.err;
}

// With -Z: no process had mapped the program when tracing started.
TEST_F(UsdtBuild, PatternsMatchProgramsThatStartLater) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include <unistd.h>
#include "prov.h"
int main(void) {
  for (int i = 0; i < 30000; i++, usleep(1000)) TEST_PROV_GO(i, "text");
  return 0;
}
)");
  build("$D -h -s prov.d; $CC -o test test.c");
  const std::string command = "env " + path("test");
  Outcome outcome = dscope({"-q", "-Z", "-n",
                            R"(test_prov*:::go { printf("%s %d %s\n", probefunc, pid == $target,
  probeprov == strjoin("test_prov", lltostr(pid)) ? "named" : probeprov); exit(0); })",
                            "-c", command});
  EXPECT_EQ(outcome.out, "main 1 named\n\n") << outcome.err;
  EXPECT_EQ(outcome.err, "");
  // No process exists yet, so only a definition gives the types of its arguments.
  write("shown.d", R"(#pragma D option quiet
test_prov*:::go { printf("%s ends after %d\n", args[1], args[0] < 30000); exit(0); })");
  write("view.d", "provider test_prov { probe go(int, string); };\n");
  outcome = dscope({"-Z", "-s", path("view.d"), "-s", path("shown.d"), "-c", command});
  EXPECT_EQ(outcome.out, "text ends after 1\n\n") << outcome.err;
  outcome = dscope({"-Z", "-s", path("shown.d"), "-n", "BEGIN { exit(0); }"});
  EXPECT_NE(outcome.err.find("shown.d, line 2: the clause for test_prov*:::go is skipped"), std::string::npos)
      << outcome.err;
  for (const char* provider : {"test_prov*", "test_prov$target"}) {
    Outcome typed = dscope({"-q", "-Z", "-n", std::string{provider} + ":::go { trace(args[0]); }", "-n",
                            "BEGIN { trace(1); exit(0); }", "-c", command});
    EXPECT_EQ(typed.out, "1\n") << typed.err;
    EXPECT_NE(typed.err.find("go is skipped: the types of args[] are unknown until"), std::string::npos) << typed.err;
  }
}

// A program that starts for the first time waits until its probes are attached. On a busy machine the program may run
// before dscope sees it. The next copy, again a new file, then waits.
TEST_F(UsdtBuild, ProgramsThatStartLaterWaitForTheirProbes) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include "prov.h"
int main(void) {
  TEST_PROV_GO(1, "only");
  return 3;
}
)");
  write("go.sh", R"(for i in $(seq 1000); do
  cp test test$i; status=0; ./test$i || status=$?; rm test$i
  test $status = 3 || echo $i ended with $status >>ends
done
)");
  build("$D -h -s prov.d; $CC -O1 -o test test.c");
  Outcome outcome = shell(R"($D -q -Z -n 'test_prov*:::go { trace(copyinstr(arg1)); exit(0); }' -c 'sh go.sh'
test ! -e ends)");
  EXPECT_EQ(outcome.out, "only\n") << outcome.err;
  EXPECT_EQ(outcome.status, 0) << "the programs ended differently than untraced";
}

TEST_F(UsdtBuild, ChildrenAreSeparateProcesses) {
  SKIP_UNLESS_TRACING();
  write("test.c", R"(
#include <sys/wait.h>
#include "prov.h"
int main(void) {
  TEST_PROV_GO(1, 0);
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      TEST_PROV_GO(2, 0);
      return 0;
    }
  while (wait(0) > 0) {}
  return 0;
}
)");
  build("$D -h -s prov.d; $CC -o test test.c");
  Outcome outcome =
      trace("test", R"(test_prov*:::go { @["all", arg0] = count(); } test_prov$target:::go { @["one", arg0] = count(); }
END { printa("%s %d %@d\n", @); })");
  EXPECT_EQ(outcome.out, "all 1 1\none 1 1\nall 2 3\n\n") << outcome.err;
}

TEST_F(UsdtBuild, ListingsHaveARowForEachProcess) {
  SKIP_UNLESS_TRACING();
  write("server.c", server);
  build("$D -h -s prov.d; $CC -O1 -o server server.c");
  Outcome outcome = shell(R"(mkfifo in out; exec 3<>in 4<>out
./server <&3 >&4 & first=$!; ./server <&3 >&4 & second=$!; read answer <&4; read answer <&4
$D -l -P 'test_prov*' >list; $D -l -n 'test_prov'$second':server::g[a-z]' >one; $D -xdiagnostics=classic -ln 'test_prov*:nosuch::' 2>none >rest
$D -ln 'sys*:::entry' >sys
kill $first $second
grep -c "test_prov$first  *server  *main go$" list; grep -c "test_prov$second  *server  *main go$" list
tail -n +2 list | wc -l; tail -n +2 one | wc -l; grep -c test_prov sys || true; cat none)");
  EXPECT_EQ(outcome.out, "1\n1\n2\n1\n0\ndscope: failed to match test_prov*:nosuch::: No probe matches description\n")
      << outcome.err;
}

// The program's notes contain only the sizes of its arguments.
TEST_F(UsdtBuild, ListingsHaveTypesFromScriptDefinitions) {
  SKIP_UNLESS_TRACING();
  write("shop.d", "provider shop { probe sale(short price, char *item, uint8_t); };\n");
  Outcome outcome = dscope({"-lvv", "-s", path("shop.d"), "-n", "shop$target:::sale", "-c", DSCOPE_TRIGGERS "/probes"});
  EXPECT_NE(outcome.out.find("args[0]: short\n\t\targs[1]: char *\n\t\targs[2]: uint8_t\n"), std::string::npos)
      << outcome.out << outcome.err;
}

TEST(UsdtProviders, ExitedProcessesAreAnError) {
  Outcome outcome = dscope({"-xerrtags", "-xdiagnostics=classic", "-n", "shop4194305:::sale"});
  EXPECT_EQ(
      outcome.err,
      "dscope: invalid probe specifier shop4194305:::sale: [D_PROC_GRAB] process 4194305 cannot be traced: it has "
      "exited\n");
}

TEST_F(UsdtBuild, DeletedAndMovedProgramsAreFound) {
  SKIP_UNLESS_TRACING();
  write("server.c", server);
  write("go.sh", "echo one >in; read answer <out\n");
  build("$D -h -s prov.d; $CC -O1 -o server server.c");
  for (const std::string place :
       {"./server", "unshare -m sh -c 'mount -t tmpfs none hidden && cp server hidden && exec hidden/server'"}) {
    if (place.starts_with("unshare") && run({"unshare", "-m", "true"}).status != 0) continue;
    Outcome outcome =
        shell("mkdir -p hidden; test -p in || mkfifo in out; exec 3<>in 4<>out; cp server kept\n" + place +
              R"( <&3 >&4 & read answer <&4; rm server
$D -q -c 'sh go.sh' -n 'test_prov*:::go { printf("%s %s", probefunc, copyinstr(arg1)); }'
kill $!; mv kept server)");
    EXPECT_EQ(outcome.out, "main one\n\n") << place << outcome.err;
  }
}

TEST_F(UsdtBuild, DefinitionsArePreprocessed) {
  write("prov.d", "#ifdef WITH_PROBES\nprovider pre { probe go(MINE); };\n#endif\n");
  write("test.c", "#include \"prov.h\"\nint main(void) { PRE_GO(1); return 0; }\n");
  build(
      "$D -xnolibs -64 -C -DWITH_PROBES -DMINE=int -h -s prov.d; $CC -c test.c; "
      "$D -G -C -DWITH_PROBES -DMINE=int -s prov.d test.o; $CC -o test test.o prov.o; ./test");
}

TEST_F(UsdtBuild, MismatchedObjectsAreRejected) {
  auto error_of = [&](const std::string& lines) { return shell(lines).err; };
  write("calls.c", "extern void __dtrace_other___go(void); int main(void) { __dtrace_other___go(); return 0; }\n");
  EXPECT_EQ(error_of("$CC -c calls.c; $D -G -s prov.d calls.o"),
            "dscope: failed to link script prov.d: calls.o has a probe of provider other, which is not defined\n");
  write("calls.c",
        "extern void __dtrace_test_prov___gone(void); int main(void) { __dtrace_test_prov___gone(); return 0; }\n");
  EXPECT_EQ(
      error_of("$CC -c calls.c; $D -G -s prov.d calls.o"),
      "dscope: failed to link script prov.d: calls.o has probe test_prov:::gone, which provider test_prov does not "
      "define\n");
  write("test.c", program);
  write("old.d", "provider test_prov { probe go(int); };\n");
  EXPECT_EQ(
      error_of("$D -h -s prov.d; $CC -c test.c; $D -G -s old.d test.o").substr(0, 105),
      "dscope: failed to link script old.d: test.o passes probe test_prov:::go 2 arguments; its definition has 1");
  EXPECT_EQ(error_of("$D -G -s prov.d nosuch.o"),
            "dscope: failed to link script prov.d: failed to open nosuch.o: No such file or directory\n");
  EXPECT_EQ(error_of("$D -G -s prov.d prov.d"),
            "dscope: failed to link script prov.d: prov.d is not a relocatable object file\n");
  write("large.d", "struct pair { long one, other; };\nprovider test_prov { probe go(struct pair); };\n");
  EXPECT_EQ(error_of("$D -G -s large.d"),
            "dscope: failed to link script large.d: argument 0 of probe test_prov:::go has type struct pair: only "
            "numbers and pointers are supported\n");
  write("small.c", "int small;\n");
  EXPECT_EQ(error_of("$CC -c calls.c; $CC -m32 -c small.c; $D -G -s prov.d small.o calls.o"),
            "dscope: failed to link script prov.d: can't mix 32-bit and 64-bit object files\n");
  EXPECT_EQ(shell("$D -G -s prov.d prov.d").status, 1);
  std::string error = shell("echo 'int i;' >other.c; $CC -c other.c; $D -32 -G -s prov.d -o prov.o other.o").err;
  EXPECT_NE(error.find("incorrect ELF class for object file: other.o"), std::string::npos) << error;
}

TEST_F(UsdtBuild, FloatingPointArgumentsArePrinted) {
  SKIP_UNLESS_TRACING();
  write("price.d", "provider shop { probe price(double, float, int); };");
  write(
      "price.cpp",
      "#include \"price.h\"\nnamespace shop { __attribute__((noinline)) void add(double d) { SHOP_PRICE(d, d, 7); } }\n"
      "int main() { shop::add(1.25); }");
  build("$D -h -s price.d; $CXX price.cpp -o price");
  EXPECT_EQ(trace("price", R"(shop$target::shop??add:price { printf("%.2f %g", args[0], args[1]); })").out,
            "1.25 1.25\n");
}

TEST_F(UsdtBuild, ThirtyTwoBitProgramsGetThirtyTwoBitObjects) {
  write("small.c", R"(
#define _UNISTD_H
#define _INTTYPES_H
#include "prov.h"
extern void __dtraceenabled_test_prov___go(unsigned *);
extern void __dtrace_test_prov___go(int, char *);
void f(char c, char *s) {
  unsigned flag;
  __dtraceenabled_test_prov___go(&flag);
  if (flag || TEST_PROV_GO_ENABLED()) __dtrace_test_prov___go(c, s);
  TEST_PROV_GO(c, s);
}
)");
  Outcome built = shell(
      "$D -h -s prov.d; $CC -m32 -fno-stack-protector -ffreestanding -fPIC -O1 -c small.c; "
      "$D -G -s prov.d small.o; ld -m elf_i386 -shared -z text -o small.so small.o prov.o; readelf -n small.so");
  if (built.err.find("elf_i386") != std::string::npos) GTEST_SKIP() << "the linker does not support 32 bits";
  EXPECT_EQ(built.status, 0) << built.err;
  EXPECT_NE(built.out.find("Arguments: -4@4(%esp) 4@8(%esp)"), std::string::npos) << built.out;
}

TEST_F(UsdtBuild, OutputFilesAreNamedAfterTheScript) {
  build(
      "mkdir -p sub; cp prov.d sub/two.d; $D -h -s sub/two.d; $D -G -s sub/two.d; test -f two.h; test -f sub/two.o;"
      "$D -G -n 'provider p { probe go(); };'; test -f d.out; $D -h -s prov.d -o out.x; grep -q _OUT_X out.x");
  EXPECT_EQ(shell("$D -h -s prov.d -o - | grep -c define.TEST_PROV_ZERO_; test ! -e ./-").out, "2\n");
  EXPECT_EQ(shell("cp prov.d prov.txt; $D -h -s prov.txt").err,
            "dscope: -h requires an output file if the name of the script does not end in .d: prov.txt\n");
  EXPECT_NE(shell("$D -h -s prov.d -o /nonexistent/x.h").err.find("'/nonexistent/x.h': No such file or directory"),
            std::string::npos);
}

}  // namespace
}  // namespace dscope::e2e
