// Loader: creates the plan's maps and loads every program of the object into the kernel.
#pragma once

#include <vector>

#include "contract/program_plan.h"
#include "runtime/load/bpf_map.h"
#include "support/fd.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

struct LoadedProgram {
  const BpfProgramPlan* plan = nullptr;
  Fd fd;
  // The attachments of this program: all of the plan's, or one of them if the program was copied per cookie.
  std::vector<Attachment> attachments;
};

struct LoadedObject {
  MapSet maps;
  std::vector<BpfMap> data_sections;
  std::vector<LoadedProgram> programs;
  size_t omitted_functions = 0;  // functions for which the kernel rejected a copy of the program
};

// `plan` must outlive the result. A rejected program is loaded a second time with a log, so that the Error's hint names
// the place. Option bpflog prints all logs on stderr. `progress` may be null. If `shared` is not null, the programs use
// those maps, which must match the plan, instead of new ones. `existing` has maps of the plan that need not be created.
Result<LoadedObject> load_object(const ProgramPlan& plan, const BpfObject& object, Progress* progress = nullptr,
                                 const MapSet* shared = nullptr, MapSet existing = {});

}  // namespace dscope
