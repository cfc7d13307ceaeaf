// Everything in a capture but its events: the machine, the probes with the types of their arguments, symbols, mounts,
// clocks, losses. Plain data, so that another machine can answer D programs without the recorded one. A file may hold
// several recordings, one after the other; the reader joins their tables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/stability.h"
#include "contract/machine.h"
#include "contract/probe.h"
#include "contract/tracer_identity.h"
#include "contract/types/type.h"

namespace dscope {

// The parts of a recording besides the probe, the time, the CPU and the thread. The words of option `record`.
enum class CapturePart : uint8_t {
  Args,     // arg0..., args[]: numbers, and the members of translated arguments
  Strings,  // the strings to which arguments of system calls and of tracepoints point
  Stacks,   // kernel and user stacks
  Types,    // all types and constants of the kernel, as --save-facts writes them
  Threads,  // curpsinfo and curlwpsinfo
};
inline constexpr std::array<std::string_view, 5> capture_part_words = {"args", "strings", "stacks", "types", "threads"};

// A value that the events of a probe hold. It is a 64-bit word: a number, sign-extended if its type is signed, or the
// address of an object that the event's memory holds.
struct CapturedValue {
  std::string expression;  // in D: "args[0]", "curpsinfo"
  std::string type_text;   // as -lv prints it: "bufinfo_t *"
  TypeId type;             // in CaptureInfo::types
  std::string name;        // of the parameter; may be empty
  uint32_t word = 0;       // index into CaptureEvent::words
  // False for arguments that cannot be recorded: objects of the kernel that are passed by value.
  bool is_recorded() const { return type != TypeTable::error_type(); }
};

struct CapturedProbe {
  uint32_t id = 0;  // of the recording run: the variable `id`
  std::string provider, module, function, name;
  std::string readable_function;  // demangled; empty: none
  ProviderAttributes attributes;
  Hook hook;  // the first one, if the probe has several
  bool is_system_call = false;
  bool is_process_function = false;
  bool has_typed_args = false;
  uint32_t arg_count = 0;             // arg0 to arg<arg_count - 1> are words 0 to arg_count - 1; the others read 0
  std::vector<CapturedValue> args;    // args[n]
  std::vector<CapturedValue> others;  // expressions that are not arguments
};

// Texts as Symbolizer returns them for `address`.
struct CapturedSymbol {
  std::string symbol;       // without offset: "vmlinux`vfs_read"
  std::string text;         // with offset
  std::string caller;       // of a return address, without offset; equal to `symbol` but after calls that never return
  std::string caller_text;  // with offset
  std::string module;       // "vmlinux"
  uint64_t start = 0, module_start = 0;
};

struct CapturedMount {
  std::string device, path, type;  // as in /proc/mounts
};

// A file whose code appears in the user stacks of a process.
struct CapturedObject {
  uint32_t pid = 0;
  uint64_t start = 0, end = 0;  // of the mapping
  uint64_t offset = 0;          // in the file
  std::string path;
  std::string build_id;  // hexadecimal; empty: the file has none
};

// The clocks of a recording, in nanoseconds.
struct CapturedClocks {
  uint64_t begin = 0, end = 0;   // CLOCK_MONOTONIC of BEGIN and END; end 0: the recording did not end properly
  uint64_t boot_to_wall_ns = 0;  // added to the monotonic clock gives walltimestamp
};

struct CaptureInfo {
  uint32_t version = 0;                   // of the format
  std::vector<std::string> descriptions;  // probe descriptions of the command line
  std::vector<CapturePart> parts;         // that were recorded, ascending
  uint32_t strsize = 256;                 // longer strings are cut
  uint32_t stack_frames = 0, user_stack_frames = 0;
  uint32_t target_pid = 0;               // $target; 0: the recording had none
  std::string target_command;            // of -c; empty: none
  std::optional<TracerIdentity> tracer;  // that recorded; nullopt: imported, or the format did not hold it yet
  MachineFacts facts;
  std::vector<CpuFacts> cpus;
  std::map<uint32_t, std::string> block_drivers;
  ProviderAttributes dtrace_attributes;  // of BEGIN, END, ERROR
  std::string source;  // the kind of file that this was imported from: "perf.data"; empty: dscope recorded it
  std::vector<std::string> missing_variables;  // of D, about threads, that the events do not hold: "uid"

  // Ids are indices; 0 is the error type. References are ids of this table. Built-in types of D are here, too.
  std::vector<Type> types;
  std::vector<CapturedProbe> probes;  // rows of events
  std::vector<CapturedClocks> recordings;
  std::vector<uint32_t> first_probes;  // by recording: index into `probes`; the reader sets it
  // Losses by CPU: events that found the ring full.
  std::vector<uint64_t> lost_events;
  std::vector<CapturedMount> mounts;
  std::vector<CapturedObject> objects;
  // By process (0: the kernel) and address: every address of a stack.
  std::map<std::pair<uint32_t, uint64_t>, CapturedSymbol> symbols;
  // The content of a --facts file; empty without CapturePart::Types.
  std::string facts_file;

  bool has(CapturePart part) const;
  // Null if there is none.
  const CapturedSymbol* find_symbol(uint32_t pid, uint64_t address) const;
};

// Whether programs can treat events of both probes alike: the names and the arguments are the same. Recordings of one
// file have probes and types of their own.
bool is_same_probe(const CaptureInfo& info, const CapturedProbe& a, const CapturedProbe& b);

// Adds a type of the capture, and all that it refers to, to the table of a compiler. `imported` keeps what was added
// before: pass the same map each time; empty at first.
TypeId import_captured_type(const CaptureInfo& info, TypeId id, TypeTable& types, std::map<uint32_t, TypeId>& imported);

}  // namespace dscope
