// SvgCanvas: the elements of an SVG picture as text. Parts are added from the top to the bottom.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Text for XML 1.0, in elements and attributes: markup is escaped, control characters are visible, and what is not
// UTF-8 or no character of XML is replaced.
std::string xml_text(std::string_view text);

struct SvgBox {
  double x = 0, y = 0, width = 0, height = 0;  // in pixels
};

class SvgCanvas {
 public:
  static constexpr double width = 1200, margin = 16, inner_width = width - 2 * margin;
  static constexpr double character_width = 6.65;  // of the monospaced font, at most

  double y = margin;  // the bottom of what was drawn

  // `classes` are ours; texts may contain anything.
  void open_group(std::string_view classes);
  void close_group() { out_ += "</g>\n"; }
  void title(std::string_view text);  // of the group that was opened last
  void rect(const SvgBox& box, std::string_view classes);
  // A rectangle with a tooltip.
  void rect(const SvgBox& box, std::string_view classes, std::string_view tooltip);
  void text(double x, double baseline, std::string_view classes, std::string_view text);

  // A line of text below what was drawn.
  void heading(std::string_view text);
  void note(std::string_view text);

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// How many characters of the monospaced font fit into a width.
size_t characters_in(double width);

}  // namespace dscope
