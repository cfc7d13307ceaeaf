// Functions with ambiguous exits, through which exceptions are thrown, and code without a return address at its start.
// Prints results that tracing must not change: 48 exceptions, and the result of part().
#include <cstdio>
#include <stdexcept>

#define NOT_INLINED extern "C" __attribute__((noinline))

NOT_INLINED int throw_if(int wanted) {
  if (wanted != 0) throw std::runtime_error("wanted");
  return 1;
}

// Jumps through a table.
NOT_INLINED int choose(int choice, int throws) {
  switch (choice) {
    case 0: return throw_if(throws) + 10;
    case 1: return throw_if(throws) * 7 - choice;
    case 2: return choice - throw_if(throws);
    case 3: return throw_if(throws) + throw_if(0) + throw_if(throws);
    case 4: return throw_if(throws) << 5;
    case 5: return 3 - throw_if(throws) * 9;
    default: return -throw_if(throws);
  }
}

#ifdef __x86_64__
// Has more exits than the maximum number of breakpoints.
asm(".text\n"
    ".globl leave, part, pass_on\n"
    ".type leave, @function\n"
    "leave:\n"
    ".cfi_startproc\n"
    "  push %rbx\n"
    ".cfi_def_cfa_offset 16\n"
    ".cfi_offset %rbx, -16\n"
    "  mov %edi, %ebx\n"
    "  mov %esi, %edi\n"
    "  call throw_if@PLT\n"
    "  .set place, 0\n"
    "  .rept 40\n"
    "  cmp $place, %ebx\n"
    "  jne 1f\n"
    "  mov $place, %eax\n"
    "  .cfi_remember_state\n"
    "  pop %rbx\n"
    "  .cfi_def_cfa_offset 8\n"
    "  ret\n"
    "  .cfi_restore_state\n"
    "1:\n"
    "  .set place, place + 1\n"
    "  .endr\n"
    "  pop %rbx\n"
    ".cfi_def_cfa_offset 8\n"
    "  ret\n"
    ".cfi_endproc\n"
    ".size leave, . - leave\n"
    // A function with a cold part: at the start of that part, a variable is on top of the stack.
    ".type part, @function\n"
    "part:\n"
    "  push $5\n"
    "  test %edi, %edi\n"
    "  jne part.cold\n"
    "2: pop %rax\n"
    "  ret\n"
    ".size part, . - part\n"
    ".type part.cold, @function\n"
    "part.cold:\n"
    "  add %rdi, (%rsp)\n"
    "  jmp 2b\n"
    ".size part.cold, . - part.cold\n"
    // Like a linker's stub between functions: nothing is known about the stack above the return address.
    ".type pass_on, @function\n"
    "pass_on:\n"
    "  lea throw_if(%rip), %rax\n"
    "  jmp *%rax\n"
    ".size pass_on, . - pass_on\n"
    // Functions that return, or jump to a library function: through the PLT, through the GOT.
    ".globl by_stub, by_pointer\n"
    ".type by_stub, @function\n"
    "by_stub:\n"
    "  test %edi, %edi\n"
    "  je 1f\n"
    "  jmp rand@PLT\n"
    "1: ret\n"
    ".size by_stub, . - by_stub\n"
    ".type by_pointer, @function\n"
    "by_pointer:\n"
    "  test %edi, %edi\n"
    "  je 1f\n"
    "  jmp *rand@GOTPCREL(%rip)\n"
    "1: ret\n"
    ".size by_pointer, . - by_pointer\n");
extern "C" int leave(int place, int throws), part(int more), pass_on(int wanted), by_stub(int jumps),
    by_pointer(int jumps);
#endif

int main() {
  int caught = 0, sum = 0;
  auto call = [&](auto function) {
    try {
      sum += function();
    } catch (const std::exception&) {
      ++caught;
    }
  };
  for (int i = 0; i < 7; ++i)
    for (int throws = 0; throws < 2; ++throws) call([&] { return choose(i, throws); });
#ifdef __x86_64__
  for (int i = 0; i < 40; ++i)
    for (int throws = 0; throws < 2; ++throws) call([&] { return leave(i, throws); });
  for (int throws = 0; throws < 2; ++throws) call([&] { return pass_on(throws); });
  for (int i = 0; i < 4; ++i) {
    by_stub(i);
    by_pointer(i);
  }
  int whole = part(0), parts = part(3);
  std::printf("%d caught, sum %d, parts %d %d\n", caught, sum, whole, parts);
#endif
}
