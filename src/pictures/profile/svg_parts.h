// The pictures of one aggregation, each drawn below what the canvas has.
#pragma once

#include "pictures/profile/svg_canvas.h"
#include "pictures/run_model.h"

namespace dscope {

// For additive aggregations with stacks. Frames narrower than 0.1 % of the whole are cut.
void draw_flame_graph(SvgCanvas& canvas, const AggregationModel& aggregation);

// For distributions: the counts of all keys together by time and bucket, and a histogram for all and each of the keys
// with the most values.
void draw_heat_map(SvgCanvas& canvas, const AggregationModel& aggregation);
void draw_histograms(SvgCanvas& canvas, const AggregationModel& aggregation);

// For all others: the greatest numbers. percentile() has a bar for each of its columns.
void draw_bars(SvgCanvas& canvas, const AggregationModel& aggregation);

}  // namespace dscope
