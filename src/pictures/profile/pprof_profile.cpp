#include "pictures/profile/pprof_profile.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <set>
#include <tuple>

#include "catalog/time_units.h"
#include "pictures/gzip.h"
#include "pictures/profile/flame_tree.h"
#include "support/check.h"
#include "support/text/parse_integer.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// Field numbers of profile.proto.
enum ProfileField : uint32_t {
  SampleType = 1,
  Sample,
  Mapping,
  Location,
  Function,
  StringTable,
  TimeNanos = 9,
  DurationNanos,
  PeriodType,
  Period,
  Comment,
  DefaultSampleType
};

struct Label {
  int64_t key = 0, text = 0, number = 0;  // indices of the string table; text 0: a number

  auto operator<=>(const Label&) const = default;
};

struct SampleKey {
  std::vector<uint64_t> locations;  // innermost first
  std::vector<Label> labels;

  auto operator<=>(const SampleKey&) const = default;
};

std::string value_type(int64_t type, int64_t unit) {
  std::string bytes;
  protozero::pbf_writer writer{bytes};
  writer.add_int64(1, type);
  writer.add_int64(2, unit);
  return bytes;
}

// The period of profile-997, profile-997hz or profile-1ms in nanoseconds.
std::optional<int64_t> sampling_period(const PictureProbe& probe) {
  constexpr std::string_view start = "profile-";
  if (probe.provider != "profile" || !probe.name.starts_with(start)) return std::nullopt;
  std::string_view text = std::string_view{probe.name}.substr(start.size());
  size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto number = parse_integer<int64_t>(text.substr(0, digits));
  if (!number || *number == 0) return std::nullopt;
  std::string_view unit = text.substr(digits);
  if (unit.empty() || unit == "hz") return nanoseconds_per_second / *number;
  auto nanoseconds = nanoseconds_of_unit(unit);
  if (!nanoseconds || *number > INT64_MAX / *nanoseconds) return std::nullopt;
  return *number * *nanoseconds;
}

class ProfileBuilder {
 public:
  explicit ProfileBuilder(const RunModel& model) : model_(model), aggregations_(profiled_aggregations(model)) {
    string_index("");  // profile.proto: the first string is empty
  }

  std::string build() {
    for (size_t i = 0; i < aggregations_.size(); ++i) {
      const PictureAggregation& info = aggregations_[i]->info;
      std::string type = info.name == "_" ? "samples" : "@" + info.name;
      bool is_sum = info.function == AggregationFunction::Sum;
      writer_.add_message(SampleType, value_type(string_index(type), string_index(is_sum ? "sum" : "count")));
      for (const PictureElement& element : aggregations_[i]->elements) add_element(i, element);
    }
    for (const auto& [key, values] : samples_) add_sample(key, values);
    add_times();
    add_comments();
    // The strings come last, when all are known.
    for (const std::string* text : strings_) writer_.add_string(StringTable, *text);
    return std::move(bytes_);
  }

 private:
  int64_t string_index(std::string_view text) {
    auto [found, is_new] = string_indices_.emplace(visible_line(text), strings_.size());
    if (is_new) strings_.push_back(&found->first);
    return static_cast<int64_t>(found->second);
  }

  uint64_t mapping_of(std::string_view module) {
    auto [found, is_new] = mappings_.emplace(module, mappings_.size() + 1);
    if (!is_new) return found->second;
    std::string bytes;
    protozero::pbf_writer writer{bytes};
    writer.add_uint64(1, found->second);
    writer.add_int64(5, string_index(module));
    writer.add_bool(7, true);  // has_functions: pprof does not look for the binary
    writer_.add_message(Mapping, bytes);
    return found->second;
  }

  // Locations and functions have the same numbers: dscope merges the addresses of a function.
  uint64_t location_of(const FlameFrame& frame) {
    auto [found, is_new] = locations_.emplace(frame, locations_.size() + 1);
    if (!is_new) return found->second;
    std::string_view module = module_of_frame(frame.text);
    int64_t name = string_index(frame.text);
    std::string function, line, location;
    protozero::pbf_writer function_writer{function}, line_writer{line}, location_writer{location};
    function_writer.add_uint64(1, found->second);
    function_writer.add_int64(2, name);
    function_writer.add_int64(3, name);
    writer_.add_message(Function, function);
    line_writer.add_uint64(1, found->second);
    location_writer.add_uint64(1, found->second);
    location_writer.add_uint64(2, mapping_of(module.empty() ? no_module(frame.kind) : module));
    location_writer.add_message(4, line);
    writer_.add_message(Location, location);
    return found->second;
  }

  static std::string_view no_module(FrameKind kind) {
    return kind == FrameKind::Key ? "[keys]" : kind == FrameKind::Kernel ? "[kernel]" : "[user]";
  }

  std::vector<Label> labels_of(const PictureAggregation& info, const PictureElement& element) {
    std::vector<Label> labels;
    std::set<std::string> names;
    for (size_t i = 0; i < element.keys.size(); ++i) {
      const PictureKey& key = element.keys[i];
      if (key.kind == KeyKind::Stack || key.kind == KeyKind::Code) continue;
      std::string base = i < info.keys.size() ? info.keys[i] : "key" + std::to_string(i + 1), name = base;
      for (int n = 2; !names.insert(name).second; ++n) name = base + " " + std::to_string(n);
      Label label{.key = string_index(name)};
      auto number = key.kind == KeyKind::Number ? parse_integer<int64_t>(key.text) : std::nullopt;
      if (number) label.number = *number;
      else label.text = string_index(key.text);
      labels.push_back(label);
    }
    return labels;
  }

  void add_element(size_t aggregation, const PictureElement& element) {
    const PictureAggregation& info = aggregations_[aggregation]->info;
    int64_t value = additive_value(info, element.value);
    if (element.is_removed || value == 0) return;
    std::vector<FlameFrame> frames = code_frames(info, element);
    SampleKey key;
    if (frames.empty()) frames = flame_frames(info, element);
    else key.labels = labels_of(info, element);
    for (size_t i = frames.size(); i-- != 0;) key.locations.push_back(location_of(frames[i]));
    std::vector<int64_t>& values = samples_[std::move(key)];
    values.resize(aggregations_.size());
    // Sums wrap, as those of the aggregation.
    values[aggregation] =
        static_cast<int64_t>(static_cast<uint64_t>(values[aggregation]) + static_cast<uint64_t>(value));
  }

  void add_sample(const SampleKey& key, const std::vector<int64_t>& values) {
    std::string bytes;
    protozero::pbf_writer writer{bytes};
    writer.add_packed_uint64(1, key.locations.begin(), key.locations.end());
    writer.add_packed_int64(2, values.begin(), values.end());
    for (const Label& label : key.labels) {
      std::string label_bytes;
      protozero::pbf_writer label_writer{label_bytes};
      label_writer.add_int64(1, label.key);
      if (label.text != 0) label_writer.add_int64(2, label.text);
      else label_writer.add_int64(3, label.number);
      writer.add_message(3, label_bytes);
    }
    writer_.add_message(Sample, bytes);
  }

  void add_times() {
    int64_t start = model_.start().start_ns;
    int64_t end = model_.end() ? model_.end()->time_ns : model_.last_time_ns();
    writer_.add_int64(TimeNanos, start);
    if (end > start) writer_.add_int64(DurationNanos, end - start);
    std::set<int64_t> periods;
    for (const PictureProbe& probe : model_.start().probes)
      if (auto period = sampling_period(probe)) periods.insert(*period);
    if (periods.size() != 1) return;
    writer_.add_message(PeriodType, value_type(string_index("cpu"), string_index("nanoseconds")));
    writer_.add_int64(Period, *periods.begin());
  }

  void add_comments() {
    for (const std::string* text :
         {&model_.start().program_name, &model_.start().command_line, &model_.start().kernel, &model_.start().script})
      if (!text->empty()) writer_.add_int64(Comment, string_index(*text));
  }

  const RunModel& model_;
  std::vector<const AggregationModel*> aggregations_;
  std::string bytes_;
  protozero::pbf_writer writer_{bytes_};
  std::map<std::string, size_t> string_indices_;
  std::vector<const std::string*> strings_;
  std::map<std::string, uint64_t, std::less<>> mappings_;
  std::map<FlameFrame, uint64_t> locations_;
  std::map<SampleKey, std::vector<int64_t>> samples_;
};

}  // namespace

std::string pprof_profile(const RunModel& model) { return gzip(ProfileBuilder{model}.build(), GzipEffort::Best); }

}  // namespace dscope
