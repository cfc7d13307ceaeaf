// A program for arm64 that prints its registers, its stack, and its callers as the runtime of C++ finds them. The
// callers have frames of several kinds.
#include <alloca.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" void capture(uint64_t* registers);  // instruction, stack pointer, frame pointer, return address
asm(R"(
  .text
  .globl capture
  .type capture, %function
capture: .cfi_startproc
  adr x1, .
  mov x2, sp
  stp x1, x2, [x0]
  stp x29, x30, [x0, #16]
  ret
  .cfi_endproc
)");

_Unwind_Reason_Code print_frame(_Unwind_Context* context, void*) {
  std::printf("frame %lx\n", static_cast<unsigned long>(_Unwind_GetIP(context)));
  return _URC_NO_REASON;
}

bool is_printed = false;

[[gnu::noinline]] int dump() {
  if (is_printed) return 0;
  is_printed = true;
  uint64_t registers[4];
  capture(registers);
  const auto* end = reinterpret_cast<const uint64_t*>(environ);  // at the start of the stack
  for (uint64_t value : registers) std::printf("register %lx\n", static_cast<unsigned long>(value));
  for (const auto* at = reinterpret_cast<const uint64_t*>(registers[1]); at < end; ++at)
    std::printf("word %lx\n", static_cast<unsigned long>(*at));
  _Unwind_Backtrace(print_frame, nullptr);
  return 0;
}

[[gnu::noinline]] int with_large_frame(int depth) {
  volatile char bytes[20000];
  bytes[depth] = 1;
  return dump() + bytes[depth];
}

[[gnu::noinline]] int with_moving_stack(int size) {
  auto* bytes = static_cast<volatile char*>(alloca(static_cast<size_t>(size)));
  bytes[0] = 1;
  return with_large_frame(size) + bytes[0];
}

int compare(const void* left, const void* right) {
  return with_moving_stack(100) + *static_cast<const int*>(left) - *static_cast<const int*>(right);
}

[[gnu::noinline]] int in_library(int count) {
  std::vector<int> numbers(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<size_t>(i)] = count - i;
  std::qsort(numbers.data(), numbers.size(), sizeof(int), compare);
  return numbers[0];
}

[[gnu::noinline]] int recursive(int depth, std::string text) {
  if (depth == 0) return in_library(5);
  return recursive(depth - 1, text + "x") + static_cast<int>(text.size());
}

int main() { return recursive(6, "text") == 0; }
