#include "pictures/timeline/perfetto_counters.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "pictures/profile/flame_tree.h"
#include "pictures/profile/picture_text.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t max_counter_name_characters = 100;

struct ElementCounter {
  uint64_t track = 0;
  int64_t number = 0;
};

// The elements with a counter, the greatest one first.
std::vector<uint32_t> ranked_elements(const AggregationModel& aggregation) {
  const PictureAggregation& info = aggregation.info;
  std::vector<uint32_t> elements;
  for (uint32_t i = 0; i < aggregation.elements.size(); ++i)
    if (!aggregation.elements[i].is_removed) elements.push_back(i);
  auto number = [&](uint32_t i) { return additive_value(info, aggregation.elements[i].value); };
  std::ranges::stable_sort(elements, [&](uint32_t a, uint32_t b) {
    if (info.is_unsigned) return static_cast<uint64_t>(number(a)) > static_cast<uint64_t>(number(b));
    return number(a) > number(b);
  });
  return elements;
}

class CounterWriter {
 public:
  CounterWriter(PerfettoPackets& packets, const RunModel& model, const TimelineClock& clock, uint64_t first_track)
      : packets_(packets), model_(model), clock_(clock), next_track_(first_track) {}

  void write(const AggregationModel& aggregation) {
    if (aggregation.history.intervals().empty() || aggregation.info.function == AggregationFunction::Percentile) return;
    counters_.clear();
    if (aggregation.history.has_elements()) add_elements(aggregation);
    else if (aggregation.info.is_additive()) add_sum(aggregation);
    if (counters_.empty()) return;
    uint64_t start = clock_.from_system_time(model_.start().start_ns);
    if (aggregation.info.is_additive())
      for (const auto& [element, counter] : counters_) put(aggregation.info, start, counter);
    for (const HistoryInterval& interval : aggregation.history.intervals()) write_interval(aggregation.info, interval);
  }

 private:
  uint64_t add_track(const AggregationModel& aggregation, std::string_view note) {
    packets_.named_track(next_track_, 0, aggregation_title(aggregation.info) + std::string(note));
    return next_track_++;
  }

  void add_elements(const AggregationModel& aggregation) {
    std::vector<uint32_t> elements = ranked_elements(aggregation);
    if (elements.empty()) return;
    size_t shown = std::min(elements.size(), max_counters_per_aggregation);
    bool is_whole = shown == elements.size();
    uint64_t parent =
        add_track(aggregation, is_whole ? "" : fmt::format(" (the {} greatest of {})", shown, elements.size()));
    for (uint32_t element : std::span{elements}.first(shown)) {
      std::string name = keys_text(aggregation.elements[element].keys);
      packets_.counter_track(next_track_, parent, shortened(name, max_counter_name_characters));
      counters_[element] = {.track = next_track_++};
    }
  }

  void add_sum(const AggregationModel& aggregation) {
    uint64_t parent = add_track(aggregation, " (too many to keep each over time)");
    packets_.counter_track(next_track_, parent, "all together");
    counters_[all_elements] = {.track = next_track_++};
  }

  void write_interval(const PictureAggregation& info, const HistoryInterval& interval) {
    changed_.clear();
    for (const HistoryCell& cell : interval.cells) {
      auto found = counters_.find(cell.element);
      if (found == counters_.end()) continue;
      int64_t& number = found->second.number;
      // Sums wrap.
      uint64_t sum = static_cast<uint64_t>(number) + static_cast<uint64_t>(cell.amount);
      number = info.is_additive() ? static_cast<int64_t>(sum) : cell.amount;
      if (changed_.empty() || changed_.back() != &found->second) changed_.push_back(&found->second);
    }
    for (const ElementCounter* counter : changed_) put(info, clock_.from_system_time(interval.end_ns), *counter);
  }

  void put(const PictureAggregation& info, uint64_t time_ns, const ElementCounter& counter) {
    bool fits = !info.is_unsigned || counter.number >= 0;
    if (fits) packets_.counter(time_ns, counter.track, counter.number);
    else packets_.counter(time_ns, counter.track, static_cast<double>(static_cast<uint64_t>(counter.number)));
  }

  PerfettoPackets& packets_;
  const RunModel& model_;
  TimelineClock clock_;
  uint64_t next_track_;
  std::map<uint32_t, ElementCounter> counters_;  // by element
  std::vector<const ElementCounter*> changed_;   // within an interval, in the order of its cells
};

}  // namespace

void write_counters(PerfettoPackets& packets, const RunModel& model, const TimelineClock& clock, uint64_t first_track) {
  CounterWriter writer{packets, model, clock, first_track};
  for (const AggregationModel& aggregation : model.aggregations()) writer.write(aggregation);
}

}  // namespace dscope
