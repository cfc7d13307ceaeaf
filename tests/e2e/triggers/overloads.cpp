// Functions of one name: member functions that take an int, a string, or nothing, and instances of a template. Each is
// called once, except add(int), which is called twice.
namespace shop {

#define NOT_INLINE __attribute__((noinline, noclone))

struct Cart {
  int total = 0;
  NOT_INLINE int add(int price) {
    total += price;
    __asm__ volatile("" ::: "memory");
    return total;
  }
  NOT_INLINE int add(const char* name) {
    total += name[0];
    __asm__ volatile("" ::: "memory");
    return total;
  }
  NOT_INLINE int add() const {
    __asm__ volatile("" ::: "memory");
    return total;
  }
};

template <typename Number>
NOT_INLINE Number twice(Number number) {
  __asm__ volatile("" ::: "memory");
  return number * 2;
}

}  // namespace shop

int main() {
  shop::Cart cart;
  cart.add(1);
  cart.add(2);
  cart.add("tea");
  return cart.add() + shop::twice(3) + static_cast<int>(shop::twice(3L)) == 0 ? 1 : 0;
}
