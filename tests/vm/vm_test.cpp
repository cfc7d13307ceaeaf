// Tests providers on other kernels: each test boots a kernel under emulation (vm-run), runs all cases in it, and
// compares their output. A case is a shell script with its expected output beside it: NAME.out, or NAME.out.KERNEL if
// kernels differ. Kernels are fetched on first use. Without network or emulator the tests are skipped.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace dscope::vm {
namespace {

namespace fs = std::filesystem;

const fs::path source{DSCOPE_VM_SOURCE};

struct Outcome {
  int status = -1;
  std::string out;
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (size_t got; (got = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.out.append(buffer, got);
  int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string shell_word(const std::string& word) {
  return "'" + std::regex_replace(word, std::regex{"'"}, "'\\''") + "'";
}

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// DSCOPE_VM_RUN replaces vm-run, for example by another emulator.
std::string vm_run() {
  const char* own = std::getenv("DSCOPE_VM_RUN");
  return own != nullptr ? own : (source / "vm-run").string();
}

// The output of every case, with its exit status in the last line.
std::map<std::string, std::string> split(const std::string& text) {
  std::map<std::string, std::string> cases;
  std::istringstream lines{text};
  std::string current;
  constexpr std::string_view begin = "=== begin ", end = "=== end ";
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.starts_with(begin)) {
      current = line.substr(begin.size());
      cases[current];
    } else if (line.starts_with(end)) {
      cases[current] += "status" + line.substr(line.rfind(' ')) + "\n";
      current.clear();
    } else if (!current.empty()) {
      cases[current] += line + "\n";
    }
  }
  return cases;
}

// A fetched kernel; no image: it is not available.
struct Image {
  std::string path, version;  // "7.3"
};

Image fetch(const std::string& kernel) {
  Outcome fetched = shell(shell_word((source / "fetch-kernel").string()) + " " + kernel);
  if (fetched.status != 0) return {};
  std::string path = fetched.out.substr(0, fetched.out.find_last_not_of('\n') + 1);
  return {.path = path, .version = path.substr(path.rfind('-') + 1)};
}

bool has_emulator() { return shell("command -v qemu-system-x86_64 busybox").status == 0; }

// Runs a command of the machine's shell, with dscope and the triggers in its path and this folder in /vm. `more`: files
// of this machine, as vm-run's -f takes them.
Outcome run_on(const Image& image, const std::string& cpus, const std::string& command,
               const std::vector<std::string>& more = {}) {
  fs::path module = fs::path{image.path}.parent_path() / ("loop-" + image.version + ".ko");
  fs::path stripped = fs::path{testing::TempDir()} / ("dscope_vm_" + std::to_string(::getpid()));
  Outcome strip = shell("strip -o " + shell_word(stripped.string()) + " " + shell_word(DSCOPE_PROGRAM));
  if (strip.status != 0) return strip;
  std::string line = shell_word(vm_run()) + " -t 500 -m 2048 -c " + cpus + " -k " + shell_word(image.path) + " -f " +
                     shell_word(stripped.string() + ":/bin/dscope") + " -f " +
                     shell_word(DSCOPE_LIBRARY ":/share/dscope/library") + " -f " +
                     shell_word(source.string() + ":/vm");
  // Since 7.0 the kernel's memory for task storage needs cmpxchg16b, which vm-run switches off for older kernels.
  if (image.version[0] >= '7') line += " -C max,la57=off";
  if (fs::exists(module)) line += " -f " + shell_word(module.string() + ":/lib/loop.ko");
  line += " -f " + shell_word(DSCOPE_TOOLS ":/tools");
  for (const char* trigger : {"sockets", "copies", "only32", "flood"})
    line += " -f " + shell_word(std::string{DSCOPE_TRIGGERS "/"} + trigger + ":/bin/" + trigger);
  for (const std::string& file : more) line += " -f " + shell_word(file);
  Outcome outcome = shell(line + " -s " + shell_word(command) + " 2>&1");
  fs::remove(stripped);
  return outcome;
}

std::string expectation(const std::string& name, const std::string& kernel) {
  fs::path own = source / "cases" / (name + ".out." + kernel);
  return read_file(fs::exists(own) ? own : source / "cases" / (name + ".out"));
}

// Boots the kernel of the parameter.
class AnyKernel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_emulator()) GTEST_SKIP() << "needs qemu-system-x86_64 and busybox";
    image_ = fetch(GetParam());
    if (image_.path.empty()) GTEST_SKIP() << "kernel " << GetParam() << " is not available";
  }
  Outcome run(const std::string& cpus, const std::string& command, const std::vector<std::string>& more = {}) const {
    return run_on(image_, cpus, command, more);
  }
  const std::string& version() const { return image_.version; }

 private:
  Image image_;
};
class Kernel : public AnyKernel {};
class OldKernel : public AnyKernel {};

// One CPU: the emulator misreads code that another CPU changes concurrently, as kernels do when probes are attached.
TEST_P(Kernel, PassesAllCases) {
  Outcome outcome = run("1", "sh /vm/run-cases");
  ASSERT_EQ(outcome.status, 0) << outcome.out;
  std::map<std::string, std::string> printed = split(outcome.out);
  size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(source / "cases")) {
    if (entry.path().extension() != ".sh") continue;
    ++cases;
    std::string name = entry.path().stem().string();
    EXPECT_EQ(printed[name], expectation(name, version())) << name << " on " << version();
  }
  EXPECT_GT(cases, 0U);
}

struct BundledProgram {
  const char *name, *program, *arguments, *expected;
};
const BundledProgram bundled_programs[] = {
    {"types",
     "BEGIN { printf(\"%d %s %d %d\", curthread->pid == $pid, curpsinfo->pr_fname, `jiffies > 0, $1); exit(0); }", "7",
     "1 dscope-run 1 7\n"},
    {"calls", "syscall::openat:entry /execname == $$1/ { printf(\"%s\", copyinstr(arg1)); }",
     "cat -c 'cat /etc/passwd'", "/etc/passwd"},
    {"names", "syscall::getuid:entry,syscall::exit_group:entry /pid == $target/ { @[probefunc] = count(); }",
     "-c 'id -u'", "exit_group  1\n"},
    {"threads", "sched:::on-cpu /pid == $target/ { @[curpsinfo->pr_fname] = count(); }", "-c 'cat /proc/cpuinfo'",
     "cat "},
};

// The bundles are built for the kernel of the machine that runs the tests.
TEST_P(Kernel, RunsBundlesThatWereBuiltElsewhere) {
  fs::path folder = fs::path{testing::TempDir()} / ("dscope_bundles_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::string command;
  for (const BundledProgram& each : bundled_programs) {
    std::string file = (folder / each.name).string();
    Outcome built = shell(shell_word(DSCOPE_PROGRAM) + " -x quiet --build=" + shell_word(file) + " -n " +
                          shell_word(each.program) + " 2>&1");
    ASSERT_EQ(built.status, 0) << built.out;
    command += std::string{"echo === begin "} + each.name + "; dscope-run /bundles/" + each.name + " " +
               each.arguments + " 2>&1; echo === end " + each.name + " $?; ";
  }
  Outcome outcome = run("1", command, {folder.string() + ":/bundles", DSCOPE_RUNNER ":/bin/dscope-run"});
  std::map<std::string, std::string> printed = split(outcome.out);
  for (const BundledProgram& each : bundled_programs) {
    EXPECT_NE(printed[each.name].find(each.expected), std::string::npos) << each.name << ": " << printed[each.name];
    EXPECT_NE(printed[each.name].find("status 0\n"), std::string::npos) << each.name << ": " << printed[each.name];
  }
  fs::remove_all(folder);
}

// The capture leaves the machine as text, and prints here what the run printed there.
TEST_P(Kernel, RecordsWhatIsReplayedHere) {
  const std::string program = shell_word(
      "syscall::openat:entry,syscall::write:return /execname == \"cat\"/ { printf(\"%s %s %d %d %d\\n\", probefunc, "
      "probename, pid == $target, uid, errno); @[probefunc] = count(); } "
      "syscall::openat:entry /execname == \"cat\"/ { printf(\"%s\\n\", copyinstr(arg1)); } "
      "proc:::exec-success /pid == $target/ { printf(\"%s\\n\", curpsinfo->pr_psargs); }");
  Outcome outcome =
      run("1",
          "dscope -q -o /tmp/live --record=/tmp/run.dcap -x record=args,strings,threads "
          "-n 'syscall::openat:, syscall::write:, proc:::exec-success' -n " +
              program +
              " -c 'cat /etc/passwd' 2>&1 >/dev/null; echo === begin live; cat /tmp/live; "
              "echo === end live $?; echo === begin capture; base64 /tmp/run.dcap; echo === end capture $?");
  std::map<std::string, std::string> printed = split(outcome.out);
  constexpr std::string_view status = "status 0\n";
  ASSERT_TRUE(printed["capture"].ends_with(status)) << outcome.out;
  ASSERT_NE(printed["live"].find("/etc/passwd\n"), std::string::npos) << outcome.out;
  fs::path folder = fs::path{testing::TempDir()} / ("dscope_captures_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::string& text = printed["capture"];
  std::ofstream(folder / "text") << text.substr(0, text.size() - status.size());
  std::string capture = shell_word((folder / "run.dcap").string());
  ASSERT_EQ(shell("base64 -d " + shell_word((folder / "text").string()) + " > " + capture).status, 0);
  Outcome replayed = shell(shell_word(DSCOPE_REPLAYER) + " -q --replay=" + capture + " -n " + program + " 2>&1");
  EXPECT_EQ(replayed.out + std::string(status), printed["live"]);
  EXPECT_EQ(replayed.status, 0);
  fs::remove_all(folder);
}

// System calls have a tracepoint that is always compiled in: attaching to it changes little code.
TEST_P(Kernel, CountsExactlyOnManyCpus) {
  Outcome outcome = run("16", "sh /vm/many_cpus/counts.sh");
  ASSERT_EQ(outcome.status, 0) << outcome.out;
  std::erase(outcome.out, '\r');
  EXPECT_EQ(outcome.out, read_file(source / "many_cpus" / "counts.out"));
}

// Without a facility that dscope requires, one sentence says so before anything is compiled or loaded.
TEST_P(OldKernel, GetsOneSentence) {
  Outcome outcome = run("1", "dscope -n fsinfo:::mkdir -c 'echo started'; echo status $?");
  std::erase(outcome.out, '\r');
  static const std::regex expected{
      "dscope: Linux 5\\.10\\.\\S+ has no uprobe programs that may sleep: dscope needs Linux 6\\.0 or later\n"
      "dscope: hint: .*\nstatus 2\n"};
  EXPECT_TRUE(std::regex_match(outcome.out, expected)) << outcome.out;
}

std::string test_name(const testing::TestParamInfo<const char*>& kernel) {
  std::string name = kernel.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Debian, Kernel, testing::Values("6.1", "6.12", "newest"), test_name);
INSTANTIATE_TEST_SUITE_P(Debian, OldKernel, testing::Values("5.10"), test_name);

}  // namespace
}  // namespace dscope::vm
