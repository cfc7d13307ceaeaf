// LineProbes: probes on lines of source files, and variables of the traced program at the probes of its code. Shared by
// the pid and uprobe providers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/host.h"
#include "contract/process_tools.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/providers/process/function_probes.h"

namespace dscope {

// The function field of a line probe: "cart.c@64". Both parts may be patterns; the file may begin with directories.
struct LineField {
  std::string_view file, line;
};

class LineProbes {
 public:
  LineProbes(const ProcessTools& tools, ProcessTypes& types) : tools_(tools), types_(types) {}

  // Nothing if the field does not name a line.
  static std::optional<LineField> parse(std::string_view function);
  // Appends the probes of all lines that match the function field. The name of a probe is the function that contains
  // the line.
  void add(const ProbedObject& probed, const ProcessScope& scope, std::string_view function, std::string_view name,
           std::vector<Probe>& probes) const;
  // True if the function field of a description, which may have directories, names the line of the probe.
  static bool matches(const Probe& probe, std::string_view function);
  // The reason why a valid description of lines matches nothing.
  ProbeMistake mistake(const ProcessScope& scope, std::string_view function, std::string_view name) const;

  // Host::load_variables, find_variable and explain_variable for probes of the object.
  void load_variables(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types) const;
  void add_global(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types,
                  const std::string& name) const;
  std::string explain(const Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                      const std::string& name) const;

 private:
  VariablePlace checked(VariablePlace place, const TypeTable& types, TypeId type) const;
  void load_in_registers(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types) const;
  // The number of the goroutine, in functions of Go programs.
  void add_goid(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types,
                const std::string& name) const;
  void load_at_entry(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types) const;

  ProcessTools tools_;
  ProcessTypes& types_;
};

}  // namespace dscope
