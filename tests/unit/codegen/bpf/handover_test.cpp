// Plays every interleaving of events with the steps of a handover: each event counts in exactly one of the two runs.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "codegen/bpf/support.h"
#include "contract/record_format.h"

namespace dscope {
namespace {

constexpr int event_count = 4;

class Model {
 public:
  explicit Model(uint64_t order) : order_(order), shared_(std::make_unique<ds_handover>()) {
    std::memset(shared_.get(), 0xff, sizeof *shared_);  // left over from an earlier handover
  }

  // The steps of take_over() in runtime/session/handover.cpp.
  static constexpr int step_count = 6;
  // Whether the steps before and after this one are separated by a wait for events that have begun.
  static bool settles_after(int step) { return step == 1 || step == 2 || step == 4; }
  void start() {
    shared_->owner = DS_OWNER_OLD;
    std::memset(shared_->counted_by_old, 0, sizeof shared_->counted_by_old);
    std::memset(shared_->counted_by_new, 0, sizeof shared_->counted_by_new);
  }
  void step(int number) {
    switch (number) {
      case 0: new_ = DS_ACTIVITY_TAKING_OVER; break;
      case 1: old_ = DS_ACTIVITY_HANDING_OVER; break;
      case 2: shared_->owner = DS_OWNER_NEW; break;
      case 3: std::memset(shared_->counted_by_old, 0, sizeof shared_->counted_by_old); break;
      case 4: old_ = DS_ACTIVITY_DRAINING; break;
      case 5: new_ = DS_ACTIVITY_ACTIVE; break;
    }
  }

  // Whether the program of a run counts the event that it runs for.
  bool counts(bool is_new) {
    uint32_t activity = is_new ? new_ : old_;
    if (activity == DS_ACTIVITY_ACTIVE) return true;
    if (activity < DS_ACTIVITY_HANDING_OVER) return false;
    return ds_counts_in_handover(shared_.get(), activity, /*thread=*/77, /*cpu=*/0, order_ << 32 | 1234) != 0;
  }

 private:
  uint64_t order_;
  std::unique_ptr<ds_handover> shared_;
  uint32_t old_ = DS_ACTIVITY_ACTIVE, new_ = DS_ACTIVITY_STARTING;
};

// `positions`: before which of the 2 * event_count program runs each step happens.
struct Outcome {
  bool is_allowed = true;  // no event straddles a wait
  std::vector<int> counted = std::vector<int>(event_count);
};

Outcome play(uint64_t order, const std::vector<int>& positions, bool has_old, bool has_new) {
  Model model(order);
  model.start();
  Outcome outcome;
  for (int step = 0; step + 1 < Model::step_count; ++step) {
    int here = positions[static_cast<size_t>(step)], next = positions[static_cast<size_t>(step) + 1];
    if (Model::settles_after(step) && here % 2 == 1 && here / 2 == next / 2) outcome.is_allowed = false;
  }
  int step = 0;
  for (int at = 0; at < 2 * event_count; ++at) {
    for (; step < Model::step_count && positions[static_cast<size_t>(step)] == at; ++step) model.step(step);
    bool is_new = (at % 2 == 0) == (order == DS_ORDER_NEW_FIRST);
    if (is_new ? has_new : has_old) outcome.counted[static_cast<size_t>(at / 2)] += model.counts(is_new);
  }
  return outcome;
}

template <typename Visit>
void visit_positions(std::vector<int>& positions, const Visit& visit) {
  if (positions.size() == Model::step_count) return visit(positions);
  for (int at = positions.empty() ? 0 : positions.back(); at <= 2 * event_count; ++at) {
    positions.push_back(at);
    visit_positions(positions, visit);
    positions.pop_back();
  }
}

TEST(SupportHandover, EachEventCountsOnce) {
  int allowed = 0;
  for (uint64_t order : {uint64_t{DS_ORDER_OLD_FIRST}, uint64_t{DS_ORDER_NEW_FIRST}}) {
    std::vector<int> positions;
    visit_positions(positions, [&](const std::vector<int>& steps) {
      Outcome outcome = play(order, steps, true, true);
      if (!outcome.is_allowed) return;
      ++allowed;
      EXPECT_EQ(outcome.counted, std::vector<int>(event_count, 1)) << order << ": " << ::testing::PrintToString(steps);
    });
  }
  EXPECT_GT(allowed, 2000);
}

// A hook of only one of the runs: its clause is new, or was removed.
TEST(SupportHandover, ClausesOfOneRunNeverCountTwice) {
  for (uint64_t order : {uint64_t{DS_ORDER_OLD_FIRST}, uint64_t{DS_ORDER_NEW_FIRST}})
    for (bool is_new : {false, true}) {
      std::vector<int> positions;
      visit_positions(positions, [&](const std::vector<int>& steps) {
        for (int count : play(order, steps, !is_new, is_new).counted) EXPECT_LE(count, 1);
      });
      // Before the first step the old run counts, after the last one the new run.
      EXPECT_EQ(play(order, std::vector<int>(Model::step_count, 2 * event_count), !is_new, is_new).counted,
                std::vector<int>(event_count, is_new ? 0 : 1));
      EXPECT_EQ(play(order, std::vector<int>(Model::step_count, 0), !is_new, is_new).counted,
                std::vector<int>(event_count, is_new ? 1 : 0));
    }
}

// Only the event at which the owner changes may count in both or in neither.
TEST(SupportHandover, UnknownOrdersLoseAtMostOneEvent) {
  std::vector<int> positions;
  visit_positions(positions, [&](const std::vector<int>& steps) {
    Outcome outcome = play(DS_ORDER_UNKNOWN, steps, true, true);
    if (!outcome.is_allowed) return;
    int wrong = 0;
    for (int count : outcome.counted) wrong += count != 1;
    EXPECT_LE(wrong, 1) << ::testing::PrintToString(steps);
  });
}

}  // namespace
}  // namespace dscope
