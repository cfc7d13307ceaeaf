// Runs programs through dscope, several in one script, and compares their output with the model.
#pragma once

#include <string>
#include <vector>

#include "generator.h"
#include "model.h"
#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {

struct Verdict {
  enum class Kind { Agrees, Differs, Refused, NotCompiled, Broken } kind{};
  std::string text;           // description of the failure
  size_t program = SIZE_MAX;  // index of the failed program, if known
  std::string reason;         // message of a program that does not compile, without positions and names
};

// A number from the environment.
uint64_t number_or(const char* name, uint64_t fallback);
// Runs dscope, or the program in DSCOPE_ORACLE_PROGRAM, with -q. `is_native`: the second back end instead.
e2e::Outcome run_script(const std::string& source, const std::vector<std::string>& arguments, bool is_native = false);

// The whole script.
std::string script(const std::vector<Program>& programs, const Setting& setting);
// The model must have a prediction for every program.
Verdict judge(const std::vector<Program>& programs, const Setting& setting);

// A minimal program that fails in the same way, found by omitting and replacing parts in at most `runs` runs.
std::vector<Program> shrink(std::vector<Program> programs, const Setting& setting, const Verdict& failure,
                            int runs = 400);

}  // namespace dscope::oracle
