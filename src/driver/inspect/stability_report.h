// Stability reports: the attribute blocks of -lv, -ev and -v (consumer-and-actions.md 9.3, d-language.md 11.1).
// Attributes in, text for the output stream out.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "contract/defined_provider.h"
#include "contract/host.h"

namespace dscope {

// Returns the blocks of one probe, from "Probe Description Attributes" to "Argument Types". Loads the arguments. The
// types of static probes come from `defined` if the program defines their provider.
std::string probe_report(Host& host, TypeTable& types, const Probe& probe,
                         std::span<const DefinedProvider> defined = {});
// Returns one line: "syscall::openat:entry (int dfd, char *filename)". args->NAME works for the arguments with names.
std::string signature_report(Host& host, TypeTable& types, const Probe& probe,
                             std::span<const DefinedProvider> defined = {});
// Lists the probes from which `probe` is derived on this kernel; empty if it is not derived.
std::string origin_report(const Probe& probe);
// Returns the description and the report of its first probe, for -ev.
std::string description_report(Host& host, TypeTable& types, const ProbeDescription& description,
                               std::span<const DefinedProvider> defined = {});

// The lowest stability of the probes and of the statements of a program.
struct ProgramStability {
  bool is_script = false;
  std::string name;  // as in the notice "script 'x.d' matched ..."
  Attributes probes, statements;
};
// Returns "Stability attributes for ...", for -v and -ev, without the blank line or the descriptions that follow.
std::string program_report(const ProgramStability& program);

}  // namespace dscope
