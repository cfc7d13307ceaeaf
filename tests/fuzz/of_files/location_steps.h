// The compiler relies on a property of the places of variables: no step takes a number that is not there.
#pragma once

#include "contract/types/traced_variable.h"
#include "support/check.h"

namespace dscope::fuzz {

inline void check_steps(const VariablePlace& place) {
  DS_CHECK(place.is_readable() != !place.problem.empty());
  for (const LocationPart& part : place.parts) {
    size_t depth = 0;
    for (const LocationStep& step : part.steps) {
      auto needs = [&](size_t count) { DS_CHECK(depth >= count); };
      switch (step.operation) {
        case LocationOperation::Constant:
        case LocationOperation::Register:
        case LocationOperation::ThreadPointer: ++depth; break;
        case LocationOperation::Load:
          DS_CHECK(step.number == 1 || step.number == 2 || step.number == 4 || step.number == 8);
          needs(1);
          break;
        case LocationOperation::Pick:
          DS_CHECK(step.number >= 0);
          needs(static_cast<size_t>(step.number) + 1);
          ++depth;
          break;
        case LocationOperation::Drop:
        case LocationOperation::Require:
          needs(1);
          --depth;
          break;
        case LocationOperation::Swap: needs(2); break;
        case LocationOperation::Rotate: needs(3); break;
        case LocationOperation::ZeroExtend:
        case LocationOperation::SignExtend:
        case LocationOperation::Negate:
        case LocationOperation::Not: needs(1); break;
        default: needs(2); --depth;
      }
    }
    DS_CHECK(depth > 0);
  }
}

}  // namespace dscope::fuzz
