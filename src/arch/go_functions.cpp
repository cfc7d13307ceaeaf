#include "arch/go_functions.h"

#include <array>
#include <span>
#include <string_view>

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

// Code in hexadecimal digits in the order of memory; ? is any digit.
constexpr std::string_view x86_64_checks[] = {
    "493b66??",                                   // cmp stackguard(%r14),%rsp
    "4c8d6424??4d3b66??",                         // lea offset(%rsp),%r12; cmp stackguard(%r14),%r12
    "4c8da424????????4d3b66??",                   //
    "4989e44981ec????????72??4d3b66??",           // mov %rsp,%r12; sub $size,%r12; jb; cmp stackguard(%r14),%r12
    "4989e44981ec????????0f82????????4d3b66??"};  //
constexpr std::string_view x86_64_jumps[] = {"76??", "0f86????????"};  // jbe
constexpr std::string_view aarch64_checks[] = {
    "900b40f9ff6330eb",                                     // ldr x16,[x28,#16]; cmp sp,x16
    "900b40f9f1????d13f0210eb"};                            // ldr x16,[x28,#16]; sub x17,sp,#size; cmp x17,x16
constexpr std::string_view aarch64_jumps[] = {"?9????54"};  // b.ls

// The bytes at the start of `code` that match one of the patterns; 0: none.
size_t match(std::span<const uint8_t> code, std::span<const std::string_view> patterns) {
  constexpr std::string_view digits = "0123456789abcdef";
  auto has_digit = [&](std::string_view pattern, size_t i) {
    unsigned digit = i % 2 == 0 ? code[i / 2] >> 4 : code[i / 2] & 15U;
    return pattern[i] == '?' || pattern[i] == digits[digit];
  };
  for (std::string_view pattern : patterns) {
    bool matches = pattern.size() / 2 <= code.size();
    for (size_t i = 0; matches && i < pattern.size(); ++i) matches = has_digit(pattern, i);
    if (matches) return pattern.size() / 2;
  }
  return 0;
}

}  // namespace

size_t go_stack_check_size(const Architecture& architecture, std::span<const uint8_t> code) {
  bool is_x86 = &architecture == &x86_64;
  size_t check = is_x86 ? match(code, x86_64_checks) : match(code, aarch64_checks);
  if (check == 0) return 0;
  size_t jump = is_x86 ? match(code.subspan(check), x86_64_jumps) : match(code.subspan(check), aarch64_jumps);
  return jump == 0 ? 0 : check + jump;
}

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
