// KeyPress: a key or an event of the mouse, apart from how a terminal sends it.
#pragma once

#include <cstdint>

namespace dscope {

struct KeyPress {
  enum class Kind : uint8_t {
    Character,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Backspace,
    Escape,
    Tab,
    BackTab,
    Resize,
    Click,
    WheelUp,
    WheelDown,
  };
  Kind kind = Kind::Character;
  char32_t character = 0;   // Character
  int row = 0, column = 0;  // Click and wheel: the cell
};

inline KeyPress character_key(char32_t character) {
  return {.kind = KeyPress::Kind::Character, .character = character, .row = 0, .column = 0};
}

}  // namespace dscope
