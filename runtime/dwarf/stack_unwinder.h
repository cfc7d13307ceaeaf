// Unwinds a user stack from a copy of the thread's registers and of the top of its stack, by the call frame information
// (.eh_frame) that compilers write for exceptions. Works without frame pointers.
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
  // Null if libdw is not installed or the file has no call frame information. Takes over and keeps the descriptor.
  static std::unique_ptr<FrameTable> open(Fd file);
  // The table of an ELF image in our own memory (the vDSO), which must outlive the result.
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

// The registers of a thread of this machine.
struct ThreadRegisters {
  static constexpr size_t max_count = 32;
  std::array<uint64_t, max_count> values{};  // by DWARF number
  uint64_t instruction_pointer = 0;
  // `words`: struct pt_regs as an array of 64-bit words. Missing words leave their registers 0.
  static ThreadRegisters from_pt_regs(std::span<const uint64_t> words);
};

// The object that contains a code address of the process.
struct CodeLocation {
  const FrameTable* table = nullptr;  // null if the object has none
  uint64_t address = 0;               // virtual address in the object
};

// The return addresses of the thread, at most `max_frames`, its instruction pointer first. `stack` is the memory copied
// from the stack pointer upwards; the walk ends where the copy ends. Code without a table is unwound by its frame
// pointer. `locate` maps addresses of the process to objects.
std::vector<uint64_t> unwind(ThreadRegisters registers, std::span<const std::byte> stack, size_t max_frames,
                             const std::function<CodeLocation(uint64_t address)>& locate);

}  // namespace dscope
