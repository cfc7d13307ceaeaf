// What programs do, counted by probes, against what the kernel's own books and other counters say of the same work.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

// Reads and writes files and a pipe between two calls of getppid(), and prints by how much rchar and wchar of
// /proc/self/io have grown, without the reading of the first of them.
constexpr const char* program = R"(
import os, sys
def books():
    text = open("/proc/self/io").read()
    return [int(line.split()[1]) for line in text.splitlines()[:2]], len(text)
path = sys.argv[1]
before, size = books()
os.getppid()
for length in (1, 777, 65536, 300000):
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    for i in range(20):
        os.write(file, b"x" * length)
        os.pwrite(file, b"y" * 100, i * 10)
    os.lseek(file, 0, 0)
    while os.read(file, 4096): pass
    os.preadv(file, [bytearray(10), bytearray(20)], 5)
    os.close(file)
reader, writer = os.pipe()
for i in range(100):
    os.write(writer, b"z" * 50)
    os.read(reader, 100)
try: os.read(99, 1)
except OSError: pass
os.getppid()
after, _ = books()
print(after[0] - before[0] - size, after[1] - before[1])
)";

TEST(RealWork, BytesReadAndWrittenAreThoseOfTheKernelsBooks) {
  SKIP_UNLESS_TRACING();
  if (run({"python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work.py", data = DSCOPE_TRIGGERS "/real_work.data";
  std::ofstream(path) << program;
  // The work may be done by a child, if python3 is a script that finds the real one.
  Outcome outcome = dscope({"-qn",
                            "int read, written; self int works;"
                            "syscall::getppid:entry /execname == \"python3\" && progenyof($target)/"
                            "{ self->works = !self->works; }"
                            "sysinfo:::readch /self->works/ { read += args[0]; }"
                            "sysinfo:::writech /self->works/ { written += args[0]; }"
                            "END { printf(\"%d %d\\n\", read, written); }",
                            "-c", fmt::format("python3 {} {}", path, data)});
  std::filesystem::remove(path);
  std::filesystem::remove(data);
  std::istringstream text(outcome.out);
  long counted[2] = {}, kept[2] = {};
  text >> kept[0] >> kept[1] >> counted[0] >> counted[1];
  EXPECT_GT(kept[0], 7'000'000) << outcome.out << outcome.err;
  EXPECT_EQ(counted[0], kept[0]) << outcome.err;
  EXPECT_EQ(counted[1], kept[1]) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
