// StackUnwinder: the callers of a thread from a copy of its registers and of the top of its stack, by the call frame
// information (.eh_frame) that compilers write for exceptions: right without frame pointers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/dwarf/libdw.h"
#include "support/fd.h"

namespace dscope {

// The call frame information of one executable or library.
class FrameTable {
 public:
  // Null without libdw or such information. Keeps the file open.
  static std::unique_ptr<FrameTable> open(Fd file);
  // Of an object in this process's memory, which must stay there: the vdso.
  static std::unique_ptr<FrameTable> of_memory(std::span<char> image);
  ~FrameTable();
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  const LibDw& dw() const { return dw_; }
  Dwarf_CFI* information() const { return information_; }

 private:
  FrameTable(const LibDw& dw, Fd file, Elf* elf) : dw_(dw), file_(std::move(file)), elf_(elf) {}
  static std::unique_ptr<FrameTable> read(const LibDw& dw, Fd file, Elf* elf);

  const LibDw& dw_;
  Fd file_;
  Elf* elf_;
  Dwarf_CFI* information_ = nullptr;
};

// Registers by their numbers in DWARF: of x86-64, rsp is 7 and the return address 16.
struct ThreadRegisters {
  static constexpr size_t count = 17, frame_pointer = 6, stack_pointer = 7, return_address = 16;
  std::array<uint64_t, count> values{};
  // From the words of struct pt_regs.
  static ThreadRegisters from_pt_regs(std::span<const uint64_t> words);
};

// Where an address lies: the table of its object, and the address as the object has it.
struct FramePlace {
  const FrameTable* table = nullptr;
  uint64_t address = 0;
};

// At most `most` addresses, the thread's own place first. `stack` is what was copied from its stack pointer on; where
// it ends, the walk ends. In code without a table the frame pointer is believed.
std::vector<uint64_t> unwind(ThreadRegisters registers, std::span<const std::byte> stack, size_t most,
                             const std::function<FramePlace(uint64_t address)>& find);

}  // namespace dscope
