// Variables of traced programs in the text of a plan.
#include "frontend/plan/plan_builder.h"
#include "support/format.h"

namespace dscope {

std::string place_text(const PlacedVariable& variable) {
  std::string text = fmt::format(" {}{}", variable.name, variable.is_in_memory ? "m" : "");
  for (const LocationPart& part : variable.place.parts) {
    text += fmt::format("[{} {}", static_cast<int>(part.kind), part.size);
    for (const LocationStep& step : part.steps)
      text += fmt::format(" {}:{}", static_cast<int>(step.operation), step.number);
    text += "]";
  }
  return text;
}

}  // namespace dscope
