#include "pictures/timeline/ctf_writer.h"

#include <algorithm>
#include <string_view>

#include "pictures/timeline/probe_pairs.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

enum EventClass : uint32_t { FaultClass, DropClass, FirstRowClass };

// The types and the layout of packets: CTF 1.8, appendix C. All integers are aligned to bytes.
constexpr std::string_view layout = R"(
trace {
  major = 1;
  minor = 8;
  byte_order = le;
  packet.header := struct {
    uint32_t magic;
    uint32_t stream_id;
  };
};
)";
constexpr std::string_view types = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
)";
constexpr std::string_view stream_layout = R"(
typealias integer { size = 64; align = 8; signed = false; map = clock.dscope_clock.value; } := clock_t;
stream {
  id = 0;
  packet.context := struct {
    clock_t timestamp_begin;
    clock_t timestamp_end;
    uint64_t content_size;
    uint64_t packet_size;
    uint64_t packet_seq_num;
    uint64_t events_discarded;
  };
  event.header := struct {
    uint32_t id;
    clock_t timestamp;
  };
};
)";
constexpr size_t packet_header_bytes = 2 * 4 + 6 * 8;

// A string literal of the metadata language, which has the syntax of C.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : visible_line(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

template <typename T>
void append_number(std::string& out, T number) {
  for (size_t i = 0; i < sizeof number; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

// A zero byte ends a string; in visible text there is none.
void append_text(std::string& out, std::string_view text) {
  out += text;
  out += '\0';
}

std::string clock_declaration(const TimelineClock& clock) {
  constexpr int64_t second = 1'000'000'000;
  return fmt::format(
      "clock {{\n  name = dscope_clock;\n  description = \"{}\";\n  freq = {};\n  offset_s = {};\n"
      "  offset = {};\n}};\n",
      clock.is_monotonic() ? "CLOCK_MONOTONIC" : "the system clock when the row was printed", second,
      clock.offset_ns() / second, clock.offset_ns() % second);
}

std::string event_declaration(uint32_t id, std::string_view name, std::string_view fields) {
  return fmt::format("event {{\n  id = {};\n  stream_id = 0;\n  name = {};\n  fields := struct {{ {} }};\n}};\n", id,
                     quoted(name), fields);
}

}  // namespace

CtfWriter::CtfWriter(TimelineSink metadata, TimelineSink stream)
    : metadata_(std::move(metadata)), stream_(std::move(stream)) {}

void CtfWriter::begin(const RunStart& start) {
  clock_ = TimelineClock{start};
  probes_ = start.probes;
  last_ns_ = clock_.from_system_time(start.start_ns);
  std::string text = std::string(types) + std::string(layout);
  text += fmt::format(
      "env {{\n  hostname = {};\n  tracer_name = {};\n  kernel = {};\n  command = {};\n  script = {};\n}};\n",
      quoted(start.host), quoted(start.program_name), quoted(start.kernel), quoted(start.command_line),
      quoted(start.script));
  text += clock_declaration(clock_);
  text += stream_layout;
  text += event_declaration(FaultClass, "dscope:fault", "string probe; string text;");
  text += event_declaration(DropClass, "dscope:drop", "string kind; uint64_t count; string text;");
  metadata_(text);
}

uint32_t CtfWriter::class_of(const PictureRow& row) {
  auto [found, is_new] = classes_.try_emplace({row.probe, row.clause}, FirstRowClass + classes_.size());
  if (is_new) {
    std::string name = row.probe < probes_.size() ? probe_text(probes_[row.probe]) : "unknown";
    metadata_(
        event_declaration(found->second, name,
                          "uint32_t pid; uint32_t tid; uint32_t cpu; uint32_t clause; string execname; string text;"));
  }
  return found->second;
}

std::string CtfWriter::event_bytes(const PictureRow& row) {
  std::string bytes;
  append_number(bytes, class_of(row));
  append_number(bytes, last_ns_);
  for (uint32_t number : {row.pid, row.tid, row.cpu, row.clause}) append_number(bytes, number);
  append_text(bytes, visible_line(row.execname));
  append_text(bytes, visible_text(row.text));
  return bytes;
}

std::string CtfWriter::event_bytes(const PictureFault& fault) {
  std::string bytes;
  append_number(bytes, uint32_t{FaultClass});
  append_number(bytes, last_ns_);
  append_text(bytes, fault.probe < probes_.size() ? visible_line(probe_text(probes_[fault.probe])) : "");
  append_text(bytes, visible_line(fault.text));
  return bytes;
}

std::string CtfWriter::event_bytes(const PictureDrop& drop) {
  std::string bytes;
  append_number(bytes, uint32_t{DropClass});
  append_number(bytes, last_ns_);
  append_text(bytes, visible_line(drop.kind));
  append_number(bytes, drop.count);
  append_text(bytes, visible_line(drop.text));
  return bytes;
}

void CtfWriter::write(const TimelineEvent& event) {
  // The times of a stream must not go back. An event later than TimelineOrder waits gets the time of its predecessor.
  last_ns_ = std::max(last_ns_, event.time_ns);
  std::string bytes = std::visit([&](const auto& what) { return event_bytes(what); }, event.what);
  if (packet_header_bytes + packet_.size() + bytes.size() > max_packet_bytes && !packet_.empty()) finish_packet();
  if (packet_.empty()) packet_begin_ns_ = last_ns_;
  packet_ += bytes;
}

void CtfWriter::finish_packet() {
  if (packet_.empty()) packet_begin_ns_ = last_ns_;
  constexpr uint32_t magic = 0xc1fc1fc1, stream_id = 0;
  uint64_t size_bits = 8 * (packet_header_bytes + packet_.size());
  std::string bytes;
  append_number(bytes, magic);
  append_number(bytes, stream_id);
  for (uint64_t number : {packet_begin_ns_, last_ns_, size_bits, size_bits, packet_count_, discarded_})
    append_number(bytes, number);
  bytes += packet_;
  stream_(bytes);
  packet_.clear();
  ++packet_count_;
  discarded_written_ = discarded_;
}

void CtfWriter::add(const RunUpdate& update) {
  probes_.insert(probes_.end(), update.probes.begin(), update.probes.end());
  for (const TimelineEvent& event : order_.add(update, clock_)) write(event);
  discarded_ += update.lost_rows;
  for (const PictureDrop& drop : update.drops)
    if (drop.loses_rows()) discarded_ += drop.count;
  if (!packet_.empty()) finish_packet();
}

void CtfWriter::end(const RunEnd& end) {
  for (const TimelineEvent& event : order_.take_rest()) write(event);
  bool is_first = packet_count_ == 0;
  if (packet_.empty() && !is_first && discarded_ == discarded_written_) return;
  last_ns_ = std::max(last_ns_, clock_.from_system_time(end.time_ns));
  finish_packet();
}

}  // namespace dscope
