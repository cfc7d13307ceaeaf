// LivePane: the part of the screen that shows one aggregation, or the rows. A pane keeps what the user has chosen
// (selection, order, filter); the model comes with each call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "live/canvas.h"
#include "live/key_press.h"
#include "live/text_filter.h"
#include "pictures/run_model.h"

namespace dscope {

// Columns of panes.
inline constexpr int column_gap = 2;
inline constexpr int share_width = 6;

class LivePane {
 public:
  virtual ~LivePane() = default;

  // Another run begins: forgets the elements and keeps what the user has chosen.
  virtual void begin_run() = 0;
  virtual void draw(Canvas& canvas, ScreenArea area, const RunModel& model) = 0;
  // Returns false for keys that the pane does not use.
  virtual bool handle(const KeyPress& key, const RunModel& model) = 0;
  virtual const TextFilter& filter() const = 0;
  virtual void set_filter(TextFilter filter, const RunModel& model) = 0;
  // The element on which Enter drills down; nothing if the selection is no element.
  virtual std::optional<uint32_t> selected_element() const { return std::nullopt; }
  // The element on which d drills down: of a pane that shows all elements at once, any one that stands for them.
  virtual std::optional<uint32_t> drilled_element(const RunModel& /*model*/) const { return selected_element(); }
  // A short text about the whole: "1,234 rows, sorted by count". In front of the message of the status line.
  virtual std::string summary(const RunModel& model) const = 0;
  // The most useful keys, for the last line of the screen: "Enter drill down  / filter".
  virtual std::string key_hints() const = 0;
  // Whether / searches, so that n and N go to other matches, instead of hiding rows.
  virtual bool searches() const { return false; }
};

}  // namespace dscope
