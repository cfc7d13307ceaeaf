// The memory shared by a test and a program of kernel_programs.bpf.c.
#pragma once

enum { kKernelCallBytes = 4 * 4104 };

struct KernelCall {
  unsigned long long a_capacity, b_capacity, out_capacity, max_length;
  long long n, m, result;
  unsigned long long words[128];
  char bytes[kKernelCallBytes];  // the buffers A, B, OUT and WORK, in this order
};
