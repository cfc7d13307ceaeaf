// The shape of a plan: what codegen reads of records, keys, storage and programs.
#pragma once

#include "frontend/machine/value_sink.h"
#include "frontend/plan/plan_builder.h"

namespace dscope {

// The options that codegen reads.
void describe_options(const Semantics& meaning, const OptionValues& options, ValueSink& out);
// Clauses, aggregations, variables, programs, members of kernel objects.
void describe_plan(const CompiledPlan& compiled, ValueSink& out);

}  // namespace dscope
