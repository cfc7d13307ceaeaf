// TimeMerge: merges the records of several rings by their times. A pass takes only records from before its start, so
// that no record with an earlier time can follow; a record that is still being written delays the later records of the
// other rings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dscope {

enum class RingHead : uint8_t { None, Busy /* is being written */, Record };

// `Cursor` reads one ring in order: begin() starts a pass over what is in it now, head() returns what is next, time()
// and record() belong to a head that is a Record, pop() removes it, finish() ends the pass.
template <typename Cursor>
class TimeMerge {
 public:
  // The longest time for which a record that is being written delays others. A longer wait means that the writer's CPU
  // does not run.
  static constexpr uint64_t max_delay_ns = 50'000'000;

  explicit TimeMerge(size_t count) : rings_(count) {}

  // Calls take(record) in order of time for all records of `cursors`, one per ring, that are not later than `now`,
  // until it returns false. `now`: the clock of the records, in ns, read before this call. Returns the number of
  // records.
  template <typename Take>
  size_t run(std::vector<Cursor>& cursors, uint64_t now, Take&& take) {
    heap_.clear();
    limit_ = now;
    for (size_t i = 0; i < cursors.size(); ++i) {
      cursors[i].begin();
      add(cursors[i], i, now);
    }
    size_t taken = 0;
    bool goes_on = true;
    while (goes_on && !heap_.empty() && heap_.front().time <= limit_) {
      size_t ring = heap_.front().ring;
      goes_on = take_run(cursors[ring], ring, taken, take);
      replace_first(cursors[ring], ring, now);
    }
    for (Cursor& cursor : cursors) cursor.finish();
    pass_start_ = now;
    return taken;
  }

 private:
  struct Head {
    uint64_t time = 0;
    size_t ring = 0;
  };
  struct Ring {
    uint64_t last = 0;        // time of its last record
    uint64_t busy_since = 0;  // start of the first pass that found its head Busy; 0: none has
  };
  static bool later(const Head& one, const Head& other) { return one.time > other.time; }

  // Takes records of the ring, which is the first of the heap, until another ring has an earlier one.
  template <typename Take>
  bool take_run(Cursor& cursor, size_t ring, size_t& taken, Take& take) {
    uint64_t next = limit_;
    for (size_t child = 1; child < std::min<size_t>(heap_.size(), 3); ++child) next = std::min(next, heap_[child].time);
    uint64_t& last = rings_[ring].last;
    rings_[ring].busy_since = 0;
    do {
      last = time_of(cursor, ring);
      bool goes_on = take(cursor.record());
      cursor.pop();
      ++taken;
      if (!goes_on) return false;
    } while (cursor.head() == RingHead::Record && time_of(cursor, ring) <= next);
    return true;
  }

  // CPUs that share a ring may read the clock in another order than they reserve.
  uint64_t time_of(const Cursor& cursor, size_t ring) const { return std::max(cursor.time(), rings_[ring].last); }

  // Enters the ring's head into the heap, or the limit that a head of unknown time sets.
  void add(Cursor& cursor, size_t ring, uint64_t now) {
    RingHead head = cursor.head();
    if (head == RingHead::Busy) return limit_by(cursor, ring, now);
    rings_[ring].busy_since = 0;
    if (head == RingHead::None) return;
    heap_.push_back({.time = time_of(cursor, ring), .ring = ring});
    std::ranges::push_heap(heap_, later);
  }

  // The first ring of the heap has a new head.
  void replace_first(Cursor& cursor, size_t ring, uint64_t now) {
    RingHead head = cursor.head();
    if (head == RingHead::Record) {
      heap_.front().time = time_of(cursor, ring);
    } else {
      if (head == RingHead::Busy) limit_by(cursor, ring, now);
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    for (size_t at = 0, child = 1; child < heap_.size(); at = child, child = at * 2 + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1].time < heap_[child].time) ++child;
      if (heap_[at].time <= heap_[child].time) return;
      std::swap(heap_[at], heap_[child]);
    }
  }

  // Records that the last pass has not seen are later than its start.
  void limit_by(Cursor& cursor, size_t ring, uint64_t now) {
    uint64_t& since = rings_[ring].busy_since;
    if (since == 0) since = now;
    uint64_t earliest = std::max(rings_[ring].last, cursor.is_new() ? pass_start_ : 0);
    if (now - since < max_delay_ns) limit_ = std::min(limit_, earliest);
  }

  std::vector<Ring> rings_;
  std::vector<Head> heap_;
  uint64_t limit_ = 0;       // later records wait for the next pass
  uint64_t pass_start_ = 0;  // of the last pass
};

}  // namespace dscope
