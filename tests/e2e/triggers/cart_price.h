// Inlined into its callers.
#pragma once

__attribute__((always_inline)) static inline int reduced_price(int price, int percent) {
  int reduction = price * percent / 100;
  return price - reduction;
}
