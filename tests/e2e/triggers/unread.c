// Tells a function of texts and numbers that neither it nor its child has read: far apart, as the kernel maps pages
// near those that are read, too.
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { apart = 1 << 18, page = 4096 };
struct unread {
  char text[page];
  int64_t number;
  char rest[apart - page - sizeof(int64_t)];
};
// The second one's text begins in front of a page's end, the third one's is as long as strings get.
static const struct unread places[] __attribute__((aligned(4096))) = {
    {.text = "first", .number = 1},
    {.text = {[page - 3] = 's', 'e', 'c'}, .number = 0x646e6f},  // "ond"
    {.text = {[page - 100] = 't', [page - 99 ... page - 1] = '.'}, .number = 0x2e2e2e2e2e2e2e2e},
    {.text = "fourth", .number = 4},
};

__attribute__((noinline)) void told(const char* text, const int64_t* number) {
  __asm__ volatile("" : : "r"(text), "r"(number) : "memory");
}

static void tell_all(void) {
  told(places[0].text, &places[0].number);
  told(places[1].text + page - 3, &places[3].number);
  told(places[2].text + page - 100, &places[2].number);
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    tell_all();
    _exit(0);
  }
  waitpid(child, 0, 0);
  tell_all();
  return 0;
}
