// FunctionProbes: entry, return and the instructions of a function of an object as probes: which instructions they hang
// on and where their arguments are. What the pid and uprobe providers share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "contract/process_tools.h"
#include "runtime/providers/process/process_functions.h"

namespace dscope {

// What the probes of a function are called, and of whom they are.
struct FunctionPlace {
  ProcessFunctions& process;
  size_t object;  // of the process
  uint32_t pid;   // 0: all that map the object
  std::string provider, module;
};

class FunctionProbes {
 public:
  // The name of a return probe for probes that are made of it: one that always knows what is returned, also by
  // functions that end in a jump to another. Not among those that a pattern finds.
  static constexpr std::string_view result = "__result";

  explicit FunctionProbes(const ProcessTools& tools) : tools_(tools) {}

  // The functions that the function field of a description means. Of several names of one a pattern finds the best: of
  // one that was chosen for this CPU it is what programs call it, of names for that the shortest.
  std::vector<ElfSymbols::Function> find(const FunctionPlace& place, const std::string& pattern) const;
  // Adds the probes of the function whose names match the pattern: entry, return, offsets of instructions in
  // hexadecimal; empty: all.
  void add(const FunctionPlace& place, const ElfSymbols::Function& function, std::string_view name,
           std::vector<Probe>& probes) const;
  // The probe of an instruction by its address in the object, in function "-". Nothing if no instruction begins there.
  std::optional<Probe> at_address(const FunctionPlace& place, uint64_t address) const;
  // Why a function that is there may have no probe of that name, which is none of an instruction.
  // Nothing, unless it is one that only chooses the code.
  static std::optional<ProbeMistake> why_unchosen(const ElfSymbols::Function& function);
  static std::optional<ProbeMistake> why_none(std::string_view function, std::string_view name);
  // Functions of one name, which is only that of several files of the source or of several versions of a symbol: they
  // have one probe, with several places.
  static void merge_namesakes(std::vector<Probe>& probes);
  // Whether a pattern tells functions of one name apart: by parameters or arguments of templates.
  static bool has_parameters(std::string_view pattern) { return pattern.find_first_of("(<") != std::string_view::npos; }
  // Whether the function field of a description means that function, by its symbol or its demangled name, which may
  // have parameters.
  bool is_named(std::string_view function, std::string_view pattern) const;

 private:
  // The demangled name of a function; empty if that is the name itself.
  std::string readable(std::string_view function) const;
  void add_entry(const FunctionPlace& place, const ElfSymbols::Function& function, std::vector<Probe>& probes) const;
  void add_return(const FunctionPlace& place, const ElfSymbols::Function& function, std::string_view name,
                  std::vector<Probe>& probes) const;
  void add_offsets(const FunctionPlace& place, const ElfSymbols::Function& function, std::string_view name,
                   std::vector<Probe>& probes) const;
  CodeOutline outline(const FunctionPlace& place, uint64_t offset, uint64_t size) const;
  static bool is_certain(const FunctionPlace& place, const ElfSymbols::Function& function,
                         const CodeOutline::Exit& exit);
  static std::vector<CodeOutline::Exit> best_exits(const FunctionPlace& place, const ElfSymbols::Function& function,
                                                   const CodeOutline& code);
  bool can_replace_return_address(const FunctionPlace& place, const ElfSymbols::Function& function,
                                  const CodeOutline& code, bool is_accepted) const;
  // Where a probe of the function's beginning is put.
  uint64_t first_instruction(const FunctionPlace& place, const ElfSymbols::Function& function) const;
  Probe make_probe(const FunctionPlace& place, std::string_view function, std::string name) const;

  ProcessTools tools_;
};

}  // namespace dscope
