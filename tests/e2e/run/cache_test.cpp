// The cache of compiled programs: a second run prints what the first printed, without the compiler.
#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

// An installation of its own, whose compiler can be replaced. Its code is stored in the cache of this user.
class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
  CacheTest() {
    char path[] = "/tmp/dscope_cache_XXXXXX";
    folder_ = ::mkdtemp(path);
    fs::path built = fs::path(DSCOPE_PROGRAM).parent_path();
    fs::create_directory(folder_ / "compiler");
    fs::copy_file(DSCOPE_PROGRAM, folder_ / "dscope");
    fs::copy_file(built / "compiler/dscope", folder_ / "compiler/dscope");
  }
  ~CacheTest() override { fs::remove_all(folder_); }

  Outcome trace(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), folder_ / "dscope");
    return run(arguments, {"DTRACE_OPT_CACHE=on"});
  }

  // From now on compiling exits with status 42. The file looks like the compiler that filled the cache.
  void remove_compiler() const {
    fs::path compiler = folder_ / "compiler/dscope";
    auto size = fs::file_size(compiler);
    auto time = fs::last_write_time(compiler);
    std::ofstream(compiler) << "#!/bin/sh\nexit 42\n";
    fs::resize_file(compiler, size);
    fs::last_write_time(compiler, time);
  }

  fs::path folder_;
};

struct CachedRun {
  const char* name;
  std::vector<std::string> arguments;
};

const CachedRun cached_runs[] = {
    {"Printf", {"-n", "BEGIN { printf(\"%d %s\\n\", 7, \"text\"); exit(3); }"}},
    {"Quiet", {"-qn", "BEGIN { trace(1); exit(0); } END { trace(2); }"}},
    {"Aggregation", {"-qn", "BEGIN { @a[1] = quantize(8); @b = lquantize(3, 0, 10, 1); exit(0); }"}},
    {"Arguments", {"-qn", "BEGIN { printf(\"%d %s\", $1, $$2); exit(0); }", "12", "nginx"}},
    {"NoTarget", {"-qn", "BEGIN /$target == 0/ { trace(\"all\"); exit(0); }"}},
    {"Command", {"-qn", "syscall::exit_group:entry /execname == \"true\"/ { printf(\"ended\\n\"); }", "-c", "true"}},
    {"OwnProcess",
     {"-qn", "BEGIN { printf(\"%d %d\\n\", pid == $pid, ppid == $ppid); @[pid - $pid] = sum($pid - pid); exit(0); }"}},
    {"KernelTypes", {"-qn", "BEGIN { printf(\"%d\", curthread->pid != 0); exit(0); }"}},
    {"Types",
     {"-qn", "struct p { int x; char c[4]; }; this struct p p; BEGIN { this->p.x = 3; print(this->p); exit(0); }"}},
    {"Speculation",
     {"-qn",
      "BEGIN { self->s = speculation(); speculate(self->s); trace(5); } BEGIN { commit(self->s); } "
      "BEGIN { exit(0); }"}},
    {"Pragma", {"-n", "#pragma D option quiet\nBEGIN { trace(9); exit(0); }"}},
    {"Fault", {"-qn", "BEGIN { trace(*(int *)1); } ERROR { printf(\"error %d\\n\", arg4); exit(0); }"}},
    {"Csv", {"-x", "format=csv", "-n", "BEGIN { @[\"key\"] = count(); exit(0); }"}},
    {"End", {"-qn", "BEGIN { exit(0); } END { printf(\"%s\", execname != \"\" ? \"named\" : \"nameless\"); }"}},
};

TEST_F(CacheTest, SecondRunsPrintTheSameWithoutTheCompiler) {
  std::vector<Outcome> first;
  for (const CachedRun& one : cached_runs) {
    first.push_back(trace(one.arguments));
    EXPECT_NE(first.back().out, "") << one.name << ": " << first.back().err;
  }
  remove_compiler();
  for (size_t i = 0; i < std::size(cached_runs); ++i) {
    Outcome second = trace(cached_runs[i].arguments);
    EXPECT_EQ(second.status, first[i].status) << cached_runs[i].name;
    bool has_cpu_column = first[i].out.starts_with("CPU ");
    EXPECT_EQ(masked(second.out, has_cpu_column), masked(first[i].out, has_cpu_column)) << cached_runs[i].name;
    EXPECT_EQ(second.err, first[i].err) << cached_runs[i].name;
  }
}

TEST_F(CacheTest, SecondRecordingsNeedNoCompiler) {
  const std::string captures[] = {folder_ / "first.dcap", folder_ / "second.dcap"};
  auto record = [&](const std::string& file) {
    return trace({"--record=" + file, "-x", "record=args,strings,stacks", "-n",
                  "syscall::write:entry /progenyof($target) && arg2 == 1/ {}", "-n",
                  "BEGIN { printf(\"%d\\n\", pid == $pid); }", "-c",
                  "dd if=/dev/zero of=/dev/null bs=1 count=37 status=none"});
  };
  // $target is in the text: only recordings without it are kept.
  EXPECT_EQ(record(captures[0]).status, 0);
  auto record_all = [&](const std::string& file) {
    return trace(
        {"--record=" + file, "-x", "recordspan=1m", "-n", "syscall::write:entry", "-n",
         "syscall::exit_group:entry /execname == \"dd\"/ { snapshot(); } END { printf(\"%d\\n\", pid == $pid); }", "-c",
         "dd if=/dev/zero of=/dev/null bs=1 count=37 status=none"});
  };
  Outcome first = record_all(captures[0]);
  EXPECT_EQ(first.status, 0) << first.err;
  remove_compiler();
  EXPECT_EQ(record(captures[1]).status, 42);
  Outcome second = record_all(captures[1]);
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(masked(second.out, true), masked(first.out, true));
  EXPECT_NE(second.err.find("wrote a snapshot"), std::string::npos) << second.err;
  EXPECT_EQ(trace({"-n", "syscall::write:entry"}).status, 42);
  for (const std::string& capture : captures) {
    Outcome replay =
        dscope({"-q", "--replay=" + capture, "-n",
                "syscall::write:entry /execname == \"dd\"/ { @ = count(); } END { printa(\"%@d\\n\", @); }"});
    EXPECT_EQ(replay.out, "37\n\n") << replay.err;
  }
}

TEST_F(CacheTest, ChangedProgramsAndOptionsAreCompiled) {
  std::ofstream(folder_ / "script.d") << "BEGIN { trace(1); exit(0); }";
  std::string script = folder_ / "script.d";
  EXPECT_EQ(trace({"-qs", script}).out, "1\n");
  std::ofstream(folder_ / "script.d") << "BEGIN { trace(2); exit(0); }";
  EXPECT_EQ(trace({"-qs", script}).out, "2\n");
  EXPECT_EQ(trace({"-qs", script}).out, "2\n");
  remove_compiler();
  EXPECT_EQ(trace({"-qs", script}).out, "2\n");
  EXPECT_EQ(trace({"-x", "cache=off", "-qs", script}).status, 42);
  EXPECT_EQ(trace({"-x", "strsize=16", "-qs", script}).status, 42);
  std::ofstream(folder_ / "script.d") << "BEGIN { trace(3); exit(0); }";
  EXPECT_EQ(trace({"-qs", script}).status, 42);
}

// The code is good for one run only, or the compiler prints something.
TEST_F(CacheTest, CodeOfSomeProgramsIsNotKept) {
  fs::create_directory(folder_ / "library");
  std::ofstream(folder_ / "library/own.d") << "inline int own = $ppid;";
  const std::vector<std::vector<std::string>> programs = {
      {"-qn", "BEGIN { trace(own); exit(0); }", "-L", folder_ / "library"},
      {"-qn", "BEGIN { trace($ppid + 1); exit(0); }"},
      {"-qn", "BEGIN { trace($$pid); exit(0); }"},
      {"-qn", "BEGIN { trace(substr(\"text\", 0, $pid)); exit(0); }"},
      {"-qn", "BEGIN /$pid == 1/ {} BEGIN { exit(0); }"},
      {"-qn", "BEGIN { trace($target); exit(0); }", "-c", "true"},
      {"-qn", "pid$target:libc.so.6:exit:entry { exit(0); }", "-c", "true"},
      {"-qn", "uprobe:libc.so.6:exit:entry { exit(0); } BEGIN { exit(0); }"},
      {"-n", "#pragma D option tree=1\nBEGIN { exit(0); }"},
  };
  for (const auto& program : programs) EXPECT_EQ(trace(program).status, 0) << program[1];
  remove_compiler();
  for (const auto& program : programs) EXPECT_EQ(trace(program).status, 42) << program[1];
}

TEST_F(CacheTest, AMissingCompilerIsNamed) {
  fs::remove(folder_ / "compiler/dscope");
  Outcome outcome = trace({"-n", "BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("the compiler is not installed"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
