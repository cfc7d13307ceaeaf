#include "pictures/timeline/perfetto_packets.h"

#include <protozero/pbf_writer.hpp>

#include "support/text/visible_text.h"

namespace dscope {

namespace {

enum PacketField : uint32_t {
  ClockSnapshot = 6,
  Timestamp = 8,
  SequenceId = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  TimestampClockId = 58,
  TrackDescriptor = 60,
  PerfSample = 66
};

constexpr uint32_t realtime_clock = 1, monotonic_clock = 3;  // BuiltinClock
constexpr uint32_t counter_type = 4;                         // TrackEvent.Type

std::string message(const auto& fill) {
  std::string bytes;
  protozero::pbf_writer writer{bytes};
  fill(writer);
  return bytes;
}

std::string clock_message(uint32_t id, uint64_t time_ns) {
  return message([&](auto& clock) {
    clock.add_uint32(1, id);
    clock.add_uint64(2, time_ns);
  });
}

}  // namespace

PerfettoPackets::PerfettoPackets(TimelineSink sink, const TimelineClock& clock)
    : sink_(std::move(sink)), clock_(clock) {}

void PerfettoPackets::packet(std::optional<uint64_t> time_ns, uint32_t field, const std::string& bytes) {
  std::string packet = message([&](auto& writer) {
    if (time_ns) {
      writer.add_uint64(Timestamp, *time_ns);
      writer.add_uint32(TimestampClockId, clock_.is_monotonic() ? monotonic_clock : realtime_clock);
    }
    writer.add_uint32(SequenceId, 1);
    // SEQ_INCREMENTAL_STATE_CLEARED for the first packet: texts are interned from here on.
    writer.add_uint32(SequenceFlags, is_started_ ? 2 : 3);
    if (!new_interned_.empty()) writer.add_message(InternedData, new_interned_);
    writer.add_message(field, bytes);
  });
  is_started_ = true;
  new_interned_.clear();
  sink_(message([&](auto& trace) { trace.add_message(1, packet); }));
}

void PerfettoPackets::clock_snapshot(uint64_t time_ns) {
  packet(std::nullopt, ClockSnapshot, message([&](auto& snapshot) {
           if (clock_.is_monotonic()) snapshot.add_message(1, clock_message(monotonic_clock, time_ns));
           uint64_t system_time = time_ns + static_cast<uint64_t>(clock_.offset_ns());
           snapshot.add_message(1, clock_message(realtime_clock, system_time));
           // The default is CLOCK_BOOTTIME, which the trace does not relate to any other clock.
           snapshot.add_uint32(2, clock_.is_monotonic() ? monotonic_clock : realtime_clock);
         }));
}

void PerfettoPackets::descriptor(const std::string& bytes) { packet(std::nullopt, TrackDescriptor, bytes); }

void PerfettoPackets::process_track(uint64_t track, uint32_t pid, const std::string& name) {
  std::string process = message([&](auto& writer) {
    writer.add_int32(1, static_cast<int32_t>(pid));
    if (!name.empty()) writer.add_string(6, visible_line(name));
  });
  descriptor(message([&](auto& writer) {
    writer.add_uint64(1, track);
    writer.add_message(3, process);
  }));
}

void PerfettoPackets::thread_track(uint64_t track, uint64_t process, uint32_t pid, uint32_t tid,
                                   const std::string& name) {
  std::string thread = message([&](auto& writer) {
    writer.add_int32(1, static_cast<int32_t>(pid));
    writer.add_int32(2, static_cast<int32_t>(tid));
    if (!name.empty()) writer.add_string(5, visible_line(name));
  });
  descriptor(message([&](auto& writer) {
    writer.add_uint64(1, track);
    writer.add_message(4, thread);
    writer.add_uint64(5, process);
  }));
}

void PerfettoPackets::named_track(uint64_t track, uint64_t parent, const std::string& name) {
  descriptor(message([&](auto& writer) {
    writer.add_uint64(1, track);
    writer.add_string(2, visible_line(name));
    if (parent != 0) writer.add_uint64(5, parent);
  }));
}

void PerfettoPackets::counter_track(uint64_t track, uint64_t parent, const std::string& name) {
  descriptor(message([&](auto& writer) {
    writer.add_uint64(1, track);
    writer.add_string(2, visible_line(name));
    if (parent != 0) writer.add_uint64(5, parent);
    writer.add_message(8, std::string{});
  }));
}

uint64_t PerfettoPackets::intern(Interned kind, const std::string& text) {
  auto [found, is_new] = interned_.emplace(std::pair{kind, text}, interned_.size() + 1);
  if (is_new) {
    protozero::pbf_writer writer{new_interned_};
    writer.add_message(static_cast<uint32_t>(kind), message([&](auto& entry) {
                         entry.add_uint64(1, found->second);
                         entry.add_string(2, visible_line(text));
                       }));
  }
  return found->second;
}

void PerfettoPackets::event(const PerfettoEvent& event) {
  packet(event.time_ns, TrackEvent, message([&](auto& writer) {
           if (!event.category.empty()) writer.add_uint64(3, intern(Interned::Category, event.category));
           for (const auto& [name, text] : event.annotations)
             writer.add_message(4, message([&](auto& annotation) {
                                  annotation.add_uint64(1, intern(Interned::AnnotationName, name));
                                  annotation.add_string(6, visible_text(text));
                                }));
           writer.add_uint32(9, static_cast<uint32_t>(event.type));
           writer.add_uint64(11, event.track);
           if (event.is_name_interned) writer.add_uint64(10, intern(Interned::EventName, event.name));
           else if (!event.name.empty()) writer.add_string(23, visible_line(event.name));
         }));
}

void PerfettoPackets::counter(uint64_t time_ns, uint64_t track, int64_t number) {
  packet(time_ns, TrackEvent, message([&](auto& writer) {
           writer.add_uint32(9, counter_type);
           writer.add_uint64(11, track);
           writer.add_int64(30, number);
         }));
}

void PerfettoPackets::counter(uint64_t time_ns, uint64_t track, double number) {
  packet(time_ns, TrackEvent, message([&](auto& writer) {
           writer.add_uint32(9, counter_type);
           writer.add_uint64(11, track);
           writer.add_double(44, number);
         }));
}

void PerfettoPackets::sample(const PerfettoSample& sample) {
  uint64_t stack = stacks_.intern(sample.stack, new_interned_);
  packet(sample.time_ns, PerfSample, message([&](auto& writer) {
           writer.add_uint32(1, sample.cpu);
           writer.add_uint32(2, sample.pid);
           writer.add_uint32(3, sample.tid);
           writer.add_uint64(4, stack);
         }));
}

}  // namespace dscope
