/* Functions that start with vector instructions, and others that a careless probe would break. They must work while
 * they are probed. Prints their results, "5 5 5", and "wrong" if another function fails. Without AVX-512, plain
 * functions replace them.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __x86_64__
/* first_512 returns its argument through an AVX-512 register, first_marked too, after a jump target mark; first_avx
 * through an AVX register. */
__asm__(
    ".text\n"
    ".globl first_512, first_marked, first_avx\n"
    ".type first_512, @function\n"
    "first_512: .byte 0x62, 0xe2, 0x7d, 0x08, 0x7c, 0xc7\n" /* vpbroadcastd %edi, %xmm16 */
    "  .byte 0x62, 0xe1, 0x7d, 0x08, 0x7e, 0xc0\n"          /* vmovd %xmm16, %eax */
    "  ret\n"
    ".size first_512, . - first_512\n"
    ".type first_marked, @function\n"
    "first_marked: endbr64\n"
    "  .byte 0x62, 0xe2, 0x7d, 0x08, 0x7c, 0xc7\n"
    "  mov %rsp, %rdx\n"
    "  .byte 0x62, 0xe1, 0x7d, 0x08, 0x7e, 0xc0\n"
    "  ret\n"
    ".size first_marked, . - first_marked\n"
    ".type first_avx, @function\n"
    "first_avx: .byte 0xc5, 0xf9, 0x6e, 0xc7\n" /* vmovd %edi, %xmm0 */
    "  .byte 0xc5, 0xf9, 0x7e, 0xc0\n"          /* vmovd %xmm0, %eax */
    "  ret\n"
    ".size first_avx, . - first_avx\n"
    /* Keeps its argument below the stack pointer, as a leaf function may. */
    ".globl below_stack, asks_kernel\n"
    ".type below_stack, @function\n"
    "below_stack: mov %rdi, -8(%rsp)\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n" /* nop of five bytes */
    "  mov -8(%rsp), %rax\n"
    "  ret\n"
    ".size below_stack, . - below_stack\n"
    ".type asks_kernel, @function\n"
    "asks_kernel: mov $110, %eax\n" /* getppid */
    "  syscall\n"
    "  ret\n"
    ".size asks_kernel, . - asks_kernel\n");
int first_512(int), first_marked(int), first_avx(int);
long below_stack(long), asks_kernel(void);
#endif

__attribute__((noinline)) int first_plain(volatile int value) { return value; }

typedef int (*Function)(int);

int main(void) {
  Function functions[3] = {first_plain, first_plain, first_plain};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512vl")) {
    functions[0] = first_512;
    functions[1] = first_marked;
  }
  if (__builtin_cpu_supports("avx")) functions[2] = first_avx;
#endif
  for (int i = 0; i < 3; i++) printf("%d ", functions[i](5));
#ifdef __x86_64__
  if (below_stack(45) != 45 || asks_kernel() != getppid()) printf("wrong");
#endif
  /* Calls through volatile pointers, so that the compiler cannot inline them. libc selects the CPU's implementation. */
  char* (*volatile find)(const char*, int) = strchr;
  char* (*volatile find_last)(const char*, int) = strrchr;
  void* (*volatile find_byte)(const void*, int, size_t) = memchr;
  const char* text = "a/b/c";
  if (find(text, '/') != text + 1 || find_last(text, '/') != text + 3 || find_byte(text, 'c', 5) != text + 4)
    printf("wrong");
  printf("\n");
  return 0;
}
