// D libraries that the installed program finds, and libraries that -L adds.
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

TEST(Libraries, UserLibrariesAreCompiledFirst) {
  SKIP_UNLESS_TRACING();
  Folder folder;
  folder.write("b.d", "#pragma D depends_on library c.d\ninline string GREETING = WORLD == 3 ? \"hello\" : \"\";\n");
  folder.write("c.d", "inline int WORLD = 3;\n");
  folder.write("d.d", "#pragma D depends_on provider nosuch\ninline nosuch_t NEVER = 0;\n");
  Outcome outcome = dscope({"-q", "-L", folder.path(), "-n", "BEGIN { printf(\"%s\\n\", GREETING); exit(0); }"});
  EXPECT_EQ(outcome.out, "hello\n\n") << outcome.err;
  EXPECT_EQ(outcome.status, 0);
}

TEST(Libraries, ErrorInUserLibraryEndsTheRun) {
  Folder folder;
  folder.write("b.d", "\ninline int x = y;\n");
  Outcome outcome = dscope({"-xerrtags", "-xdiagnostics=classic", "-e", "-L", folder.path(), "-n", "BEGIN"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "dscope: invalid probe specifier BEGIN: [D_IDENT_UNDEF] \"" + folder.path("b.d") +
                             "\", line 2: failed to resolve y: Unknown variable name\n");
}

// Even if no program uses the declaration.
TEST(Libraries, ErrorInUnusedDeclarationEndsTheRun) {
  Folder folder;
  const std::pair<const char*, const char*> mistakes[] = {
      {"inline int x = curthread->nosuch;", "[D_TYPE_MEMBER]"},
      {"inline string x = strjoin(1);", "[D_PROTO_LEN]"},
      {"inline struct task_struct *x = x->real_parent;", "[D_IDENT_UNDEF]"},
      {"inline int x[struct task_struct *t] = t->nosuch;", "[D_TYPE_MEMBER]"},
      {"struct o { int a; }; translator struct o < struct task_struct *T > { a = T->nosuch; };", "[D_TYPE_MEMBER]"}};
  for (auto [text, tag] : mistakes) {
    folder.write("b.d", std::string("\n") + text + "\n");
    Outcome outcome = dscope({"-xerrtags", "-e", "-L", folder.path(), "-n", "BEGIN"});
    EXPECT_EQ(outcome.status, 1) << text;
    EXPECT_NE(outcome.err.find(tag + (" \"" + folder.path("b.d") + "\", line 2: ")), std::string::npos) << outcome.err;
  }
}

// Pragmas about parsing and checking apply to their own unit only.
TEST(Libraries, PragmasAffectOnlyTheirOwnUnit) {
  Folder folder;
  const std::string matching = "BEGIN { trace(1); }\n", missing = "nosuch:::probe { trace(2); }\n";
  folder.write("zdefs.d", "#pragma D option zdefs\n" + matching + missing);
  folder.write("strict.d", matching + missing);
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"zdefs.d", "strict.d"}, {"strict.d", "zdefs.d"}}) {
    Outcome outcome = dscope({"-xerrtags", "-e", "-s", folder.path(order[0]), "-s", folder.path(order[1])});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("script " + folder.path("strict.d") + ": [D_PDESC_ZERO] line 2"), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(dscope({"-e", "-s", folder.path("zdefs.d")}).status, 0);
  EXPECT_EQ(dscope({"-e", "-Z", "-s", folder.path("strict.d")}).status, 0);
}

TEST(Libraries, DependenciesOnModulesAreChecked) {
  Folder folder;
  folder.write("a.d", "#pragma D depends_on module vmlinux\ninline int A = 1;\n");
  folder.write("b.d", "#pragma D depends_on module nosuch\ninline int B = 2;\n");
  EXPECT_EQ(dscope({"-e", "-L", folder.path(), "-n", "BEGIN { trace(A); }"}).status, 0);
  Outcome outcome = dscope({"-xerrtags", "-e", "-L", folder.path(), "-n", "BEGIN { trace(B); }"});
  EXPECT_NE(outcome.err.find("[D_IDENT_UNDEF]"), std::string::npos) << outcome.err;
}

// A copy of dscope whose built-in libraries are the files in share/dscope/library of the folder.
std::string copy_program(const Folder& folder) {
  fs::create_directories(folder.path("bin/compiler"));
  fs::copy_file(DSCOPE_PROGRAM, folder.path("bin/dscope"));
  fs::copy_file(fs::path(DSCOPE_PROGRAM).parent_path() / "compiler/dscope", folder.path("bin/compiler/dscope"));
  return folder.path("bin/dscope");
}

// dscope skips definitions that the kernel lacks members for: scripts lose only their names.
TEST(Libraries, BrokenBuiltInLibrariesAreSkipped) {
  Folder folder;
  std::string program = copy_program(folder);
  folder.write("share/dscope/library/bad.d", "inline int BAD = nosuch;\n");
  folder.write("share/dscope/library/needs.d", "inline int NEEDS = BAD;\n");
  folder.write("share/dscope/library/worse.d", "inline nosuch_t WORSE = 1;\n");
  folder.write("share/dscope/library/good.d", "inline int GOOD = 4;\n");
  folder.write("share/dscope/library/round.d",
               "inline struct task_struct *here = there->real_parent;\n"
               "inline struct task_struct *there = here->real_parent;\n");
  Outcome good = run({program, "-e", "-xdebug", "-n", "BEGIN { trace(GOOD); } /* NEEDS WORSE */"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_NE(good.err.find("bad.d is skipped: failed to resolve nosuch: Unknown variable name\n"), std::string::npos)
      << good.err;
  EXPECT_NE(good.err.find("needs.d is skipped"), std::string::npos) << good.err;
  EXPECT_NE(good.err.find("worse.d is skipped"), std::string::npos) << good.err;
  Outcome round = run({program, "-e", "-xdebug", "-n", "BEGIN { trace(here); }"});
  EXPECT_NE(round.err.find("round.d is skipped: inline here uses itself\n"), std::string::npos) << round.err;
  Outcome bad = run({program, "-e", "-xdiagnostics=classic", "-n", "BEGIN { trace(NEEDS); }"});
  EXPECT_EQ(bad.err,
            "dscope: invalid probe specifier BEGIN { trace(NEEDS); }: in action list: failed to resolve NEEDS: Unknown "
            "variable name\n");
  Outcome full = run({program, "-e", "-xdiagnostics=full", "-n", "BEGIN { trace(NEEDS); }"});
  EXPECT_NE(full.err.find("NEEDS of D library needs.d does not compile on this kernel: failed to resolve nosuch: "
                          "Unknown variable name"),
            std::string::npos)
      << full.err;
}

// Members of kernel structures come and go: a definition that names an absent one takes nothing else with it.
TEST(Libraries, BrokenDefinitionsOfBuiltInLibrariesAreSkippedAlone) {
  Folder folder;
  std::string program = copy_program(folder);
  folder.write("share/dscope/library/parts.d",
               "typedef struct parts { int p_good, p_bad; } parts_t;\n"
               "inline int __gone[struct task_struct *T] = T->no_such_member;\n"
               "inline int __user_of_gone[struct task_struct *T] = __gone[T] + 1;\n"
               "translator parts_t < struct task_struct *T > {\n"
               "\tp_good = T->pid;\n\tp_bad = __user_of_gone[T];\n};\n"
               "inline parts_t *parts = xlate <parts_t *> (curthread);\n");
  Outcome good = run({program, "-e", "-n", "BEGIN { trace(parts->p_good); }"});
  EXPECT_EQ(good.status, 0) << good.err;
  Outcome bad = run({program, "-e", "-xdiagnostics=full", "-n", "BEGIN { trace(parts->p_bad); }"});
  EXPECT_EQ(bad.status, 1) << bad.err;
  EXPECT_NE(bad.err.find("p_bad of D library parts.d does not compile on this kernel: no_such_member is not a member "
                         "of struct task_struct"),
            std::string::npos)
      << bad.err;
  EXPECT_EQ(bad.err.find("__gone"), std::string::npos) << bad.err;
}

}  // namespace
}  // namespace dscope::e2e
