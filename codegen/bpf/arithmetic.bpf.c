// Signed division for kernels before 6.6, whose BPF instruction set has unsigned division only.
#include "support.h"

i64 ds_sdiv(i64 dividend, i64 divisor) {
  u64 quotient = ds_magnitude(dividend) / ds_magnitude(divisor);
  return (i64)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

i64 ds_smod(i64 dividend, i64 divisor) {
  u64 rest = ds_magnitude(dividend) % ds_magnitude(divisor);
  return (i64)(dividend < 0 ? -rest : rest);
}
