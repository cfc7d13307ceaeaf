// The data half of plan building (private to plan_builder): where variables live, how records and keys are laid out,
// which maps there are.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

// Fills out.layout.variables, out.plan.aggregations, out.plan.clauses, out.layout.action_of_node and their maps.
void lay_out_data(const Semantics& meaning, const OptionValues& options, Host& host, CompiledPlan& out);

// What programs on probes about another thread keep of the user stacks they see, and the map for it.
void keep_stacks(const Semantics& meaning, CompiledPlan& out);

// The maps every program has (ring, state, counters) and those whose sizes are known last (globals, task, scratch).
void add_fixed_maps(const Semantics& meaning, const OptionValues& options, const MachineFacts& facts,
                    CompiledPlan& out);

// BEGIN, END, ERROR of those, and ticks of the consumer's timer; not the ticks of an interrupt, whose stack begins with
// what it interrupted.
bool is_fired_by_consumer(const BpfProgramPlan& program);

// Number of scratch slots per CPU: programs may interrupt each other on one CPU (design.md 5).
constexpr uint32_t default_scratch_slots = 4;
// Where some of them may sleep in between.
constexpr uint32_t sleeping_scratch_slots = 8;

// Frames asked of the kernel beyond those wanted: the tracer's own leading frames are dropped when printed.
constexpr uint32_t extra_frames = 8;

}  // namespace dscope
