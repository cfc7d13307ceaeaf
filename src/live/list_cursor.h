// ListCursor: the selected line of a list that may be longer than the screen, and the line at its top.
#pragma once

#include <algorithm>
#include <cstddef>

#include "live/key_press.h"

namespace dscope {

struct ListCursor {
  size_t selected = 0;
  size_t top = 0;

  // Keeps the selection within `count` lines and within the `rows` that are visible.
  void fit(size_t count, size_t rows) {
    rows = std::max<size_t>(rows, 1);
    selected = std::min(selected, count == 0 ? 0 : count - 1);
    top = std::min(top, count > rows ? count - rows : 0);
    top = std::min(top, selected);
    if (selected >= top + rows) top = selected - rows + 1;
  }

  // Moves the selection. Returns false for keys that do not.
  bool handle(const KeyPress& key, size_t count, size_t rows) {
    rows = std::max<size_t>(rows, 1);
    size_t page = std::max<size_t>(rows - 1, 1);
    switch (key.kind) {
      case KeyPress::Kind::Up: move_up(1); break;
      case KeyPress::Kind::Down: selected += 1; break;
      case KeyPress::Kind::PageUp: move_up(page); break;
      case KeyPress::Kind::PageDown: selected += page; break;
      case KeyPress::Kind::WheelUp: move_up(3); break;
      case KeyPress::Kind::WheelDown: selected += 3; break;
      case KeyPress::Kind::Home: selected = 0; break;
      case KeyPress::Kind::End: selected = count == 0 ? 0 : count - 1; break;
      case KeyPress::Kind::Character:
        if (key.character == U'j') selected += 1;
        else if (key.character == U'k') move_up(1);
        else if (key.character == U'g') selected = 0;
        else if (key.character == U'G') selected = count == 0 ? 0 : count - 1;
        else return false;
        break;
      default: return false;
    }
    fit(count, rows);
    return true;
  }

 private:
  void move_up(size_t lines) { selected -= std::min(selected, lines); }
};

}  // namespace dscope
