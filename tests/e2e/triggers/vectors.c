/* Functions that begin with vector instructions, which must do what they do also while they are probed. Prints what
 * they return, "5 5 5", and "wrong" if a function of libc errs. Where the processor has no AVX-512, plain ones take
 * their places.
 */
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
/* first_512 returns its argument by way of a register of AVX-512, first_marked too, behind the mark of a jump target;
 * first_avx by one of AVX. */
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
    ".size first_avx, . - first_avx\n");
int first_512(int), first_marked(int), first_avx(int);
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
  /* Through pointers, so that no compiler knows better; libc chooses what the processor is best at. */
  char* (*volatile find)(const char*, int) = strchr;
  char* (*volatile find_last)(const char*, int) = strrchr;
  void* (*volatile find_byte)(const void*, int, size_t) = memchr;
  const char* text = "a/b/c";
  if (find(text, '/') != text + 1 || find_last(text, '/') != text + 3 || find_byte(text, 'c', 5) != text + 4)
    printf("wrong");
  printf("\n");
  return 0;
}
