#include "arch/go_functions.h"

#include <array>

namespace dscope {

namespace {

// DWARF numbers of the registers, in argument order: rax, rbx, rcx, rdi, rsi, r8 to r11; x0 to x15.
constexpr std::array<uint16_t, 9> x86_64_numbers = {0, 3, 2, 5, 4, 8, 9, 10, 11};
constexpr std::array<uint16_t, 16> aarch64_numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// The offsets of registers in struct pt_regs.
template <size_t count>
std::array<uint32_t, count> offsets_of(const Architecture& architecture, const std::array<uint16_t, count>& numbers) {
  std::array<uint32_t, count> offsets{};
  for (size_t i = 0; i < count; ++i) offsets[i] = architecture.unwinding.offsets[numbers[i]];
  return offsets;
}

}  // namespace

FunctionAbi go_functions(const Architecture& architecture) {
  static const auto on_x86_64 = offsets_of(x86_64, x86_64_numbers);
  static const auto on_aarch64 = offsets_of(aarch64, aarch64_numbers);
  std::span<const uint32_t> arguments = &architecture == &x86_64 ? std::span<const uint32_t>{on_x86_64} : on_aarch64;
  constexpr uint32_t return_address_bytes = 8;
  return {.arguments = arguments,
          .stack_arguments = return_address_bytes,
          .result = arguments[0],
          .second_result = arguments[1],
          .objects = ObjectPassing::Stack};
}

uint32_t go_goroutine_register(const Architecture& architecture) {
  constexpr size_t r14 = 14, x28 = 28;
  return architecture.unwinding.offsets[&architecture == &x86_64 ? r14 : x28];
}

}  // namespace dscope
