// inconsistency(): the consumer trusts the plan, and a bundle may come from anyone.
#include <algorithm>
#include <set>

#include "archive/bundle.h"
#include "contract/buffers/ring_groups.h"
#include "contract/record_format.h"
#include "support/format.h"

namespace dscope {

namespace {

// Records and keys are smaller by far; the sum of an offset and a size then cannot overflow.
constexpr uint64_t max_bytes = 1 << 28;

class PlanCheck {
 public:
  explicit PlanCheck(const ProgramPlan& plan) : plan_(plan) {}

  std::string problem() {
    check_types();
    for (const AggregationPlan& aggregation : plan_.aggregations) check(aggregation);
    for (size_t i = 0; i < plan_.clauses.size(); ++i) check(plan_.clauses[i], i);
    for (const IntervalMark& mark : plan_.interval_marks)
      expect(mark.clause < plan_.clauses.size(), "an interval is of clause {}", mark.clause);
    for (const MapPlan& map : plan_.maps) check(map);
    check_fixed_maps();
    return problem_;
  }

 private:
  // Keeps the first problem only.
  template <typename... Args>
  void expect(bool is_right, fmt::format_string<Args...> text, Args&&... args) {
    if (!is_right && problem_.empty()) problem_ = fmt::format(text, std::forward<Args>(args)...);
  }

  bool is_type(int32_t index) const { return index >= 0 && static_cast<size_t>(index) < plan_.printed_types.size(); }

  // The type `index` and the types of its parts; a type must not contain itself.
  void check_type(int32_t index, std::set<int32_t>& around, std::vector<bool>& is_checked) {
    expect(around.size() < 64 && !around.contains(index), "type {} contains itself", index);
    if (!problem_.empty() || is_checked[static_cast<size_t>(index)]) return;
    around.insert(index);
    const PrintedType& type = plan_.printed_types[static_cast<size_t>(index)];
    expect(type.size <= max_bytes && type.count <= max_bytes, "type {} is too large", index);
    std::vector<int32_t> parts;
    if (type.kind == PrintedKind::Array) parts.push_back(type.element);
    for (const PrintedMember& member : type.members) parts.push_back(member.type);
    for (int32_t part : parts) {
      expect(is_type(part), "type {} refers to type {} of {}", index, part, plan_.printed_types.size());
      if (problem_.empty()) check_type(part, around, is_checked);
    }
    for (const PrintedMember& member : type.members)
      expect(member.bit_size <= 64 && member.bit_offset <= max_bytes * 8, "a member of type {} is too large", index);
    around.erase(index);
    is_checked[static_cast<size_t>(index)] = true;
  }

  void check_types() {
    std::vector<bool> is_checked(plan_.printed_types.size());
    std::set<int32_t> around;
    for (size_t i = 0; i < plan_.printed_types.size() && problem_.empty(); ++i)
      check_type(static_cast<int32_t>(i), around, is_checked);
  }

  // A field of `whole` bytes of data. Variants have no variants.
  void check(const Field& field, uint64_t whole, std::string_view owner, bool is_variant = false) {
    expect(field.offset <= whole && field.size <= whole && uint64_t{field.offset} + field.size <= whole,
           "{} has a field of {} bytes at {} of {}", owner, field.size, field.offset, whole);
    expect(field.size >= min_size(field), "{} has a field of {} bytes", owner, field.size);
    expect(field.kind != FieldKind::Integer || field.size <= 8, "{} has a number of {} bytes", owner, field.size);
    expect(field.printed_type == -1 || is_type(field.printed_type), "{} refers to type {} of {}", owner,
           field.printed_type, plan_.printed_types.size());
    expect(field.kind != FieldKind::UserStack || field.has_copy || uint64_t{field.frames} * 8 + 8 <= field.size,
           "{} has {} frames in {} bytes", owner, field.frames, field.size);
    expect(!is_variant || field.variants.empty(), "{} has nested variants", owner);
    for (const Field& variant : field.variants)
      if (problem_.empty()) check(variant, whole, owner, true);
  }
  static uint32_t min_size(const Field& field) {
    switch (field.kind) {
      case FieldKind::ProbeName: return 4;
      case FieldKind::KernelAddr:
      case FieldKind::Container: return 8;
      case FieldKind::UserStack: return 8;
      case FieldKind::UserAddr: return 16;
      default: return 0;
    }
  }

  void check(const AggregationPlan& aggregation) {
    std::string owner = fmt::format("aggregation {}", aggregation.name);
    expect(aggregation.key_size <= max_bytes && aggregation.value_size <= max_bytes, "{} is too large", owner);
    for (const Field& key : aggregation.keys) check(key, aggregation.key_size, owner);
    expect(aggregation.data_words > 0 && aggregation.data_words <= max_bytes / 8 &&
               aggregation.value_size >= aggregation.slot_size() * (aggregation.has_generation ? 2ULL : 1ULL),
           "{} has values of {} bytes for {} words", owner, aggregation.value_size, aggregation.data_words);
    expect(aggregation.columns.size() <= aggregation.keys.size(), "{} has more columns than keys", owner);
    expect(aggregation.is_recorded || aggregation.map.empty() || find_map(aggregation.map) != nullptr,
           "{} is in the map {}, which does not exist", owner, aggregation.map);
    expect(aggregation.short_map.empty() || (find_map(aggregation.short_map) != nullptr && !aggregation.keys.empty() &&
                                             aggregation.short_key_size <= aggregation.key_size),
           "{} has no map for short keys", owner);
    const MapPlan* globals = find_map("ds_globals");
    expect(!aggregation.has_generation ||
               (globals != nullptr && uint64_t{aggregation.generation_offset} + 8 <= globals->value_size),
           "{} has no room for its generation", owner);
    for (PercentileNumber percentile : aggregation.percentiles)
      expect(percentile <= 100'000, "{} has the percentile {}", owner, percentile);
    check_parameters(aggregation, owner);
  }

  // The words of distributions follow from the parameters.
  void check_parameters(const AggregationPlan& aggregation, std::string_view owner) {
    const int64_t(&parameters)[4] = aggregation.parameters;
    uint64_t words = aggregation.data_words;
    switch (aggregation.function) {
      case AggregationFunction::Lquantize:
        expect(parameters[1] >= 0 && static_cast<uint64_t>(parameters[1]) + 2 <= words, "{} has {} levels in {} words",
               owner, parameters[1], words);
        break;
      case AggregationFunction::Percentile:
        expect(parameters[0] >= 0 && static_cast<uint64_t>(parameters[0]) < words, "{} has no word for 0", owner);
        break;
      case AggregationFunction::Llquantize:
        expect(parameters[0] >= 2 && parameters[1] >= 0 && parameters[2] >= parameters[1] && parameters[2] <= 64 &&
                   parameters[3] >= 1 && parameters[3] <= int64_t{1} << 20 &&
                   words >= llquantize_words(parameters[0], parameters[2] - parameters[1] + 1, parameters[3]),
               "{} has other parameters than llquantize() takes", owner);
        break;
      default: break;
    }
  }

  static uint64_t llquantize_words(int64_t factor, int64_t ranges, int64_t steps) {
    return static_cast<uint64_t>(2 * ranges * (steps - steps / factor) + 3);
  }

  void check(const ClausePlan& clause, size_t index) {
    std::string owner = fmt::format("clause {}", index);
    expect(clause.number == index, "{} has the number {}", owner, clause.number);
    expect(clause.record_size <= max_bytes, "{} has a record of {} bytes", owner, clause.record_size);
    for (const ActionPlan& action : clause.actions) check(action, clause, owner);
    for (const UpdatePlan& update : clause.updates) check(update, clause, owner);
  }

  void check(const ActionPlan& action, const ClausePlan& clause, std::string_view owner) {
    for (const Field& field : action.fields) check(field, clause.record_size, owner);
    expect(action.ran_offset <= clause.record_size, "{} has an action at {}", owner, action.ran_offset);
    expect(action.columns.size() <= action.fields.size(), "{} has more columns than fields", owner);
    size_t fields = action.fields.size();
    for (uint32_t id : action.aggregations) {
      expect(id < plan_.aggregations.size(), "{} refers to aggregation {} of {}", owner, id, plan_.aggregations.size());
      if (!problem_.empty()) return;
      // printa() formats the keys of its first aggregation.
      if (action.action == Action::Printa) fields = std::max(fields, plan_.aggregations[id].keys.size());
    }
    expect(action.format >= -1 && action.format < static_cast<int64_t>(plan_.formats.size()),
           "{} refers to format {} of {}", owner, action.format, plan_.formats.size());
    if (!problem_.empty() || action.format < 0) return;
    for (const FormatPiece& piece : plan_.formats[static_cast<size_t>(action.format)].pieces)
      check(piece, fields, owner);
  }

  void check(const FormatPiece& piece, size_t fields, std::string_view owner) {
    for (int32_t field : {piece.field, piece.width_field, piece.precision_field})
      expect(field >= -1 && field < static_cast<int64_t>(fields), "{} prints value {} of {}", owner, field, fields);
    expect(piece.width <= max_printed_width && piece.precision <= max_printed_width, "{} prints {} columns", owner,
           std::max(piece.width, piece.precision));
  }

  void check(const UpdatePlan& update, const ClausePlan& clause, std::string_view owner) {
    expect(update.aggregation < plan_.aggregations.size(), "{} updates aggregation {} of {}", owner, update.aggregation,
           plan_.aggregations.size());
    if (!problem_.empty()) return;
    const AggregationPlan& aggregation = plan_.aggregations[update.aggregation];
    expect(update.fields.size() == aggregation.keys.size() + 1 && update.variants.size() == aggregation.keys.size(),
           "{} updates @{} with other keys", owner, aggregation.name);
    if (!problem_.empty()) return;
    for (size_t i = 0; i < aggregation.keys.size(); ++i) {
      const std::vector<Field>& variants = aggregation.keys[i].variants;
      expect(variants.empty() || update.variants[i] < variants.size(), "{} updates @{} with other keys", owner,
             aggregation.name);
    }
    for (const Field& field : update.fields) check(field, clause.record_size, owner);
    if (problem_.empty())
      expect(update.fields.back().size >= uint64_t{aggregation.data_words} * 8, "{} updates @{} with other data", owner,
             aggregation.name);
    expect(update.ran_offset <= clause.record_size, "{} has an update at {}", owner, update.ran_offset);
  }

  void check(const MapPlan& map) {
    expect(map.key_size <= max_bytes && map.value_size <= max_bytes, "map {} is too large", map.name);
    expect(map.initial.size() <= map.value_size, "map {} has an initial value of {} bytes", map.name,
           map.initial.size());
  }

  // The maps that the consumer itself reads and writes.
  void check_fixed_maps() {
    for (auto [name, wanted_kind, size] : {std::tuple{"ds_state", MapKind::Array, sizeof(ds_state)},
                                           {"ds_counters", MapKind::PerCpuArray, sizeof(ds_counters)}}) {
      const MapPlan* map = find_map(name);
      expect(map != nullptr && map->kind == wanted_kind && map->value_size >= size, "it has no usable map {}", name);
    }
    const MapPlan* ring = find_map("ds_ring");
    bool is_table = ring != nullptr && ring->kind == MapKind::RingTable && ring->cpus_per_ring != 0 &&
                    ring->rings != 0 && ring->rings <= max_rings;
    expect(ring != nullptr && (ring->kind == MapKind::RingBuffer || is_table), "it has no usable map ds_ring");
    for (auto [name, wanted_kind] : {std::pair{"ds_unwind_chunks", MapKind::ChunkTable},
                                     {"ds_unwind_processes", MapKind::Hash},
                                     {"ds_unwind_misses", MapKind::RingBuffer},
                                     {"ds_unwind_counters", MapKind::PerCpuArray},
                                     {"ds_unwind_copies", MapKind::RingBuffer}})
      if (const MapPlan* map = find_map(name)) expect(map->kind == wanted_kind, "map {} is of another kind", map->name);
    if (const MapPlan* map = find_map("ds_speculations"))
      expect(map->value_size % sizeof(ds_speculation) == 0, "map {} has other speculations", map->name);
  }

  const MapPlan* find_map(std::string_view name) const {
    auto found = std::ranges::find(plan_.maps, name, &MapPlan::name);
    return found == plan_.maps.end() ? nullptr : &*found;
  }

  const ProgramPlan& plan_;
  std::string problem_;
};

}  // namespace

std::string inconsistency(const ProgramPlan& plan) { return PlanCheck(plan).problem(); }

}  // namespace dscope
