#include "runtime/output/drop_advice.h"

#include <algorithm>
#include <bit>

#include "catalog/catalog.h"
#include "contract/buffer_policy.h"
#include "support/format.h"

namespace dscope {

namespace {

// "64m". `bytes` is a power of two.
std::string size_text(uint64_t bytes) {
  for (auto [shift, unit] : {std::pair{40, 't'}, {30, 'g'}, {20, 'm'}, {10, 'k'}})
    if (bytes >= uint64_t{1} << shift) return fmt::format("{}{}", bytes >> shift, unit);
  return fmt::format("{}", bytes);
}

}  // namespace

void DropAdvice::add(const std::vector<Drop>& drops, size_t cpu_count) {
  cpu_count_ = std::max(cpu_count_, cpu_count);
  uint64_t lost = 0;
  for (const Drop& drop : drops) {
    if (std::ranges::find(tags_, drop.tag) == tags_.end()) tags_.emplace_back(drop.tag);
    if (std::string_view{drop.tag} == "DTRACEDROP_PRINCIPAL") lost += drop.count;
  }
  uint64_t mean = records_ != 0 ? bytes_ / records_ : max_record_size_;
  // A larger buffer would have kept the records of earlier periods that were lost, too.
  lost_bytes_ = lost != 0 ? lost_bytes_ + lost * buffered_size(mean) : 0;
  max_lost_bytes_ = std::max(max_lost_bytes_, lost_bytes_);
  records_ = bytes_ = 0;
}

std::vector<std::string> DropAdvice::hints() const {
  std::vector<std::string> texts;
  for (std::string_view tag : tags_)
    if (std::string text = hint(tag); !text.empty()) texts.push_back(std::move(text));
  return texts;
}

std::string DropAdvice::hint(std::string_view tag) const {
  if (tag == "DTRACEDROP_PRINCIPAL") return buffer_hint();
  if (tag == "DTRACEDROP_AGGREGATION")
    return fmt::format("a larger aggregation buffer holds more keys: -x aggsize={}", doubled(OptionId::Aggsize));
  if (tag == "DTRACEDROP_DYNAMIC")
    return fmt::format(
        "more memory holds more variables: -x dynvarsize={}; assign 0 to those that are no longer needed",
        doubled(OptionId::Dynvarsize));
  if (tag == "DTRACEDROP_SPEC")
    return fmt::format("a larger speculation buffer holds more records: -x specsize={}", doubled(OptionId::Specsize));
  if (tag == "DTRACEDROP_SPECBUSY" || tag == "DTRACEDROP_SPECUNAVAIL")
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

std::string DropAdvice::doubled(OptionId option) const {
  int64_t size = options_->number(option);
  if (size <= 0) size = row(option).default_value;
  return size_text(std::bit_ceil(static_cast<uint64_t>(size) + 1));
}

}  // namespace dscope
