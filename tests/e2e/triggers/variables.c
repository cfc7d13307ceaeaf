/* look_at() gets the addresses of variables in every kind of data section. */
#define NOT_INLINE __attribute__((noinline, noclone, used))

int initialized[4] = {1, 2, 3, 4};
const int constant[4] = {1, 2, 3, 4};
int small_zeroed[4];
int large_zeroed[100000];

NOT_INLINE void look_at(const int* place) { __asm__ volatile("" : : "r"(place) : "memory"); }

int main(void) {
  look_at(&initialized[1]);
  look_at(&constant[1]);
  look_at(&small_zeroed[1]);
  look_at(&large_zeroed[90000]);
  return 0;
}
