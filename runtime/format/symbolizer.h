// Symbolizer: names for addresses. runtime/symbols/ implements it; tests fake it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// The texts follow consumer-and-actions.md 3.8 and 3.10.
class Symbolizer {
 public:
  virtual ~Symbolizer() = default;
  // "vmlinux`vfs_read+0x10"; with_offset false: "vmlinux`vfs_read".
  virtual std::string kernel_symbol(uint64_t address, bool with_offset) = 0;
  virtual std::string kernel_module(uint64_t address) = 0;
  virtual std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) = 0;
  virtual std::string user_module(uint32_t tgid, uint64_t address) = 0;
  // The same of where a function returns to. That is behind the end of its caller if it never does, as abort() does
  // not.
  virtual std::string kernel_caller(uint64_t address, bool with_offset) { return kernel_symbol(address, with_offset); }
  virtual std::string user_caller(uint32_t tgid, uint64_t address, bool with_offset) {
    return user_symbol(tgid, address, with_offset);
  }
  // Start of the symbol / module the address lies in (address itself if unknown): equal ones merge as keys.
  virtual uint64_t kernel_symbol_start(uint64_t address) = 0;
  virtual uint64_t kernel_module_start(uint64_t address) = 0;
  virtual uint64_t user_symbol_start(uint32_t tgid, uint64_t address) = 0;
  virtual uint64_t user_module_start(uint32_t tgid, uint64_t address) = 0;
  // Where an instruction comes from, with what debug information there is: "file.c:12" for the function that
  // user_symbol() names, and before it "object`function [inlined] (file.c:5)" for each one inlined there, innermost
  // first. Empty: nothing is known.
  virtual std::vector<std::string> user_source(uint32_t, uint64_t) { return {}; }
  // The callers of a thread, its own place first, from its registers (words of struct pt_regs) and what was copied from
  // its stack pointer on. Empty: they cannot be found.
  virtual std::vector<uint64_t> unwind(uint32_t, std::span<const uint64_t>, std::span<const std::byte>, size_t) {
    return {};
  }
  // A function's name as people write it: that of the source for the linker's name in C++ or Rust.
  virtual std::string readable(std::string_view name) const { return std::string{name}; }
  // True for kernel code that is the tracer's own (bpf_prog_*, bpf_trace_run*, __bpf_trace_*, __traceiter_* ...):
  // leading frames of that kind are left out of stack().
  virtual bool is_tracer_frame(uint64_t address) = 0;
  // Takes in what happened to processes meanwhile; called often, and cheap if nothing did.
  virtual void catch_up() {}
};

}  // namespace dscope
