// A run as one standalone SVG picture.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// The fitting picture of each aggregation, one below the other: a flame graph of additive aggregations with stacks, a
// heat map over time and histograms of distributions, bars of all others. A script in the picture searches and zooms;
// without it (as <img>) the picture shows the same. The picture names all parts that were cut off for size.
// All texts are escaped. Same model, same bytes.
std::string svg_picture(const RunModel& model);

}  // namespace dscope
