// Passes strings and numbers to a function that neither this process nor its child has read. They are far apart,
// because the kernel also maps pages near those that are read.
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { apart = 1 << 18, page = 4096 };
struct unread {
  char text[page];
  int64_t number;
  char rest[apart - page - sizeof(int64_t)];
};
// The second text starts just before the end of a page. The third has the maximum length of a string.
static const struct unread items[] __attribute__((aligned(4096))) = {
    {.text = "first", .number = 1},
    {.text = {[page - 3] = 's', 'e', 'c'}, .number = 0x646e6f},  // "ond"
    {.text = {[page - 100] = 't', [page - 99 ... page - 1] = '.'}, .number = 0x2e2e2e2e2e2e2e2e},
    {.text = "fourth", .number = 4},
};

__attribute__((noinline)) void receive(const char* text, const int64_t* number) {
  __asm__ volatile("" : : "r"(text), "r"(number) : "memory");
}

static void pass_all(void) {
  receive(items[0].text, &items[0].number);
  receive(items[1].text + page - 3, &items[3].number);
  receive(items[2].text + page - 100, &items[2].number);
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    pass_all();
    _exit(0);
  }
  waitpid(child, 0, 0);
  pass_all();
  return 0;
}
