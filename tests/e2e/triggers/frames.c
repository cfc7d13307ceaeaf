/* System calls with and without a frame pointer, one each: getppid() in a function with a frame, getuid() while the
 * register points to data on the stack, geteuid() while it points to other data, getgid() while the word above it is
 * the start of a function. x86-64 only. */
#include <stdint.h>
#include <sys/syscall.h>

/* A frame that is not on the stack. */
static uint64_t outside[2];

__attribute__((noinline, noclone)) static void with_frame(void) {
  long result = SYS_getppid;
  __asm__ volatile("syscall" : "+a"(result) : "r"(__builtin_frame_address(0)) : "rcx", "r11", "memory");
}

static void with_register(long call, const uint64_t* value) {
  __asm__ volatile("sub $128, %%rsp\n\tpush %%rbp\n\tmov %1, %%rbp\n\tsyscall\n\tpop %%rbp\n\tadd $128, %%rsp"
                   : "+a"(call)
                   : "r"(value)
                   : "rcx", "r11", "memory");
}

int main(void) {
  uint64_t data[2] = {0, 0x12345678}, code[2] = {0, (uint64_t)(uintptr_t)&main};
  outside[1] = (uint64_t)(uintptr_t)__builtin_return_address(0);
  with_frame();
  with_register(SYS_getuid, data);
  with_register(SYS_geteuid, outside);
  with_register(SYS_getgid, code);
  return 0;
}
