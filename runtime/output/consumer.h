// Consumer: records and aggregation snapshots in, text out. Knows nothing of rings, maps or attaching; the session
// feeds it, tests feed it canned records. Byte-exact rules: consumer-and-actions.md 1-5.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "contract/record_format.h"
#include "support/result.h"

namespace dscope {

// One element of an aggregation as the kernel has it: `values` holds cpu_count values of AggregationPlan::value_size.
struct AggregationElement {
  std::vector<std::byte> key;
  std::vector<std::byte> values;

  // The key, to look elements up by.
  std::string key_bytes() const { return {reinterpret_cast<const char*>(key.data()), key.size()}; }
};

// Access to the aggregations of a running program; made by the session, faked in tests.
class AggregationSource {
 public:
  virtual ~AggregationSource() = default;
  virtual uint32_t cpu_count() const = 0;
  // All elements of aggregation `id`, as of now.
  virtual Result<std::vector<AggregationElement>> read(uint32_t id) = 0;
  // Takes an element out of the kernel's table. Gives the values it had then, which may be more than read() has given;
  // none if it was absent or the kernel cannot tell.
  virtual Result<std::vector<std::byte>> remove(uint32_t id, std::span<const std::byte> key) = 0;
  // Adds 1 to the generation counter (aggregations with has_generation) and returns the new value.
  virtual uint64_t next_generation(uint32_t id) = 0;
  virtual uint64_t generation(uint32_t id) const = 0;
};

// Names for addresses (runtime/symbols/). Texts follow consumer-and-actions.md 3.8 and 3.10.
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

// Where text goes: stdout, the -o file, or a freopen()ed file. Buffered; write() never fails visibly: the first error
// (closed pipe, full disk) is kept, later output is dropped and counted.
class OutputStream {
 public:
  virtual ~OutputStream() = default;
  virtual void write(std::string_view text) = 0;
  virtual void flush() = 0;
  // 0, or the errno of the first failed write.
  virtual int error() const = 0;
  // Asked when a signal interrupts a write that has to wait: true gives up what is left, with the error EINTR.
  virtual void give_up_when(bool (*)()) {}
  // From here on text is appended to the file at `path` (created if need be), until restore(). Fails with the errno of
  // opening it, and then changes nothing.
  virtual Result<> redirect(const std::string&) { return fail(Error::from_errno(ENOTSUP, "no file")); }
  virtual void restore() {}
  // Appends data to the file of redirect(), behind `header` if there was nothing in it. Text for that file is dropped,
  // and taken back if there is some: it would spoil the data. False: there is no such file.
  virtual bool write_data(std::string_view, std::string_view) { return false; }
  // Takes back all that is in the file; nothing happens to what is no file.
  virtual void truncate() {}
  // True if people read it: control characters of traced text are then shown, not sent.
  virtual bool is_terminal() const { return false; }
};

// Totals since start, one per CPU (index = CPU number).
using DropCounters = std::vector<ds_counters>;

// The ids of a running program's speculations; made by the session, faked in tests.
class SpeculationTable {
 public:
  virtual ~SpeculationTable() = default;
  // What was committed under this id (1 ...) has been printed: it may be used again.
  virtual void release(uint32_t id) = 0;
};

struct ConsumerSettings {
  std::string program_name = "dscope";       // prefix of messages on stderr
  bool is_testing = false;                   // _DTRACE_TESTING is set
  bool show_fault_lines = false;             // stderr is a terminal or -v: add the D line to fault reports
  uint32_t target_tgid = 0;                  // $target: process of plain addresses printed with %A
  SpeculationTable* speculations = nullptr;  // null: the program has none. Outlives the consumer
  std::string packet_program = {};           // what pcap() lets describe packets (PacketDissector); empty: nothing
};

class Consumer {
 public:
  // `out` receives data, `messages` receives stderr lines. All references outlive the consumer.
  static std::unique_ptr<Consumer> create(const ProgramPlan& plan, ConsumerSettings settings, AggregationSource& source,
                                          Symbolizer& symbols, OutputStream& out, OutputStream& messages);
  virtual ~Consumer() = default;

  // Called before each batch of records: refreshes aggregation snapshots lazily (only if a record of the batch needs
  // one: printa, trunc, clear, normalize) and resets flow indentation as the reference does per pass.
  virtual void begin_pass() = 0;
  // One ring record, header included. Shorter than its layout: counted as damaged, never read past its end.
  virtual void record(std::span<const std::byte> bytes) = 0;
  // Reports what grew since the last call (2.5); cheap when nothing did.
  virtual void report_drops(const DropCounters& totals) = 0;
  // The cosmetic newline on the first SIGINT (1.7).
  virtual void interrupted() = 0;
  // The newline at exit and all aggregations never printed (1.7, 5.7). `print_aggregations` false: second Ctrl-C,
  // nothing more is printed.
  virtual void finish(bool print_aggregations) = 0;
  // Status of the last consumed exit() record; nothing if there was none.
  virtual std::optional<int> exit_status() const = 0;
  // Options as setopt() left them.
  virtual const OptionValues& options() const = 0;
};

}  // namespace dscope
