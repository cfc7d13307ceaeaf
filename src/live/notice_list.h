// NoticeList: the texts of the drops and faults of a run, which cover the pane while the user reads them. Equal texts
// are one line with their number.
#pragma once

#include <cstddef>

#include "live/canvas.h"
#include "live/key_press.h"
#include "pictures/run_model.h"

namespace dscope {

class NoticeList {
 public:
  void draw(Canvas& canvas, ScreenArea area, const RunModel& model);
  // Scrolls. Returns false for keys that do not.
  bool handle(const KeyPress& key);

 private:
  size_t top_ = 0;  // the first line that is shown; draw() keeps it within the list
  size_t page_ = 1;
  int skipped_columns_ = 0;
};

}  // namespace dscope
