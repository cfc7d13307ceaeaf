// The packets of a Perfetto trace as protobuf. Field numbers are those of Perfetto's protos/perfetto/trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pictures/timeline/perfetto_stacks.h"
#include "pictures/timeline/timeline_order.h"

namespace dscope {

struct PerfettoEvent {
  enum class Type : uint8_t { SliceBegin = 1, SliceEnd, Instant };

  uint64_t time_ns = 0;
  Type type{};
  uint64_t track = 0;
  std::string name;               // may be empty for SliceEnd
  bool is_name_interned = false;  // the name is one of few
  std::string category;           // interned
  std::vector<std::pair<std::string, std::string>> annotations;
};

// A thread was on a CPU with this call stack, whose innermost frame is the first.
struct PerfettoSample {
  uint64_t time_ns = 0;
  uint32_t cpu = 0, pid = 0, tid = 0;
  std::vector<PictureFrame> stack;
};

// Writes one packet per call. All texts may contain anything; what is written is printable UTF-8. Interned texts are
// kept for the whole trace.
class PerfettoPackets {
 public:
  PerfettoPackets(TimelineSink sink, const TimelineClock& clock);

  void clock_snapshot(uint64_t time_ns);
  // Tracks have numbers other than 0 that the caller chooses. Parent 0: none.
  void process_track(uint64_t track, uint32_t pid, const std::string& name);
  void thread_track(uint64_t track, uint64_t process, uint32_t pid, uint32_t tid, const std::string& name);
  void named_track(uint64_t track, uint64_t parent, const std::string& name);
  void counter_track(uint64_t track, uint64_t parent, const std::string& name);
  void event(const PerfettoEvent& event);
  void counter(uint64_t time_ns, uint64_t track, int64_t number);
  void counter(uint64_t time_ns, uint64_t track, double number);
  void sample(const PerfettoSample& sample);

 private:
  enum class Interned : uint32_t { Category = 1, EventName = 2, AnnotationName = 3 };  // fields of InternedData

  uint64_t intern(Interned kind, const std::string& text);
  void descriptor(const std::string& bytes);
  void packet(std::optional<uint64_t> time_ns, uint32_t field, const std::string& bytes);

  TimelineSink sink_;
  TimelineClock clock_;
  bool is_started_ = false;
  std::map<std::pair<Interned, std::string>, uint64_t> interned_;
  PerfettoStacks stacks_;
  std::string new_interned_;  // InternedData of the next packet
};

}  // namespace dscope
