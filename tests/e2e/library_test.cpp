// D libraries as the installed program finds them, and what -L adds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "dscope-e2e-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  std::string path(const std::string& name = "") const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

TEST(Libraries, OfTheUserAreCompiledFirst) {
  SKIP_UNLESS_TRACING();
  Folder folder;
  folder.write("b.d", "#pragma D depends_on library c.d\ninline string GREETING = WORLD == 3 ? \"hello\" : \"\";\n");
  folder.write("c.d", "inline int WORLD = 3;\n");
  folder.write("d.d", "#pragma D depends_on provider nosuch\ninline nosuch_t NEVER = 0;\n");
  Outcome outcome = dscope({"-q", "-L", folder.path(), "-n", "BEGIN { printf(\"%s\\n\", GREETING); exit(0); }"});
  EXPECT_EQ(outcome.out, "hello\n\n") << outcome.err;
  EXPECT_EQ(outcome.status, 0);
}

TEST(Libraries, AMistakeOfTheUsersEndsTheRun) {
  Folder folder;
  folder.write("b.d", "\ninline int x = y;\n");
  Outcome outcome = dscope({"-xerrtags", "-e", "-L", folder.path(), "-n", "BEGIN"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "dscope: invalid probe specifier BEGIN: [D_IDENT_UNDEF] \"" + folder.path("b.d") +
                             "\", line 2: undefined variable name: y\n");
}

TEST(Libraries, InlinesThatUseThemselvesAreRefused) {
  Folder folder;
  folder.write("a.d",
               "inline struct task_struct *mine = mine->real_parent;\n"
               "inline struct task_struct *here = there->real_parent;\n"
               "inline struct task_struct *there = here->real_parent;\n");
  for (const char* name : {"mine", "here", "there"}) {
    Outcome outcome =
        dscope({"-xerrtags", "-e", "-L", folder.path(), "-n", "BEGIN { trace(" + std::string(name) + "); }"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("inline " + std::string(name) + " uses itself\n"), std::string::npos) << outcome.err;
  }
}

// One of ours that does not fit the kernel costs scripts only its names.
TEST(Libraries, OursDisableThemselves) {
  Folder folder;
  fs::create_directories(folder.path("bin"));
  fs::copy_file(DSCOPE_PROGRAM, folder.path("bin/dscope"));
  folder.write("share/dscope/library/bad.d", "inline int BAD = nosuch;\n");
  folder.write("share/dscope/library/needs.d", "inline int NEEDS = BAD;\n");
  folder.write("share/dscope/library/worse.d", "inline nosuch_t WORSE = 1;\n");
  folder.write("share/dscope/library/good.d", "inline int GOOD = 4;\n");
  std::string program = folder.path("bin/dscope");
  Outcome good = run({program, "-e", "-xdebug", "-n", "BEGIN { trace(GOOD); } /* NEEDS WORSE */"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_NE(good.err.find("bad.d is left out: undefined variable name: nosuch\n"), std::string::npos) << good.err;
  EXPECT_NE(good.err.find("needs.d is left out"), std::string::npos) << good.err;
  EXPECT_NE(good.err.find("worse.d is left out"), std::string::npos) << good.err;
  Outcome bad = run({program, "-e", "-n", "BEGIN { trace(NEEDS); }"});
  EXPECT_EQ(
      bad.err,
      "dscope: invalid probe specifier BEGIN { trace(NEEDS); }: in action list: undefined variable name: NEEDS\n");
}

}  // namespace
}  // namespace dscope::e2e
