// The examples in the user documentation compile on this machine, and run if they terminate: every D block in docs/,
// the commands of the README, and the commands, scripts and statements of the manual pages.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

// The texts between ```d and ```.
std::vector<std::string> programs_of(const fs::path& page) {
  std::ifstream file(page);
  std::vector<std::string> programs;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      is_inside = line == "```d";
      if (is_inside) programs.emplace_back();
    } else if (is_inside) {
      programs.back() += line + "\n";
    }
  }
  return programs;
}

TEST(Docs, EveryProgramCompiles) {
  size_t count = 0;
  for (const auto& page : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "docs")) {
    if (page.path().extension() != ".md") continue;
    for (const std::string& program : programs_of(page.path())) {
      fs::path script = fs::path(::testing::TempDir()) / ("dscope_docs_test_" + std::to_string(getpid()) + ".d");
      std::ofstream(script) << program;
      Outcome outcome = dscope({"-e", "-s", script});
      fs::remove(script);
      EXPECT_EQ(outcome.status, 0) << page.path() << "\n" << program << outcome.err;
      ++count;
    }
  }
  EXPECT_GE(count, 6U);
}

// ---------------------------------------------------------------- the manual pages

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Text as mandoc(1) prints it.
std::string unescaped(std::string text) {
  replace_all(text, "\\-", "-");
  replace_all(text, "\\(dq", "\"");
  replace_all(text, "\\&", "");
  replace_all(text, "\\e", "\\");
  return text;
}

struct ManualPages {
  std::vector<std::string> displays;  // .Dl lines and .Bd blocks
  std::vector<std::string> items;     // .It Li of the section LANGUAGE
};

ManualPages read_manual_pages() {
  ManualPages pages;
  for (const char* name : {"dscope.8", "dscope-d.7", "dscope-providers.7"}) {
    std::ifstream file(fs::path(DSCOPE_SOURCE_DIR) / "man" / name);
    bool is_block = false, is_language = false;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(".Sh ") || line.starts_with(".Ss ")) is_language = line == ".Sh LANGUAGE";
      if (line.starts_with(".Bd -literal")) pages.displays.emplace_back();
      if (is_block && line != ".Ed") pages.displays.back() += unescaped(line) + "\n";
      if (line.starts_with(".Bd") || line == ".Ed") is_block = line != ".Ed";
      if (line.starts_with(".Dl ")) pages.displays.push_back(unescaped(line.substr(4)));
      if (is_language && line.starts_with(".It Li ")) pages.items.push_back(unescaped(line.substr(7)));
    }
  }
  return pages;
}

// Runs a typed command with one more program that ends the run as soon as everything is attached.
Outcome run_and_end(std::string command) {
  while (command.ends_with('\n')) command.pop_back();
  std::string path = fs::path(DSCOPE_PROGRAM).parent_path().string();
  return run({"sh", "-c", "PATH=" + path + ":$PATH; " + command + " -xargref -n 'BEGIN { exit(0); }'"});
}

// The commands behind the prompt `# ` in blocks of ```console. A command ends where its quotes are closed.
std::vector<std::string> console_commands(const fs::path& page) {
  std::ifstream file(page);
  std::vector<std::string> commands;
  bool is_inside = false, is_open = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) is_inside = line == "```console";
    else if (is_open) commands.back() += "\n" + line;
    else if (is_inside && line.starts_with("# dscope ")) commands.push_back(line.substr(2));
    else continue;
    is_open = !commands.empty() && std::count(commands.back().begin(), commands.back().end(), '\'') % 2 != 0;
  }
  return commands;
}

TEST(Docs, ConsoleCommandsRun) {
  SKIP_UNLESS_TRACING();
  size_t count = 0;
  for (const char* page : {"README.md", "docs/json-output.md"}) {
    for (const std::string& command : console_commands(fs::path(DSCOPE_SOURCE_DIR) / page)) {
      Outcome outcome = run_and_end(command);
      EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
      ++count;
    }
  }
  EXPECT_GE(count, 7U);
}

// Examples with programs and scripts of the reader.
bool needs_files(const std::string& command) {
  return command.find(" ./") != std::string::npos || command.find(".d ") != std::string::npos;
}

TEST(Docs, ManualPageCommandsRun) {
  SKIP_UNLESS_TRACING();
  size_t count = 0;
  for (const std::string& command : read_manual_pages().displays) {
    if (!command.starts_with("dscope -") || needs_files(command)) continue;
    Outcome outcome = run_and_end(command);
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
    ++count;
  }
  EXPECT_GE(count, 6U);
}

TEST(Docs, ManualPageScriptsRun) {
  SKIP_UNLESS_TRACING();
  size_t count = 0;
  for (const std::string& text : read_manual_pages().displays) {
    if (!text.starts_with("#!")) continue;
    fs::path script = fs::path(::testing::TempDir()) / ("dscope_docs_test_" + std::to_string(getpid()) + ".d");
    std::ofstream(script) << text;
    Outcome outcome = run_and_end("dscope -s " + script.string() + " sleep");
    fs::remove(script);
    EXPECT_EQ(outcome.status, 0) << text << outcome.err;
    ++count;
  }
  EXPECT_GE(count, 1U);
}

TEST(Docs, ManualPageStatementsCompile) {
  size_t count = 0;
  for (std::string item : read_manual_pages().items) {
    std::string program;
    replace_all(item, "provider NAME", "provider syscall");
    if (item.starts_with("inline")) program = item + " BEGIN { trace(1); }";
    else if (item.starts_with("#pragma")) program = "int x;\n" + item + "\nBEGIN { trace(x); }";
    else if (item.ends_with(";") && item.find("...") == std::string::npos)
      program = "syscall::read:entry { " + item + " }";
    else continue;
    Outcome outcome = dscope({"-e", "-n", program});
    EXPECT_EQ(outcome.status, 0) << program << "\n" << outcome.err;
    ++count;
  }
  EXPECT_GE(count, 9U);
}

// Lines about names contain expressions such as "as in curthread->real_parent->tgid".
TEST(Docs, ReferenceExpressionsCompile) {
  const std::regex example("as in ([a-z_]+(?:->|\\()[^ ]*[a-z)])");
  std::ifstream file(fs::path(DSCOPE_SOURCE_DIR) / "man/reference.txt");
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    for (auto found = std::sregex_iterator(line.begin(), line.end(), example); found != std::sregex_iterator();
         ++found) {
      Outcome outcome = dscope({"-e", "-n", "BEGIN { trace(" + (*found)[1].str() + "); }"});
      EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
      ++count;
    }
  }
  EXPECT_GE(count, 2U);
}

}  // namespace
}  // namespace dscope::e2e
