// FunctionProbes: makes the entry, return and instruction probes of functions in an object: selects the instructions to
// probe and the locations of arguments. Shared by the pid and uprobe providers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "contract/process_tools.h"
#include "runtime/providers/process/call_graph.h"
#include "runtime/providers/process/process_functions.h"

namespace dscope {

// The object whose functions are probed, and the provider and module names of the probes.
struct ProbedObject {
  ProcessFunctions& process;
  size_t object;  // index in the process
  uint32_t pid;   // 0: all processes that map the object
  std::string provider, module;
};

class FunctionProbes {
 public:
  // The name of a return probe for derived probes. Its arg1 is always the returned value, even if the function ends in
  // a jump to another. Patterns do not match it.
  static constexpr std::string_view result = "__result";

  explicit FunctionProbes(const ProcessTools& tools) : tools_(tools) {}

  // The functions that match the function field of a description. If a function has several names, a pattern returns it
  // once: for an implementation that was selected for this CPU (ifunc) by the name that programs call, else by its
  // shortest name.
  std::vector<ElfSymbols::Function> find(const ProbedObject& probed, const std::string& pattern) const;
  // Appends the probes of the function whose names match the pattern `name`: entry, return, offsets of instructions in
  // hexadecimal; empty: all.
  void add(const ProbedObject& probed, const ElfSymbols::Function& function, std::string_view name,
           std::vector<Probe>& probes) const;
  // The probe of the instruction at `address` of the object, with function "-". Nothing if no instruction begins there.
  std::optional<Probe> at_address(const ProbedObject& probed, uint64_t address) const;
  // The mistake of probing an ifunc whose implementation is not known; nothing for other functions.
  static std::optional<ProbeMistake> unresolved_ifunc_mistake(const ElfSymbols::Function& function);
  // The mistake of probing the return of an existing function that never returns; nothing for other probe names.
  static std::optional<ProbeMistake> no_return_mistake(std::string_view function, std::string_view name);
  // True if the function field of a description matches the function, by its symbol or its demangled name, with or
  // without parameters.
  bool is_named(std::string_view function, std::string_view pattern) const;
  static bool has_generic_name(std::string_view pattern, std::string_view name);
  // True if the pattern matches a name of the probe's function besides its symbol and readable_function: one with
  // parameters, or one without template arguments.
  bool has_other_name(const Probe& probe, std::string_view pattern) const {
    bool may_have = has_parameters(pattern) || probe.readable_function.find('<') != std::string::npos;
    return may_have && is_named(probe.function, pattern);
  }

 private:
  // True if the pattern has parameters or template arguments, which distinguish functions of the same name.
  static bool has_parameters(std::string_view pattern) { return pattern.find_first_of("(<") != std::string_view::npos; }
  // The demangled name of a function; empty if its symbol is not mangled.
  std::string demangled(std::string_view function) const;
  void add_entry(const ProbedObject& probed, const ElfSymbols::Function& function, std::vector<Probe>& probes) const;
  void add_return(const ProbedObject& probed, const ElfSymbols::Function& function, std::string_view name,
                  std::vector<Probe>& probes) const;
  void add_offsets(const ProbedObject& probed, const ElfSymbols::Function& function, std::string_view name,
                   std::vector<Probe>& probes) const;
  CodeOutline outline(const ProbedObject& probed, uint64_t offset, uint64_t size) const;
  static bool is_certain_exit(const ProbedObject& probed, const ElfSymbols::Function& function,
                              const CodeOutline::Exit& exit);
  static std::vector<CodeOutline::Exit> select_exits(const ProbedObject& probed, const ElfSymbols::Function& function,
                                                     const CodeOutline& code);
  bool can_replace_return_address(const ProbedObject& probed, const ElfSymbols::Function& function,
                                  const CodeOutline& code, bool is_accepted) const;
  bool may_return_cheaply(const ProbedObject& probed, const ElfSymbols::Function& function,
                          const CodeOutline& code) const;
  std::optional<CalledCode> called_code(const ProbedObject& probed, uint64_t offset) const;
  std::optional<CalledCode> called_code(const ProbedObject& probed, uint64_t offset, uint64_t size,
                                        const std::vector<uint32_t>& starts) const;
  // The file offset of the instruction to probe at the function's entry.
  uint64_t first_instruction(const ProbedObject& probed, const ElfSymbols::Function& function) const;
  Probe make_probe(const ProbedObject& probed, std::string_view function, std::string name) const;

  ProcessTools tools_;
  // Code that may still be examined for recursion: a pattern that matches thousands of functions must not take long.
  mutable uint64_t call_graph_bytes_left_ = uint64_t{16} << 20;
};

}  // namespace dscope
