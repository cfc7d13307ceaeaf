// PacketDissector: packets in words, by a program that reads a pcap file from its standard input and prints a line for
// each packet, as `tshark -l -r -` does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "support/fd.h"

namespace dscope {

class PacketDissector {
 public:
  // `program` is searched in PATH and started when the first packet of a link type comes; empty: there is none.
  explicit PacketDissector(std::string program) : program_(std::move(program)) {}
  ~PacketDissector();
  PacketDissector(const PacketDissector&) = delete;
  PacketDissector& operator=(const PacketDissector&) = delete;

  // What the program says of `packet` (with its pcap packet header), newline included; `file_header` is the head of a
  // pcap file with that link type. None: the program cannot be run, gave up, or said nothing for some seconds; it is
  // then not asked again for this link type. SIGPIPE must be ignored: the program may have ended.
  std::optional<std::string> describe(uint32_t link_type, std::string_view file_header, std::string_view packet);

 private:
  struct Process {
    Fd input, output;  // pipes to and from it; none: it could not be run or gave up
    int pid = 0;
  };

  Process start() const;
  static void stop(Process& process);

  std::string program_;
  std::map<uint32_t, Process> processes_;  // by link type
};

}  // namespace dscope
