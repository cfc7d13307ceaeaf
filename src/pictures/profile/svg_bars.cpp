// Bars of SVG pictures: the elements of an aggregation with the greatest numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "pictures/profile/picture_text.h"
#include "pictures/profile/svg_parts.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t max_bars = 30;
constexpr double bar_row_height = 20;
constexpr size_t max_label_characters = 60;
constexpr double value_width = 190;

class BarChart {
 public:
  BarChart(SvgCanvas& canvas, const AggregationModel& aggregation) : canvas_(canvas), info_(aggregation.info) {
    for (const PictureElement& element : aggregation.elements)
      if (!element.is_removed && !element.value.numbers.empty()) elements_.push_back(&element);
    std::ranges::stable_sort(elements_, [&](const PictureElement* a, const PictureElement* b) {
      return as_double(a->value.numbers.back()) > as_double(b->value.numbers.back());
    });
    all_count_ = elements_.size();
    if (elements_.size() > max_bars) elements_.resize(max_bars);
    for (const PictureElement* element : elements_) {
      labels_.push_back(shortened(keys_text(element->keys), max_label_characters));
      label_width_ = std::max(label_width_, SvgCanvas::character_width * static_cast<double>(labels_.back().size()));
      for (int64_t number : element->value.numbers) greatest_ = std::max(greatest_, std::abs(as_double(number)));
    }
    label_width_ = std::min(label_width_, SvgCanvas::character_width * max_label_characters);
  }

  void draw() {
    if (elements_.empty()) canvas_.note("no elements");
    if (all_count_ > elements_.size())
      canvas_.note(
          fmt::format("the {} greatest of {} elements", elements_.size(), grouped_number(uint64_t{all_count_})));
    canvas_.y += 8;
    for (size_t i = 0; i < elements_.size(); ++i) draw_row(*elements_[i], labels_[i]);
  }

 private:
  double as_double(int64_t number) const {
    return info_.is_unsigned ? static_cast<double>(static_cast<uint64_t>(number)) : static_cast<double>(number);
  }

  std::string value_text(const PictureElement& element) const {
    const std::vector<int64_t>& numbers = element.value.numbers;
    if (numbers.size() == 1) return number_text(info_, numbers.front());
    std::string text;
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i != 0) text += "  ";
      if (i < info_.columns.size()) text += info_.columns[i] + " ";
      text += number_text(info_, numbers[i]);
    }
    return text;
  }

  void draw_row(const PictureElement& element, const std::string& label) {
    double bar_x = SvgCanvas::margin + label_width_ + 8;
    double bar_width = SvgCanvas::inner_width - label_width_ - value_width - 16;
    std::string values = value_text(element);
    canvas_.open_group("f bar");
    canvas_.title(fmt::format("{}: {}", keys_text(element.keys), values));
    canvas_.text(SvgCanvas::margin, canvas_.y + 14, "", label);
    const std::vector<int64_t>& numbers = element.value.numbers;
    double height = (bar_row_height - 4) / static_cast<double>(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
      double length = greatest_ == 0 ? 0 : bar_width * std::abs(as_double(numbers[i])) / greatest_;
      bool is_negative = as_double(numbers[i]) < 0;
      canvas_.rect({bar_x, canvas_.y + 2 + height * static_cast<double>(i), length, height}, is_negative  ? "negative"
                                                                                             : i % 2 == 0 ? "positive"
                                                                                                          : "second");
    }
    double length = greatest_ == 0 ? 0 : bar_width * std::abs(as_double(longest(numbers))) / greatest_;
    canvas_.text(bar_x + length + 6, canvas_.y + 14, "",
                 shortened(values, characters_in(value_width + bar_width - length)));
    canvas_.close_group();
    canvas_.y += bar_row_height;
  }

  int64_t longest(const std::vector<int64_t>& numbers) const {
    return *std::ranges::max_element(numbers, {}, [&](int64_t number) { return std::abs(as_double(number)); });
  }

  SvgCanvas& canvas_;
  const PictureAggregation& info_;
  std::vector<const PictureElement*> elements_;  // the greatest one first
  std::vector<std::string> labels_;
  double label_width_ = 0;  // in pixels
  size_t all_count_ = 0;
  double greatest_ = 0;
};

}  // namespace

void draw_bars(SvgCanvas& canvas, const AggregationModel& aggregation) { BarChart{canvas, aggregation}.draw(); }

}  // namespace dscope
