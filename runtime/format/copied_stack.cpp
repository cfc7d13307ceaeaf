#include "runtime/format/copied_stack.h"

#include <algorithm>
#include <cstring>

#include "arch/architecture.h"
#include "contract/record_format.h"
#include "contract/stacks/stack_copy.h"
#include "runtime/format/symbolizer.h"
#include "runtime/format/value.h"

namespace dscope {

std::vector<uint64_t> unwind_copy(Symbolizer& symbols, const CopiedStack& copy) {
  const Architecture& machine = native_architecture();
  std::vector<uint64_t> registers(machine.register_words);
  const size_t register_bytes = registers.size() * sizeof(uint64_t);
  if (copy.bytes.size() < DS_STACK_COPY_SIZE(registers.size(), DS_STACK_PIECE_BYTES)) return {};
  std::memcpy(registers.data(), copy.bytes.data(), register_bytes);
  const RegisterTest& compat = machine.is_compat_code;
  if ((registers[compat.offset / 8] & compat.mask) == compat.value) return {};  // follows frame pointers
  uint64_t max_size = copy.bytes.size() - DS_STACK_COPY_SIZE(registers.size(), 0);
  uint64_t size = std::min(load_word(copy.bytes.data() + register_bytes), max_size);
  uint64_t& stack_pointer = registers[machine.stack_pointer / 8];
  size_t skipped = std::min<size_t>(stack_pointer_offset(stack_pointer), size);
  std::span<const std::byte> stack{copy.bytes.data() + register_bytes + 8 + skipped,
                                   std::min<size_t>(size - skipped, max_size - DS_STACK_PIECE_BYTES)};
  std::vector<uint64_t> frames = symbols.unwind(copy.process, registers, stack, copy.max_frames);
  if (!frames.empty() && copy.first != 0) frames.front() = copy.first;
  // Whether the return address is where it is at the first and the last instruction of a function.
  bool is_on_stack = !machine.return_address && stack.size() >= 8 && load_word(stack.data()) == copy.second;
  bool is_in_register = machine.return_address && registers[*machine.return_address / 8] == copy.second;
  bool is_unmoved = copy.second != 0 && (is_on_stack || is_in_register);
  if (frames.empty() || !is_unmoved || (frames.size() > 1 && frames[1] == copy.second)) return frames;
  // The code has no unwind table, and is at its first or last instruction, where the frame pointer is the caller's.
  registers[machine.instruction_pointer / 8] = copy.second;
  size_t popped = is_on_stack ? 8 : 0;
  stack_pointer += popped;
  std::vector<uint64_t> callers = symbols.unwind(copy.process, registers, stack.subspan(popped), copy.max_frames - 1);
  frames.resize(1);
  frames.insert(frames.end(), callers.begin(), callers.end());
  return frames;
}

}  // namespace dscope
