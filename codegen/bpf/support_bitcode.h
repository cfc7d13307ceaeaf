// The LLVM bitcode of the BPF support library (functions: support.h), as built into the program.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

extern const unsigned char ds_support_bitcode[];  // 16-byte aligned
extern const unsigned long ds_support_bitcode_size;

#ifdef __cplusplus
}
#endif
