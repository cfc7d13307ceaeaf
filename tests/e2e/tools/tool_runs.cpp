#include "tests/e2e/tools/tool_runs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <span>

namespace dscope::e2e {

namespace {

namespace fs = std::filesystem;

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

// A server and its client in one process.
const char* const web_server =
    "/usr/bin/python3 -c \"import http.server, threading, urllib.error, urllib.request\n"
    "class Pages(http.server.BaseHTTPRequestHandler):\n"
    "  def do_GET(self):\n"
    "    self.send_response(404 if self.path == '/missing' else 200)\n"
    "    self.send_header('Content-Length', '2')\n"
    "    self.end_headers()\n"
    "    self.wfile.write(b'ok')\n"
    "  def log_message(self, *text): pass\n"
    "server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Pages)\n"
    "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
    "for page in ['page/%d' % i for i in range(5)] + ['missing']:\n"
    "  try: urllib.request.urlopen('http://127.0.0.1:%d/%s' % (server.server_port, page)).read()\n"
    "  except urllib.error.HTTPError: pass\n\"";

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
    {"filetop", {}, "dd if=/dev/zero of=%F bs=4k count=10", "dd +10 +0 +40960 +40960 [^ ]*filetop[0-9]*.written\n", 1},
    {"rwtop", {"-n", "calls"}, "%T/calls write 8", "calls +[0-9]+ +0 +0 +0 +8\n", 1},
    {"fileslower", {"--min=0"}, "dd if=/dev/zero of=%F bs=4k count=3", " W +4096 +[0-9]+ [^ ]*[.]written\n", 3},
    {"filechange", {}, "sh -c 'mkdir %F; rmdir %F'", "(mkdir|rmdir) +0 +[^ ]*[.]written\n", 2},
    {"syncsnoop", {}, "dd if=/dev/zero of=%F bs=4k count=3 conv=fsync", "dd +fsync +[0-9]+ 0 +[^ ]*[.]written\n", 1},
    {"mountsnoop", {}, "umount /no/such/mount/point", "umount +umount +ENOENT +- +/no/such/mount/point\n", 0},
    {"cachestat", {"-n", "reread", "-i", "60s"}, "%T/tasks reread %F 500", " +1000 +500 +50 +500\n", 1},
    {"iosnoop", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", " W +[0-9]+ +[0-9]+ +[0-9]+ [^ ]*[.]written\n"},
    {"iolatency", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", "write +[1-9][0-9]*( +[0-9]+){4}\n"},
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
    {"lockcontention", {"-n", "tasks"}, "%T/tasks queue 50", "tasks +mutex +50 +[0-9]+ +[0-9]+\n", 1},
    {"mallocstat", {}, "/usr/bin/python3 -c pass", "bytes requested by malloc\\(\\)"},
    {"memleak", {}, "ls /", "_nl_make_l10nflist +[0-9]+ +[0-9]+\n|[A-Za-z_]+ +[1-9][0-9]* +[1-9]"},
    {"pagefaults", {}, "%T/calls touch 50", "write +missing +50\n", 1},
    {"reclaim", {}, "true", "ORDER +US"},
    {"oomkill", {}, "true", "KILLED +ANON"},
};

const Tool network_and_programs[] = {
    {"tcpconnect", {}, "%T/sockets tcp", " sockets +[0-9]+ 0 +127.77.7.7:[0-9]+ +127.77.7.8:[0-9]+\n", 1},
    {"tcpaccept", {}, "%T/sockets tcp", " sockets +127.77.7.8:[0-9]+ +127.77.7.7:[0-9]+ +0\n", 1},
    {"tcplife", {"-n", "sockets"}, "%T/sockets tcp", "( 2000 +10 +127.77.7.8| 10 +2000 +127.77.7.7):", 2},
    {"tcpstat", {}, "%T/sockets tcp", "sent +127.77.7.7 +127.77.7.8 +2000 +[1-9]", 1},
    {"tcpstates",
     {},
     "%T/sockets tcp",
     " sockets +[0-9]+ +syn-sent +established +127.77.7.8:[0-9]+ +127.77.7.7:[0-9]+\n",
     1},
    {"tcptop", {}, "%T/sockets tcp", "sockets +[0-9]+ +4020 +2010 +2010\n", 1},
    {"tcpretrans", {"--port=4243"}, "%T/tun unanswered", "10.77.9.1:4243 +10.77.9.2:[0-9]+ +SYN_RECV\n", 1},
    {"tcpreset", {}, "%T/sockets refused", "(SENT +[0-9]+ sockets|RECEIVED +- -) +127.77.7.7:1 +127.77.7.8:[0-9]+", 2},
    {"udpsnoop", {}, "%T/sockets udp 3", "(SENT|RECEIVED) .* 100 +[0-9.]+:[0-9]+ +127.77.7.7:[0-9]+\n", 6},
    {"gethostlatency",
     {},
     "/usr/bin/python3 -c 'import socket; socket.getaddrinfo(\"127.0.0.1\", 80)'",
     "python3 +[0-9]+ +0 127.0.0.1\n",
     1},
    {"dropwatch", {}, "%T/sockets closed 5", " 5 SKB_DROP_REASON_NO_SOCKET +[^ ]*udp[^ ]*\n", 1},
    {"funccount", {"-f", "factorial"}, "%T/functions 3", "factorial +12\n", 1},
    {"funclatency", {"-f", "factorial"}, "%T/functions 3", "factorial +[0-9]+ +12 ", 1},
    {"stackcount", {"-s", "getppid"}, "%T/calls getppid 5", "getppid *\n[^@]* 5\n"},
    {"argdist", {"-f", "negative", "--return", "--values"}, "%T/functions 3", "negative +-5 +3\n", 1},
    {"plockstat", {}, "%T/locks", "3 waits, [1-9][0-9]* us", 1},
    {"sslsnoop", {}, tls_exchange, "(SENT|RECEIVED) +15 hellohellohello\n", 2},
    {"pgslower", {"--min=0"}, "%T/servers postgres 3", " [0-9]+ select [0-2]\n", 3},
    {"mysqlslower",
     {"--min=0", "--server=%T/servers"},
     "%T/servers mariadb 3",
     " (query +[0-9]+ select [0-2]|prepare +[0-9]+ select [?]|execute +[0-9]+ -)\n",
     5},
    {"httpsnoop", {"-n", "python3"}, web_server, "(200 +[0-9]+ GET /page/[0-4]|404 +[0-9]+ GET /missing)\n", 6},
    {"pycalls",
     {"-t", "5000"},
     "/usr/bin/python3 -c 'def f(n): return n\nfor i in range(5): f(i)'",
     " +5 +[0-9]+ f +1 <string>\n",
     1},
    {"pygc", {}, "/usr/bin/python3 -c 'import gc; gc.collect(); gc.collect()'", "python3 +2 +[0-9]+ +[0-9]+\n"},
    {"javagc", {}, "%T/servers java 4", " servers +(full|young) +[0-9]+\n", 8},
    {"nodegc", {}, "true", "THREAD +KIND"},
    {"bashreadline", {}, "sh -c 'echo : first | bash --norc -i'", ": first\n", 1},
    {"containertop", {}, "%T/calls getppid 100", " +[0-9]+ +[1-9][0-9]* +[0-9]+ +[0-9]+ /"},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

void PrintTo(const Tool& tool, std::ostream* out) { *out << tool.name; }

std::vector<Tool> all_tools() {
  std::vector<Tool> all;
  for (std::span<const Tool> group :
       {std::span<const Tool>(processes_and_calls), std::span<const Tool>(files_and_disks),
        std::span<const Tool>(processors_and_memory), std::span<const Tool>(network_and_programs)})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

Tool tool_named(const std::string& name) {
  std::vector<Tool> tools = all_tools();
  return *std::ranges::find_if(tools, [&](const Tool& tool) { return tool.name == name; });
}

std::string tool_script(const std::string& name) { return DSCOPE_SOURCE_DIR "/tools/" + name + ".d"; }

Outcome run_tool(const Tool& tool, const std::vector<std::string>& more) {
  const fs::path output =
      fs::path(testing::TempDir()) / (std::string("dscope_tools_") + tool.name + std::to_string(getpid()));
  const fs::path written = fs::path(DSCOPE_TRIGGERS) / (std::string(tool.name) + std::to_string(getpid()) + ".written");
  auto expanded = [&](std::string text) {
    while (text.find("%F") != std::string::npos) text = replaced(text, "%F", written);
    while (text.find("%T") != std::string::npos) text = replaced(text, "%T", DSCOPE_TRIGGERS);
    return text;
  };
  std::vector<std::string> arguments{"-o", output, "-s", tool_script(tool.name), "-c", expanded(tool.command)};
  for (const std::string& argument : tool.arguments) arguments.push_back(expanded(argument));
  arguments.insert(arguments.end(), more.begin(), more.end());

  fs::remove(output);
  Outcome outcome = dscope(arguments);
  fs::remove(written);
  outcome.out = text_of(output);
  fs::remove(output);
  return outcome;
}

int matches(const std::string& text, const std::string& expression) {
  const std::regex row(expression);
  return static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), row), std::sregex_iterator()));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace dscope::e2e
