// PacketDissector: describes packets through an external program that reads a pcap file from its standard input and
// prints one line per packet, as `tshark -l -r -` does.
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
  // `program` is searched in PATH and started at the first packet of each link type. Empty: describe() returns nothing.
  explicit PacketDissector(std::string program) : program_(std::move(program)) {}
  ~PacketDissector();
  PacketDissector(const PacketDissector&) = delete;
  PacketDissector& operator=(const PacketDissector&) = delete;

  // The program's line for `packet` (which starts with its pcap packet header), newline included. `file_header` is the
  // file header of a pcap file of that link type. Returns nothing if the program cannot run, has exited, or prints no
  // line within 10 seconds; from then on it is not used for this link type. The caller must ignore SIGPIPE, because the
  // program may have exited.
  std::optional<std::string> describe(uint32_t link_type, std::string_view file_header, std::string_view packet);

 private:
  struct Process {
    Fd input, output;  // pipes to and from the program; closed if it could not run or has failed
    int pid = 0;
  };

  Process start() const;
  static void stop(Process& process);

  std::string program_;
  std::map<uint32_t, Process> processes_;  // by link type
};

}  // namespace dscope
