// The data half of plan building (private to plan_builder): storage of variables, layouts of records and keys, maps.
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

class Host;
struct MachineFacts;

// Fills out.layout.variables, out.plan.aggregations, out.plan.clauses, out.layout.action_of_node and their maps.
void lay_out_data(const Semantics& meaning, const OptionValues& options, Host& host, CompiledPlan& out);

// For programs on probes about another thread: decides which of its stacks they save, and adds the map ds_stacks.
void plan_saved_stacks(const Semantics& meaning, CompiledPlan& out);

// Adds the maps that every program has (ring, state, counters) and those that depend on the other maps (speculations,
// task).
void add_fixed_maps(const Semantics& meaning, const OptionValues& options, const MachineFacts& facts,
                    CompiledPlan& out);

// If programs unwind user stacks by tables: adds the maps of these tables (contract/stacks/unwind_format.h).
void add_unwind_maps(const Semantics& meaning, const OptionValues& options, CompiledPlan& out);

// True for BEGIN, END, ERROR and ticks of the consumer's timer. False for ticks of an interrupt, whose stack begins
// with the interrupted code.
bool is_fired_by_consumer(const BpfProgramPlan& program);

// Scratch slots per CPU: programs may interrupt each other on one CPU (design.md 5).
constexpr uint32_t default_scratch_slots = 4;
// Scratch slots per CPU if programs may sleep while they hold a slot.
constexpr uint32_t sleeping_scratch_slots = 8;

// Additional frames to record: the consumer drops the tracer's own leading frames.
constexpr uint32_t extra_frames = 8;

}  // namespace dscope
