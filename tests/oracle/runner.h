// Runs programs through dscope, several in one script, and compares what they say with the model.
#pragma once

#include <string>
#include <vector>

#include "generator.h"
#include "model.h"

namespace dscope::oracle {

struct Verdict {
  enum class Kind { Agrees, Differs, Refused, NotCompiled, Broken } kind{};
  std::string text;           // what is wrong
  size_t program = SIZE_MAX;  // which of them, if that is known
  std::string reason;         // of a program that does not compile, without places and names
};

// The whole script.
std::string script(const std::vector<Program>& programs, const Setting& setting);
// All programs must have a prediction.
Verdict judge(const std::vector<Program>& programs, const Setting& setting);

// A smallest program, found by leaving out and replacing parts, that fails in the same way. At most `runs` runs.
std::vector<Program> shrink(std::vector<Program> programs, const Setting& setting, const Verdict& failure,
                            int runs = 400);

}  // namespace dscope::oracle
