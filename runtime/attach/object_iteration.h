// Probes that fire once for each of the kernel's objects of a kind: reading an iterator makes the kernel run its
// program, as many times as there are bytes to fill.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "contract/program_plan.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

struct AttachedIterator {
  Fd link;
  std::string name;           // of its probe
  bool is_one_piece = false;  // the kernel cannot go on where it has stopped
};

// Links a program that was loaded for it. `name` is that of the probe.
Result<AttachedIterator> attach_iterator(int program_fd, const HookIterator& hook, const std::string& name);

// Walks all objects, `at_once` of them (1 to max_objects_at_once) between two calls of `go_on` if that can be, until
// it says no.
Result<> visit_objects(const AttachedIterator& iterator, size_t at_once, const std::function<bool()>& go_on);
constexpr size_t max_objects_at_once = 64;

// How many objects can be walked before the records they leave take half of a ring of so many bytes.
size_t objects_at_once(const ProgramPlan& plan, uint64_t ring_bytes);
// True if iterators are all that can still fire when they have been read to their ends.
bool has_only_iterators(const ProgramPlan& plan);

}  // namespace dscope
