// The only file of pictures that catches exceptions of cereal.
#include "pictures/run_stream.h"
#include "support/byte_archive.h"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstring>
#include <optional>

namespace dscope {

// Found by argument-dependent lookup. The order of the fields is the format; both ends are of the same release.
template <typename A>
void serialize(A& a, PictureFrame& v) {
  a(v.text, v.is_kernel);
}
template <typename A>
void serialize(A& a, PictureKey& v) {
  a(v.kind, v.text, v.frames);
}
template <typename A>
void serialize(A& a, PictureBucket& v) {
  a(v.low, v.high, v.count);
}
template <typename A>
void serialize(A& a, PictureParts& v) {
  a(v.count, v.sum, v.sum_of_squares);
}
template <typename A>
void serialize(A& a, PictureValue& v) {
  a(v.numbers, v.buckets, v.parts);
}
template <typename A>
void serialize(A& a, PictureAggregation& v) {
  a(v.name, v.function, v.keys, v.columns, v.is_unsigned, v.bucket_ends, v.source_hash);
}
template <typename A>
void serialize(A& a, PictureProbe& v) {
  a(v.provider, v.module, v.function, v.name);
}
template <typename A>
void serialize(A& a, PictureInterval& v) {
  a(v.clause, v.name, v.is_begin);
}
template <typename A>
void serialize(A& a, RunStart& v) {
  a(v.program_name, v.command_line, v.script, v.host, v.kernel, v.start_ns, v.start_monotonic_ns, v.targets, v.probes,
    v.aggregations, v.intervals, v.metric_rules, v.metric_idle_ns);
}
template <typename A>
void serialize(A& a, NewElement& v) {
  a(v.aggregation, v.keys, v.is_overflow, v.created_ns, v.number);
}
template <typename A>
void serialize(A& a, ElementChange& v) {
  a(v.aggregation, v.element, v.value, v.is_removed);
}
template <typename A>
void serialize(A& a, PictureRow& v) {
  a(v.time_ns, v.monotonic_ns, v.probe, v.clause, v.cpu, v.pid, v.tid, v.execname, v.text, v.stack);
}
template <typename A>
void serialize(A& a, PictureFault& v) {
  a(v.time_ns, v.probe, v.text);
}
template <typename A>
void serialize(A& a, PictureDrop& v) {
  a(v.time_ns, v.text, v.kind, v.count);
}
template <typename A>
void serialize(A& a, ProgramCostPart& v) {
  a(v.name, v.cpu_ns, v.firings, v.suspensions, v.is_suspended);
}
template <typename A>
void serialize(A& a, RunCost& v) {
  a(v.consumer_cpu_ns, v.program_cpu_ns, v.firings, v.programs);
}
template <typename A>
void serialize(A& a, TableFill& v) {
  a(v.aggregation, v.elements, v.capacity);
}
template <typename A>
void serialize(A& a, RunUpdate& v) {
  a(v.time_ns, v.probes, v.new_elements, v.changes, v.rows, v.lost_rows, v.faults, v.drops, v.cost, v.fills);
}
template <typename A>
void serialize(A& a, RunEnd& v) {
  a(v.time_ns, v.exit_status);
}

namespace {

template <typename Message>
RunMessage unpacked(ByteInput& archive) {
  Message message;
  archive(message);
  return message;
}

RunMessage unpack(std::string_view frame) {
  ByteInput archive(frame);
  uint8_t kind = 0;
  archive(kind);
  if (kind == 0) return unpacked<RunStart>(archive);
  if (kind == 1) return unpacked<RunUpdate>(archive);
  if (kind == 2) return unpacked<RunEnd>(archive);
  throw cereal::Exception("unknown message");
}

}  // namespace

std::string pack_message(const RunMessage& message) {
  uint32_t size = 0;
  std::string frame(sizeof size, '\0');
  ByteOutput archive(frame);
  archive(static_cast<uint8_t>(message.index()));
  std::visit([&](const auto& each) { archive(each); }, message);
  size = static_cast<uint32_t>(frame.size() - sizeof size);
  std::memcpy(frame.data(), &size, sizeof size);
  return frame;
}

Result<std::optional<RunMessage>> RunStreamReader::next() {
  uint32_t size = 0;
  if (bytes_.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, bytes_.data(), sizeof size);
  if (size > max_frame_bytes) return fail(Error::make("a message of {} bytes is too long", size));
  if (bytes_.size() - sizeof size < size) return std::nullopt;
  try {
    RunMessage message = unpack(std::string_view(bytes_).substr(sizeof size, size));
    bytes_.erase(0, sizeof size + size);
    return message;
  } catch (const std::exception& exception) {
    return fail(Error::make("a message cannot be read: {}", exception.what()));
  }
}

}  // namespace dscope
