/* Functions with parameters of many types, built with debug information. Prints nothing. */
#include <stdbool.h>
#include <stddef.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

struct shape {
  const char* name;
  int width, height;
  struct shape* next;
};
struct pair {
  long first;
  int second;
  char mark;
};
struct point {
  double x, y;
};
enum color { RED, GREEN = 5 };

static struct shape inner = {"inner", 3, 4, NULL};
static struct shape outer = {"outer", 30, 40, &inner};

NOT_INLINE struct shape* find_shape(struct shape* first, short wanted, double factor, enum color color, bool is_deep,
                                    unsigned char letter, long far, int near, unsigned last) {
  __asm__ volatile(""
                   :
                   : "r"(factor), "r"(color), "r"(is_deep), "r"(letter), "r"(far), "r"(near), "r"(last)
                   : "memory");
  return wanted < 0 ? first->next : first;
}

NOT_INLINE static signed char narrow(int value) {
  __asm__ volatile("" : "+r"(value));
  return (signed char)value;
}

NOT_INLINE void by_value(struct shape shape, int after) { __asm__ volatile("" : : "r"(after), "m"(shape) : "memory"); }

/* Two general registers, two vector registers, which probes cannot read, and another general register. */
NOT_INLINE struct pair turned(struct pair pair, struct point point, const char* word) {
  __asm__ volatile("" : : "r"(word), "m"(point) : "memory");
  return (struct pair){pair.second, (int)pair.first, 'z'};
}

/* The caller provides memory for the return value and passes its address. */
NOT_INLINE struct shape enlarged(int by, struct shape shape, int last) {
  __asm__ volatile("" : : "r"(last) : "memory");
  shape.width *= by;
  return shape;
}

/* Sixteen-byte numbers are aligned to sixteen bytes on the stack, too. */
NOT_INLINE void wide(struct shape first, long double wide, struct shape second) {
  __asm__ volatile("" : : "m"(first), "m"(wide), "m"(second) : "memory");
}

int main(void) {
  /* Reads the strings first, because unread memory may not be resident. */
  volatile int sum = inner.name[0] + outer.name[0];
  sum += find_shape(&outer, -7, 2.5, GREEN, true, 'x', -5000000000L, -1, 4000000000U)->width;
  sum += narrow(300);
  by_value(outer, 1);
  sum += (int)turned((struct pair){100, -3, 'a'}, (struct point){1, 2}, "word").first;
  sum += enlarged(2, inner, 9).width;
  wide(outer, 1.5L, inner);
  return sum == 0;
}
