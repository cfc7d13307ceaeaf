/* Functions with different exits, in assembly so that offsets are known. Each is called once:
 *   two_returns(0) = 10 by the return at 9, two_returns(1) = 20 by the return at f;
 *   tail_call(0), which jumps to two_returns(0);
 *   by_register(1), which jumps to two_returns(1) through a register;
 *   marked(5) = 6, which starts with a jump target mark (endbr64);
 *   to_unnamed() = 30, which jumps to code without a symbol, as in stripped programs.
 */
#include <stdio.h>

#ifdef __x86_64__
__asm__(
    ".text\n"
    ".globl two_returns, tail_call, by_register, marked, to_unnamed\n"
    ".type two_returns, @function\n"
    "two_returns: test %edi, %edi\n"
    "  jne 1f\n"
    "  mov $10, %eax\n"
    "  ret\n"
    "1: mov $20, %eax\n"
    "  ret\n"
    ".size two_returns, . - two_returns\n"
    ".type tail_call, @function\n"
    "tail_call: jmp two_returns\n"
    ".size tail_call, . - tail_call\n"
    ".type by_register, @function\n"
    "by_register: lea two_returns(%rip), %rax\n"
    "  jmp *%rax\n"
    ".size by_register, . - by_register\n"
    ".type marked, @function\n"
    "marked: endbr64\n"
    "  push %rbp\n"
    "  lea 1(%rdi), %eax\n"
    "  pop %rbp\n"
    "  ret\n"
    ".size marked, . - marked\n"
    ".type to_unnamed, @function\n"
    "to_unnamed: jmp .Lunnamed\n"
    ".size to_unnamed, . - to_unnamed\n"
    "  nop\n"
    ".Lunnamed: mov $30, %eax\n"
    "  ret\n");
int two_returns(int), tail_call(int), by_register(int), marked(int), to_unnamed(void);
#endif

__attribute__((noinline)) int call_all(void) {
  volatile int sum = 0;
#ifdef __x86_64__
  sum += two_returns(0);
  sum += two_returns(1);
  sum += tail_call(0);
  sum += by_register(1);
  sum += marked(5);
  sum += to_unnamed();
#endif
  return sum;
}

int main(void) { return call_all() == 0; }
