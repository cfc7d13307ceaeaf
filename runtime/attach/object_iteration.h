// Probes that fire once for each kernel object of a kind. Reading from a BPF iterator makes the kernel run its program
// once per object; each run fills one byte of the read.
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
  std::string name;          // of its probe, for messages
  bool is_resumable = true;  // false: the kernel cannot continue after a partial read
};

// Links a program that was loaded for the iterator. `name` is the probe's, for messages.
Result<AttachedIterator> attach_iterator(int program_fd, const HookIterator& hook, const std::string& name);

// Visits all objects, `batch` of them (1 to max_objects_per_read) between two calls of `should_continue`, until that
// returns false. Iterators that are not resumable visit all objects at once.
Result<> visit_objects(const AttachedIterator& iterator, size_t batch, const std::function<bool()>& should_continue);

constexpr size_t max_objects_per_read = 64;
// Number of objects whose records fill at most half of a ring of `ring_bytes`; 1 to max_objects_per_read.
size_t objects_per_read(const ProgramPlan& plan, uint64_t ring_bytes);

// True if the plan has iterators and nothing else that fires between BEGIN and END.
bool has_only_iterators(const ProgramPlan& plan);

}  // namespace dscope
