// A process for tests of symbols: a member of a class template makes one system call, getppid(), with its own syscall
// instruction, so that the innermost user frame has its name.
//   names          once
//   names run N    N processes, one after the other, that execute this program
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace shop {

template <typename Item>
struct Cart {
  __attribute__((noinline)) long add(const Item& item) {
#ifdef __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
    return result + item;
#else
    return syscall(SYS_getppid) + item;
#endif
  }
};

}  // namespace shop

int main(int argc, char** argv) {
  if (argc == 3) {
    for (long i = std::atol(argv[2]); i > 0; --i) {
      if (fork() == 0) execl(argv[0], argv[0], nullptr);
      wait(nullptr);
    }
    return 0;
  }
  shop::Cart<int> cart;
  return cart.add(argc) == 0;
}
