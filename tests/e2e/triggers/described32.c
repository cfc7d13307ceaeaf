// A 32-bit program without a C library: calls write(-1, &record, sizeof record) by int 0x80.
struct node {
  int number;
  char* text;
  struct node* next;
  long value;
  unsigned long positive;
  long long wide;
};
typedef struct record {
  char letter;
  long value;
  struct node first;
  struct node* list;
} record_t;

struct node last = {99, "last", 0, -5, 4000000000UL, -7};
record_t record = {'x', -42, {7, "first text", &last, -1, 2, -3}, &last};

static long call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
  return result;
}

void _start(void) {
  // Probes cannot read pages that were never touched.
  volatile char touched = *record.first.text;
  touched = (char)last.number;
  (void)touched;
  call(4, -1, (long)&record, sizeof record);
  call(1, 0, 0, 0);
}
