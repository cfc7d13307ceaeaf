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
  // What this program hangs on: all attachments of the plan, or one of them if the program was copied per cookie.
  std::vector<Attachment> attachments;
};

struct LoadedObject {
  MapSet maps;
  std::vector<BpfMap> data_sections;
  std::vector<LoadedProgram> programs;
  size_t left_out = 0;  // functions for which the kernel refused a program
};

// `plan` must outlive the result. A refused program is loaded a second time with a log, so that the Error's hint says
// where. Option bpflog prints the whole logs on stderr. `progress` may be null.
// With `shared`, the programs use those maps, which must be the ones that the plan wants, instead of new ones.
Result<LoadedObject> load_object(const ProgramPlan& plan, const BpfObject& object, Progress* progress = nullptr,
                                 const MapSet* shared = nullptr);

}  // namespace dscope
