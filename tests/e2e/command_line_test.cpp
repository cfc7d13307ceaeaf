// Command lines as users and dtrace(1) scripts write them: clustered letters, several programs, modes, data models
// (consumer-and-actions.md 9). message_test.cpp tests wrong command lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

class Script {
 public:
  explicit Script(const std::string& text) {
    int fd = mkstemp(path_.data());
    if (fd >= 0) close(fd);
    std::ofstream(path_) << text;
  }
  ~Script() { fs::remove(path_); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (fs::temp_directory_path() / "dscope-script-XXXXXX").string();
};

TEST(CommandLine, ClustersLettersAndAcceptsAttachedArguments) {
  SKIP_UNLESS_TRACING();
  const std::string program = "BEGIN { printf(\"<%d>\", $1); exit(0); }";
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"-qn", program, "7"},
                                                    {"-q", "-n" + program, "7"},
                                                    {"7", "-n", program, "-q"},
                                                    {"-xquiet", "-b64k", "-wn", program, "7", "--"},
                                                    {"-qFCZn", program, "7", "-x", "bufsize=1m"}})
    EXPECT_NE(dscope(arguments).out.find("<7>"), std::string::npos) << arguments.front();
  EXPECT_EQ(dscope({"-qn", "BEGIN { printf(\"<%s>\", $$1); exit(0); }", "--", "-q"}).out, "<-q>\n");
}

TEST(CommandLine, SetsArgumentZeroToScriptOrProgram) {
  SKIP_UNLESS_TRACING();
  Script script("#!/usr/sbin/dtrace -s\nBEGIN { printf(\"<%s>\", $$0); }\n");
  Outcome outcome = dscope({"-qs", script.path(), "-n", "BEGIN { printf(\"<%s>\", $$0); exit(0); }"});
  EXPECT_EQ(outcome.out, "<" + script.path() + "><" DSCOPE_PROGRAM ">\n");
}

// Each program must reference the last argument.
TEST(CommandLine, PassesArgumentsToEveryProgram) {
  Script script("BEGIN { trace($1); }\n");
  EXPECT_EQ(dscope({"-e", "-s", script.path(), "-n", "BEGIN { trace($1); }", "1"}).status, 0);
  EXPECT_EQ(dscope({"-e", "-xdiagnostics=classic", "-s", script.path(), "-n", "BEGIN", "1"}).err,
            "dscope: invalid probe specifier BEGIN: extraneous argument '1' ($1 is not referenced)\n");
}

TEST(CommandLine, SelectsDataModel) {
  SKIP_UNLESS_TRACING();
  const std::string program =
      "BEGIN { x = (long)5000000000; printf(\"%d %d %d %d\\n\", sizeof(long), sizeof(int64_t), sizeof(int), x); "
      "exit(0); }";
  EXPECT_EQ(dscope({"-64", "-qn", program}).out, "8 8 4 5000000000\n\n");
  EXPECT_EQ(dscope({"-32", "-qn", program}).out, "4 8 4 705032704\n\n");
  EXPECT_EQ(
      dscope({"-32", "-qn", "BEGIN { printf(\"%ld %lu %lld\\n\", (long)-1, (unsigned long)1, 5000000000); exit(0); }"})
          .out,
      "-1 1 5000000000\n\n");
  // The data model of the program does not affect aggregations, timestamps or kernel structures.
  Outcome outcome = dscope({"-32", "-qn",
                            "BEGIN { @[execname] = sum(timestamp > 5000000000 ? 6000000000 : 0); "
                            "printf(\"%d\\n\", curthread->tgid == pid); exit(0); }"});
  EXPECT_EQ(outcome.out.substr(0, 2), "1\n") << outcome.err;
  EXPECT_NE(outcome.out.find("6000000000\n"), std::string::npos) << outcome.out;
}

TEST(CommandLine, PrintsVersionThatScriptsParse) {
  fs::path folder = fs::temp_directory_path() / ("dscope-link-" + std::to_string(getpid()));
  fs::create_directory(folder);
  fs::create_symlink(DSCOPE_PROGRAM, folder / "dtrace");
  Outcome outcome = run({folder / "dtrace", "-vV"});
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find("This is")), "dtrace: Oracle D 2.0\n");
  EXPECT_NE(outcome.out.find("\ndtrace(1) version-control ID: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\nlibdtrace version-control ID: "), std::string::npos) << outcome.out;
  fs::remove_all(folder);
}

TEST(CommandLine, BufferHandlerShowsEachOutputPiece) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-Bq", "-n", "BEGIN { printf(\"\\\"a\\\"\\n\"); @ = count(); exit(0); }"});
  EXPECT_EQ(outcome.out,
            "dscope: >>> Called buffer handler: \"\\\"a\\\"\\n\"\n"
            "dscope: >>> Called buffer handler: \"\\n\"\n"
            "dscope: >>> Called buffer handler: \"                1\\n\"\n");
}

// ---------------------------------------------------------------- modes

// The notice goes to stderr, the stability report of each program to stdout.
TEST(CommandLine, VerboseReportsFollowTheNotices) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " -v -n 'BEGIN{exit(0);}' -n END 2>&1"});
  size_t at = 0;
  for (const char* part : {"description 'BEGIN' matched 1 probe\n", "\nStability attributes for description BEGIN:\n",
                           "description 'END' matched 1 probe\n", "\nStability attributes for description END:\n",
                           "CPU     ID                    FUNCTION:NAME\n"}) {
    at = outcome.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << outcome.out;
  }
  Outcome quiet = dscope({"-qv", "-n", "BEGIN{exit(0);}"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out.find("\nStability attributes for description BEGIN:\n"), 0U) << quiet.out;
}

// The C library's package has this library, which dscope itself does not use.
TEST(CommandLine, UprobesFindLibrariesByName) {
  for (const char* library : {"libthread_db.so.1", "libthread_db"}) {
    Outcome outcome = dscope({"-l", "-n", std::string("uprobe:") + library + ":td_init:entry"});
    EXPECT_NE(outcome.out.find("td_init entry\n"), std::string::npos) << outcome.out << outcome.err;
  }
}

// A process with a mount namespace of its own has a library in a directory that is empty outside.
TEST(CommandLine, UprobesFindLibrariesOfContainers) {
  SKIP_UNLESS_TRACING();
  std::string folder = fs::temp_directory_path() / "command_line_test_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string script = R"(cd $1; mkfifo ready held; mkdir libraries
unshare -m sh -c 'mount -t tmpfs none libraries && cp "$1" libraries/libcontained.so || echo failed > ready
  LD_LIBRARY_PATH=$PWD/libraries exec sh -c "echo ready > ready; read line < held"' sh "$2" &
read line < ready; echo $line
"$3" -l -n uprobe:libcontained:plugged:entry
echo end > held; wait; cd /; rm -r "$1")";
  Outcome outcome = run({"sh", "-c", script, "sh", folder, DSCOPE_TRIGGERS "/libplugin.so", DSCOPE_PROGRAM});
  if (outcome.out.starts_with("failed")) GTEST_SKIP() << "needs the right to mount";
  EXPECT_NE(outcome.out.find("libcontained                           plugged entry\n"), std::string::npos)
      << outcome.out << outcome.err;
}

TEST(CommandLine, SignaturesTakeOneLine) {
  Outcome outcome = dscope({"-lv", "-n", "syscall::openat:entry"});
  EXPECT_EQ(outcome.out, "syscall::openat:entry (int dfd, const char *filename, int flags, umode_t mode)\n")
      << outcome.err;
  outcome = dscope({"-lv", "-n", "io:::start, proc:::signal-send"});
  EXPECT_EQ(outcome.out,
            "io:::start (bufinfo_t *bufinfo, devinfo_t *devinfo, fileinfo_t *fileinfo)\n"
            "proc:::signal-send (lwpsinfo_t *lwpsinfo, psinfo_t *psinfo, int signal)\n")
      << outcome.err;
}

TEST(CommandLine, ListingCompilesThePrograms) {
  Script script("syscall::read:entry, BEGIN /pid == 1/ { trace(execname); } nosuch::: { trace(pid); }\n");
  Outcome outcome = dscope({"-l", "-s", script.path()});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("dscope: failed to match nosuch:::: No probe matches description\n"), 0U);
  EXPECT_NE(outcome.out.find("                              read entry\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(dscope({"-l", "-n", "BEGIN { trace(nosuch); }"}).status, 1);
}

TEST(CommandLine, ReportsUnwrittenListings) {
  for (const char* mode : {"-l -n BEGIN", "-ev -n BEGIN", "--dry-run -n BEGIN"}) {
    Outcome outcome = run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " " + mode + " > /dev/full"});
    EXPECT_EQ(outcome.err, "dscope: cannot write the output: No space left on device\n") << mode;
    EXPECT_EQ(outcome.status, 1) << mode;
  }
}

TEST(CommandLine, NeverReusesClosedStandardStreams) {
  const std::string program = DSCOPE_PROGRAM;
  Outcome outcome = run({"sh", "-c", program + " -l -n BEGIN >&-"});
  EXPECT_EQ(outcome.err, "dscope: cannot write the output: Bad file descriptor\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(run({"sh", "-c", program + " --help > /dev/full"}).status, 1);
}

TEST(CommandLine, IgnoresUnwritableMessages) {
  for (const char* stream : {"2>&-", "2> /dev/full"}) {
    EXPECT_EQ(run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " -l -n nosuch::: -n BEGIN " + stream}).status, 0)
        << stream;
    EXPECT_EQ(run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " -n BEGIN{ " + stream}).status, 1) << stream;
    EXPECT_EQ(run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " -y " + stream}).status, 2) << stream;
  }
}

}  // namespace
}  // namespace dscope::e2e
