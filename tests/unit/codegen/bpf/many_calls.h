// Calls several support functions in a row and keeps all results live until the end: measures the verifier's cost of a
// D program with many string operations. Compiled for the host and for BPF.
#pragma once

static inline __attribute__((always_inline)) i64 many_calls(const char* a, const char* b, char* out, u64 a_capacity,
                                                            u64 b_capacity, u64 out_capacity, u64 sizes, i64 n) {
  ds_basename(out, a, sizes);
  i64 first = ds_strcmp(out, out_capacity, b, b_capacity);
  ds_strjoin(out, a, b, sizes);
  i64 second = ds_index(a, b, sizes, n);
  ds_dirname(out, a, sizes);
  i64 third = ds_strcmp(out, out_capacity, b, b_capacity);
  i64 fourth = ds_rindex(a, b, sizes, DS_FROM_END);
  ds_substr(out, a, sizes, fourth, n);
  i64 fifth = (i64)ds_strlen(out, out_capacity);
  i64 sixth = ds_strrchr(a, a_capacity, (u64)n);
  ds_toupper(out, a, sizes);
  i64 seventh = ds_strtoll(a, a_capacity, 10);
  i64 eighth = ds_strcmp(out, out_capacity, a, a_capacity);
  // Unsigned, because the sum wraps.
  u64 low = ((u64)first * 3 ^ (u64)second) * 3 ^ (u64)third, high = ((u64)fourth * 3 ^ (u64)fifth) * 3 ^ (u64)sixth;
  return (i64)(low * 3 ^ high * 3 ^ ((u64)seventh * 3 ^ (u64)eighth));
}
