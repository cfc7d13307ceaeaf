#include "live/terminal_styles.h"

#include <array>

namespace dscope {

namespace {

// From dark to bright, so that it reads as brightness, too: violet, red, orange, yellow.
constexpr std::array<short, heat_levels> heat_palette{17, 54, 90, 126, 162, 198, 203, 209, 215, 229};
constexpr std::array<short, heat_levels> heat_colors{4, 4, 4, 6, 6, 3, 3, 1, 1, 1};

StyleAttributes palette_attributes(ScreenStyle style) {
  switch (style) {
    case ScreenStyle::Text: return {};
    case ScreenStyle::Dim: return {.foreground = 244};
    case ScreenStyle::Strong: return {.is_bold = true};
    case ScreenStyle::Tab: return {.foreground = 250, .background = 236};
    case ScreenStyle::CurrentTab: return {.foreground = 231, .background = 25, .is_bold = true};
    case ScreenStyle::Heading: return {.foreground = 250, .background = 238};
    case ScreenStyle::SortedHeading: return {.foreground = 231, .background = 238, .is_bold = true};
    case ScreenStyle::Selected: return {.foreground = 231, .background = 24};
    case ScreenStyle::Bar: return {.foreground = 67};
    case ScreenStyle::Kernel: return {.foreground = 172};
    case ScreenStyle::Match: return {.foreground = 16, .background = 220};
    case ScreenStyle::Warning: return {.foreground = 231, .background = 124, .is_bold = true};
    case ScreenStyle::Status: return {.foreground = 250, .background = 236};
    case ScreenStyle::Heat: break;
  }
  auto level = static_cast<size_t>(style) - static_cast<size_t>(ScreenStyle::Heat);
  return {.foreground = heat_palette[level], .background = heat_palette[level]};
}

StyleAttributes color_attributes(ScreenStyle style) {
  constexpr short black = 0, red = 1, green = 2, yellow = 3, blue = 4, cyan = 6, white = 7;
  switch (style) {
    case ScreenStyle::Text: return {};
    case ScreenStyle::Dim: return {.is_dim = true};
    case ScreenStyle::Strong: return {.is_bold = true};
    case ScreenStyle::Tab: return {.foreground = black, .background = white};
    case ScreenStyle::CurrentTab: return {.foreground = white, .background = blue, .is_bold = true};
    case ScreenStyle::Heading: return {.foreground = black, .background = green};
    case ScreenStyle::SortedHeading: return {.foreground = white, .background = green, .is_bold = true};
    case ScreenStyle::Selected: return {.foreground = black, .background = cyan};
    case ScreenStyle::Bar: return {.foreground = blue};
    case ScreenStyle::Kernel: return {.foreground = yellow};
    case ScreenStyle::Match: return {.foreground = black, .background = yellow};
    case ScreenStyle::Warning: return {.foreground = white, .background = red, .is_bold = true};
    case ScreenStyle::Status: return {.foreground = black, .background = white};
    case ScreenStyle::Heat: break;
  }
  return {.foreground = heat_colors[static_cast<size_t>(style) - static_cast<size_t>(ScreenStyle::Heat)]};
}

StyleAttributes plain_attributes(ScreenStyle style) {
  switch (style) {
    case ScreenStyle::Strong:
    case ScreenStyle::Warning:
    case ScreenStyle::CurrentTab: return {.is_bold = true};
    case ScreenStyle::Tab:
    case ScreenStyle::Status:
    case ScreenStyle::Selected: return {.is_reverse = true};
    case ScreenStyle::Heading: return {.is_underlined = true};
    case ScreenStyle::SortedHeading: return {.is_bold = true, .is_underlined = true};
    case ScreenStyle::Match: return {.is_bold = true, .is_underlined = true};
    case ScreenStyle::Text:
    case ScreenStyle::Dim:
    case ScreenStyle::Bar:
    case ScreenStyle::Kernel:
    case ScreenStyle::Heat: break;
  }
  return {};
}

}  // namespace

StyleAttributes style_attributes(ScreenStyle style, const DrawingMode& mode) {
  if (mode.has_palette) return palette_attributes(style);
  return mode.has_colors ? color_attributes(style) : plain_attributes(style);
}

}  // namespace dscope
