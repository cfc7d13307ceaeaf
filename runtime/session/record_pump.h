// RecordPump: moves ring records to the consumer, in passes that are short enough to check for signals in between.
#pragma once

#include <cstddef>

#include "runtime/load/ring_set.h"
#include "runtime/output/consumer.h"
#include "runtime/session/session_messages.h"

namespace dscope {

class RecordPump {
 public:
  // The references must outlive the pump.
  RecordPump(RingSet& ring, Consumer& consumer, OutputStream& out, SessionMessages& messages)
      : ring_(ring), consumer_(consumer), out_(out), messages_(messages) {}

  bool has_data() const { return ring_.has_data(); }
  // Runs one pass, of at most 16,384 records or about 20 ms, tested every 8 to 128 records; returns the number of
  // records. A record that the consumer fails to print, because there is no memory, is reported and skipped.
  size_t pass();
  // Consumes everything that is in the ring now; waits up to 100 ms for a record that is still being written. Stops
  // when the output cannot be written.
  void drain();

 private:
  RingSet& ring_;
  Consumer& consumer_;
  OutputStream& out_;
  SessionMessages& messages_;
};

}  // namespace dscope
