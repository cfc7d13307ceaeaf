// pcap(): writes packets to the file of freopen() in the format of tcpdump and wireshark; without such a file prints
// the dissector's line, or the bytes (consumer-and-actions.md 3.20).
#include <ctime>

#include "runtime/actions/actions.h"
#include "runtime/format/raw_dump.h"
#include "runtime/format/value.h"

namespace dscope {

namespace {

constexpr uint64_t second = 1000000000;

// The headers of a pcap file and of each packet (pcap-savefile(5)), in the byte order of this machine.
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

std::optional<Packet> recorded_packet(const RecordedAction& call) {
  constexpr size_t time_field = 0, captured_field = 1, length_field = 2, protocol_field = 3, data_field = 4;
  const Field* data = call.field(data_field);
  if (!data) return std::nullopt;
  auto number = [&](size_t field) { return static_cast<uint64_t>(load_integer(*call.field(field), call.record)); };
  uint64_t captured = std::min<uint64_t>(number(captured_field), data->size);
  if (captured == 0) return std::nullopt;
  return Packet{.time_ns = number(time_field) - now(CLOCK_BOOTTIME) + now(CLOCK_REALTIME),
                .length = static_cast<uint32_t>(number(length_field)),
                .protocol = static_cast<uint32_t>(number(protocol_field)),
                .bytes = field_bytes(*data, call.record).first(captured)};
}

void run_Pcap(const RecordedAction& call, const ActionServices& services, std::string& out) {
  std::optional<Packet> packet = recorded_packet(call);
  if (!packet) return;
  FileHeader file{.link_type = packet->protocol};
  PacketHeader head{.seconds = static_cast<uint32_t>(packet->time_ns / second),
                    .nanoseconds = static_cast<uint32_t>(packet->time_ns % second),
                    .captured = static_cast<uint32_t>(packet->bytes.size()),
                    .length = packet->length};
  std::string text{bytes_of(head)};
  text.append(reinterpret_cast<const char*>(packet->bytes.data()), packet->bytes.size());
  if (services.out.write_data(bytes_of(file), text)) {
    // The file holds packets only, not the prefix of the row.
    out.clear();
  } else if (auto words = services.packets.describe(packet->protocol, bytes_of(file), text)) {
    services.values.append_text(out, *words);
  } else {
    append_raw_dump(out, packet->bytes);
  }
}

}  // namespace dscope
