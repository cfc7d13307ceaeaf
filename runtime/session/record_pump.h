// RecordPump: moves ring records to the consumer, in passes that are short enough to check for signals in between.
#pragma once

#include <cstddef>

#include "runtime/load/ring_reader.h"
#include "runtime/output/consumer.h"
#include "runtime/session/signal_watch.h"

namespace dscope {

class RecordPump {
 public:
  // The references must outlive the pump.
  RecordPump(RingReader& ring, Consumer& consumer, OutputStream& out) : ring_(ring), consumer_(consumer), out_(out) {}

  bool has_data() const { return ring_.has_data(); }
  // Runs one pass, of at most 20 ms or 16,384 records; returns the number of records.
  size_t pass();
  // Consumes everything that is in the ring now; waits up to 100 ms for a record that is still being written. Stops at
  // the second signal and when the output cannot be written.
  void drain(const SignalWatch& signals);

 private:
  RingReader& ring_;
  Consumer& consumer_;
  OutputStream& out_;
};

}  // namespace dscope
