/* Static probes as <sys/sdt.h> defines them, without that header.
 *   probes N    N times (default: once): shop:sale at two sites, shop:closed__early, and, if its semaphore is set,
 *               shop:watched
 */
#include <stdlib.h>

#define NOTE(provider, name, semaphore, arguments)                        \
  "990: nop\n"                                                            \
  ".pushsection .note.stapsdt,\"\",\"note\"\n"                            \
  ".balign 4\n"                                                           \
  ".4byte 992f-991f, 994f-993f, 3\n"                                      \
  "991: .asciz \"stapsdt\"\n"                                             \
  "992: .balign 4\n"                                                      \
  "993: .8byte 990b\n"                                                    \
  ".8byte _.stapsdt.base\n"                                               \
  ".8byte " semaphore                                                     \
  "\n"                                                                    \
  ".asciz \"" provider                                                    \
  "\"\n"                                                                  \
  ".asciz \"" name                                                        \
  "\"\n"                                                                  \
  ".asciz \"" arguments                                                   \
  "\"\n"                                                                  \
  "994: .balign 4\n"                                                      \
  ".popsection\n"                                                         \
  ".ifndef _.stapsdt.base\n"                                              \
  ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
  ".weak _.stapsdt.base\n"                                                \
  ".hidden _.stapsdt.base\n"                                              \
  "_.stapsdt.base: .space 1\n"                                            \
  ".size _.stapsdt.base, 1\n"                                             \
  ".popsection\n"                                                         \
  ".endif\n"

__attribute__((section(".probes"), used)) volatile unsigned short shop_watched_semaphore;

static const char first_item[] = "apple";
static const char second_item[] = "pear";

__attribute__((noinline)) static void sell_first(int price) {
  __asm__ volatile(NOTE("shop", "sale", "0", "-4@%[price] 8@%[item] 1@$7")
                   :
                   : [price] "r"(price), [item] "r"(first_item));
}

__attribute__((noinline)) static void sell_second(int price) {
  volatile struct {
    long before;
    int price;
    const char* item;
  } sale = {1, price, second_item};
  __asm__ volatile(NOTE("shop", "sale", "0", "-4@8(%[sale]) 8@16(%[sale]) 1@$9") : : [sale] "r"(&sale) : "memory");
}

int main(int argc, char** argv) {
  for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; --i) {
    sell_first(-3);
    sell_second(40);
    __asm__ volatile(NOTE("shop", "closed__early", "0", ""));
    if (shop_watched_semaphore > 0)
      __asm__ volatile(NOTE("shop", "watched", "shop_watched_semaphore", "2@%w[count]")
                       :
                       : [count] "r"(shop_watched_semaphore));
  }
  return 0;
}
