#include "pictures/profile/svg_picture.h"

#include <algorithm>

#include "pictures/profile/flame_tree.h"
#include "pictures/profile/picture_text.h"
#include "pictures/profile/svg_parts.h"
#include "pictures/profile/svg_style.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// The field is HTML: SVG has none. Without scripts it stays hidden.
constexpr std::string_view tools = R"svg(<g class="tools">
<text x="872" y="30" class="found note end"/>
<g class="reset button" role="button"><title>show all (Escape)</title>
<rect x="884" y="14" width="92" height="24" rx="3"/><text x="930" y="30" class="middle">reset zoom</text></g>
<foreignObject x="984" y="14" width="200" height="24"><input xmlns="http://www.w3.org/1999/xhtml" type="search"
placeholder="search (Ctrl-F)" aria-label="search frames and keys"/></foreignObject>
</g>
)svg";

std::string joined(std::initializer_list<std::string> texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (text.empty()) continue;
    if (!all.empty()) all += " · ";
    all += text;
  }
  return all;
}

// The data that the numbers lack: drops, faults and rows.
std::string loss_text(const RunModel& model) {
  auto counted = [](uint64_t count, std::string_view what) {
    return count == 0 ? std::string{} : fmt::format("{}: {}", what, grouped_number(count));
  };
  return joined({counted(model.drop_count(), "drops"), counted(model.fault_count(), "faults"),
                 counted(model.dropped_rows(), "dropped rows")});
}

void draw_header(SvgCanvas& canvas, const RunModel& model) {
  const RunStart& start = model.start();
  int64_t end_ns = model.end() ? model.end()->time_ns : model.last_time_ns();
  canvas.y += 15;
  std::string title = start.command_line.empty() ? start.program_name : start.command_line;
  canvas.text(SvgCanvas::margin, canvas.y, "title", shortened(visible_line(title), 60));
  canvas.y += 20;
  std::string facts = joined({start.host, start.kernel, time_text(start.start_ns),
                              duration_text(std::max<int64_t>(end_ns - start.start_ns, 0)), start.program_name});
  canvas.text(SvgCanvas::margin, canvas.y, "note", visible_line(facts));
  if (std::string losses = loss_text(model); !losses.empty()) {
    canvas.y += 18;
    canvas.text(SvgCanvas::margin, canvas.y, "warning", losses);
  }
}

// Bars compare addresses of code better than a flame graph of one level.
bool has_flame_graph(const AggregationModel& aggregation) {
  auto is_stack = [](const PictureKey& key) { return key.kind == KeyKind::Stack; };
  return has_profile(aggregation) && std::ranges::any_of(aggregation.elements, [&](const PictureElement& element) {
           return std::ranges::any_of(element.keys, is_stack);
         });
}

void draw(SvgCanvas& canvas, const AggregationModel& aggregation) {
  canvas.heading(aggregation_title(aggregation.info));
  bool is_flame = has_flame_graph(aggregation), is_distribution = aggregation.info.is_distribution();
  if (is_flame) draw_flame_graph(canvas, aggregation);
  if (is_distribution) draw_heat_map(canvas, aggregation);
  if (is_distribution) draw_histograms(canvas, aggregation);
  if (!is_flame && !is_distribution) draw_bars(canvas, aggregation);
}

}  // namespace

std::string svg_picture(const RunModel& model) {
  SvgCanvas canvas;
  draw_header(canvas, model);
  for (const AggregationModel& aggregation : model.aggregations()) draw(canvas, aggregation);
  if (model.aggregations().empty()) canvas.note("the program has no aggregations");
  canvas.y += SvgCanvas::margin;
  std::string size =
      fmt::format("width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\"", SvgCanvas::width, canvas.y);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" {}>\n", size);
  out += fmt::format("<title>{}</title>\n", xml_text(model.start().command_line));
  out += fmt::format("<style><![CDATA[{}]]></style>\n", svg_style());
  out += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n<g class=\"content\">\n";
  out += canvas.take();
  out += "</g>\n";
  out += tools;
  out += fmt::format("<script><![CDATA[{}]]></script>\n</svg>\n", svg_script());
  return out;
}

}  // namespace dscope
