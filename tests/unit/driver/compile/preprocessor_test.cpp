// Runs the C preprocessor: its arguments, and preprocessors that fail, are missing, or never stop. Shell scripts
// replace the machine's own cpp, which the end-to-end tests run.
#include "driver/compile/preprocessor.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace dscope {
namespace {

class PreprocessorTest : public testing::Test {
 protected:
  ~PreprocessorTest() override { std::filesystem::remove(path); }

  void set(std::string_view name, std::string_view value) {
    ASSERT_TRUE(options.set(name, value, true, OptionOrigin::CommandLine)) << name;
  }
  // Installs `body` as the preprocessor: a shell script in which $OUT is the output file.
  void use(const std::string& body) {
    std::ofstream(path) << "#!/bin/sh\nfor OUT; do :; done\n" << body << "\n";
    ::chmod(path.c_str(), 0700);
    set("cpppath", path);
  }
  std::string message(const std::string& text = "BEGIN { }\n") {
    auto output = preprocess("x.d", text, options);
    return output ? "" : output.error().message();
  }
  // A preprocessor must leave no unreaped child behind.
  static bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

  std::string path = testing::TempDir() + "dscope-cpp-" + std::to_string(::getpid());
  OptionValues options;
};

TEST_F(PreprocessorTest, PassesArgumentsInOrder) {
  set("define", "A=1");
  set("undef", "A");
  set("version", "1.6.4");
  std::vector<std::string> arguments = preprocessor_arguments(options, "dir");
  std::string joined;
  for (const std::string& argument : arguments) joined += argument + " ";
  EXPECT_EQ(joined.find("-D__linux -D__unix -D__SVR4 -D__SUNW_D=1 -U__GNUC__ -D__SUNW_D_64 -D__Linux "), 0U) << joined;
  EXPECT_NE(joined.find(" -DA=1 -UA -D__SUNW_D_VERSION=0x01006004 -std=c99 -iquotedir "), std::string::npos) << joined;
  set("stdc", "s");
  EXPECT_EQ(preprocessor_arguments(options, "").back(), "-traditional-cpp");
}

TEST_F(PreprocessorTest, VersionsAreEncoded) {
  EXPECT_EQ(encoded_version("2.0"), 0x02000000U);
  EXPECT_EQ(encoded_version("1.13.5"), 0x0100d005U);
  EXPECT_EQ(encoded_version(""), 0U);
}

TEST_F(PreprocessorTest, PassesTextThroughThePreprocessor) {
  use("cat >$OUT");
  EXPECT_EQ(preprocess("x.d", "BEGIN { }\n", options).value(), "BEGIN { }\n");
  EXPECT_EQ(preprocess("x.d", "", options).value(), "");
  std::string large(3 << 20, 'x');
  EXPECT_EQ(preprocess("x.d", large, options).value(), large);
  EXPECT_FALSE(has_children());
}

TEST_F(PreprocessorTest, InterpreterLineIsBlank) {
  use("cat >$OUT");
  EXPECT_EQ(preprocess("x.d", "#!/usr/sbin/dtrace -Cs\nBEGIN { }\n", options).value(), "\nBEGIN { }\n");
  EXPECT_EQ(preprocess("x.d", "#!/usr/sbin/dtrace -Cs", options).value(), "");
}

TEST_F(PreprocessorTest, InputCanBeOpenedByName) {
  use("cat /dev/stdin >$OUT");
  EXPECT_EQ(preprocess("x.d", "#! x\ny", options).value(), "\ny");
}

TEST_F(PreprocessorTest, ReportsFailures) {
  use("cat >$OUT; exit 1");
  EXPECT_EQ(message(), "Preprocessor failed to process input program");
  use("exit 126");
  EXPECT_EQ(message(), "Failed to exec preprocessor");
  use("exit 127");
  EXPECT_EQ(message(), "Preprocessor not found");
  use("kill -9 $$");
  EXPECT_EQ(message(), "Preprocessor failed to process input program");
  ::chmod(path.c_str(), 0600);
  EXPECT_EQ(message(), "Failed to exec preprocessor");
  set("cpppath", "/nonexistent/cpp");
  EXPECT_EQ(message(), "Preprocessor not found");
  EXPECT_FALSE(has_children());
}

TEST_F(PreprocessorTest, EndlessOutputIsStopped) {
  use("exec yes >$OUT");
  EXPECT_EQ(message(), "Preprocessor failed to process input program");
  EXPECT_FALSE(has_children());
}

// The script ends, but another process keeps the output open. The text written so far is used.
TEST_F(PreprocessorTest, GrandchildrenAreNotWaitedFor) {
  use("exec 9>$OUT; echo text >&9; sleep 1000 <&- >&- 2>&- & echo $! >" + path + ".pid; exit 0");
  EXPECT_EQ(preprocess("x.d", "", options).value(), "text\n");
  pid_t sleeper = 0;
  std::ifstream(path + ".pid") >> sleeper;
  ASSERT_GT(sleeper, 0);
  EXPECT_EQ(::kill(sleeper, SIGKILL), 0);
  std::filesystem::remove(path + ".pid");
}

}  // namespace
}  // namespace dscope
