// Runs with every kind of picture, for tests in a browser and for measurements. They are the same in each build.
#pragma once

#include "pictures/run_model.h"

namespace dscope::test {

RunModel number_run();        // counts, sums beyond 2^53, averages, percentiles
RunModel distribution_run();  // quantize(), lquantize(), llquantize()
// Samples of processes with kernel, user, inlined and JIT frames. `seed` changes the weights.
RunModel stack_run(uint32_t seed);
RunModel row_run();      // rows, faults and drops
RunModel hostile_run();  // attempts of injection in every text
RunModel large_run();    // 50,000 frames
RunModel empty_run();

}  // namespace dscope::test
