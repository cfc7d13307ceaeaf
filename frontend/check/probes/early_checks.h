// EarlyChecks: mistakes in clauses that DTrace reports while it parses, before it types any clause (d-language.md 0):
// unknown functions and impossible constants. Reports the first such mistake in the program.
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class CallTyper;
class ConversionTyper;

class EarlyChecks : private CheckerPart {
 public:
  EarlyChecks(CheckContext& context, CallTyper& calls, ConversionTyper& conversions)
      : CheckerPart(context), calls_(calls), conversions_(conversions) {}

  void check_function_names(const Clause& clause);
  void check_constants(const Clause& clause);

 private:
  CallTyper& calls_;
  ConversionTyper& conversions_;
};

}  // namespace dscope
