// The memory through which a test and one of the programs in kernel_programs.bpf.c talk.
#pragma once

enum { kKernelCallBytes = 4 * 4104 };

struct KernelCall {
  unsigned long long a_capacity, b_capacity, out_capacity, most;
  long long n, m, result;
  unsigned long long words[128];
  char bytes[kKernelCallBytes];  // the buffers A, B, OUT and WORK, one after the other
};
