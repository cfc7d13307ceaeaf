#include "driver/shell/shell_completion.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driver/command_line/usage.h"
#include "driver/shell/long_options.h"
#include "tests/support/fake_host.h"

namespace dscope {
namespace {

std::vector<std::string> completed(std::vector<std::string> words) {
  words.insert(words.begin(), "dscope");
  std::vector<std::string> texts;
  for (const ShellCandidate& candidate :
       complete_command_line(words, [] { return std::make_unique<FakeHost>(); }).candidates)
    texts.push_back(candidate.text);
  return texts;
}

ShellFiles files_of(std::vector<std::string> words) {
  words.insert(words.begin(), "dscope");
  return complete_command_line(words, [] { return std::make_unique<FakeHost>(); }).files;
}

using Texts = std::vector<std::string>;

TEST(ShellCompletion, Options) {
  EXPECT_EQ(completed({"--d"}), (Texts{"--dry-run", "--dump="}));
  EXPECT_EQ(completed({"--dump=plan,as"}), (Texts{"--dump=plan,ast", "--dump=plan,asm"}));
  EXPECT_EQ(completed({"--format", "c"}), (Texts{"csv"}));
  EXPECT_GT(completed({"-"}).size(), 20u);
}

TEST(ShellCompletion, Settings) {
  EXPECT_EQ(completed({"-x", "aggsi"}), (Texts{"aggsize="}));
  EXPECT_EQ(completed({"-xbufpolicy=r"}), (Texts{"-xbufpolicy=ring"}));
  EXPECT_EQ(completed({"-qx", "agghist=o"}), (Texts{"agghist=on", "agghist=off"}));
}

TEST(ShellCompletion, Probes) {
  EXPECT_EQ(completed({"-n", "syscall::op"}), (Texts{"syscall::open:", "syscall::openat:"}));
  EXPECT_EQ(completed({"-qn", "BEGIN { } syscall::open:e"}), (Texts{"BEGIN { } syscall::open:entry"}));
  EXPECT_EQ(completed({"-P", "sysc"}), (Texts{"syscall:"}));
  EXPECT_TRUE(completed({"-n", "BEGIN { x"}).empty());
}

TEST(ShellCompletion, Files) {
  EXPECT_EQ(files_of({"-s", ""}), ShellFiles::Scripts);
  EXPECT_EQ(files_of({"-L", ""}), ShellFiles::Directories);
  EXPECT_EQ(files_of({"-q", "--", ""}), ShellFiles::Commands);
  EXPECT_EQ(files_of({"-q", "--", "cat", ""}), ShellFiles::Files);
  EXPECT_EQ(files_of({"--report=x"}), ShellFiles::Files);
  EXPECT_EQ(files_of({"--fmt", ""}), ShellFiles::Scripts);
}

// A script that declares options, in the current directory while it lives.
class ScriptFile {
 public:
  ScriptFile() {
    std::ofstream(path_)
        << "#!/usr/sbin/dscope -s\n#pragma D arg -n -T\n#pragma D arg -m, --min TIME=10ms \"only long calls\"\n";
  }
  ~ScriptFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / fmt::format("complete-{}.d", ::getpid())).string();
};

TEST(ShellCompletion, OptionsOfScripts) {
  ScriptFile script;
  EXPECT_EQ(completed({"-s", script.path(), "--m"}), (Texts{"--min="}));
  EXPECT_EQ(completed({"-qs", script.path(), "-m", ""}), (Texts{"10ms"}));
  EXPECT_EQ(completed({"-s", script.path(), "-x"}), (Texts{}));
}

TEST(ShellCompletion, KnowsEveryLongOption) {
  for (std::string_view name : long_options) EXPECT_NE(find_long_option(name), nullptr) << name;
}

}  // namespace
}  // namespace dscope
