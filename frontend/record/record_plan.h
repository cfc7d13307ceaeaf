// The values that a recording keeps of each probe: plain data that recorded_clauses.h makes of the clauses
// without actions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/probe.h"
#include "support/format.h"

namespace dscope {

enum class RecordedKind : uint8_t {
  Time,
  Pid,
  Tid,
  Ppid,
  Uid,
  Gid,
  Execname,
  Errno,
  Word,        // the value is the word `word`
  UserText,    // the string at the user address in the word `word`
  ObjectText,  // the string at the address `word`, which the recorder chooses
  Member,      // the member `member` of the translated object whose address is the word `word`
  KernelStack,
  UserStack,
};

// A value that a recording clause traces.
struct RecordedValue {
  RecordedKind kind{};
  uint32_t word = 0;        // index into the words of an event (capture/capture_event.h)
  std::string member = {};  // "pr_pid", "pr_start.tv_sec"
  std::string text = {};    // its statement
};

// args[n], as events hold it.
struct RecordedArg {
  uint32_t word = 0;
  std::string object_type = {};  // the D type of the object that the word points to: "bufinfo_t"; empty: no object
  bool is_text = false;          // the word points to an ObjectText
};

// A variable that describes the current thread by an object.
struct ThreadObject {
  std::string_view variable, type;
  uint32_t word = 0;  // stands for the object, like RecordedArg::word
};
inline constexpr ThreadObject thread_objects[] = {{"curpsinfo", "psinfo_t", 256}, {"curlwpsinfo", "lwpsinfo_t", 257}};

// Probes with the same values, which one clause records.
struct RecordedGroup {
  std::vector<const Probe*> probes;
  std::string predicate;  // D text; empty: none
  uint32_t arg_count = 0, word_count = 0;
  std::vector<RecordedArg> args;
  std::vector<RecordedArg> thread_objects;
  std::vector<RecordedValue> values;  // parallel to the statements of the clause
};

struct RecordingParts {
  bool has_args = true, has_strings = true, has_stacks = false, has_threads = false;
};

struct RecordPlan {
  RecordingParts parts;
  std::vector<std::string> descriptions;  // of the clauses without actions
  // Descriptions of probes that targets may gain later. They are not recorded: a capture describes its probes first.
  std::vector<std::string> later_probes;
  // Matched probes by unit: the source of the unit, and how many of its probes are recorded.
  std::vector<std::pair<uint32_t, uint32_t>> matched;
  std::vector<RecordedGroup> groups;

  // The probe description of the clause of a group, which RecordingHost answers.
  static constexpr std::string_view provider = "__recorded";
  static std::string description_of(size_t group) { return fmt::format("{}:::group{}", provider, group); }
  // The group that a description means; groups.size() if it means none.
  size_t group_of(const ProbeDescription& description) const;
};

}  // namespace dscope
