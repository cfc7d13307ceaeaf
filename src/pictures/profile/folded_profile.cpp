#include "pictures/profile/folded_profile.h"

#include <algorithm>

#include "pictures/profile/flame_tree.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// A semicolon would end the frame.
void append_frame(std::string& line, std::string_view text) {
  std::string frame = visible_line(text);
  std::ranges::replace(frame, ';', ':');
  line += (line.empty() ? "" : ";") + frame;
}

}  // namespace

std::string folded_profile(const RunModel& model) {
  std::string out;
  for (const AggregationModel* aggregation : profiled_aggregations(model))
    for (const PictureElement& element : aggregation->elements) {
      int64_t value = additive_value(aggregation->info, element.value);
      if (element.is_removed || value == 0) continue;
      std::string line;
      for (const FlameFrame& frame : flame_frames(aggregation->info, element)) append_frame(line, frame.text);
      out += fmt::format("{} {}\n", line, value);
    }
  return out;
}

}  // namespace dscope
