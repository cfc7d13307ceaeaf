#include "pictures/timeline/thread_slices.h"

#include <algorithm>

namespace dscope {

ThreadSlices::Step ThreadSlices::add(const PairedProbe& probe) {
  switch (probe.role) {
    case PairedProbe::Role::None: return {};
    case PairedProbe::Role::Begin: return begin(probe);
    case PairedProbe::Role::End: return end(probe);
  }
  return {};
}

ThreadSlices::Step ThreadSlices::begin(const PairedProbe& probe) {
  // A thread that is in a system call does not begin another one, and only functions call themselves: the end of the
  // earlier one was not traced, by a predicate for example.
  auto is_over = [&](const Slice& slice) {
    return probe.is_syscall ? slice.is_syscall : !probe.is_call && slice.pair == probe.pair;
  };
  auto first = std::ranges::find_if(open_, is_over);
  auto closed = static_cast<size_t>(open_.end() - first);
  open_.erase(first, open_.end());
  if (open_.size() >= max_open) return {.role = PairedProbe::Role::None, .closed = closed};
  open_.push_back({.pair = probe.pair, .is_syscall = probe.is_syscall});
  return {.role = PairedProbe::Role::Begin, .closed = closed};
}

ThreadSlices::Step ThreadSlices::end(const PairedProbe& probe) {
  auto last = std::find_if(open_.rbegin(), open_.rend(), [&](const Slice& slice) { return slice.pair == probe.pair; });
  if (last == open_.rend()) return {};
  auto closed = static_cast<size_t>(last - open_.rbegin());
  open_.resize(open_.size() - closed - 1);
  return {.role = PairedProbe::Role::End, .closed = closed};
}

}  // namespace dscope
