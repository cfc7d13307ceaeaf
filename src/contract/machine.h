// The machine that a program will run on: facilities of its kernel, CPUs, memory. Plain data that Host returns.
#pragma once

#include <cstdint>
#include <string>

namespace dscope {

// Facilities that the emitter may use. The Host tries each of them on the running kernel and never compares versions.
struct MachineFacts {
  bool has_raw_tp_cookie = true;  // bpf_get_attach_cookie in raw tracepoints (6.10+)
  bool has_cpu_v4 = true;         // -mcpu=v4 instructions (6.6+)
  // Uprobes of a process do not fire in other processes that share its memory, as after vfork(2) (6.10+)
  bool has_exact_uprobe_pids = true;
  bool has_task_pt_regs = true;     // bpf_task_pt_regs helper
  uint32_t cpu_count = 1;           // possible CPUs: the number of values in an element of a per-CPU map
  uint32_t max_stack_frames = 127;  // kernel.perf_event_max_stack
  uint32_t ticks_per_second = 250;  // of the kernel's clock (HZ)
  uint32_t online_cpu_count = 1;
  uint64_t page_size = 4096;  // bytes
  uint64_t page_count = 0;    // of all memory
  // The consumer's pid namespace: device and inode of /proc/self/ns/pid. 0: the initial namespace.
  uint64_t pid_namespace_device = 0, pid_namespace = 0;
  std::string machine;  // the processor, as in uname -m (arch/architecture.h); empty: dscope was built for it
  std::string kernel_release;
  std::string kernel_banner;  // text of /proc/version, without the newline
};

// The mechanisms by which this machine can trace kernel functions.
struct FunctionMechanisms {
  bool has_trampoline = false, has_multi = false, has_kprobe = false;
  bool has_any() const { return has_trampoline || has_multi || has_kprobe; }
};

// A CPU, for curcpu and similar variables. -1: the machine does not report the value.
struct CpuFacts {
  int32_t package = 0;
  int32_t node = 0;
  int32_t megahertz = 0;
};

// Offsets in bytes of the kernel struct members by which programs reach the pages of a process.
struct MemoryOffsets {
  uint32_t task_memory = 0, mm_tables = 0;                    // task_struct.mm, mm_struct.pgd
  uint32_t task_files = 0, files_table = 0, table_files = 0;  // task_struct.files, files_struct.fdt, fdtable.fd
  uint32_t file_mapping = 0, mapping_pages = 0;               // file.f_mapping, address_space.i_pages.xa_head
  uint32_t page_bytes = 0;                                    // sizeof(struct page)
};
// The kernel's mapping of physical memory: see ds_memory_layout in kernel_layouts.def.
struct PhysicalMemory {
  uint64_t direct_map = 0, page_structs = 0;
  uint64_t frame_mask = 0;
  uint32_t top_shift = 0;
};

}  // namespace dscope
