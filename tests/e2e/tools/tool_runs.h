// The scripts of tools/ with a workload for each, and runs of them.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {

struct Tool {
  const char* name;
  std::vector<std::string> arguments;
  const char* command;   // %F: a file to write; %T: the folder of the triggers
  const char* expected;  // regular expression of rows
  int count = 0;         // of matches in the output; 0: at least one
};

void PrintTo(const Tool& tool, std::ostream* out);

// One for each script.
std::vector<Tool> all_tools();
Tool tool_named(const std::string& name);

// The path of a script.
std::string tool_script(const std::string& name);

// Runs the tool on its workload, with more arguments. `out` is what it has printed.
Outcome run_tool(const Tool& tool, const std::vector<std::string>& more = {});

// How many parts of `text` match a regular expression.
int matches(const std::string& text, const std::string& expression);

std::vector<std::string> lines_of(const std::string& text);
std::string text_of(const std::string& path);

}  // namespace dscope::e2e
