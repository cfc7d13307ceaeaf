// Portable bundles: dscope --build=FILE writes one, dscope-run runs it.
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>

#include "../e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

class BundleTest : public ::testing::Test {
 protected:
  BundleTest() {
    char path[] = "/tmp/dscope_bundle_XXXXXX";
    folder_ = ::mkdtemp(path);
    bundle_ = folder_ / "program.dsb";
  }
  ~BundleTest() override { fs::remove_all(folder_); }

  Outcome build(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {DSCOPE_PROGRAM, "--build=" + bundle_.string()});
    return e2e::run(arguments, {});
  }
  Outcome run_bundle(std::vector<std::string> arguments, const std::vector<std::string>& options = {}) const {
    arguments.insert(arguments.begin(), bundle_);
    arguments.insert(arguments.begin(), options.begin(), options.end());
    arguments.insert(arguments.begin(), fs::path(DSCOPE_PROGRAM).parent_path() / "dscope-run");
    return e2e::run(arguments, {});
  }
  // Builds and runs.
  Outcome both(const std::vector<std::string>& program, const std::vector<std::string>& arguments = {}) const {
    Outcome built = build(program);
    EXPECT_EQ(built.status, 0) << built.err;
    EXPECT_EQ(built.out, "");
    return run_bundle(arguments);
  }

  fs::path folder_, bundle_;
};

TEST_F(BundleTest, ArgumentsAreThoseOfTheRun) {
  SKIP_UNLESS_TRACING();
  const std::string program = "BEGIN { printf(\"%d %s %d\\n\", $1 * 2, $$2, $$2 == \"nginx\"); exit($3); }";
  Outcome outcome = both({"-qn", program}, {"10", "nginx", "4"});
  EXPECT_EQ(outcome.out, "20 nginx 1\n\n") << outcome.err;
  EXPECT_EQ(outcome.status, 4);
  outcome = run_bundle({"--", "-3", "a much longer name than that of nginx", "5"});
  EXPECT_EQ(outcome.out, "-6 a much longer name than that of nginx 0\n\n") << outcome.err;
  EXPECT_EQ(outcome.status, 5);
}

TEST_F(BundleTest, AnAbsentArgumentIsReportedAtItsPlace) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = both({"-qn", "BEGIN { exit($1); }"});
  EXPECT_NE(outcome.err.find("macro argument $1 is not defined"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.status, 1);
}

TEST_F(BundleTest, KernelObjectsProbesAndTargetsAreThoseOfTheRun) {
  SKIP_UNLESS_TRACING();
  const std::string program =
      "BEGIN { printf(\"%d %d %s\\n\", curthread->pid == $pid, pid == $pid, execname); }"
      "syscall:::entry /pid == $target/ { @calls[probefunc] = count(); @all = count(); } END { printa(@calls); "
      "printa(@all); }";
  ASSERT_EQ(build({"-qn", program}).status, 0);
  Outcome outcome = run_bundle({}, {"-c", "true"});
  EXPECT_EQ(outcome.out.substr(0, 4), "1 1 ") << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("exit_group"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(BundleTest, OptionsOfBothAreObeyed) {
  SKIP_UNLESS_TRACING();
  ASSERT_EQ(build({"-q", "-x", "strsize=8", "-n", "BEGIN { trace(\"a long text\"); exit(0); }"}).status, 0);
  EXPECT_EQ(run_bundle({}).out, "a long t\n");
  Outcome outcome = run_bundle({}, {"-o", folder_ / "out"});
  EXPECT_EQ(outcome.out, "");
  std::string text;
  std::ifstream(folder_ / "out") >> text;
  EXPECT_EQ(text, "a");
}

TEST_F(BundleTest, DestructiveActionsNeedPermissionAgain) {
  SKIP_UNLESS_TRACING();
  ASSERT_EQ(build({"-wqn", "BEGIN { system(\"echo done\"); exit(0); }"}).status, 0);
  Outcome outcome = run_bundle({});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("Destructive actions not allowed"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_bundle({}, {"-w"}).out, "done\n\n");
}

// A mount hides the kernel's types, as if it had none.
TEST_F(BundleTest, RunsWithoutTypesOnTheKernelsThatItIsBoundTo) {
  SKIP_UNLESS_TRACING();
  utsname names{};
  ::uname(&names);
  const std::string program = "BEGIN { printf(\"%d\\n\", curthread->tgid == pid); exit(0); }";
  auto run_without_types = [&] {
    return e2e::run({"/usr/bin/unshare", "-m", "sh", "-c", "mount -t tmpfs none /sys/kernel/btf && exec \"$@\"", "sh",
                     fs::path(DSCOPE_PROGRAM).parent_path() / "dscope-run", bundle_},
                    {});
  };
  ASSERT_EQ(build({"-qn", program}).status, 0);
  EXPECT_NE(run_without_types().status, 0);

  fs::path types = folder_ / (std::string{names.release} + ".btf");
  fs::copy_file("/sys/kernel/btf/vmlinux", types);
  ASSERT_EQ(build({"--bind=" + types.string(), "-qn", program}).status, 0);
  Outcome outcome = run_without_types();
  EXPECT_EQ(outcome.out, "1\n\n") << outcome.err;
  outcome = e2e::run({DSCOPE_PROGRAM, "--info=" + bundle_.string()}, {});
  EXPECT_NE(outcome.out.find("bound to      " + std::string{names.release} + "\n"), std::string::npos) << outcome.out;

  fs::path other = folder_ / "btf-5.4.0-none";
  fs::rename(types, other);
  ASSERT_EQ(build({"--bind=" + other.string(), "-qn", program}).status, 0);
  outcome = run_without_types();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("it is bound to 5.4.0-none"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_bundle({}).out, "1\n\n");
}

TEST_F(BundleTest, ProbesThatAppearDuringTheRunAreRefusedAtTheirPlace) {
  SKIP_UNLESS_TRACING();
  const std::string program = "BEGIN { }\npid$target:libc:malloc:entry { exit(0); }";
  fs::path script = folder_ / "script.d";
  std::ofstream(script) << program;
  EXPECT_EQ(build({"-s", script, "-c", "/bin/true"}).status, 0);
  Outcome outcome = build({"-x", "follow=exec", "-s", script, "-c", "/bin/true"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("line 2: a bundle has no code for probes of pid"), std::string::npos) << outcome.err;
  outcome = build({"-Zn", "pid$target:libnone.so:f:entry { }", "-c", "/bin/true"});
  EXPECT_NE(outcome.err.find("a bundle has no code for probes of pid"), std::string::npos) << outcome.err;
}

TEST_F(BundleTest, OtherFilesThanBtfAreNotBound) {
  Outcome outcome = build({"--bind=/etc/passwd", "-qn", "BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("/etc/passwd: not BTF of a kernel"), std::string::npos) << outcome.err;
}

// The bounds of a distribution decide the size of its elements.
TEST_F(BundleTest, ArgumentsThatSelectCodeAreRefused) {
  SKIP_UNLESS_TRACING();
  ASSERT_EQ(build({"-qn", "BEGIN { @ = lquantize(3, 0, $1, 1); exit(0); }", "10"}).status, 0);
  EXPECT_EQ(run_bundle({"10"}).status, 0);
  Outcome outcome = run_bundle({"20"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("the bundle has no code for this machine"), std::string::npos) << outcome.err;
}

TEST_F(BundleTest, ScriptsNeedNeitherTheirFileNorTheLibrary) {
  SKIP_UNLESS_TRACING();
  fs::path script = folder_ / "script.d";
  std::ofstream(script) << "#!/usr/sbin/dtrace -s\n#pragma D option quiet\n"
                           "BEGIN { printf(\"%s %d\\n\", curpsinfo->pr_fname, curpsinfo->pr_pid == $pid); exit(0); }\n";
  ASSERT_EQ(build({"-s", script}).status, 0);
  fs::remove(script);
  Outcome outcome = run_bundle({}, {"-x", "syslibdir=/nonexistent"});
  EXPECT_EQ(outcome.out, "dscope-run 1\n\n") << outcome.err;
}

TEST_F(BundleTest, ProgramsWithHeadersAreRefused) {
  fs::path script = folder_ / "script.d";
  std::ofstream(script) << "#include <stdio.h>\nBEGIN { trace(sizeof(FILE)); exit(0); }\n";
  Outcome outcome = build({"-C", "-s", script});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("a program that includes C headers cannot be bundled"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(bundle_));
}

TEST_F(BundleTest, InfoDescribesTheProgram) {
  ASSERT_EQ(build({"-qn", "dtrace:::BEGIN { trace(curthread->comm); exit($1); }"}).status, 0);
  Outcome outcome = dscope({"--info=" + bundle_.string()}, {});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* text : {"arguments     $1\n", "options       quiet\n", "struct task_struct.comm", "dtrace:::BEGIN"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " is not in " << outcome.out;
}

TEST_F(BundleTest, FilesThatAreNoBundlesAreRefused) {
  std::ofstream(bundle_) << "text";
  Outcome outcome = run_bundle({});
  EXPECT_EQ(outcome.err, "dscope-run: " + bundle_.string() + ": not a bundle\n");
  EXPECT_EQ(outcome.status, 1);
  fs::remove(bundle_);
  EXPECT_NE(run_bundle({}).err.find("No such file"), std::string::npos);
}

TEST_F(BundleTest, OtherModesAreMisuse) {
  Outcome outcome = run_bundle({}, {"-y"});
  EXPECT_EQ(outcome.err, "dscope-run: invalid option -- 'y'\nTry 'dscope-run --help'.\n");
  outcome = run_bundle({}, {"-l"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("a bundle can only be run"), std::string::npos) << outcome.err;
  EXPECT_EQ(build({"-l", "-n", "BEGIN"}).status, 2);
}

}  // namespace
}  // namespace dscope::e2e
