// Each option of src/catalog/options.def: its effect, or the values it rejects. Options whose effect needs more than
// one run also have a test in option_test.cpp.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// One run of dscope. In arguments, {script} is a file that contains `script`, and {folder} is its folder, which also
// contains a header h.h and a D library lib/l.d.
struct Row {
  std::string option;  // name of the option
  std::vector<std::string> arguments;
  std::string out, err;  // parts of the output
  int status = 0;
  std::string script = "";
  std::string absent = "";  // if not empty: must not be printed
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.option; }

class Folder {
 public:
  explicit Folder(const std::string& script) {
    std::string pattern = (fs::temp_directory_path() / "dscope-option-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    fs::create_directory(path_ / "lib");
    std::ofstream(path_ / "lib/l.d") << "inline int FROM_LIBRARY = 5;\n";
    std::ofstream(path_ / "h.h") << "#define FROM_HEADER 5\n";
    std::ofstream(path_ / "s.d") << script;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string filled(std::string argument) const {
    for (auto [mark, path] : {std::pair{"{script}", path_ / "s.d"}, {"{folder}", path_}})
      if (size_t at = argument.find(mark); at != std::string::npos)
        argument.replace(at, std::string(mark).size(), path.string());
    return argument;
  }

 private:
  fs::path path_;
};

class OptionTable : public testing::TestWithParam<Row> {};

TEST_P(OptionTable, OptionHasItsEffect) {
  SKIP_UNLESS_TRACING();
  const Row& row = GetParam();
  Folder folder(row.script);
  std::vector<std::string> arguments;
  for (const std::string& argument : row.arguments) arguments.push_back(folder.filled(argument));
  Outcome outcome = dscope(arguments);
  EXPECT_TRUE(has(outcome.out, row.out)) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.err, row.err)) << outcome.err;
  EXPECT_EQ(outcome.status, row.status) << outcome.err;
  bool is_absent = row.absent.empty() || !has(outcome.out + outcome.err, row.absent);
  EXPECT_TRUE(is_absent) << outcome.out << outcome.err;
}

Row refused(const std::string& option, const std::string& value) {
  return {.option = option,
          .arguments = {"-x", option + "=" + value, "-e", "-n", "BEGIN"},
          .out = "",
          .err = "failed to set -x " + option + ": Invalid value for specified option\n",
          .status = 1};
}
// Options that other DTrace implementations need: they change nothing here, or nothing that one run shows.
Row accepted(const std::string& setting) {
  return {.option = setting.substr(0, setting.find('=')),
          .arguments = {"-x", setting, "-e", "-n", "BEGIN"},
          .out = "",
          .err = ""};
}
// Prints `out` for the actions, run once.
Row prints(const std::string& setting, const std::string& actions, const std::string& out) {
  return {.option = setting.substr(0, setting.find('=')),
          .arguments = {"-q", "-x", setting, "-n", "BEGIN { " + actions + " exit(0); }"},
          .out = out,
          .err = ""};
}
// Does not compile.
Row complains(const std::string& setting, const std::string& actions, const std::string& err) {
  return {.option = setting.substr(0, setting.find('=')),
          .arguments = {"-xerrtags", "-e", "-x", setting, "-n", "BEGIN { " + actions + " }"},
          .out = "",
          .err = err,
          .status = 1};
}
// Runs the script through the C preprocessor.
Row preprocesses(const std::string& option, std::vector<std::string> settings, const std::string& script, Row result) {
  std::vector<std::string> arguments{"-C", "-q", "-s", "{script}"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"-x", setting});
  return {.option = option,
          .arguments = std::move(arguments),
          .out = result.out,
          .err = result.err,
          .status = result.status,
          .script = script};
}

const std::string print_n = "BEGIN { printf(\"<%d>\", N); exit(0); }\n";
const std::string two_keys = "@[\"b\", 1] = sum(1); @[\"a\", 2] = sum(2); printa(\"<%s %d>\", @);";

const Row rows[] = {
    prints("agghist", "@[\"a\"] = count();", "key  ------------- Distribution -------------"),
    {.option = "aggkept",
     .arguments = {"-qxaggkept", "-n",
                   "BEGIN { @a[1] = sum(1); @a[2] = sum(2); @b[1] = sum(3); @b[2] = sum(4); trunc(@a, 1); "
                   "printa(\"<%d %@d %@d>\", @a, @b); exit(0); }"},
     .out = "<2 2 4>",
     .err = ""},
    {.option = "aggmerge",
     .arguments = {"-qxaggmerge", "-c", DSCOPE_TRIGGERS "/forks", "-c", DSCOPE_TRIGGERS "/forks", "-n",
                   "pid*:a.out:main:entry { @[ufunc(uregs[R_PC])] = count(); } END { printa(\"<%A %@d>\", @); }"},
     .out = "<forks`main 2>",
     .err = ""},
    prints("aggpack", "@[\"a\"] = quantize(1);", " | 1\n"),
    {.option = "printform",
     .arguments = {"-qxprintform=classic", "-n", "BEGIN { i = 7; print(i); exit(0); }"},
     .out = "(int)7,\n",
     .err = ""},
    prints("aggpercpu", "@ = sum(42);", "    [CPU"),
    refused("aggrate", "0.5hz"),
    {.option = "aggmemory",
     .arguments = {"-qv", "-x", "aggmemory=4m", "-n", "BEGIN { @[pid] = count(); exit(0); }"},
     .out = "",
     .err = "dscope: aggregations have 40329 elements in 4 MiB; the budget is 4 MiB (-x aggmemory)\n"},
    {.option = "aggsize",
     .arguments = {"-x", "aggsize=8", "-n", "BEGIN { @[1] = count(); }"},
     .out = "",
     .err = "could not enable tracing: Enabling exceeds size of buffer\n",
     .status = 1},
    prints("aggsortkey", two_keys, "<a 2><b 1>"),
    {.option = "aggsortkeypos",
     .arguments = {"-qxaggsortkey", "-xaggsortkeypos=1", "-n", "BEGIN { " + two_keys + " exit(0); }"},
     .out = "<b 1><a 2>",
     .err = ""},
    prints("aggsortpos=1", "@a[1] = sum(1); @b[1] = sum(4); @a[2] = sum(2); @b[2] = sum(3); printa(\"<%d>\", @a, @b);",
           "<2><1>"),
    prints("aggsortrev", two_keys, "<a 2><b 1>"),
    prints("aggzoom", "@ = quantize(1); @ = quantize(8);", "1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1"),
    complains("amin=Stable/Stable/Common", "trace(`vfs_read);", "[D_ATTR_MIN]"),
    {.option = "argref", .arguments = {"-xargref", "-e", "-n", "BEGIN", "unused"}, .out = "", .err = ""},
    {.option = "bpflog", .arguments = {"-q", "-xbpflog", "-n", "BEGIN { exit(0); }"}, .out = "", .err = "BPF: "},
    refused("bpflogsize", "many"),
    refused("bufpolicy", "spill"),
    refused("bufresize", "never"),
    {.option = "bufsize",
     .arguments = {"-x", "bufsize=8", "-n", "BEGIN { trace(1); }"},
     .out = "",
     .err = "could not enable tracing: Enabling exceeds size of buffer\n",
     .status = 1},
    refused("cache", "often"),
    refused("cleanrate", "often"),
    prints("compat=solaris", "printf(\"<%d>\", `ncpus > 0);", "<1>"),
    {.option = "core", .arguments = {"-xcore", "-e", "-n", "BEGIN"}, .out = "", .err = "", .status = 128 + SIGABRT},
    {.option = "cpp",
     .arguments = {"-q", "-xcpp", "-s", "{script}"},
     .out = "<5>",
     .err = "",
     .status = 0,
     .script = "#define N 5\n" + print_n},
    preprocesses("cppargs", {"cppargs=-DN=5 -DM=6"}, print_n, {.option = "", .arguments = {}, .out = "<5>", .err = ""}),
    preprocesses("cpphdrs", {"cpphdrs"}, "#include \"h.h\"\nBEGIN { exit(0); }\n",
                 {.option = "", .arguments = {}, .out = "", .err = "h.h\n"}),
    preprocesses("cpppath", {"cpppath=/nosuch/cpp"}, print_n,
                 {.option = "", .arguments = {}, .out = "", .err = "Preprocessor not found\n", .status = 1}),
    {.option = "cpu",
     .arguments = {"-x", "cpu=99999", "-n", "BEGIN"},
     .out = "",
     .err = "could not enable tracing: no such CPU: 99999\n",
     .status = 1},
    refused("cpubudget", "1"),
    refused("cpubudgetwindow", "soon"),
    accepted("ctfpath=/nosuch"),
    complains("ctypes=/nosuch/file", "trace(1);", "failed to open /nosuch/file: "),
    refused("debug", "1"),
    accepted("debugassert=x"),
    prints("defaultargs", "printf(\"<%d>\", $3);", "<0>"),
    preprocesses("define", {"define=N=5"}, print_n, {.option = "", .arguments = {}, .out = "<5>", .err = ""}),
    {.option = "destructive",
     .arguments = {"-xdestructive", "-n", "BEGIN { exit(0); }"},
     .out = "",
     .err = "allowing destructive actions\n"},
    complains("diagnostics=full", "trace(x);", "| BEGIN { trace(x); }\n"),
    {.option = "disasm",
     .arguments = {"-S", "-x", "disasm=2", "-e", "-n", "BEGIN"},
     .out = "",
     .err = "Disassembly of program dtrace:::BEGIN"},
    accepted("dofstashpath=/nosuch"),
    refused("droptags", "1"),
    complains("dtypes=/nosuch/file", "trace(1);", "failed to open /nosuch/file: "),
    {.option = "duration", .arguments = {"-qx", "duration=0", "-n", "END { trace(5); }"}, .out = "5", .err = ""},
    {.option = "dynvarsize",
     .arguments = {"-x", "dynvarsize=1", "-n", "BEGIN { a[1] = 1; }"},
     .out = "",
     .err = "could not enable tracing: Enabling exceeds size of buffer\n",
     .status = 1},
    {.option = "empty", .arguments = {"-xempty", "-e", "-s", "{script}"}, .out = "", .err = ""},
    {.option = "encoding",
     .arguments = {"-qxaggpack", "-xencoding=utf8", "-n", "BEGIN { @ = quantize(1); exit(0); }"},
     .out = "\xe2\x96",
     .err = ""},
    complains("errtags", "trace(x);", "[D_IDENT_UNDEF]"),
    refused("evaltime", "later"),
    refused("follow", "exec,none"),
    prints("flowindent", "trace(1);", "CPU FUNCTION"),
    refused("foreignbytes", "all"),
    refused("foreigntime", "never"),
    prints("functionlimit=5", "trace(1);", "1"),
    prints("format=csv", "@[\"a\"] = count();", "key1,@_\na,1\n"),
    {.option = "grabanon",
     .arguments = {"-xgrabanon", "-e", "-n", "BEGIN"},
     .out = "",
     .err = "option `grabanon` ",
     .status = 1},
    preprocesses("incdir", {"incdir={folder}"}, "#include <h.h>\nBEGIN { printf(\"<%d>\", FROM_HEADER); exit(0); }\n",
                 {.option = "", .arguments = {}, .out = "<5>", .err = ""}),
    complains("iregs=7", "trace(1);", "Insufficient registers to generate code\n"),
    accepted("jstackframes=5"),
    accepted("jstackstrsize=100"),
    complains("kdefs", "trace(`no_such_symbol);", "[D_IDENT_UNDEF]"),
    {.option = "knodefs",
     .arguments = {"-xknodefs", "-e", "-n", "BEGIN { trace(`no_such_symbol); }"},
     .out = "",
     .err = ""},
    refused("late", "never"),
    accepted("lazyload"),
    accepted("ldpath=/nosuch"),
    prints("libdir={folder}/lib", "printf(\"<%d>\", FROM_LIBRARY);", "<5>"),
    complains("linkmode=dynamic", "trace(&`vfs_read);", "[D_ASRELO]"),
    accepted("linknommap"),
    refused("linktype", "coff"),
    accepted("lockmem=unlimited"),
    refused("mangled", "perhaps"),
    refused("maxframes", "all"),
    {.option = "metric",
     .arguments = {"-xmetric=@a color=red", "-qn", "BEGIN { exit(0); }"},
     .out = "",
     .err = "unknown setting of option metric: color",
     .status = 1},
    refused("metricidle", "soon"),
    refused("metricseries", "0"),
    accepted("modpath=/nosuch"),
    complains("nolibs", "trace(SIGHUP);", "[D_IDENT_UNDEF]"),
    refused("noresolve", "perhaps"),
    prints("nspec=2", "printf(\"<%d %d %d>\", speculation(), speculation(), speculation());", "<1 2 0>"),
    accepted("objcopypath=/nosuch"),
    prints("oformat=json", "trace(1);", "\"probes\""),
    refused("pcapsize", "all"),
    refused("pgmax", "all"),
    complains("preallocate=1000t", "trace(1);", "cannot preallocate 1099511627776000 bytes: "),
    accepted("printsize=65537"),
    accepted("procfspath=/nosuch"),
    {.option = "pspec",
     .arguments = {"-xpspec", "-e", "-s", "{script}"},
     .out = "",
     .err = "probe description :::pid_t does not match any probes\n",
     .status = 1,
     .script = "pid_t { exit(0); }\n"},
    {.option = "quiet",
     .arguments = {"-xquiet", "-n", "BEGIN { exit(0); }"},
     .out = "\n",
     .err = "",
     .absent = "BEGIN"},
    accepted("quietresize"),
    prints("rawbytes", "trace(\"ab\");", "0: 61 62 00"),
    prints("rawtext", "@[\"a\\nb\"] = count();", "  a\nb "),
    {.option = "record",
     .arguments = {"--record=/dev/null", "-xrecord=all", "-n", "syscall:::"},
     .out = "",
     .err = "unknown part of events in -x record: all\n",
     .status = 1},
    {.option = "recordappend",
     .arguments = {"--record=/etc/hostname", "-xrecordappend", "-qn", "syscall::exit_group:", "-c", "true"},
     .out = "",
     .err = "not a capture\n",
     .status = 1},
    {.option = "recordspan",
     .arguments = {"--record=/dev/null", "-xrecordspan=1s", "-n", "syscall::exit_group:", "-c", "true"},
     .out = "\n",
     .err = "recorded "},
    {.option = "recordstacks",
     .arguments = {"--record=/dev/null", "-xrecordstacks", "--dump=plan", "-n", "syscall::exit_group:"},
     .out = "ustack(",
     .err = ""},
    {.option = "ringcpus",
     .arguments = {"-xringcpus=1", "--dump=plan", "-n", "syscall::read:entry { trace(1); }"},
     .out = "map ds_ring ring-table",
     .err = ""},
    {.option = "rowstamps",
     .arguments = {"-xrowstamps", "--dump=plan", "-n", "BEGIN { trace(1); }"},
     .out = "48",
     .err = ""},
    {.option = "rtldstop",
     .arguments = {"-xrtldstop", "-c", "true", "-qn", "pid$target:libc:malloc:entry { } BEGIN { exit(0); }"},
     .out = "",
     .err = ""},
    complains("scratchsize=8", "p = alloca(100);", "alloca(100) size larger than scratchsize 8\n"),
    {.option = "served",
     .arguments = {"-xserved", "--dump=plan", "-n", "syscall::read:entry { @[execname] = count(); }"},
     .out = "map ds_overflow array",
     .err = ""},
    {.option = "setenv", .arguments = {"-xsetenv=DS_A=1", "-c", "env", "-qn", "BEGIN"}, .out = "DS_A=1\n", .err = ""},
    refused("specsize", "all"),
    refused("stackframes", "all"),
    refused("stackindent", "-1"),
    refused("statusrate", "1q"),
    refused("stdc", "q"),
    accepted("strip"),
    prints("strsize=10", "printf(\"<%d>\", sizeof(string));", "<10>"),
    refused("switchrate", "1q"),
    complains("syslibdir={folder}", "trace(SIGHUP);", "[D_IDENT_UNDEF]"),
    accepted("sysslice=x"),
    refused("temporal", "perhaps"),
    refused("threads", "green"),
    {.option = "tree", .arguments = {"-xtree=1", "-e", "-n", "BEGIN { x = 1; }"}, .out = "", .err = "Assign\n"},
    complains("tregs=1", "a[1, 2] = 3;", "Insufficient tuple registers to generate code\n"),
    refused("udefs", "1"),
    preprocesses(
        "undef",
        {"define=N=5", "undef=N"}, print_n,
        {.option = "", .arguments = {}, .out = "", .err = "failed to resolve N: Unknown variable name\n", .status = 1}),
    accepted("unodefs"),
    {.option = "unsetenv",
     .arguments = {"-xunsetenv=HOME", "-c", "env", "-qn", "BEGIN"},
     .out = "",
     .err = "",
     .absent = "\nHOME="},
    {.option = "uretprobes",
     .arguments = {"-xuretprobes", "-c", "true", "-qn", "pid$target:libc:getpid:return, BEGIN { exit(0); }"},
     .out = "",
     .err = ""},
    accepted("useruid=1000"),
    refused("ustackframes", "all"),
    refused("ustacksize", "100"),
    refused("ustacklines", "perhaps"),
    refused("ustackunwind", "guess"),
    {.option = "verbose",
     .arguments = {"-xverbose", "-e", "-n", "BEGIN"},
     .out = "",
     .err = "Disassembly of clause :::BEGIN"},
    complains("version=1.0", "trace(strstr(\"a\", \"b\"));", "[D_FUNC_UNDEF]"),
    {.option = "zdefs", .arguments = {"-xzdefs", "-e", "-n", "nosuch:::"}, .out = "", .err = ""},
};

INSTANTIATE_TEST_SUITE_P(Options, OptionTable, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.option; });

TEST(OptionTable, CoversEveryOption) {
  std::set<std::string> tested;
  for (const Row& row : rows) tested.insert(row.option);
  std::ifstream file(fs::path(DSCOPE_SOURCE_DIR) / "src/catalog/options.def");
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("DS_OPTION(")) continue;
    size_t begin = line.find('"') + 1;
    std::string name = line.substr(begin, line.find('"', begin) - begin);
    EXPECT_TRUE(tested.contains(name)) << name;
    ++count;
  }
  EXPECT_GE(count, 90U);
}

}  // namespace
}  // namespace dscope::e2e
