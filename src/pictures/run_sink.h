// RunSink: receives what a run has traced, piece by piece. Implemented by reports, timelines and live views.
#pragma once

#include "pictures/run_update.h"

namespace dscope {

class RunSink {
 public:
  virtual ~RunSink() = default;
  // Called once, before BEGIN fires.
  virtual void begin(RunStart start) = 0;
  // Called several times a second at most, unless there are very many rows.
  virtual void add(RunUpdate update) = 0;
  // Called once, after the last update; not if the run fails.
  virtual void end(RunEnd end) = 0;
};

}  // namespace dscope
