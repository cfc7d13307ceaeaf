// For scripts that read a process's memory by the process's own types: calls write(-1, address, size) once per object.
#include <unistd.h>

#include <cstdint>

extern "C" {
struct node {
  int number;
  const char* text;
  struct node* next;
};
typedef struct record {
  char name[16];
  long value;
  struct node first;
  struct node* list;
  unsigned low : 3, high : 5;
  enum color { RED, GREEN = 7 } color;
  union {
    uint64_t whole;
    uint32_t half[2];
  };
  uint16_t table[2][3];
} record_t;
}

namespace shop {
struct Base {
  int base_value;
};
template <typename T>
struct Box : Base {
  T content;
  Box* self;
  Box& reference;
  static int count;
  enum class Kind : unsigned char { Small, Large = 3 } kind;
};
template <typename T>
int Box<T>::count = 0;
class Meter {
 public:
  explicit Meter(int first) : level(first) {}
  virtual ~Meter() = default;
  virtual int read(int factor) const;

 private:
  int level;
};

int Meter::read(int factor) const { return level * factor; }

// Has a copy constructor: the caller passes the address of a copy.
struct Label {
  explicit Label(const char* first) : text(first) {}
  Label(const Label& other) : text(other.text) {}
  Label& operator=(const Label&) = delete;
  const char* text;
};
struct Tag {
  long number;
  Label label;
};
// Passed in two registers.
struct View {
  const char* text;
  unsigned long size;
};
__attribute__((noinline, noclone, used)) int measure(Tag tag, View view, int last) {
  __asm__ volatile("" : : "m"(tag), "m"(view) : "memory");
  return last;
}
}  // namespace shop

int main() {
  node last{.number = 99, .text = "last", .next = nullptr};
  record_t record{.name = "a name",
                  .value = -42,
                  .first = {.number = 7, .text = "first text", .next = &last},
                  .list = &last,
                  .low = 5,
                  .high = 17,
                  .color = record::GREEN,
                  .whole = 0x1111222233334444,
                  .table = {{1, 2, 3}, {4, 5, 6}}};
  shop::Box<long> box{{11}, 22, &box, box, shop::Box<long>::Kind::Large};
  // Probes cannot read pages that were never touched.
  volatile char touched = *record.first.text;
  touched = *last.text;
  bool is_refused = ::write(-1, &record, sizeof record) < 0 && ::write(-1, &box, sizeof box) < 0;
  bool is_read = shop::Meter{40}.read(2) == 80;
  is_read = is_read && shop::measure({5, shop::Label{last.text}}, {"view", 4}, 6) == 6;
  return is_refused && is_read ? 0 : 1;
}
