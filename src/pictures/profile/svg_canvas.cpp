#include "pictures/profile/svg_canvas.h"

#include <algorithm>

#include "pictures/profile/picture_text.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// XML 1.0 excludes these two.
bool is_no_xml_character(std::string_view bytes) { return bytes == "\xef\xbf\xbe" || bytes == "\xef\xbf\xbf"; }

// "12.5" for 12.500: every byte counts with thousands of frames.
std::string pixels(double number) {
  std::string text = fmt::format("{:.3f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string box_attributes(const SvgBox& box, std::string_view classes) {
  std::string attributes = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", pixels(box.x), pixels(box.y),
                                       pixels(box.width), pixels(box.height));
  if (!classes.empty()) attributes += fmt::format(" class=\"{}\"", classes);
  return attributes;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  std::string visible = visible_line(text);
  for (size_t i = 0; i < visible.size(); ++i) {
    switch (char c = visible[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (is_no_xml_character(std::string_view{visible}.substr(i, 3))) {
          out += "\xef\xbf\xbd";
          i += 2;
        } else {
          out += c;
        }
    }
  }
  return out;
}

size_t characters_in(double width) { return static_cast<size_t>(std::max(0.0, width / SvgCanvas::character_width)); }

void SvgCanvas::open_group(std::string_view classes) { out_ += fmt::format("<g class=\"{}\">", classes); }

void SvgCanvas::title(std::string_view text) { out_ += fmt::format("<title>{}</title>", xml_text(text)); }

void SvgCanvas::rect(const SvgBox& box, std::string_view classes) {
  out_ += fmt::format("<rect {}/>", box_attributes(box, classes));
}

void SvgCanvas::rect(const SvgBox& box, std::string_view classes, std::string_view tooltip) {
  out_ += fmt::format("<rect {}><title>{}</title></rect>\n", box_attributes(box, classes), xml_text(tooltip));
}

void SvgCanvas::text(double x, double baseline, std::string_view classes, std::string_view text) {
  std::string attribute = classes.empty() ? std::string{} : fmt::format(" class=\"{}\"", classes);
  out_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>", pixels(x), pixels(baseline), attribute, xml_text(text));
}

void SvgCanvas::heading(std::string_view heading) {
  y += 34;
  text(margin, y, "heading", shortened(visible_line(heading), 120));
  out_ += '\n';
  y += 8;
}

void SvgCanvas::note(std::string_view note) {
  y += 15;
  text(margin, y, "note", shortened(visible_line(note), characters_in(inner_width)));
  out_ += '\n';
}

}  // namespace dscope
