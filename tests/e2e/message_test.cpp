// The exact messages for wrong command lines, and their exit status (consumer-and-actions.md 8, 9, d-language.md 10.1).
#include <gtest/gtest.h>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

struct Case {
  std::vector<std::string> arguments;
  std::string first_line;  // of stderr, after the program's name
  int status = 1;
  std::vector<std::string> environment;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Names the case in test listings.
void PrintTo(const Case& test_case, std::ostream* out) { *out << test_case.first_line; }

class Message : public ::testing::TestWithParam<Case> {};

TEST_P(Message, IsExactWithStatus) {
  const Case& test_case = GetParam();
  Outcome outcome = dscope(test_case.arguments, test_case.environment);
  EXPECT_EQ(first_line(outcome.err), "dscope: " + test_case.first_line);
  EXPECT_EQ(outcome.status, test_case.status);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Message,
    ::testing::Values(
        Case{{"-y"}, "invalid option -- 'y'", 2}, Case{{"-n"}, "option requires an argument -- 'n'", 2},
        Case{{"-33"}, "illegal option -- 33", 2},
        Case{{"-l", "-V"}, "only one of the [-GhlV] options can be specified at a time", 2},
        Case{{"-B", "-l"}, "-B not valid in combination with [-Gl] options", 2},
        Case{{"-B", "-o", "x", "-n", "BEGIN"}, "-B not valid in combination with -o option", 2},
        Case{{"--hlep"}, "unrecognized option '--hlep'; did you mean '--help'?", 2},
        Case{{"--facts=x", "-n", "BEGIN"},
             "--facts cannot trace another machine: add --dry-run, --dump, --build, -e or -l",
             2},
        Case{{"--bind=x", "-n", "BEGIN"}, "--bind adds a kernel to a bundle: add --build=FILE", 2},
        Case{{"--save-facts=x", "-n", "BEGIN"}, "--save-facts only writes its file: omit programs and other modes", 2},
        Case{{"--facts=/etc/passwd", "-en", "BEGIN"}, "/etc/passwd: not a facts file"},
        Case{{"-q"}, "no probes specified"}, Case{{"word"}, "no probes specified"},
        Case{{"-s", "/nosuch.d"}, "failed to open /nosuch.d: No such file or directory"},
        Case{{"-s", "/tmp"}, "failed to open /tmp: Is a directory"},
        Case{{"-o", "/nosuch/x", "-n", "BEGIN"}, "failed to open output file '/nosuch/x': No such file or directory"},
        Case{{"-o", "/tmp", "-n", "BEGIN"}, "failed to open output file '/tmp': Is a directory"},
        Case{{"-p", "x", "-n", "BEGIN"}, "invalid pid: x"}, Case{{"-p", "0", "-n", "BEGIN"}, "invalid pid: 0"},
        Case{{"-p", "", "-n", "BEGIN"}, "invalid pid: "},
        Case{{"-c", "", "-n", "BEGIN"}, "failed to execute : No such file or directory"},
        Case{{"-c", "/etc/passwd", "-n", "BEGIN"}, "failed to execute /etc/passwd: Permission denied"},
        Case{{"-x", "empty", "-n", ""}, "description '' matched 0 probes"},
        Case{{"-p", "99999999", "-n", "BEGIN"}, "No such process"},
        Case{{"-c", "/nosuch/x", "-n", "BEGIN"}, "failed to execute /nosuch/x: No such file or directory"}));

// These are errors even on machines that cannot trace kernel functions.
INSTANTIATE_TEST_SUITE_P(
    Functions, Message,
    ::testing::Values(Case{{"-xerrtags", "-e", "-n", "fbt::vfs_read:entry{trace(args[9])}"},
                           "invalid probe specifier fbt::vfs_read:entry{trace(args[9])}: [D_ARGS_IDX] in action list: "
                           "index 9 is out of range for fbt::vfs_read:entry args[ ]: the probe has 4"}));

INSTANTIATE_TEST_SUITE_P(
    Processes, Message,
    ::testing::Values(
        Case{{"-xerrtags", "-n", "pid0:a.out:main:entry"},
             "invalid probe specifier pid0:a.out:main:entry: [D_PROC_BADPID] pid0: there is no such process id, as "
             "$target "
             "is without -c and -p"},
        Case{{"-xerrtags", "-n", "pid99999999:a.out:main:entry"},
             "invalid probe specifier pid99999999:a.out:main:entry: [D_PROC_GRAB] process 99999999 cannot be traced: "
             "it has exited"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:a.out:main:foo"},
             "invalid probe specifier pid$target:a.out:main:foo: [D_PROC_NAME] the name of a pid probe is entry, "
             "return, or the hexadecimal offset of an instruction, not foo"},
        Case{
            {"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:a.out:negative:1"},
            "invalid probe specifier pid$target:a.out:negative:1: [D_PROC_ALIGN] offset 0x1 of function negative is in "
            "the middle of an instruction"},
        Case{{"-xerrtags", "-n", "pid:a.out:main:entry"},
             "invalid probe specifier pid:a.out:main:entry: [D_PROC_BADPID] pid: there is no such process id"},
        Case{{"-xerrtags", "-n", "pid-1:::"},
             "invalid probe specifier pid-1:::: [D_PROC_BADPID] pid-1: there is no such process id"},
        Case{{"-xerrtags", "-n", "pidgin:a.out:main:entry"},
             "invalid probe specifier pidgin:a.out:main:entry: [D_PDESC_ZERO] probe description "
             "pidgin:a.out:main:entry does not match any probes"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:libc:-:1"},
             "invalid probe specifier pid$target:libc:-:1: [D_PROC_LIB] function - stands for the whole program: its "
             "module is a.out or empty, not libc"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:a.out:-:"},
             "invalid probe specifier pid$target:a.out:-:: [D_PROC_NAME] the name of a probe of function - is a "
             "hexadecimal "
             "address, not an empty name"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:a.out:-:1*"},
             "invalid probe specifier pid$target:a.out:-:1*: [D_PROC_NAME] the name of a probe of function - is a "
             "hexadecimal "
             "address, not 1*"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:libc::"},
             "invalid probe specifier pid$target:libc::: [D_PROC_CREATEFAIL] it matches more than 50000 probes"},
        Case{{"-xerrtags", "-c", DSCOPE_TRIGGERS "/functions", "-n", "pid$target:a.out:-:1"},
             "invalid probe specifier pid$target:a.out:-:1: [D_PROC_OFF] no instruction of the program begins at "
             "address 0x1"}));

INSTANTIATE_TEST_SUITE_P(
    Options, Message,
    ::testing::Values(
        Case{{"-x", "nosuch"}, "failed to set -x nosuch: Invalid option name"},
        Case{{"-x", "nosuch=1", "-x", "other"}, "failed to set -x nosuch: Invalid option name"},
        Case{{"-x", ""}, "failed to set -x : Invalid option name"},
        Case{{"-x", "bufsize=1q"}, "failed to set -x bufsize: Invalid value for specified option"},
        Case{{"-x", "bufsize"}, "failed to set -x bufsize: Invalid value for specified option"},
        Case{{"-b", "1q"}, "failed to set -b 1q: Invalid value for specified option"},
        Case{{"-X", "q"}, "failed to set -X q: Invalid value for specified option"},
        Case{{"-x", "zdefs=1"}, "failed to set -x zdefs: Invalid value for specified option"},
        Case{{"-x", "aggrate=0.5hz"}, "failed to set -x aggrate: Invalid value for specified option"},
        Case{
            {"-q", "-b", "1000g", "-n", "BEGIN { exit(0); } syscall::getppid:entry"}, "buffer size lowered to 512m", 0},
        Case{{"-q", "-b", "100g", "-n", "tick-1ms { trace(1); } tick-10ms { exit(0); }"},
             "buffer size lowered to 256k",
             0},
        Case{{"-q", "-b", "100g", "-x", "bufresize=manual", "-n", "tick-1ms { trace(1); } tick-10ms { exit(0); }"},
             "could not enable tracing: no buffer of 107374182400 bytes for each CPU: Cannot allocate memory"},
        Case{{"-q", "-b", "1000g", "-x", "bufresize=manual", "-n", "BEGIN { exit(0); } syscall::getppid:entry"},
             "could not enable tracing: no buffer of 1073741824000 bytes for each CPU: Cannot allocate memory"},
        Case{{"-q", "-x", "aggsize=1000g", "-n", "BEGIN { @[1] = count(); @b[1] = count(); exit(0); }"},
             "aggregation size lowered to 32m",
             0},
        Case{{"-q", "-x", "dynvarsize=1000g", "-n", "BEGIN { a[1] = 1; exit(0); }"},
             "dynamic variable size lowered to 28m",
             0},
        Case{{"-x", "iregs=9"}, "failed to set -x iregs: Invalid value for specified option"},
        Case{{"-x", "strsize=4294967296"}, "failed to set -x strsize: Value too large for defined data type"},
        Case{{"-x", "version=9.9"}, "failed to set -x version: Requested version is not supported by compiler"},
        Case{{"-x", "version=x"}, "failed to set -x version: Version is not properly formatted or is too large"},
        Case{{"-n", "BEGIN"},
             "failed to set DTRACE_OPT_BUFSIZE: Invalid value for specified option",
             1,
             {"DTRACE_OPT_BUFSIZE=x"}},
        Case{{"-e", "-n", "BEGIN", "-x", "iregs=7"},
             "invalid probe specifier BEGIN: Insufficient registers to generate code"},
        Case{{"-e", "-x", "tregs=1", "-n", "BEGIN { x[1, 2] = 3; }"},
             "invalid probe specifier BEGIN { x[1, 2] = 3; }: Insufficient tuple registers to generate code"},
        Case{{"-e", "-x", "tregs=5", "-n", "BEGIN { @[1, 2, 3, 4, 5, 6, 7, 8, 9] = count(); }"},
             "invalid probe specifier BEGIN { @[1, 2, 3, 4, 5, 6, 7, 8, 9] = count(); }: "
             "Insufficient tuple registers to generate code"}));

INSTANTIATE_TEST_SUITE_P(
    Probes, Message,
    ::testing::Values(
        Case{{"-n", "nosuch"}, "invalid probe specifier nosuch: probe description :::nosuch does not match any probes"},
        Case{{"-P", "nosuch"}, "invalid probe specifier nosuch: probe description nosuch::: does not match any probes"},
        Case{{"-m", "a:b"}, "invalid probe specifier a:b: probe description a:b:: does not match any probes"},
        Case{{"-f", "a:b:c"}, "invalid probe specifier a:b:c: probe description a:b:c: does not match any probes"},
        Case{{"-n", "a:b:c:d:e"},
             "invalid probe specifier a:b:c:d:e: invalid probe description \"a:b:c:d:e\": "
             "Overspecified probe description"},
        Case{{"-P", "a:b"},
             "invalid probe specifier a:b: invalid probe description \"a:b\": Overspecified probe description"},
        Case{{"-i", "0"}, "invalid probe specifier 0: invalid probe identifier 0: Unknown probe identifier"},
        Case{{"-l", "-i", "0"}, "invalid probe specifier 0: invalid probe identifier 0: Unknown probe identifier"},
        Case{{"-l", "-i", "499999"},
             "invalid probe specifier 499999: invalid probe identifier 499999: Unknown probe identifier"},
        Case{{"-l", "-n", "BEGIN { trace(nosuch); }"},
             "invalid probe specifier BEGIN { trace(nosuch); }: in action list: failed to resolve nosuch: Unknown "
             "variable name"},
        Case{{"-l", "-n", "nosuch:::"}, "failed to match nosuch:::: No probe matches description", 0},
        Case{{"-n", "BEGIN { exit(0) }", "one"},
             "invalid probe specifier BEGIN { exit(0) }: extraneous argument 'one' ($1 is not referenced)"},
        Case{{"-n", "BEGIN { trace($1) }"},
             "invalid probe specifier BEGIN { trace($1) }: macro argument $1 is not defined"},
        Case{{"-x", "errtags", "-n", "BEGIN /\"x\"/ { }"},
             "invalid probe specifier BEGIN /\"x\"/ { }: [D_PRED_SCALAR] in predicate: "
             "predicate must be of scalar type, not string"}));

// Programs that parse messages run dtrace or set diagnostics=classic, and get only the classic lines.
TEST(Hints, FollowTheClassicLines) {
  const std::vector<std::string> command_lines[] = {{"script.d"},
                                                    {"-x", "quite", "-n", "BEGIN"},
                                                    {"-e", "-x", "tregs=1", "-n", "BEGIN { x[1, 2] = 3; }"},
                                                    {"-e", "-C", "-x", "cpppath=/nosuch", "-s", "/dev/null"},
                                                    {"-e", "-n", "io:::begin"}};
  for (std::vector<std::string> arguments : command_lines) {
    std::string hinted = dscope(arguments).err;
    EXPECT_GT(std::count(hinted.begin(), hinted.end(), '\n'), 1) << hinted;
    auto with_diagnostics = [&](const std::string& value) {
      std::vector<std::string> all{"-x", "diagnostics=" + value};
      all.insert(all.end(), arguments.begin(), arguments.end());
      return dscope(all).err;
    };
    EXPECT_EQ(with_diagnostics("classic"), first_line(hinted) + '\n');
    EXPECT_EQ(first_line(with_diagnostics("full")), first_line(hinted));
    arguments.insert(arguments.begin(), {"bash", "-c", "exec -a dtrace \"$0\" \"$@\"", DSCOPE_PROGRAM});
    std::string dtrace = run(arguments).err;
    EXPECT_EQ(std::count(dtrace.begin(), dtrace.end(), '\n'), 1) << dtrace;
  }
}

// Seventy nested products: each keeps its left operand while it evaluates the rest.
TEST(DeepExpressions, AreRejectedWithAdvice) {
  SKIP_UNLESS_TRACING();
  std::string text = "m[0]";
  for (int i = 0; i < 70; ++i) text = "m[" + std::to_string(i) + "] * (" + text + ")";
  Outcome outcome = dscope({"-n", "BEGIN {\nm[1] = 1;\nx = " + text + "; }"});
  EXPECT_EQ(outcome.err.find("dscope: program:3:"), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("the intermediate results of an expression exceed the BPF stack"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.status, 1);
}

}  // namespace
}  // namespace dscope::e2e
