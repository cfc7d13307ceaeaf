// A bundle: a compiled D program in one file, so that a process without a compiler can run it. A bundle contains the
// ProgramPlan and the BPF object. Releases of dscope read the bundles of all earlier releases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

struct Bundle {
  // Lines that a run prints on stderr before it traces, without the program's name in front.
  std::vector<std::string> notices;
  ProgramPlan plan;
  BpfObject object;
  // The names of the numbers that a process must write into the object before it runs it, by the number in symbols
  // "ds_late_...": "$pid".
  std::vector<std::string> open_numbers;
  // The bytes of a RecordedProgram (driver/record/recorded_program.h); empty: the code records nothing.
  std::string recording;
};

// The bytes of the file: a line of text, format version, checksum, and the content. Equal bundles have equal bytes.
std::string pack_bundle(const Bundle& bundle);

// Reads the bytes of a file that anyone may have written: at most max_bundle_bytes, with memory in proportion to them.
// The plan of the result is consistent: every index in it is within its table. Fails with one sentence.
inline constexpr size_t max_bundle_bytes = size_t{256} << 20;
Result<Bundle> unpack_bundle(std::string_view bytes);

// Returns what is wrong with the plan's indices, offsets and sizes: "clause 3 refers to format 9 of 2"; empty if the
// runtime can use the plan.
std::string inconsistency(const ProgramPlan& plan);

// The plan as JSON, for --dump=plan -x format=json.
std::string plan_as_json(const ProgramPlan& plan);

}  // namespace dscope
