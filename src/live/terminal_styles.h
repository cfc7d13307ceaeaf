// The colors and attributes of ScreenStyle for terminals with 256 colors, 8 colors and without colors.
#pragma once

#include "live/canvas.h"

namespace dscope {

struct StyleAttributes {
  short foreground = -1, background = -1;  // numbers of colors; -1: the default of the terminal
  bool is_bold = false, is_dim = false, is_reverse = false, is_underlined = false;
};

StyleAttributes style_attributes(ScreenStyle style, const DrawingMode& mode);

}  // namespace dscope
