// Aggregation updates: bucket numbers of the quantize family, the sums of stddev. "Buckets" in the aggregation
// reference defines them. All functions are inlined.
#include "support.h"

// Branch-free: branches would cost more than counting leading zeros by arithmetic, which BPF needs for lack of an
// instruction.
u64 ds_quantize_bucket(i64 value) {
  i64 sign = value >> 63;
  u64 magnitude = ((u64)value ^ (u64)sign) - (u64)sign;
  i64 bits = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
  i64 bucket = 63 + ((bits ^ sign) - sign);
  // Only INT64_MIN would give -1.
  return ds_at_most((u64)(bucket - (bucket >> 63)), 126);
}

u64 ds_percentile_bucket(i64 value, u64 zero) {
  u64 magnitude = zero != 0 ? ds_magnitude(value) : (u64)value;
  // Below 64 every bucket has one value.
  u64 shift = magnitude < 64 ? 0 : 63 - __builtin_clzll(magnitude) - 5;
  u64 index = (shift << 5) + (magnitude >> shift);
  return zero != 0 && value < 0 ? zero - index : zero + index;
}

u64 ds_lquantize_bucket(i64 value, i64 base, u64 levels, u64 step) {
  if (value < base) return 0;
  u64 level = ((u64)value - (u64)base) / step;
  return ds_at_most(level < levels ? level + 1 : levels + 1, levels + 1);
}

// The distance from the middle bin: 0 for the middle, 1 .. bins for the ranges, bins + 1 for the overflow.
DS_LOCAL u64 llquantize_distance(u64 magnitude, u64 factor, u64 low_magnitude, u64 high_magnitude, u64 steps) {
  u64 skipped = steps / factor;
  u64 bins_before = 0;
  u64 lower = 1;
  for (u64 m = 0; m < low_magnitude; m++) lower *= factor;
  if (magnitude < lower) return 0;
  for (u64 m = low_magnitude; m <= high_magnitude; m++) {
    u64 upper = lower * factor;
    if (magnitude < upper) {
      u64 part = m == 0 ? magnitude * steps / factor : magnitude / (upper / steps);
      return bins_before + part - skipped + 1;
    }
    bins_before += steps - skipped;
    lower = upper;
  }
  return bins_before + 1;
}

u64 ds_llquantize_bucket(i64 value, u64 factor, u64 low_magnitude, u64 high_magnitude, u64 steps) {
  u64 bins = (high_magnitude - low_magnitude + 1) * (steps - steps / factor);
  u64 distance = llquantize_distance(ds_magnitude(value), factor, low_magnitude, high_magnitude, steps);
  u64 middle = bins + 1;
  return ds_at_most(value < 0 ? middle - distance : middle + distance, 2 * bins + 2);
}

// Computes the 128-bit square of the magnitude from 32-bit halves: BPF multiplies only to 64 bits.
void ds_stddev_add(u64* words, i64 value) {
  u64 magnitude = ds_magnitude(value);
  u64 high = magnitude >> 32, low = magnitude & 0xffffffff;
  u64 cross = high * low;  // added twice, shifted by 32 bits
  u64 square_low = low * low + (cross << 33);
  u64 square_high = high * high + (cross >> 31) + (square_low < low * low);
  u64 sum_low = words[2] + square_low;
  words[0]++;
  words[1] += (u64)value;
  words[3] += square_high + (sum_low < square_low);
  words[2] = sum_low;
}
