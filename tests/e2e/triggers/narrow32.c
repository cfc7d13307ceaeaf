// Functions of a 32-bit program without a C library, each called once.
struct item {
  const char* name;
  int price;
  struct item* next;
};
struct triple {
  int first, second, third;
};
#define NOT_INLINE __attribute__((noinline, noclone))

// With "outer", 2^33, -5, {1, 2, 3}, 77.
NOT_INLINE long long sum(struct item* item, long long large, short small, struct triple triple, int last) {
  __asm__ volatile("" ::: "memory");
  return item->price + large + small + triple.second + last;
}

// "inner"
NOT_INLINE struct item* next(struct item* item) {
  __asm__ volatile("" ::: "memory");
  return item->next;
}

// With 2: -5.
NOT_INLINE int leaf(int number) {
  __asm__ volatile("" ::: "memory");
  return number - 7;
}

// With 2: -5. Only one test traces its return: a uretprobe hides the return address from other tracers.
NOT_INLINE int below(int number) {
  __asm__ volatile("" ::: "memory");
  return number - 7;
}

NOT_INLINE int middle(int number) {
  int result = leaf(number);
  __asm__ volatile("" ::: "memory");
  return result;
}

// With 5: {5, 6, 7}.
NOT_INLINE struct triple made(int number) {
  struct triple result = {number, number + 1, number + 2};
  __asm__ volatile("" ::: "memory");
  return result;
}

// Static, because the compiler omits unread objects on the stack.
struct item inner = {"inner", 3, 0}, outer = {"outer", 4, &inner};

void _start(void) {
  struct triple triple = {1, 2, 3};
  // The string is read before it is passed on, because unread memory may not be resident.
  volatile char touched = *(const volatile char*)inner.name + *(const volatile char*)outer.name;
  touched = (char)(sum(&outer, 1LL << 33, -5, triple, 77) + middle(2) + below(2) + made(5).third + next(&outer)->price);
  (void)touched;
  __asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
