// Inlined at the first instruction of its caller.
#pragma once

struct box {
  int weight, count;
};

__attribute__((always_inline)) static inline int weight_of(const struct box* it) {
  int weight = it->weight;
  return weight * it->count;
}
