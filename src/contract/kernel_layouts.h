// The layouts of kernel objects for the BPF support library: offsets of members, in bytes, on the running kernel. The
// words are the rows of kernel_layouts.def, in C for codegen/bpf/ and in C++ for the plan builder that fills them in.
#ifndef DSCOPE_KERNEL_LAYOUTS_H
#define DSCOPE_KERNEL_LAYOUTS_H

#include "contract/record_format.h"

// All words are 0 if the running kernel lacks one of the members.
typedef struct {
#define DS_PATH_MEMBER(field, type, path) ds_u32 field;
#include "contract/kernel_layouts.def"
} ds_path_layout;

typedef struct {
#define DS_ROUTE_MEMBER(field, type, path) ds_u32 field;
#define DS_ROUTE_VALUE(field) ds_u32 field;
#include "contract/kernel_layouts.def"
} ds_route_layout;

typedef struct {
#define DS_MEMORY_MEMBER(field, type, path) ds_u64 field;
#define DS_MEMORY_VALUE(field) ds_u64 field;
#include "contract/kernel_layouts.def"
} ds_memory_layout;

#endif
