// Runs every script of tools/ on a matching workload: it succeeds without drops or faults, its title is the one on its
// manual page, and its output contains the workload.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <span>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

struct Tool {
  const char* name;
  std::vector<std::string> arguments;
  const char* command;   // %F: a file to write; %T: the folder of the triggers
  const char* expected;  // regular expression of rows
  int count = 0;         // of matches in the output; 0: at least one
};

void PrintTo(const Tool& tool, std::ostream* out) { *out << tool.name; }

// Two ends of a TLS connection in one process, which exchange 15 bytes.
const char* const tls_exchange =
    "/usr/bin/python3 -c \"import ssl\n"
    "s, c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)\n"
    "c.check_hostname, c.verify_mode = False, ssl.CERT_NONE\n"
    "for x in (s, c): x.set_ciphers('AECDH-AES128-SHA:@SECLEVEL=0'); x.maximum_version = ssl.TLSVersion.TLSv1_2\n"
    "a, b = ssl.MemoryBIO(), ssl.MemoryBIO()\n"
    "S, C = s.wrap_bio(a, b, server_side=True), c.wrap_bio(b, a)\n"
    "def step(x):\n"
    "  try: x.do_handshake()\n"
    "  except ssl.SSLWantReadError: pass\n"
    "for i in range(3): step(C); step(S)\n"
    "C.write(b'hello' * 3); S.read(100)\n\"";

const Tool processes_and_calls[] = {
    {"execsnoop", {}, "sh -c 'env true a b; env true a b; exit 0'", " 0 +true a b\n", 2},
    {"exitsnoop",
     {"-x"},
     "sh -c \"sh -c 'exit 3'; timeout 0.05 sleep 5; exit 0\"",
     "(sh +[0-9]+ status 3|sleep +[0-9]+ signal SIGTERM|timeout +[0-9]+ status 124)\n",
     3},
    {"threadsnoop", {}, "%T/calls threads 4 1", " calls +thread +[0-9]+\n", 4},
    {"killsnoop", {"--signal=10"}, "%T/tasks signal 5", " tasks +SIGUSR1 +[0-9]+ tasks\n", 5},
    {"setuidsnoop", {}, "/usr/bin/python3 -c 'import os; os.setuid(1000)'", "setuid +0 +1000 0\n", 1},
    {"capable", {"-n", "python3"}, "/usr/bin/python3 -c 'import os; os.chroot(\"/\")'", "SYS_CHROOT +0\n", 1},
    {"syscount", {}, "%T/calls getppid 100", "getppid +100 +0 +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\n", 1},
    {"syserrors", {"-n", "calls"}, "%T/calls open /no/such/file 7", "calls +openat +ENOENT +7\n", 1},
    {"slowcalls", {"--min", "20ms", "-n", "sleep"}, "sleep 0.05", "sleep +[a-z_]*nanosleep +[0-9]+ +0\n", 1},
};

const Tool files_and_disks[] = {
    {"opensnoop", {"-n", "calls"}, "%T/calls open /etc/hostname 7", "calls +[0-9]+ +0 +/etc/hostname\n", 7},
    {"statsnoop",
     {"-x"},
     "/usr/bin/python3 -c 'import os\nfor i in range(5): os.path.exists(\"/no/such\")'",
     "ENOENT +/no/such\n",
     5},
    {"openfiles", {"-n", "cat"}, "cat /dev/null", "cat +0 +[rw]+ +[0-9]+ [^ ]+\n", 1},
    {"filetop", {}, "dd if=/dev/zero of=%F bs=4k count=10", "dd +10 +0 +40960 +40960 [^ ]*filetop.written\n", 1},
    {"rwtop", {"-n", "calls"}, "%T/calls write 8", "calls +[0-9]+ +0 +0 +0 +8\n", 1},
    {"fileslower", {"--min=0"}, "dd if=/dev/zero of=%F bs=4k count=3", " W +4096 +[0-9]+ [^ ]*[.]written\n", 3},
    {"filechange", {}, "sh -c 'mkdir %F; rmdir %F'", "(mkdir|rmdir) +0 +[^ ]*[.]written\n", 2},
    {"syncsnoop", {}, "dd if=/dev/zero of=%F bs=4k count=3 conv=fsync", "dd +fsync +[0-9]+ 0 +[^ ]*[.]written\n", 1},
    {"mountsnoop", {}, "umount /no/such/mount/point", "umount +umount +ENOENT +- +/no/such/mount/point\n", 0},
    {"cachestat", {}, "dd if=/dev/zero of=%F bs=4k count=500", "[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\n"},
    {"iosnoop", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", " W +[0-9]+ +[0-9]+ +[0-9]+ [^ ]*[.]written\n"},
    {"iolatency", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", "write, us +[1-9][0-9]*( +[0-9]+){4}\n"},
    {"iobyfile", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", " W +[0-9]+ +[0-9]+ [^ ]*[.]written\n"},
    {"biostacks", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", "dd +write *\n"},
};

const Tool processors_and_memory[] = {
    {"profile", {"-n", "dd"}, "dd if=/dev/zero of=/dev/null bs=1M count=6000", "  dd *\n"},
    {"hotkernel", {}, "dd if=/dev/zero of=/dev/null bs=1M count=3000", "[1-9][0-9]* samples in the kernel"},
    {"hotuser", {}, "/usr/bin/python3 -c 'sum(range(3000000))'", "FUNCTION +SAMPLES\n[^ ]+ +[1-9]"},
    {"hardirqs", {}, "sleep 0.01", "INTERRUPT +TOTAL"},
    {"softirqs", {}, "%T/calls spin 1000", "(TIMER|SCHED|RCU) +[0-9]+ +[1-9]"},
    {"offcpu", {}, "sleep 0.02", "nanosleep"},
    {"offwake", {}, "sleep 0.02", "  sleep  "},
    {"wakeups", {"-n", "sleep"}, "sleep 0.02", " sleep +[1-9][0-9]* +[0-9]+ +[0-9]+\n"},
    {"runqlat", {"-n", "sleep"}, "sleep 0.02", "sleep +[0-9]+ +[1-9]"},
    {"runqlen", {}, "sleep 0.1", "\n0 +[0-9]+ +[0-9]+\n"},
    {"cpudist", {}, "dd if=/dev/zero of=/dev/null bs=64k count=2000", "dd, us\n +value .*count"},
    {"lockcontention", {}, "%T/tasks contend 50", "[0-9]+ waits, [0-9]+ us|kernel locks"},
    {"mallocstat", {}, "/usr/bin/python3 -c pass", "bytes requested by malloc\\(\\)"},
    {"memleak", {}, "ls /", "_nl_make_l10nflist +[0-9]+ +[0-9]+\n|[A-Za-z_]+ +[1-9][0-9]* +[1-9]"},
    {"pagefaults", {}, "%T/calls touch 50", "write +missing +50\n", 1},
    {"reclaim", {}, "true", "ORDER +US"},
    {"oomkill", {}, "true", "KILLED +ANON"},
};

const Tool network_and_programs[] = {
    {"tcpconnect", {}, "%T/sockets tcp", "CONNECT +[0-9]+ sockets +127.77.7.8:[0-9]+ +127.77.7.7:[0-9]+ +[0-9]+\n", 1},
    {"tcpaccept", {}, "%T/sockets tcp", " sockets +127.77.7.8:[0-9]+ +127.77.7.7:[0-9]+ +0\n", 1},
    {"tcplife", {"-n", "sockets"}, "%T/sockets tcp", "127.77.7.7:[0-9]+ +127.77.7.8:[0-9]+ +2000 +1[01] +[0-9]+\n", 1},
    {"tcpstat", {}, "%T/sockets tcp", "sent +127.77.7.7 +127.77.7.8 +2000 +[1-9]", 1},
    {"tcpstates", {}, "%T/sockets tcp", "syn-sent +established +[0-9]+\n", 1},
    {"tcptop", {}, "%T/sockets tcp", "sockets +[0-9]+ +4020 +2010 +2010\n", 1},
    {"tcpretrans", {}, "true", "REMOTE +STATE"},
    {"tcpreset", {}, "%T/sockets refused", "(SENT +[0-9]+ sockets|RECEIVED +- -) +127.77.7.7:1 +127.77.7.8:[0-9]+", 2},
    {"udpsnoop", {}, "%T/sockets udp 3", "(SENT|RECEIVED) .* 127.77.7.7:[0-9]+ +100\n", 6},
    {"gethostlatency",
     {},
     "/usr/bin/python3 -c 'import socket; socket.getaddrinfo(\"127.0.0.1\", 80)'",
     "python3 +[0-9]+ +0 127.0.0.1\n",
     1},
    {"dropwatch", {}, "%T/sockets closed 5", "SKB_DROP_REASON_NO_SOCKET +[^ ]*udp[^ ]* +5\n", 1},
    {"funccount", {"-f", "factorial"}, "%T/functions 3", "factorial +12\n", 1},
    {"funclatency", {"-f", "factorial"}, "%T/functions 3", "factorial +[0-9]+ +12 ", 1},
    {"stackcount", {"-s", "getppid"}, "%T/calls getppid 5", "getppid *\n[^@]* 5\n"},
    {"argdist", {"-f", "negative", "--return", "--values"}, "%T/functions 3", "negative +-5 +3\n", 1},
    {"plockstat", {}, "%T/locks", "3 waits, [1-9][0-9]* us", 1},
    {"sslsnoop", {}, tls_exchange, "(SENT|RECEIVED) +15 hellohellohello\n", 2},
    {"pgslower", {}, "true", "PID +US +QUERY"},
    {"pycalls",
     {"-t", "5000"},
     "/usr/bin/python3 -c 'def f(n): return n\nfor i in range(5): f(i)'",
     "<string> +1 f +5 +[0-9]+\n",
     1},
    {"pygc", {}, "/usr/bin/python3 -c 'import gc; gc.collect(); gc.collect()'", "python3 +2 +[0-9]+ +[0-9]+\n"},
    {"javagc", {}, "true", "THREAD +KIND"},
    {"bashreadline", {}, "sh -c 'echo : first | bash --norc -i'", ": first\n", 1},
    {"containertop", {}, "%T/calls getppid 100", " +[0-9]+ +[1-9][0-9]* +[0-9]+ +[0-9]+ /"},
};

std::vector<Tool> all_tools() {
  std::vector<Tool> all;
  for (std::span<const Tool> group :
       {std::span<const Tool>(processes_and_calls), std::span<const Tool>(files_and_disks),
        std::span<const Tool>(processors_and_memory), std::span<const Tool>(network_and_programs)})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first nonempty line of an example's output. The line before is the command.
std::string title_in(std::string text) {
  size_t start = text.find_first_not_of('\n');
  return start == std::string::npos ? "" : text.substr(start, text.find('\n', start) - start);
}

// A title has column names in capitals. Rows differ from the example's rows and are not compared.
bool is_title(const std::string& line) { return std::regex_search(line, std::regex("[A-Z]{3,}|Ctrl-C")); }

class Tools : public testing::TestWithParam<Tool> {};

TEST_P(Tools, ReportTheWorkload) {
  SKIP_UNLESS_TRACING();
  const Tool& tool = GetParam();
  const fs::path folder = fs::path(DSCOPE_SOURCE_DIR) / "tools";
  const fs::path output =
      fs::path(testing::TempDir()) / (std::string("dscope_tools_") + tool.name + std::to_string(getpid()));
  const fs::path written = fs::path(DSCOPE_TRIGGERS) / (std::string(tool.name) + ".written");
  std::string command = tool.command;
  while (command.find("%F") != std::string::npos) command = replaced(command, "%F", written);
  command = replaced(command, "%T", DSCOPE_TRIGGERS);
  std::vector<std::string> arguments{"-o", output, "-s", folder / (std::string(tool.name) + ".d"), "-c", command};
  arguments.insert(arguments.end(), tool.arguments.begin(), tool.arguments.end());

  fs::remove(output);
  Outcome outcome = dscope(arguments);
  fs::remove(written);
  std::string text = text_of(output);
  fs::remove(output);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("dscope:"), std::string::npos) << outcome.err;
  const std::regex row(tool.expected);
  auto matches = std::distance(std::sregex_iterator(text.begin(), text.end(), row), std::sregex_iterator());
  if (tool.count == 0) EXPECT_GT(matches, 0) << text;
  else EXPECT_EQ(matches, tool.count) << text;

  std::string example = text_of(folder / "examples" / (std::string(tool.name) + ".txt"));
  ASSERT_FALSE(example.empty());
  std::string title = title_in(example.substr(example.find('\n')));
  if (is_title(title)) {
    EXPECT_EQ(title_in(text), title);
  }
}

INSTANTIATE_TEST_SUITE_P(E2e, Tools, testing::ValuesIn(all_tools()),
                         [](const auto& tool) { return std::string(tool.param.name); });

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Every line has as many columns as the header of its table.
TEST(ToolFormats, CsvIsATable) {
  SKIP_UNLESS_TRACING();
  const std::string tools_folder = DSCOPE_SOURCE_DIR "/tools/";
  Outcome rows = dscope({"--format=csv", "-s", tools_folder + "opensnoop.d", "-n", "cat", "-c", "cat /dev/null"});
  std::vector<std::string> lines = lines_of(rows.out);
  ASSERT_GT(lines.size(), 1U) << rows.err;
  EXPECT_EQ(lines.front(), "PID,PROGRAM,FD,ERR,PATH");
  EXPECT_TRUE(std::regex_search(rows.out, std::regex("\n[0-9]+,cat,[0-9]+,0,/dev/null\n"))) << rows.out;
  Outcome calls = dscope({"--format=csv", "-s", tools_folder + "syscount.d", "-c", "cat /dev/null"});
  lines = lines_of(calls.out);
  ASSERT_GT(lines.size(), 1U) << calls.err;
  EXPECT_EQ(lines.front(), "CALL,COUNT,FAILED,TOTAL(us),P95,P99,LONGEST(us)");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 6) << line;
}

// Flame graph programs read lines that end in a blank and a count. std::regex would recurse over the whole line, and
// deep stacks of C++ programs make long ones.
bool is_folded(const std::string& line) {
  size_t blank = line.rfind(' ');
  if (line.starts_with(';') || blank == std::string::npos || blank + 1 == line.size()) return false;
  return line.find_first_not_of("0123456789", blank + 1) == std::string::npos;
}

TEST(ToolFormats, FoldedStacksHaveUserFramesFirst) {
  SKIP_UNLESS_TRACING();
  const std::pair<const char*, const char*> runs[] = {{"offcpu.d", "sleep 0.05"},
                                                      {"profile.d", "dd if=/dev/zero of=/dev/null bs=1M count=3000"}};
  for (auto [name, command] : runs) {
    Outcome outcome = dscope({"--format=folded", "-s", std::string(DSCOPE_SOURCE_DIR "/tools/") + name, "-c", command});
    std::vector<std::string> lines = lines_of(outcome.out);
    EXPECT_FALSE(lines.empty()) << outcome.err;
    for (const std::string& line : lines) {
      EXPECT_TRUE(is_folded(line)) << line;
      size_t kernel = line.find(";vmlinux`"), user = line.rfind(";libc.so.6`");
      if (kernel != std::string::npos && user != std::string::npos) {
        EXPECT_LT(user, kernel) << line;
      }
    }
  }
}

// A flame graph of the most frequent stacks only would be wrong.
TEST(ToolFormats, FoldedOutputIsNotTruncated) {
  const std::regex cut("\n( *)trunc\\(@[a-z]*, [$a-z0-9]+\\);");
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    std::string script = text_of(entry.path());
    for (auto match = std::sregex_iterator(script.begin(), script.end(), cut); match != std::sregex_iterator();
         ++match) {
      EXPECT_TRUE(match->prefix().str().ends_with("if ($$format != \"folded\")")) << entry.path() << match->str();
    }
  }
}

std::string script(const char* name) { return DSCOPE_SOURCE_DIR "/tools/" + std::string(name) + ".d"; }

TEST(ToolOptions, HelpNeedsNoPrivileges) {
  Outcome help = dscope({"-s", script("opensnoop"), "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.out.starts_with("Which files do programs open, and with what result?\n")) << help.out;
  EXPECT_NE(help.out.find("  -n, --name NAME "), std::string::npos) << help.out;
}

TEST(ToolOptions, MistakesAreExplained) {
  Outcome outcome = dscope({"-s", script("slowcalls"), "--min", "soon"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("invalid value 'soon' of --min: expected a time"), std::string::npos) << outcome.err;
}

TEST(ToolOptions, TimesAreAColumnIfWanted) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"--format=csv", "-s", script("opensnoop"), "-Tn", "cat", "-c", "cat /dev/null"});
  EXPECT_EQ(lines_of(outcome.out).at(0), "walltimestamp,PID,PROGRAM,FD,ERR,PATH") << outcome.err;
}

TEST(ToolOptions, DurationEndsTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-s", script("exitsnoop"), "-d", "1ms"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("AGE(ms)"), std::string::npos) << outcome.out;
}

// A joint printa() has the rows that trunc() kept in its first aggregation.
TEST(ToolOptions, TopLimitsTheRows) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-s", script("syscount"), "-t", "1", "-c", "cat /dev/null"});
  std::vector<std::string> lines = lines_of(outcome.out);
  auto title = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("CALL "); });
  ASSERT_NE(title, lines.end()) << outcome.out << outcome.err;
  auto rows = std::count_if(title + 1, lines.end(), [](const std::string& line) { return !line.empty(); });
  EXPECT_EQ(rows, 1) << outcome.out;
}

// The table above must contain every script.
TEST(ToolsFolder, HasATestForEveryScript) {
  const std::vector<Tool> tools = all_tools();
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    bool is_tested = std::ranges::any_of(tools, [&](const Tool& tool) { return entry.path().stem() == tool.name; });
    EXPECT_TRUE(is_tested) << entry.path();
  }
}

}  // namespace
}  // namespace dscope::e2e
