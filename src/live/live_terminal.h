// LiveTerminal: the terminal as the live view needs it. NcursesTerminal is the real one; tests have their own.
#pragma once

#include <optional>

#include "live/canvas.h"
#include "live/key_press.h"

namespace dscope {

class LiveTerminal {
 public:
  virtual ~LiveTerminal() = default;

  virtual ScreenSize size() const = 0;
  virtual DrawingMode mode() const = 0;
  virtual void draw(const Canvas& canvas) = 0;
  // The next drawing repaints everything: another program has written to the terminal.
  virtual void invalidate() = 0;
  // A key that was pressed, or nothing if none waits. Does not block.
  virtual std::optional<KeyPress> next_key() = 0;
  // Readable when next_key() or end_signal() may have something new. Owned by the terminal.
  virtual int input_fd() const = 0;
  // The signal that asks for the end (SIGINT, SIGTERM, SIGHUP); 0: none.
  virtual int end_signal() const = 0;
};

}  // namespace dscope
