#include "runtime/output/drop_advice.h"

#include <algorithm>
#include <bit>

#include "catalog/catalog.h"
#include "contract/buffers/buffer_policy.h"
#include "support/format.h"

namespace dscope {

namespace {

// "64m". `bytes` is a power of two.
std::string size_text(uint64_t bytes) {
  for (auto [shift, unit] : {std::pair{40, 't'}, {30, 'g'}, {20, 'm'}, {10, 'k'}})
    if (bytes >= uint64_t{1} << shift) return fmt::format("{}{}", bytes >> shift, unit);
  return fmt::format("{}", bytes);
}

const MapPlan* find_map(const ProgramPlan& plan, std::string_view name) {
  auto found = std::ranges::find(plan.maps, name, &MapPlan::name);
  return found == plan.maps.end() ? nullptr : &*found;
}

// Bytes of a record of the clause as specsize counts them; 0 if the clause records nothing.
uint64_t counted_size(const ClausePlan& clause) {
  uint64_t size = 0;
  for (const ActionPlan& action : clause.actions) size = std::max<uint64_t>(size, action.counted_end);
  return size;
}

// The size that holds `more` elements if `size` holds `capacity`.
uint64_t scaled_up(uint64_t size, uint64_t capacity, uint64_t more) {
  return size + (size + capacity - 1) / capacity * more;
}

}  // namespace

DropAdvice::DropAdvice(const ProgramPlan& plan, const OptionValues& options) : plan_(&plan), options_(&options) {
  for (const ClausePlan& clause : plan.clauses)
    max_record_size_ = std::max<uint64_t>(max_record_size_, clause.record_size);
}

void DropAdvice::count_speculative(const ds_record_header& header) {
  if (header.clause < plan_->clauses.size())
    max_speculative_size_ = std::max(max_speculative_size_, counted_size(plan_->clauses[header.clause]));
}

void DropAdvice::add(const std::vector<Drop>& drops, size_t cpu_count) {
  cpu_count_ = std::max(cpu_count_, cpu_count);
  uint64_t lost = 0;
  for (const Drop& drop : drops) {
    std::string_view tag = drop.tag;
    auto kind = std::ranges::find(kinds_, tag, &Kind::tag);
    if (kind == kinds_.end()) kind = kinds_.insert(kinds_.end(), {.tag = tag, .count = 0});
    kind->count += drop.count;
    if (tag == "DTRACEDROP_PRINCIPAL") lost += drop.count;
  }
  uint64_t mean = records_ != 0 ? bytes_ / records_ : max_record_size_;
  // A larger buffer would have kept the records of earlier periods that were lost, too.
  lost_bytes_ = lost != 0 ? lost_bytes_ + lost * buffered_size(mean) : 0;
  max_lost_bytes_ = std::max(max_lost_bytes_, lost_bytes_);
  records_ = bytes_ = 0;
}

std::vector<std::string> DropAdvice::hints() const {
  std::vector<std::string> texts;
  for (const Kind& kind : kinds_)
    if (std::string text = hint(kind); !text.empty()) texts.push_back(std::move(text));
  return texts;
}

std::string DropAdvice::hint(const Kind& kind) const {
  if (kind.tag == "DTRACEDROP_PRINCIPAL") return buffer_hint();
  if (kind.tag == "DTRACEDROP_AGGREGATION") return aggregation_hint(kind.count);
  if (kind.tag == "DTRACEDROP_DYNAMIC") return variable_hint(kind.count);
  if (kind.tag == "DTRACEDROP_SPEC") return speculation_hint(kind.count);
  if (kind.tag == "DTRACEDROP_SPECBUSY" || kind.tag == "DTRACEDROP_SPECUNAVAIL")
    return fmt::format("more speculations can be active at once with -x nspec={}",
                       std::max<int64_t>(options_->number(OptionId::Nspec), 1) * 2);
  return "";
}

std::string DropAdvice::buffer_hint() const {
  auto default_size = static_cast<uint64_t>(row(OptionId::Bufsize).default_value);
  uint64_t size = buffer_size(*options_);
  // The size of the lost records is unknown: smaller buffers hold strings with their padding.
  if (size < default_size)
    return fmt::format("-b {} or more holds more records, without padding in strings", size_text(default_size));
  // The CPUs share one ring. A ring larger by the lost bytes would have dropped nothing.
  uint64_t needed = std::bit_ceil(size + (max_lost_bytes_ + cpu_count_ - 1) / cpu_count_);
  if (needed * cpu_count_ > static_cast<uint64_t>(max_ring_bytes))
    return "no buffer would have held the dropped records: trace fewer events, or count them with aggregations";
  return fmt::format("-b {} would have held the dropped records", size_text(needed));
}

// Each drop is an update whose key was absent, so the dropped updates have at most as many keys as there are drops.
std::string DropAdvice::aggregation_hint(uint64_t drops) const {
  uint64_t needed = 0;  // bytes for each CPU
  bool is_beyond_limit = false;
  for (const AggregationPlan& aggregation : plan_->aggregations) {
    const MapPlan* map = find_map(*plan_, aggregation.map);
    if (map == nullptr || aggregation.key_size == 0) continue;
    uint64_t cpus = aggregation.is_cpu_in_key ? cpu_count_ : 1;
    uint64_t limit = std::min<uint64_t>(max_aggregation_elements,
                                        max_aggregation_bytes / std::max(map->key_size + map->value_size, 1U));
    uint64_t elements = std::min(map->max_entries + drops, limit);
    is_beyond_limit |= map->max_entries + drops > limit;
    needed = std::max(needed, (elements + cpus - 1) / cpus * aggregation.element_size);
  }
  std::string size = larger_size(OptionId::Aggsize, needed);
  if (is_beyond_limit)
    return fmt::format("-x aggsize={} holds the most keys that are possible; use fewer keys if drops remain", size);
  return fmt::format("-x aggsize={} would have held the dropped keys", size);
}

std::string DropAdvice::variable_hint(uint64_t drops) const {
  constexpr std::string_view advice = "assign 0 to variables that are no longer needed";
  uint64_t size = size_of(OptionId::Dynvarsize), needed = 0;
  // Below the default size, the program counts its variables.
  bool is_counted = size < static_cast<uint64_t>(row(OptionId::Dynvarsize).default_value);
  if (is_counted && plan_->dynamic_capacity.value_or(0) != 0) needed = scaled_up(size, *plan_->dynamic_capacity, drops);
  for (const MapPlan& map : plan_->maps) {
    if (map.size_option != OptionId::Dynvarsize) continue;
    uint64_t elements = map.max_entries + drops;
    if (elements > max_array_elements) return fmt::format("no dynvarsize holds that many variables: {}", advice);
    needed = std::max(needed, elements * array_element_size(map.key_size, map.value_size));
  }
  // Only the kernel's memory limits thread-local variables from the default size on.
  if (needed == 0) return std::string(advice);
  return fmt::format("-x dynvarsize={} would have held the dropped variables; or {}",
                     larger_size(OptionId::Dynvarsize, needed), advice);
}

std::string DropAdvice::speculation_hint(uint64_t drops) const {
  uint64_t size = size_of(OptionId::Specsize), record = speculative_record_size();
  if (record == 0)
    return fmt::format("the size of the dropped speculative records is unknown; try -x specsize={}",
                       larger_size(OptionId::Specsize, size));
  // All of the dropped records may belong to one speculation.
  return fmt::format("-x specsize={} would have held the dropped records",
                     larger_size(OptionId::Specsize, size + drops * record));
}

uint64_t DropAdvice::size_of(OptionId option) const {
  int64_t size = options_->number(option);
  return static_cast<uint64_t>(size > 0 ? size : row(option).default_value);
}

std::string DropAdvice::larger_size(OptionId option, uint64_t bytes) const {
  return size_text(std::bit_ceil(std::max(bytes, size_of(option) + 1)));
}

// If no record fitted into a speculation, the dropped ones may have the size of any record of the program.
uint64_t DropAdvice::speculative_record_size() const {
  uint64_t size = max_speculative_size_;
  if (size == 0)
    for (const ClausePlan& clause : plan_->clauses) size = std::max(size, counted_size(clause));
  return size;
}

}  // namespace dscope
