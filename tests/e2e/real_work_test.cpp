// Compares counts from probes with the kernel's own statistics, and other counters, of the same work.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "e2e_support.h"
#include "support/format.h"
#include "support/text/format_join.h"

namespace dscope::e2e {
namespace {

// Reads and writes files and a pipe between two calls of getppid(), and prints the growth of rchar and wchar of
// /proc/self/io, minus the bytes of the first read of that file itself.
constexpr const char* reader_and_writer = R"(
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

TEST(RealWork, ReadAndWrittenBytesMatchProcIo) {
  SKIP_UNLESS_TRACING();
  if (run({"python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work.py", data = DSCOPE_TRIGGERS "/real_work.data";
  std::ofstream(path) << reader_and_writer;
  // If python3 is a wrapper script, a child does the work.
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

// ---------------------------------------------------------------- compilers

// Reads numbers by name from lines that begin with one and end with the other.
std::map<std::string, long> table(const std::string& text, bool is_name_first) {
  std::map<std::string, long> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> row{std::istream_iterator<std::string>(words), {}};
    if (row.size() < 2) continue;
    const std::string& number = is_name_first ? row.back() : row[std::min<size_t>(3, row.size() - 1)];
    rows[is_name_first ? row.front() : row.back()] = std::strtol(number.c_str(), nullptr, 10);
  }
  return rows;
}

// Counts each system call of a compiler, an assembler and a linker. Some counts vary: the sizes of mappings depend on
// their addresses, and the number of tries for a temporary file name depends on existing names. Only strace sees the
// first exec, and it counts no call that does not return.
TEST(RealWork, CompilerCallsMatchStrace) {
  SKIP_UNLESS_TRACING();
  if (run({"strace", "-V"}).status != 0) GTEST_SKIP() << "no strace";
  std::string source = DSCOPE_TRIGGERS "/real_work.c", made = DSCOPE_TRIGGERS "/real_work.out",
              counted = DSCOPE_TRIGGERS "/real_work.strace";
  std::ofstream(source) << "#include <stdio.h>\nint main(void) { return puts(\"works\") < 0; }\n";
  std::vector<std::string> compiler{DSCOPE_CC, "-O1", "-o", made, source};
  ASSERT_EQ(run(compiler).status, 0);  // from now on the output file exists
  std::vector<std::string> traced{"strace", "-f", "-c", "-o", counted};
  traced.insert(traced.end(), compiler.begin(), compiler.end());
  if (run(traced).status != 0) GTEST_SKIP() << "strace cannot trace here";
  std::stringstream text;
  text << std::ifstream(counted).rdbuf();
  Outcome outcome = dscope({"-q", "-x", "evaltime=exec", "-n",
                            "syscall:::entry /pid == $target || progenyof($target)/ { @[probefunc] = count(); }"
                            "END { printa(\"%s %@d\\n\", @); }",
                            "-c", fmt::format("{}", fmt::join(compiler, " "))});
  for (const std::string& path : {source, made, counted}) std::filesystem::remove(path);
  auto theirs = table(text.str(), false), ours = table(outcome.out, true);
  long calls = 0;
  for (const auto& [name, count] : ours) {
    constexpr std::string_view others[] = {"brk",   "mmap",   "munmap",     "mprotect",
                                           "futex", "execve", "exit_group", "getrandom"};
    if (std::ranges::find(others, name) != std::end(others)) continue;
    EXPECT_EQ(count, theirs[name]) << name;
    calls += count;
  }
  EXPECT_GT(calls, 200) << outcome.out << outcome.err;
}

// ---------------------------------------------------------------- servers on loopback

// Web server and clients in one process. Prints the number of connections and of bytes received.
constexpr const char* web_server = R"(
import http.server, os, socket, sys, threading
class Page(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass
os.chdir(sys.argv[2])
server = http.server.ThreadingHTTPServer(("127.77.7.9", int(sys.argv[1])), Page)
threading.Thread(target=server.serve_forever).start()
got = 0
for i in range(40):
    client = socket.create_connection(server.server_address)
    client.sendall(b"GET /real_work.page HTTP/1.0\r\n\r\n")
    while part := client.recv(65536): got += len(part)
    client.close()
server.shutdown()
print(40, got)
)";

TEST(RealWork, WebServerBytesMatchClientBytes) {
  SKIP_UNLESS_TRACING();
  if (run({"python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work_web.py", page = DSCOPE_TRIGGERS "/real_work.page";
  std::ofstream(path) << web_server;
  std::ofstream(page) << std::string(70000, 'p');
  constexpr int port = 18077;  // on a loopback address that nothing else uses
  Outcome outcome = dscope(
      {"-qn",
       fmt::format("int accepted, connected, bytes, received;"
                   "tcp:::accept-established /args[4]->tcp_dport == {0}/ {{ accepted++; }}"
                   "tcp:::connect-established /args[4]->tcp_sport == {0}/ {{ connected++; }}"
                   "tcp:::send /args[4]->tcp_sport == {0}/ {{ bytes += args[2]->ip_plength - args[4]->tcp_offset; }}"
                   "tcp:::receive /args[4]->tcp_sport == {0}/"
                   "{{ received += args[2]->ip_plength - args[4]->tcp_offset; }}"
                   "END {{ printf(\"%d %d %d %d\\n\", accepted, connected, bytes, received); }}",
                   port),
       "-c", fmt::format("python3 {} {} {}", path, port, DSCOPE_TRIGGERS)});
  for (const std::string& file : {path, page}) std::filesystem::remove(file);
  std::istringstream text(outcome.out);
  long connections = 0, bytes = 0, counted[4] = {};
  text >> connections >> bytes >> counted[0] >> counted[1] >> counted[2] >> counted[3];
  EXPECT_GT(bytes, 40 * 70000) << outcome.out << outcome.err;
  EXPECT_EQ(counted[0], connections);
  EXPECT_EQ(counted[1], connections);
  EXPECT_EQ(counted[2], bytes);
  EXPECT_EQ(counted[3], bytes);
}

// Creates a database in $1, serves it on port $2, and runs the remaining arguments. Status 77: PostgreSQL cannot run
// here.
constexpr const char* database = R"(
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :)
command -v initdb postgres psql pgbench setpriv >/dev/null || exit 77
as_user="setpriv --reuid=nobody --regid=nogroup --clear-groups"
data=$1; export PATH PGHOST=127.0.0.1 PGPORT=$2 PGUSER=postgres; shift 2
mkdir $data && chown nobody $data && cd / && exec 3>$data.log
$as_user initdb -D $data -A trust -N -U postgres >&3 2>&1 || exit 77
$as_user postgres -D $data -k $data -c listen_addresses=127.0.0.1 -p $PGPORT >&3 2>&1 &
server=$!
until psql -Atc 'select 1' postgres >&3 2>&1; do kill -0 $server || exit 77; done
pgbench -i -q postgres >&3 2>&1
"$@"
status=$?
kill -INT $server; wait $server
rm -rf $data $data.log
exit $status
)";

TEST(RealWork, DatabaseQueriesMatchClientQueries) {
  SKIP_UNLESS_TRACING();
  std::string data = fmt::format("/tmp/dscope_real_work.{}", ::getpid()), script = data + ".sh";
  std::ofstream(script) << database;
  constexpr const char* port = "18078";
  std::string program = fmt::format(
      "int queries, commits, connections;"
      "postgresql*:::query-start {{ self->asks = strstr(copyinstr(arg0), \"SELECT abalance\") != NULL; }}"
      "postgresql*:::query-start /self->asks/ {{ queries++; }}"
      "postgresql*:::transaction-commit /self->asks/ {{ commits++; self->asks = 0; }}"
      "tcp:::accept-established /args[4]->tcp_dport == {}/ {{ connections++; }}"
      "END {{ printf(\"%d %d %d\\n\", queries, commits, connections); }}",
      port);
  Outcome outcome =
      run({"sh", script, data, port, DSCOPE_PROGRAM, "-qn", program, "-c", "pgbench -n -S -c 2 -t 100 postgres"});
  for (const std::string& path : {script, data + ".log"}) std::filesystem::remove(path);
  std::filesystem::remove_all(data);
  if (outcome.status == 77) GTEST_SKIP() << "no postgresql";
  EXPECT_NE(outcome.out.find("actually processed: 200/200"), std::string::npos) << outcome.out << outcome.err;
  // Two clients, and one connection for pgbench's own start-up queries.
  EXPECT_NE(outcome.out.find("\n200 200 3\n"), std::string::npos) << outcome.out << outcome.err;
}

// Connects to a server whose accept queue is full, until the kernel retransmits the SYN.
constexpr const char* asked_again = R"(
import socket, struct, sys
address = ("127.77.7.11", int(sys.argv[1]))
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(address)
server.listen(0)
taken = socket.create_connection(address)
client = socket.socket()
client.setblocking(False)
try: client.connect(address)
except BlockingIOError: pass
# tcpi_retransmits of struct tcp_info. The sleep only waits; nothing measures it.
while client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)[2] == 0:
    try: socket.create_connection(("127.77.7.12", 1), 0.01)
    except OSError: pass
)";

TEST(RealWork, RetransmittedConnectIsOneRequest) {
  SKIP_UNLESS_TRACING();
  if (run({"python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work_asked.py";
  std::ofstream(path) << asked_again;
  constexpr int port = 18079;
  Outcome outcome =
      dscope({"-qn",
              fmt::format("int requests, again; tcp:::connect-request /args[4]->tcp_dport == {0}/ {{ requests++; }}"
                          "tcp:::send /args[4]->tcp_dport == {0} && args[3]->tcps_retransmit/ {{ again++; }}"
                          "END {{ printf(\"%d %d\\n\", requests, again > 0); }}",
                          port),
              "-c", fmt::format("python3 {} {}", path, port)});
  std::filesystem::remove(path);
  EXPECT_EQ(outcome.out, "2 1\n\n") << outcome.err;
}

// Connects, starts the tracer given after the port, then uses and closes the connection while it traces.
constexpr const char* older_connection = R"(
import socket, subprocess, sys
address = ("127.77.7.13", int(sys.argv[1]))
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(address)
server.listen(1)
client = socket.create_connection(address)
served = server.accept()[0]
def talk():
    for one, other in ((client, served), (served, client)):
        one.sendall(b"x")
        other.recv(1)
talk()
tracing = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
tracing.stdout.readline()
talk()
client.shutdown(socket.SHUT_WR)
served.recv(1)
served.close()
sys.stdout.write(tracing.communicate()[0])
)";

TEST(RealWork, BothEndsOfOlderConnectionsHaveTheSameInitialSequenceNumbers) {
  SKIP_UNLESS_TRACING();
  if (run({"python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work_older.py";
  std::ofstream(path) << older_connection;
  constexpr int port = 18080;
  std::string program = fmt::format(
      "BEGIN {{ printf(\"ready\\n\"); }}"
      "tcp:::send /args[4]->tcp_sport == {0} || args[4]->tcp_dport == {0}/ {{"
      "  this->serves = args[4]->tcp_sport == {0}; own[this->serves] = args[3]->tcps_iss; other[this->serves] = "
      "args[3]->tcps_irs;"
      "  @[this->serves, args[3]->tcps_active] = max(1); }}"
      "tcp:::receive /args[4]->tcp_dport == {0} && args[3]->tcps_addr != 0/ {{ @[1, args[3]->tcps_active] = max(1); }}"
      "tcp:::state-change /args[3]->tcps_lport == {0}/ {{ @[1, args[3]->tcps_active] = max(1); }}"
      "tcp:::state-change /args[3]->tcps_lport == {0} && args[3]->tcps_state == TCP_STATE_CLOSED/ {{"
      "  printf(\"%d %d\\n\", own[0] == other[1], own[1] == other[0]); printa(\"%d %d\\n\", @); exit(0); }}",
      port);
  Outcome outcome =
      run({"python3", path, std::to_string(port), DSCOPE_PROGRAM, "-qx", "switchrate=20ms", "-n", program});
  std::filesystem::remove(path);
  EXPECT_EQ(outcome.out, "1 1\n0 1\n1 0\n\n") << outcome.err;
}

// ---------------------------------------------------------------- copies and forks

// Kilobytes written to disks according to the kernel's statistics.
uint64_t written_to_disks() {
  std::ifstream books("/proc/vmstat");
  uint64_t value = 0;
  for (std::string name; books >> name >> value;)
    if (name == "pgpgout") return value;
  return 0;
}

TEST(RealWork, WrittenPagesMatchTheFile) {
  SKIP_UNLESS_TRACING();
  constexpr uint64_t megabytes = 16;
  std::string copy = DSCOPE_TRIGGERS "/real_work.pages";
  uint64_t before = written_to_disks();
  Outcome outcome =
      dscope({"-qn",
              "int pages, operations; vminfo:::fspgout { pages += arg0; } vminfo:::pgout { operations++; }"
              "END { printf(\"%d %d\", pages, operations > 0 && operations <= pages); }",
              "-c", fmt::format("dd if=/dev/zero of={} bs=1M count={} conv=fsync status=none", copy, megabytes)});
  uint64_t written = written_to_disks() - before;
  std::filesystem::remove(copy);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  if (written < megabytes * 1024) GTEST_SKIP() << "nothing was written to a disk";
  std::istringstream text(outcome.out);
  uint64_t pages = 0;
  int is_plausible = 0;
  text >> pages >> is_plausible;
  EXPECT_GE(pages, megabytes * 256) << outcome.out << outcome.err;
  EXPECT_LE(pages, written / 4);
  EXPECT_EQ(is_plausible, 1);
}

TEST(RealWork, BlocksMatchDdReport) {
  SKIP_UNLESS_TRACING();
  std::string copy = DSCOPE_TRIGGERS "/real_work.copy";
  Outcome outcome =
      dscope({"-qn",
              "int reads, writes, bytes; syscall::read:return /pid == $target && arg1 == 5000/ { reads++; }"
              "syscall::write:return /pid == $target && arg1 == 5000/ { writes++; bytes += arg1; }"
              "END { printf(\"%d+0 records in %d+0 records out %d bytes\\n\", reads, writes, bytes); }",
              "-c", fmt::format("dd if=/dev/zero of={} bs=5000 count=3000", copy)});
  std::filesystem::remove(copy);
  EXPECT_EQ(outcome.out, "3000+0 records in 3000+0 records out 15000000 bytes\n\n") << outcome.err;
  EXPECT_NE(outcome.err.find("3000+0 records in\n3000+0 records out\n15000000 bytes"), std::string::npos)
      << outcome.err;
}

// Forks children in waves of 50 that run concurrently. Prints their number and the sum of their exit statuses.
constexpr const char* fork_storm = R"(
import os
sum = 0
for wave in range(20):
    for i in range(50):
        if os.fork() == 0: os._exit(i)
    for i in range(50): sum += os.waitstatus_to_exitcode(os.wait()[1])
print(1000, sum)
)";

TEST(RealWork, ForkStormLosesNoChild) {
  SKIP_UNLESS_TRACING();
  if (run({"/usr/bin/python3", "--version"}).status != 0) GTEST_SKIP() << "no python3";
  std::string path = DSCOPE_TRIGGERS "/real_work_forks.py";
  std::ofstream(path) << fork_storm;
  Outcome outcome = dscope({"-qn",
                            "proc:::create /pid == $target/ { @made = count(); }"
                            "proc:::start /ppid == $target/ { @started = count(); }"
                            "syscall::exit_group:entry /ppid == $target/ { @codes = sum(arg0); }"
                            "syscall::wait4:return /pid == $target && arg1 > 0/ { @returned = count(); }"
                            "proc:::exit /ppid == $target && args[0] == CLD_EXITED/ { @ended = count(); }"
                            "END { printa(\"%@d %@d %@d %@d %@d\\n\", @made, @started, @ended, @returned, @codes); }",
                            "-c", "/usr/bin/python3 " + path});
  std::filesystem::remove(path);
  EXPECT_EQ(outcome.out, "1000 24500\n1000 1000 1000 1000 24500\n\n") << outcome.err;
}

// ---------------------------------------------------------------- loops and runtimes

TEST(RealWork, MillionCallsAreCountedExactly) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-qn",
              "syscall::getppid:entry, syscall::getppid:return /pid == $target/ { @[probename] = count(); }"
              "END { printa(\"%s %@d\\n\", @); }",
              "-c", DSCOPE_TRIGGERS "/calls getppid 1000000"});
  EXPECT_EQ(outcome.out, "entry 1000000\nreturn 1000000\n\n") << outcome.err;
}

TEST(RealWork, CppExceptionsFireThrowAndCatch) {
  SKIP_UNLESS_TRACING();
  std::string source = DSCOPE_TRIGGERS "/real_work_throws.cpp", program = DSCOPE_TRIGGERS "/real_work_throws";
  std::ofstream(source) << "int main() { for (int i = 0; i < 25; ++i) try { throw i; } catch (int) {} }\n";
  ASSERT_EQ(run({DSCOPE_CXX, "-o", program, source}).status, 0);
  Outcome outcome = dscope({"-qn",
                            "libstdcxx$target:::throw, libstdcxx$target:::catch { @[probename] = count(); }"
                            "END { printa(\"%s %@d\\n\", @); }",
                            "-c", program});
  for (const std::string& path : {source, program}) std::filesystem::remove(path);
  if (outcome.err.find("does not match") != std::string::npos) GTEST_SKIP() << "a libstdc++ without probes";
  EXPECT_EQ(outcome.out, "catch 25\nthrow 25\n\n") << outcome.err;
}

TEST(RealWork, PythonCollectionsStartAndEnd) {
  SKIP_UNLESS_TRACING();
  std::string path = DSCOPE_TRIGGERS "/real_work_gc.py";
  std::ofstream(path) << "import gc\ngc.disable()\nfor i in range(40): gc.collect(1)\n";
  Outcome outcome = dscope({"-qn",
                            "int started, ended; python$target:::gc-start /arg0 == 1/ { self->runs = 1; started++; }"
                            "python$target:::gc-done /self->runs/ { self->runs = 0; ended++; }"
                            "END { printf(\"%d %d\\n\", started, ended); }",
                            "-c", "/usr/bin/python3 " + path});
  std::filesystem::remove(path);
  if (outcome.status != 0) GTEST_SKIP() << "no python3 with probes: " << outcome.err;
  EXPECT_EQ(outcome.out, "40 40\n\n") << outcome.err;
}

// A JVM has its probes in a library that it loads with dlopen().
TEST(RealWork, JvmProbesFireAtStart) {
  SKIP_UNLESS_TRACING();
  if (run({"java", "-version"}).status != 0) GTEST_SKIP() << "no java";
  Outcome outcome = dscope({"-Zqn",
                            "int begun, ended, classes; hotspot$target:::vm-init-begin { begun++; }"
                            "hotspot$target:::vm-init-end { ended++; } hotspot$target:::class-loaded { classes++; }"
                            "END { printf(\"%d %d %d\\n\", begun, ended, classes > 100); }",
                            "-c", "java -version"});
  if (outcome.err.find("matched nothing") != std::string::npos) GTEST_SKIP() << "a JVM without probes";
  EXPECT_EQ(outcome.out, "1 1 1\n\n") << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
