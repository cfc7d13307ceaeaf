// CtfWriter: a run as a trace in the Common Trace Format 1.8, which babeltrace2 reads: a directory with the files
// `metadata` (text) and `stream` (packets of events), written while the run goes on.
//
// Rows become events named after their probes, of one class per clause. Faults and drops are the events dscope:fault
// and dscope:drop. The packets count rows that were lost as discarded events.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pictures/timeline/timeline_order.h"

namespace dscope {

class CtfWriter {
 public:
  static constexpr size_t max_packet_bytes = 65'536;  // or one event, if it is larger

  // Each call of a sink passes whole declarations or packets. The metadata of an event precedes it.
  CtfWriter(TimelineSink metadata, TimelineSink stream);

  // begin() comes first and end() last, each once. Updates are in the order of the run. Same calls, same bytes.
  void begin(const RunStart& start);
  // Rows are written when the update after them comes, because its rows may precede them.
  void add(const RunUpdate& update);
  void end(const RunEnd& end);

 private:
  uint32_t class_of(const PictureRow& row);
  void write(const TimelineEvent& event);
  std::string event_bytes(const PictureRow& row);
  std::string event_bytes(const PictureFault& fault);
  std::string event_bytes(const PictureDrop& drop);
  void finish_packet();

  TimelineSink metadata_, stream_;
  TimelineClock clock_;
  TimelineOrder order_;
  std::vector<PictureProbe> probes_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> classes_;  // by probe and clause
  std::string packet_;                                         // its events
  uint64_t packet_begin_ns_ = 0, last_ns_ = 0;
  uint64_t packet_count_ = 0;
  uint64_t discarded_ = 0;  // since the start
  uint64_t discarded_written_ = 0;
};

}  // namespace dscope
