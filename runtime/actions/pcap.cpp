// pcap(): packets go to the file of freopen() in the format that tcpdump and wireshark read, else they are shown as
// bytes (consumer-and-actions.md 3.20).
#include <ctime>

#include "runtime/actions/actions.h"
#include "runtime/output/raw_dump.h"
#include "runtime/output/value.h"

namespace dscope {

namespace {

constexpr uint64_t second = 1000000000;

// The head of a pcap file and of each packet, in the byte order of this machine.
struct FileHeader {
  uint32_t magic = 0xa1b23c4d;  // times in nanoseconds
  uint16_t major = 2, minor = 4;
  int32_t zone = 0;
  uint32_t accuracy = 0;
  uint32_t longest = 65535;
  uint32_t link_type = 0;
};
struct PacketHeader {
  uint32_t seconds = 0, nanoseconds = 0;
  uint32_t captured = 0, length = 0;
};

template <typename T>
std::string_view bytes_of(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

uint64_t now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * second + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

void run_pcap(const ActionCall& call, const ActionServices& services, std::string& out) {
  constexpr size_t time_field = 0, captured_field = 1, length_field = 2, protocol_field = 3, data_field = 4;
  const Field* data = call.field(data_field);
  if (!data) return;
  auto number = [&](size_t field) { return static_cast<uint64_t>(load_integer(*call.field(field), call.record)); };
  auto captured = static_cast<uint32_t>(std::min<uint64_t>(number(captured_field), data->size));
  if (captured == 0) return;
  std::span<const std::byte> bytes = field_bytes(*data, call.record).first(captured);
  uint64_t time = number(time_field) - now(CLOCK_BOOTTIME) + now(CLOCK_REALTIME);
  FileHeader file{.link_type = static_cast<uint32_t>(number(protocol_field))};
  PacketHeader packet{.seconds = static_cast<uint32_t>(time / second),
                      .nanoseconds = static_cast<uint32_t>(time % second),
                      .captured = captured,
                      .length = static_cast<uint32_t>(number(length_field))};
  std::string text{bytes_of(packet)};
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // The row around the packet is no part of the file.
  if (services.out.write_data(bytes_of(file), text)) out.clear();
  else append_raw_dump(out, bytes);
}

}  // namespace dscope
