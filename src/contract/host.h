// Host: the compiler's only source of information about a machine: its probes, its kernel's types and symbols, its
// facilities. LiveHost (runtime/) describes this machine, FakeHost (tests/support/) reads a text file. A Host computes
// its answers lazily: a clause on syscall::: must not read BTF, kallsyms or tracefs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/stability.h"
#include "contract/machine.h"
#include "contract/probe.h"
#include "contract/types/type.h"
#include "support/diagnostic.h"

namespace dscope {

// A mistake in a description that explains why nothing matches it.
struct ProbeMistake {
  Tag tag{};
  std::string message;
  std::string hint = {};  // empty: none
};

// A kernel symbol that D programs name by `symbol.
struct KernelSymbol {
  uint64_t address = 0;
  std::optional<TypeId> type;  // from the BTF VAR or FUNC; nullopt if BTF does not describe the symbol
};

class Host {
 public:
  virtual ~Host() = default;

  // Receives the descriptions of each clause of the user's programs before any call of match(), because names may
  // depend on all clauses: with compat=solaris a system call has one name throughout a script.
  virtual void announce(const std::vector<std::vector<ProbeDescription>>& /*clauses*/) {}
  // Returns all matching probes, ascending by id, and creates those that exist on demand (profile-4711). The Host owns
  // the probes for its lifetime.
  virtual std::vector<const Probe*> match(const ProbeDescription& description) = 0;
  // From now on the description matches nothing, not even probes that appear later.
  virtual void stop_awaiting(const ProbeDescription&) {}
  // Whether the description may match probes of kernel modules that are loaded later.
  virtual bool may_match_later_modules(const ProbeDescription&) { return false; }
  // Fills probe.args, with types in `types`. Cheap if probe.args is already filled.
  virtual void load_args(const Probe& probe, TypeTable& types) = 0;
  // Fills probe.variables with the local variables and parameters in scope at a probe of a user program, innermost
  // scope first. Those that cannot be read there have places that state why.
  virtual void load_variables(const Probe&, TypeTable&) {}
  // Finds the variable that `name` means at the probe, a static one of the program if no local one has the name, and
  // keeps it in probe.variables. Null if there is none.
  virtual const TracedVariable* find_variable(const Probe&, TypeTable&, std::string_view /*name*/) { return nullptr; }
  // Returns one sentence for a variable that cannot be read at the probe, or that the program does not have, for hints:
  // the nearest line where it is alive, or the reason. May be empty.
  virtual std::string explain_variable(const Probe&, std::string_view /*name*/) { return {}; }
  virtual ProviderAttributes provider_attributes(std::string_view provider) = 0;
  // Called when nothing matches. Returns nullopt if the description itself is valid.
  virtual std::optional<ProbeMistake> mistake(const ProbeDescription&) { return std::nullopt; }
  // Whether the module is part of the running kernel, loaded or built in.
  virtual bool has_module(std::string_view name) {
    ProbeDescription description;
    description.module = name;
    return !match(description).empty();
  }
  // Returns the reason why this machine lacks the provider or probe, for D_PDESC_ZERO hints; empty if unknown.
  virtual std::string why_missing(const ProbeDescription& description) = 0;
  // Returns one sentence for each probe that the description would match on another kernel: the probe's name and the
  // feature that this kernel lacks.
  virtual std::vector<std::string> absent(const ProbeDescription&) { return {}; }

  // Finds a type by its C name: "struct task_struct", "enum pid_type", "pid_t". `module` is empty, "vmlinux" or a
  // kernel module; or a process, perhaps with one of its objects, whose types to search: "pid123" or
  // "pid123`libc.so.6".
  virtual std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) = 0;
  // Returns the most similar name of a type of the same kind, for hints; may be empty.
  virtual std::string nearest_type(std::string_view /*name*/) { return {}; }
  // Returns the reason why `module` has no such type, for hints; empty if unknown.
  virtual std::string why_no_type(std::string_view /*module*/) { return {}; }
  // Returns the most similar name of a kernel symbol, for hints; may be empty.
  virtual std::string nearest_symbol(std::string_view /*name*/) { return {}; }
  // Fills in members or enumerators of an imported type whose is_complete is false.
  virtual void complete_type(TypeTable& types, TypeId id) = 0;
  virtual std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) = 0;
  virtual const MachineFacts& facts() = 0;
  // Called only for programs that trace kernel functions.
  virtual FunctionMechanisms function_mechanisms() { return {}; }
  // Called only for programs that read user memory. nullopt: programs must walk page tables.
  virtual std::optional<PhysicalMemory> physical_memory(const MemoryOffsets&) { return std::nullopt; }
  // All possible CPUs by number.
  virtual std::vector<CpuFacts> cpus() = 0;
  // Names of block device drivers by major number.
  virtual std::map<uint32_t, std::string> block_drivers() { return {}; }
};

// Returns the minimum over the provider's triple and the triple of each field that is not a pattern;
// Unstable/Unstable/Common if the provider is unknown, empty or a pattern.
Attributes description_attributes(Host& host, const ProbeDescription& description);

}  // namespace dscope
