#include "runtime/unwind/stack_copies.h"

#include <cstring>

#include "contract/stacks/unwind_format.h"

namespace dscope {

namespace {

// Beyond that, the oldest stacks are forgotten, and their values show what frame pointers gave.
constexpr size_t max_frames = 4 << 20;

}  // namespace

Result<std::unique_ptr<StackCopies>> StackCopies::open(const MapSet& maps, Symbolizer& symbols) {
  auto map = maps.find("ds_unwind_copies");
  if (map == maps.end()) return std::unique_ptr<StackCopies>{};
  DS_TRY(RingReader ring, RingReader::open(map->second));
  return std::make_unique<StackCopies>(std::move(ring), symbols);
}

void StackCopies::read() {
  if (ring_.size() == 0) return;
  ring_.consume([&](std::span<const std::byte> record) {
    add(record);
    return true;
  });
}

void StackCopies::add(std::span<const std::byte> record) {
  ds_unwind_copy copy{};
  if (record.size() < sizeof copy) return;
  std::memcpy(&copy, record.data(), sizeof copy);
  auto number = static_cast<uint32_t>(copy.number);
  std::vector<uint64_t> frames = unwind_copy(symbols_, {.process = static_cast<uint32_t>(copy.process),
                                                        .bytes = record.subspan(sizeof copy),
                                                        .first = copy.first,
                                                        .second = copy.second,
                                                        .max_frames = static_cast<uint32_t>(copy.max_frames)});
  auto [stack, is_new] = stacks_.try_emplace(number, std::move(frames));
  if (!is_new) return;
  frame_count_ += stack->second.size();
  order_.push_back(number);
  while (frame_count_ > max_frames && order_.size() > 1) {
    auto oldest = stacks_.find(order_.front());
    frame_count_ -= oldest->second.size();
    stacks_.erase(oldest);
    order_.pop_front();
  }
}

std::span<const uint64_t> StackCopies::find(uint32_t number) {
  auto known = stacks_.find(number);
  if (known != stacks_.end()) return known->second;
  read();
  known = stacks_.find(number);
  return known == stacks_.end() ? std::span<const uint64_t>{} : known->second;
}

}  // namespace dscope
