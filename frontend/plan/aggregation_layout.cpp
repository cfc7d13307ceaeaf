// Keys, values and maps of aggregations.
#include <algorithm>

#include "contract/buffers/aggregation_memory.h"
#include "contract/buffers/buffer_policy.h"
#include "contract/machine.h"
#include "frontend/plan/column_names.h"
#include "frontend/plan/data_layout.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr int64_t default_aggsize = 4 << 20;
// Up to these sizes, the map is a real per-CPU hash, whose creation takes 0.35 us per element and CPU.
constexpr int64_t max_per_cpu_elements = 1024, max_per_cpu_values = 8192;
constexpr uint32_t short_string = 64;  // bytes, with the terminator
constexpr size_t max_short_maps = 8;   // a program may use 64 maps of all kinds
// The kernel's limit for values of per-CPU maps. An lquantize() of thousands of levels is larger.
constexpr uint32_t max_per_cpu_bytes = 32 << 10;

bool is_same_kind(const Field& a, const Field& b) {
  return a.kind == b.kind && a.frames == b.frames && printed_as(a.symbol) == printed_as(b.symbol);
}

class AggregationLayout {
 public:
  explicit AggregationLayout(DataLayout& data) : data_(data) {}

  void run() {
    for (size_t i = 0; i < data_.meaning.aggregations.size(); ++i) add_aggregation(i);
  }

 private:
  static uint32_t words_of(const Aggregation& aggregation) {
    const int64_t* p = aggregation.parameters;
    switch (aggregation.function) {
      case AggregationFunction::Count:
      case AggregationFunction::Sum:
      case AggregationFunction::Min:
      case AggregationFunction::Max: return 1;
      case AggregationFunction::Avg: return 2;
      case AggregationFunction::Stddev: return 4;
      case AggregationFunction::Quantize: return 127;
      case AggregationFunction::Percentile: return p[0] == 0 ? unsigned_percentile_words : signed_percentile_words;
      case AggregationFunction::Lquantize: return static_cast<uint32_t>(p[1] + 2);
      case AggregationFunction::Llquantize:
        return static_cast<uint32_t>(2 * (p[2] - p[1] + 1) * (p[3] - p[3] / p[0]) + 3);
    }
    DS_UNREACHABLE();
  }

  // Whether a clause that updates the aggregation records this key as a copy of the user stack.
  bool may_have_copy(size_t index, const Field& key) const {
    return std::ranges::any_of(data_.uses.updating_clauses[index],
                               [&](const auto* clause) { return data_.fields.with_copy(*clause, key).has_copy; }) ||
           std::ranges::any_of(key.variants, [&](const Field& each) { return may_have_copy(index, each); });
  }

  void add_aggregation(size_t index) {
    const Aggregation& aggregation = data_.meaning.aggregations[index];
    AggregationPlan plan{.name = aggregation.name, .function = aggregation.function};
    uint32_t end = 0;
    for (size_t i = 0; i < aggregation.keys.size(); ++i) {
      Field field = aggregation.keys[i].action ? traced_key(index, i)
                                               : data_.fields.key(i < data_.uses.aggregation_keys[index].size()
                                                                      ? data_.uses.aggregation_keys[index][i]
                                                                      : KeyUse{},
                                                                  aggregation.keys[i]);
      plan.keys.push_back(std::move(field));
    }
    Field* long_string = only_long_string(plan.keys);
    for (Field& field : plan.keys)
      if (&field != long_string) place_field(field, end);
    if (long_string != nullptr) place_field(*long_string, end);
    plan.key_size = round_up8(end);
    // The other policies drop records, which would be missing from the sums.
    plan.is_recorded = buffer_policy(data_.options) == BufferPolicy::Switch &&
                       std::ranges::any_of(plan.keys, [&](const Field& key) { return may_have_copy(index, key); });
    plan.data_words = words_of(aggregation);
    std::copy(std::begin(aggregation.parameters), std::end(aggregation.parameters), plan.parameters);
    plan.percentiles = aggregation.percentiles;
    plan.has_generation =
        data_.uses.is_aggregation_used[index] && row(aggregation.function).merge != AggregationMerge::Add;
    plan.has_state_word = plan.key_size == 0 || plan.has_generation;
    plan.value_size = plan.slot_size() * (plan.has_generation ? 2 : 1);
    plan.is_value_signed = aggregation.function != AggregationFunction::Count;
    if (plan.has_generation) plan.generation_offset = reserve(data_.globals_size, 8);
    plan.element_size = counted_element_bytes(plan);
    if (data_.uses.is_aggregation_used[index] && !plan.is_recorded) {
      plan.map = fmt::format("ds_agg_{}", index);
      add_aggregation_map(plan);
      if (long_string != nullptr) add_short_map(plan, *long_string);
    }
    data_.plan.aggregations.push_back(std::move(plan));
  }

  // Returns the only long string of the key, which becomes its last field; null if there is none or several.
  static Field* only_long_string(std::vector<Field>& keys) {
    auto is_long = [](const Field& key) { return key.kind == FieldKind::String && key.size > 2 * short_string; };
    auto found = std::ranges::find_if(keys, is_long);
    return std::ranges::count_if(keys, is_long) == 1 ? &*found : nullptr;
  }

  // Adds a map for short keys, with half of the elements. Does nothing if the script sets aggsize, which limits all
  // keys together.
  void add_short_map(AggregationPlan& plan, const Field& string) {
    MapPlan& long_map = data_.plan.maps.back();
    if (!plan.is_cpu_in_key || long_map.size_option || data_.plan.aggregations.size() >= max_short_maps) return;
    plan.short_map = plan.map + "s";
    plan.short_key_size = string.offset + short_string;
    MapPlan short_map = long_map;
    short_map.name = plan.short_map;
    short_map.key_size = plan.short_key_size + 8;
    long_map.max_entries = std::max(1U, long_map.max_entries / 2);
    data_.plan.maps.push_back(std::move(short_map));
  }

  // Returns the size of an element as aggsize counts it. Scripts with a small aggsize rely on DTrace's count: whole
  // strings, the value and 8 bytes of generation.
  uint64_t counted_element_bytes(const AggregationPlan& plan) const {
    if (!data_.is_below_default(OptionId::Aggsize)) return plan.key_size + plan.value_size;
    uint64_t size = (plan.data_words + 1) * 8;
    for (const Field& key : plan.keys) size += is_text(key) ? data_.whole_string_bytes() : round_up8(key.size);
    return size;
  }

  // The map has aggsize bytes for each CPU, allocated in advance, so that a failed allocation never loses a new key.
  void add_aggregation_map(AggregationPlan& plan) {
    MapPlan map{
        .name = plan.map, .kind = MapKind::PerCpuArray, .key_size = 4, .value_size = plan.value_size, .max_entries = 1};
    bool is_large = plan.value_size > max_per_cpu_bytes;
    if (plan.key_size == 0 && is_large) {
      plan.is_cpu_in_key = true;
      map.kind = MapKind::Array;
      map.max_entries = data_.facts.cpu_count;
    }
    if (plan.key_size != 0) {
      bool is_requested = data_.options.number(OptionId::Aggsize) > 0 &&
                          data_.options.number(OptionId::Aggsize) != row(OptionId::Aggsize).default_value;
      int64_t space = is_requested ? data_.options.number(OptionId::Aggsize) : default_aggsize;
      int64_t entries = std::max<int64_t>(1, space / static_cast<int64_t>(plan.element_size));
      entries = std::min(entries, max_key_count(plan));
      bool is_slow = !is_requested && entries * data_.facts.cpu_count > max_per_cpu_values;
      plan.is_cpu_in_key = is_large || is_slow || entries > max_per_cpu_elements;
      map.kind = plan.is_cpu_in_key ? MapKind::Hash : MapKind::PerCpuHash;
      map.key_size = plan.key_size + (plan.is_cpu_in_key ? 8 : 0);
      if (plan.is_cpu_in_key) entries *= data_.facts.cpu_count;
      if (is_requested) {
        map.size_option = OptionId::Aggsize;
        map.requested_entries = static_cast<uint64_t>(entries);
        entries = std::min(entries, max_aggregation_bytes / (map.key_size + map.value_size));
      } else {
        entries = std::min(entries, default_aggregation_elements(data_.facts));
      }
      map.max_entries = static_cast<uint32_t>(std::clamp<int64_t>(entries, 1, max_aggregation_elements));
    }
    plan.map_key_size = map.key_size;
    plan.map_value_size = map.value_size;
    data_.plan.maps.push_back(std::move(map));
  }

  // Returns an upper bound of the number of keys. If a key consists of probe names only, there are no more keys than
  // rows. Each site of a probe has its own key until the consumer prints.
  int64_t max_key_count(const AggregationPlan& plan) const {
    bool is_probe_only = std::all_of(plan.keys.begin(), plan.keys.end(),
                                     [](const Field& key) { return key.kind == FieldKind::ProbeName; });
    if (!is_probe_only) return INT64_MAX;
    int64_t rows = 0;
    for (const ClauseInstance& clause : data_.meaning.clauses) {
      if (clause.gains_probes) return INT64_MAX;
      for (const Probe* probe : clause.probes)
        rows += static_cast<int64_t>(std::max({size_t{1}, probe->sites.size(), probe->derivations.size()}));
    }
    return std::max<int64_t>(1, rows);
  }

  // Returns the field of a key that is a stack or symbol. Its kind and depth may differ between uses.
  Field traced_key(size_t aggregation, size_t position) {
    std::vector<Field> kinds;
    for (const ClauseInstance& clause : data_.meaning.clauses) {
      walk_clause(data_.meaning, clause, [&](const Expr& expr) {
        const auto statement = aggregating_statement(data_.meaning, clause, expr);
        if (!statement || statement->aggregation.index != aggregation) return;
        const Expr& key = *statement->keys[position];
        Field field = data_.fields.of_action(clause, *action_call(data_.meaning, clause, key),
                                             std::get<Action>(data_.meaning.info(clause, key).binding));
        auto known = std::ranges::find_if(kinds, [&](const Field& each) { return is_same_kind(each, field); });
        data_.layout.variant_of_key[clause.number][key.id.index] = static_cast<uint32_t>(known - kinds.begin());
        if (known == kinds.end()) kinds.push_back(std::move(field));
      });
    }
    if (kinds.empty()) return {.kind = FieldKind::Stack, .size = 8, .frames = 1, .type = "stack"};  // never used
    if (kinds.size() == 1) return kinds.front();
    Field any = *std::ranges::max_element(kinds, {}, &Field::size);
    any.size += variant_word;
    any.variants = std::move(kinds);
    return any;
  }

  DataLayout& data_;
};

}  // namespace

void lay_out_aggregations(DataLayout& data) {
  AggregationLayout(data).run();
  if (!names_values(data.options)) return;
  name_keys(data);
  hash_sources(data);
}

}  // namespace dscope
