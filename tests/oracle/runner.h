// Runs programs through dscope, several in one script, and compares what they say with the model.
#pragma once

#include <string>
#include <vector>

#include "generator.h"
#include "model.h"
#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {

struct Verdict {
  enum class Kind { Agrees, Differs, Refused, NotCompiled, Broken } kind{};
  std::string text;           // what is wrong
  size_t program = SIZE_MAX;  // which of them, if that is known
  std::string reason;         // of a program that does not compile, without places and names
};

// A number of the environment.
uint64_t number_or(const char* name, uint64_t otherwise);
// Runs dscope, or what DSCOPE_ORACLE_PROGRAM says, with -q.
e2e::Outcome run_script(const std::string& source, const std::vector<std::string>& arguments);

// The whole script.
std::string script(const std::vector<Program>& programs, const Setting& setting);
// All programs must have a prediction.
Verdict judge(const std::vector<Program>& programs, const Setting& setting);

// A smallest program, found by leaving out and replacing parts, that fails in the same way. At most `runs` runs.
std::vector<Program> shrink(std::vector<Program> programs, const Setting& setting, const Verdict& failure,
                            int runs = 400);

}  // namespace dscope::oracle
