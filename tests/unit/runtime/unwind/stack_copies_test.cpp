#include "runtime/unwind/stack_copies.h"

#include <gtest/gtest.h>

#include <cstring>

#include "arch/architecture.h"
#include "contract/record_format.h"
#include "contract/stacks/unwind_format.h"
#include "runtime/format/symbolizer.h"

namespace dscope::test {
namespace {

class FakeUnwinder final : public Symbolizer {
 public:
  std::string kernel_symbol(uint64_t, bool) override { return {}; }
  std::string kernel_module(uint64_t) override { return {}; }
  std::string user_symbol(uint32_t, uint64_t, bool) override { return {}; }
  std::string user_module(uint32_t, uint64_t) override { return {}; }
  uint64_t kernel_symbol_start(uint64_t address) override { return address; }
  uint64_t kernel_module_start(uint64_t address) override { return address; }
  uint64_t user_symbol_start(uint32_t, uint64_t address) override { return address; }
  uint64_t user_module_start(uint32_t, uint64_t address) override { return address; }
  bool is_tracer_frame(uint64_t) override { return false; }
  // The instruction pointer, then the words of the stack.
  std::vector<uint64_t> unwind(uint32_t process, std::span<const uint64_t> registers, std::span<const std::byte> stack,
                               size_t max_frames) override {
    last_process = process;
    std::vector<uint64_t> frames{registers[native_architecture().instruction_pointer / 8]};
    for (size_t at = 0; at + 8 <= stack.size() && frames.size() < max_frames; at += 8) {
      frames.emplace_back();
      std::memcpy(&frames.back(), stack.data() + at, 8);
    }
    return frames;
  }

  uint32_t last_process = 0;
};

std::vector<std::byte> record_of(uint32_t number, uint64_t first, uint64_t caller) {
  const Architecture& machine = native_architecture();
  ds_unwind_copy copy{.number = number, .process = 42, .max_frames = 2, .first = first, .second = 0};
  std::vector<std::byte> bytes(sizeof copy + DS_STACK_COPY_SIZE(machine.register_words, 2 * DS_STACK_PIECE_BYTES));
  std::memcpy(bytes.data(), &copy, sizeof copy);
  uint64_t size = DS_STACK_PIECE_BYTES, instruction = 0x1234;
  std::byte* registers = bytes.data() + sizeof copy;
  std::memcpy(registers + machine.instruction_pointer, &instruction, 8);
  std::memcpy(registers + machine.register_words * 8, &size, 8);
  std::memcpy(registers + machine.register_words * 8 + 8, &caller, 8);
  return bytes;
}

TEST(StackCopies, KeepTheFramesOfEachNumber) {
  FakeUnwinder symbols;
  StackCopies copies{RingReader{}, symbols};
  copies.add(record_of(7, 0x1230, 0x500));
  copies.add(record_of(8, 0, 0x600));
  EXPECT_EQ(symbols.last_process, 42U);
  std::span<const uint64_t> found = copies.find(7);
  EXPECT_EQ((std::vector<uint64_t>{found.begin(), found.end()}), (std::vector<uint64_t>{0x1230, 0x500}))
      << "the first frame is the one of the program";
  found = copies.find(8);
  EXPECT_EQ((std::vector<uint64_t>{found.begin(), found.end()}), (std::vector<uint64_t>{0x1234, 0x600}));
  EXPECT_TRUE(copies.find(9).empty());
}

TEST(StackCopies, IgnoreRecordsThatAreTooShort) {
  FakeUnwinder symbols;
  StackCopies copies{RingReader{}, symbols};
  std::vector<std::byte> record = record_of(7, 1, 2);
  for (size_t size = 0; size < sizeof(ds_unwind_copy) + 200; ++size) copies.add(std::span{record}.first(size));
  EXPECT_TRUE(copies.find(7).empty());
}

}  // namespace
}  // namespace dscope::test
