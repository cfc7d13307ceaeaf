// A run with everything that pictures and timelines show: stacks, distributions, tables, pairs of probes, rows out of
// order, drops, faults and hostile names. The tests decode its files with programs of others.
#pragma once

#include <vector>

#include "pictures/run_model.h"

namespace dscope::test {

struct CannedRun {
  RunStart start;
  std::vector<RunUpdate> updates;
  RunEnd end;

  RunModel model() const;
};

CannedRun canned_run();
// As above, with `rows` more rows in each update: for measuring.
CannedRun canned_run(size_t rows);

}  // namespace dscope::test
