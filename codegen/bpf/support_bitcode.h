// The LLVM bitcode of the BPF support library (declared in support.h), embedded in the program.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

extern const unsigned char ds_support_bitcode[];  // 16-byte aligned
extern const unsigned long ds_support_bitcode_size;

#ifdef __cplusplus
}
#endif
