// Flame graphs of SVG pictures. The script (svg_style.cpp) relies on the order and the attributes of the frames: one
// group per frame in preorder, with a title "NAME: NUMBER (SHARE)", a rectangle and a text.
#include <algorithm>
#include <array>
#include <vector>

#include "pictures/profile/flame_tree.h"
#include "pictures/profile/picture_text.h"
#include "pictures/profile/svg_parts.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr double frame_height = 17;
constexpr double min_share = 0.001;
constexpr int shade_count = 3;

struct KindStyle {
  const char* css_class;
  const char* label;
};

KindStyle style_of(FrameKind kind) {
  switch (kind) {
    case FrameKind::Key: return {"g", "key"};
    case FrameKind::User: return {"u", "user"};
    case FrameKind::Kernel: return {"k", "kernel"};
    case FrameKind::Inlined: return {"i", "inlined"};
    case FrameKind::Jit: return {"j", "just-in-time compiled"};
  }
  return {"g", ""};
}

// A name has the same shade in every picture.
int shade_of(std::string_view text) {
  uint32_t hash = 2166136261;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return static_cast<int>(hash >> 16) % shade_count;
}

// The function says more than the object that contains it. Three characters say nothing.
std::string label_of(std::string_view name, size_t room) {
  if (room <= 3) return {};
  std::string whole = shortened(name, room);
  if (whole == name) return whole;
  size_t module_end = name.find('`');
  return module_end == name.npos ? whole : shortened(name.substr(module_end + 1), room);
}

class FlameGraph {
 public:
  FlameGraph(SvgCanvas& canvas, const AggregationModel& aggregation)
      : canvas_(canvas), tree_(aggregation), total_(static_cast<double>(std::max<uint64_t>(tree_.total(), 1))) {}

  void draw() {
    find_size();
    draw_notes();
    double top = canvas_.y + 10;
    bottom_ = top + frame_height * (depth_ + 1);
    canvas_.open_group("flame");
    std::vector<uint64_t> starts{0};  // where the next child of the node at each depth starts
    for (const FlameNode& node : tree_.nodes()) {
      starts.resize(node.depth + 1);
      uint64_t start = starts[node.depth];
      starts[node.depth] += node.total;
      starts.push_back(start);
      if (is_shown(node)) draw_frame(node, start);
    }
    canvas_.close_group();
    canvas_.y = bottom_;
  }

 private:
  double share_of(const FlameNode& node) const { return static_cast<double>(node.total) / total_; }
  bool is_shown(const FlameNode& node) const { return node.depth == 0 || share_of(node) >= min_share; }

  void find_size() {
    for (const FlameNode& node : tree_.nodes()) {
      if (!is_shown(node)) {
        ++cut_;
        continue;
      }
      depth_ = std::max(depth_, node.depth);
      has_kind_[static_cast<size_t>(node.frame.kind)] = true;
    }
  }

  void draw_notes() {
    if (cut_ != 0)
      canvas_.note(fmt::format("{} of {} frames are narrower than 0.1 % and not shown", grouped_number(cut_),
                               grouped_number(uint64_t{tree_.nodes().size()})));
    if (tree_.negative_elements() != 0)
      canvas_.note(fmt::format("{} elements are below 0 and not shown", grouped_number(tree_.negative_elements())));
    canvas_.y += 12;
    double x = SvgCanvas::margin;
    for (FrameKind kind : {FrameKind::User, FrameKind::Kernel, FrameKind::Inlined, FrameKind::Jit, FrameKind::Key}) {
      if (!has_kind_[static_cast<size_t>(kind)]) continue;
      KindStyle style = style_of(kind);
      canvas_.rect({x, canvas_.y, 11, 11}, fmt::format("{}0", style.css_class));
      canvas_.text(x + 16, canvas_.y + 9.5, "note", style.label);
      x += 40 + SvgCanvas::character_width * static_cast<double>(std::string_view(style.label).size());
    }
    canvas_.y += 11;
  }

  void draw_frame(const FlameNode& node, uint64_t start) {
    double width = SvgCanvas::inner_width * share_of(node);
    double x = SvgCanvas::margin + SvgCanvas::inner_width * static_cast<double>(start) / total_;
    double top = bottom_ - frame_height * (node.depth + 1);
    std::string name = visible_line(node.frame.text);
    canvas_.open_group(fmt::format("f {}{}", style_of(node.frame.kind).css_class, shade_of(name)));
    canvas_.title(fmt::format("{}: {} ({})", name, grouped_number(node.total), percent_text(share_of(node))));
    canvas_.rect({x, top, width, frame_height - 1}, "");
    canvas_.text(x + 3, top + 12, "", label_of(name, characters_in(width - 6)));  // the script needs it, also if empty
    canvas_.close_group();
  }

  SvgCanvas& canvas_;
  FlameTree tree_;
  double total_;
  uint32_t depth_ = 0;
  uint64_t cut_ = 0;
  std::array<bool, 5> has_kind_{};
  double bottom_ = 0;
};

}  // namespace

void draw_flame_graph(SvgCanvas& canvas, const AggregationModel& aggregation) {
  FlameGraph{canvas, aggregation}.draw();
}

}  // namespace dscope
