// Fills a cart and adds up its prices: a small program whose lines and variables are traced. Built without optimization
// (cart_plain) and with it (cart).
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "cart_price.h"

enum kind { FOOD, TOOL };
struct item {
  const char* name;
  int price;
  enum kind kind;
  struct item* next;
};
struct pair {
  long low, high;
};

static int items_made;
__thread long thread_total = 5;

__attribute__((noinline)) struct item* make_item(struct item* next, const char* name, int price) {
  struct item* made = malloc(sizeof *made);
  ++items_made;
  made->name = name;
  made->price = price;
  made->kind = price > 50 ? TOOL : FOOD;
  made->next = next;
  return made;
}

__attribute__((noinline)) int total_of(const struct item* first, int discount) {
  int total = 0;
  for (const struct item* p = first; p != NULL; p = p->next) {
    int price = reduced_price(p->price, discount);
    total += price;
  }
  thread_total += total;
  return total;
}

__attribute__((noinline)) struct pair spread(const int* numbers, int count) {
  struct pair found = {numbers[0], numbers[0]};
  for (int i = 1; i < count; ++i) {
    if (numbers[i] < found.low) found.low = numbers[i];
    if (numbers[i] > found.high) found.high = numbers[i];
  }
  return found;
}

// The compiler may forget `limit` once it is no longer needed.
__attribute__((noinline)) int count_below(const int* numbers, int count, int limit) {
  int below = 0;
  int scaled = limit * 2;
  for (int i = 0; i < count; ++i) below += numbers[i] < scaled;
  int answer = below * 3;
  getppid();  // overwrites the registers of the arguments
  return answer;
}

int main(void) {
  struct item* cart = NULL;
  char label[16] = "cart";
  cart = make_item(cart, "apple", 10);
  cart = make_item(cart, "saw", 80);
  int discount = 10;
  int total = total_of(cart, discount);
  int numbers[] = {4, 9, -3, 7};
  struct pair range = spread(numbers, 4);
  int answer = count_below(numbers, 4, 3);
  return total == 81 && items_made == 2 && range.high - range.low == 12 && answer == 6 && label[0] == 'c' ? 0 : 1;
}
