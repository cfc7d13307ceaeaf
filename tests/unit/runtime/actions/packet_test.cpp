// pcap() on a stream that is not a file: packets as text by a program such as tshark, else as a byte dump.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/actions/packet_dissector.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

namespace fs = std::filesystem;

const std::string bytes_of_packet =
    "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
    "         0: 45 01                                            E.\n";

class PacketTest : public OutputTest {
 protected:
  PacketTest() {
    set(OptionId::Quiet);
    ::signal(SIGPIPE, SIG_IGN);
    std::string pattern = (fs::temp_directory_path() / "dscope-packet-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~PacketTest() override { fs::remove_all(folder_); }

  // Installs a program for packets of two bytes. It prints its arguments and its input.
  void describe_by(const std::string& shell_text) {
    settings.packet_program = folder_ / "words";
    std::ofstream(settings.packet_program) << "#!/bin/sh\n" << shell_text;
    fs::permissions(settings.packet_program, fs::perms::owner_all);
    restart();
  }
  std::string packet(uint32_t captured = 2, int32_t protocol = 12) {
    CannedClause canned = clause();
    std::vector<Field> fields{canned.layout.integer(uint64_t{1}), canned.layout.integer(captured),
                              canned.layout.integer(uint32_t{60}), canned.layout.integer(protocol),
                              canned.layout.raw("E\x01##")};
    canned.action(Action::Pcap, fields);
    return print(canned);
  }

 private:
  fs::path folder_;
};

TEST_F(PacketTest, DumpsBytesWithoutProgram) {
  EXPECT_EQ(packet(), bytes_of_packet);
  EXPECT_EQ(packet(0), "") << "NULL";
}

TEST_F(PacketTest, ProgramReadsFileHeaderThenPacket) {
  describe_by(R"(
    type=$(head -c 24 | tail -c 4 | od -A n -t d4)
    echo $* type $type:$(head -c 18 | tail -c 2 | od -A n -t x1))");
  EXPECT_EQ(packet(), "-l -r - type 12: 45 01\n");
  EXPECT_EQ(packet(2, 1), "-l -r - type 1: 45 01\n");
  EXPECT_EQ(packet(0), "") << "NULL";
}

TEST_F(PacketTest, DumpsBytesIfProgramFails) {
  settings.packet_program = "/nonexistent/program";
  EXPECT_EQ(packet(), bytes_of_packet);
}

TEST_F(PacketTest, EachLinkTypeRunsOneProgramUntilItExits) {
  describe_by(R"(
    n=0; head=$(head -c 4)
    while [ $n -lt 3 ] && text=$(head -c 2) && [ -n "$text" ]; do n=$((n + 1)); echo $head $n $text; done)");
  PacketDissector dissector(settings.packet_program);
  EXPECT_EQ(dissector.describe(1, "head", "p1"), "head 1 p1\n");
  EXPECT_EQ(dissector.describe(1, "head", "p2"), "head 2 p2\n");
  EXPECT_EQ(dissector.describe(12, "HEAD", "q1"), "HEAD 1 q1\n");
  EXPECT_EQ(dissector.describe(1, "head", "p3"), "head 3 p3\n");
  EXPECT_EQ(dissector.describe(1, "head", "p4"), std::nullopt);
  EXPECT_EQ(dissector.describe(1, "head", "p5"), std::nullopt) << "the program is not restarted";
  EXPECT_EQ(dissector.describe(12, "HEAD", "q2"), "HEAD 2 q2\n");
}

TEST_F(PacketTest, ProgramOutputCannotControlTheTerminal) {
  describe_by("head -c 42 >/dev/null; printf 'a\\033b\\n'; cat >/dev/null");
  out = CaptureStream{true};
  EXPECT_EQ(packet(), "a^[b\n");
}

}  // namespace
}  // namespace dscope::test
