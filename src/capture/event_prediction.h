// Predicts the next event from those before it in the same block. Writer and reader predict alike, and a
// right prediction costs a fraction of a bit.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace dscope {

// A CPU goes on with its thread.
class ThreadPrediction {
 public:
  // UINT32_MAX: nothing is known.
  uint32_t expect(uint32_t cpu) const {
    auto found = last_.find(cpu);
    return found != last_.end() ? found->second : UINT32_MAX;
  }
  void note(uint32_t cpu, uint32_t thread) { last_[cpu] = thread; }

 private:
  std::unordered_map<uint32_t, uint32_t> last_;
};

// A thread fires the probe that followed its last one before: a return follows its entry.
class ProbePrediction {
 public:
  uint32_t expect(uint32_t thread) const {
    auto last = last_.find(thread);
    if (last == last_.end()) return UINT32_MAX;
    auto next = next_.find(last->second);
    return next != next_.end() ? next->second : UINT32_MAX;
  }
  void note(uint32_t thread, uint32_t probe) {
    auto [last, is_first] = last_.try_emplace(thread, probe);
    if (is_first) return;
    next_[last->second] = probe;
    last->second = probe;
  }

 private:
  std::unordered_map<uint32_t, uint32_t> last_, next_;
};

}  // namespace dscope
