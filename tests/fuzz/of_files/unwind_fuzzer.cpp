// Call frame information of others, and stacks of others: the first 2 KiB are the copied registers and stack.
#include <cstring>

#include "foreign_file.h"
#include "runtime/dwarf/stack_unwinder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t word_count = 21, stack_size = 2048 - word_count * 8, max_frames = 64;
  if (size < word_count * 8 + stack_size) return 0;
  uint64_t words[word_count];
  std::memcpy(words, data, sizeof words);
  std::span<const std::byte> stack{reinterpret_cast<const std::byte*>(data) + sizeof words, stack_size};
  size_t used = sizeof words + stack_size;
  auto table = dscope::FrameTable::open(dscope::fuzz::memory_file(data + used, size - used));
  auto locate = [&](uint64_t address) { return dscope::CodeLocation{table.get(), address}; };
  auto frames = dscope::unwind(dscope::ThreadRegisters::from_pt_regs(words), stack, max_frames, locate);
  DS_CHECK(frames.size() <= max_frames);
  return 0;
}
