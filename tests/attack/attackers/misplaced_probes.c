// misplaced_probes STOP: a program with damaged notes of static probes, each of which is named by its provider:
// dsinside is inside an instruction, the semaphore of dsconstant is a constant, and dstwice claims the instruction of
// the correct probe dsgood with a semaphore of its own. Checks what a tracer would damage until the file STOP exists.
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOTE(provider, probe, semaphore)                                                     \
  ".pushsection .note.stapsdt, \"?\", \"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
  "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte " probe ", 0, " semaphore            \
  "\n"                                                                                       \
  ".asciz \"" provider "\"\n.asciz \"x\"\n.asciz \"\"\n994: .balign 4\n.popsection\n"

enum { page = 4096 };
// GCC puts constants that are volatile into writable data.
__attribute__((aligned(4096), used)) const short misplaced_counter[page / 2] = {7};
__attribute__((used)) short misplaced_semaphore = 1;  // in the file, unlike a zero

__attribute__((noinline)) static uint64_t constant(void) {
  uint64_t value;
  __asm__ volatile("990: movabs $0x1122334455667788, %0\n" NOTE("dsinside", "990b + 3", "0") : "=r"(value));
  __asm__ volatile("990: nop\n" NOTE("dsconstant", "990b", "misplaced_counter"));
  __asm__ volatile("990: nop\n" NOTE("dsgood", "990b", "0") NOTE("dstwice", "990b", "misplaced_semaphore"));
  return value;
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  // The kernel counts in writable memory only.
  if (mprotect((void*)misplaced_counter, page, PROT_READ | PROT_WRITE) != 0) return 1;
  puts("ready");
  fflush(stdout);
  while (access(arguments[1], F_OK) != 0) {
    if (constant() != 0x1122334455667788 || *(const volatile short*)misplaced_counter != 7) {
      puts("changed");
      return 1;
    }
  }
  puts("fine");
  return 0;
}
