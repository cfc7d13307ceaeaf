// Selection and order of the D libraries to compile, and the treatment of libraries with errors (d-language.md 8.3).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "driver/compile/library_files.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

// Compiles programs with the library files of a temporary folder.
class LibraryLoading : public testing::Test {
 protected:
  LibraryLoading() {
    std::string pattern = (fs::temp_directory_path() / "dscope-libraries-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    set("libdir", folder_.string());
  }
  ~LibraryLoading() override { fs::remove_all(folder_); }

  void add(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void set(const std::string& name, const std::string& value, bool has_value = true) {
    EXPECT_TRUE(options_.set(name, value, has_value, OptionOrigin::CommandLine)) << name;
  }
  // The error without the folder's name; empty on success.
  std::string compile_program(const std::string& text) {
    CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
    line.programs.push_back({.letter = 'n', .text = text});
    compilation_ = std::make_unique<Compilation>();
    auto done = compile(*compilation_, line, options_, host_, 0);
    std::string error = done ? "" : done.error().message();
    if (done && compilation_->diagnostics.has_errors()) error = render(compilation_->diagnostics, "dscope", true);
    std::string prefix = folder_.string() + "/";
    for (size_t at = 0; (at = error.find(prefix)) != std::string::npos;) error.erase(at, prefix.size());
    return error;
  }
  int64_t constant(const std::string& name) const {
    for (const Inline& definition : compilation_->meaning.inlines)
      if (definition.name == name && definition.constant) return static_cast<int64_t>(*definition.constant);
    return -1;
  }
  const fs::path& folder() const { return folder_; }
  const Compilation& compilation() const { return *compilation_; }

 private:
  fs::path folder_;
  FakeHost host_;
  OptionValues options_;
  std::unique_ptr<Compilation> compilation_;
};

TEST_F(LibraryLoading, UserLibrariesAreAlwaysCompiled) {
  add("a.d", "inline int UNUSED = 7;\n");
  add("no_library.txt", "int int;\n");
  add(".hidden.d", "int int;\n");
  EXPECT_EQ(compile_program("BEGIN"), "");
  EXPECT_EQ(constant("UNUSED"), 7);
}

TEST_F(LibraryLoading, DependenciesComeFirst) {
  add("a.d", "#pragma D depends_on library z.d\n#pragma D depends_on library m.d\ninline int A = Z + M;\n");
  add("m.d", "#pragma D depends_on library z.d\ninline int M = Z + 1;\n");
  add("z.d", "inline int Z = 10;\n");
  EXPECT_EQ(compile_program("BEGIN"), "");
  EXPECT_EQ(constant("A"), 21);
}

TEST_F(LibraryLoading, BuiltInLibrariesAreDependencies) {
  add("a.d", "#pragma D depends_on library errno.d\ninline int A = EPERM;\n");
  EXPECT_EQ(compile_program("BEGIN"), "");
  EXPECT_EQ(constant("A"), 1);
}

TEST_F(LibraryLoading, UserFileReplacesBuiltInOfTheSameName) {
  add("errno.d", "inline int EPERM = 100;\n");
  EXPECT_EQ(compile_program("BEGIN { trace(EPERM); }"), "");
  EXPECT_EQ(constant("EPERM"), 100);
}

TEST_F(LibraryLoading, AlternativesUseTheFirstThatCompiles) {
  add("a.d",
      "inline int A = sizeof (curthread->no_such_member) ?? sizeof (curthread->comm) ?? 3;\n"
      "inline int B = sizeof (curthread->comm) ?? no_such_name;\n");
  EXPECT_EQ(compile_program("BEGIN { trace(A + B); }"), "");
  EXPECT_EQ(constant("A"), 16);
  EXPECT_EQ(constant("B"), 16);
  add("a.d", "inline int A = curthread->no_such_member ?? no_such_name;\n");
  EXPECT_NE(compile_program("BEGIN { trace(A); }").find("no_such_name"), std::string::npos);
}

TEST_F(LibraryLoading, CyclesAreRejected) {
  add("a.d", "#pragma D depends_on library b.d\n");
  add("b.d", "#pragma D depends_on library a.d\n");
  EXPECT_EQ(compile_program("BEGIN"),
            "invalid probe specifier BEGIN: D libraries depend on each other: a.d -> b.d -> a.d");
}

TEST_F(LibraryLoading, MissingDependenciesAreRejected) {
  add("a.d", "/*\n#pragma D depends_on library comment.d\n*/\n#pragma D depends_on library none.d\n");
  EXPECT_EQ(compile_program("BEGIN"),
            "invalid probe specifier BEGIN: D library a.d depends on library none.d, which does not exist");
}

TEST_F(LibraryLoading, LibrariesForAbsentProvidersAreSkippedWithDependents) {
  add("a.d", "#pragma D depends_on provider nosuch\nnosuch_t x;\n");
  add("b.d", "#pragma D depends_on library a.d\nint int;\n");
  add("c.d", "#pragma D depends_on module nosuch\nint int;\n");
  add("d.d", "#pragma D depends_on provider syscall\n#pragma D depends_on module vmlinux\ninline int D = 1;\n");
  EXPECT_EQ(compile_program("BEGIN"), "");
  EXPECT_EQ(compilation().skipped_libraries.size(), 3U);
  EXPECT_EQ(constant("D"), 1);
}

TEST_F(LibraryLoading, OtherErrorsAreFatal) {
  add("a.d", "inline int a = 1;\n\nint int;\n");
  EXPECT_EQ(compile_program("BEGIN"),
            "dscope: invalid probe specifier BEGIN: [D_DECL_COMBO] \"a.d\", line 3: invalid combination of types: "
            "`int` follows another type\n");
  add("a.d", "\ninline int a = nosuch;\n");
  EXPECT_EQ(compile_program("BEGIN"),
            "dscope: invalid probe specifier BEGIN: [D_IDENT_UNDEF] \"a.d\", line 2: failed to resolve nosuch: Unknown "
            "variable name\n");
}

TEST_F(LibraryLoading, NolibsSkipsLibraries) {
  add("a.d", "int int;\n");
  set("nolibs", "", false);
  EXPECT_EQ(compile_program("BEGIN { trace(NULL); }"), "");
  EXPECT_NE(compile_program("BEGIN { trace(EPERM); }").find("D_IDENT_UNDEF"), std::string::npos);
}

TEST_F(LibraryLoading, SyslibdirReplacesBuiltInLibraries) {
  add("sys/a.d", "inline int A = 1;\n");
  add("b.d", "#pragma D depends_on library a.d\ninline int B = A + 1;\n");
  set("syslibdir", (folder() / "sys").string());
  EXPECT_EQ(compile_program("BEGIN"), "");
  EXPECT_EQ(constant("B"), 2);
  EXPECT_NE(compile_program("BEGIN { trace(EPERM); }").find("D_IDENT_UNDEF"), std::string::npos);
}

TEST_F(LibraryLoading, BuiltInLibrariesMayLackDependencies) {
  LibrarySearch search{.built_in_directory = folder().string(), .directories = {}, .kernel_release = "6.18.0"};
  add("a.d", "inline int A = 1;\n");
  add("b.d", "#pragma D depends_on library none.d\ninline int B = 1;\n");
  add("c.d", "inline int C = 1;\n");
  auto none = [](const std::string&) { return std::vector<std::string>{"none.d"}; };
  auto files = needed_libraries(search, {"trace(A); trace(C)"}, none);
  ASSERT_TRUE(files.has_value()) << files.error().message();
  ASSERT_EQ(files->size(), 2U);
  EXPECT_TRUE(files->front().is_built_in);
  EXPECT_EQ(file_name(files->back().path), "c.d");
}

TEST_F(LibraryLoading, KernelReleaseSelectsFolder) {
  auto none = [](const std::string&) { return std::vector<std::string>{}; };
  for (const char* name : {"4.1/x.d", "5.14/x.d", "5.9/x.d", "6.18.1/x.d", "x.d", "y.d"}) add(name, "");
  auto found = [&](const std::string& release) {
    LibrarySearch search{.built_in_directory = "", .directories = {folder().string()}, .kernel_release = release};
    auto files = needed_libraries(search, {}, none);
    EXPECT_TRUE(files.has_value() && files->size() == 2);
    return files->front().path.substr(folder().string().size());
  };
  EXPECT_EQ(found("3.10.0"), "/x.d");
  EXPECT_EQ(found("5.13.7-arch"), "/5.9/x.d");
  EXPECT_EQ(found("6.18.0"), "/5.14/x.d");
  EXPECT_EQ(found("6.18.1-rc3+"), "/6.18.1/x.d");
}

}  // namespace
}  // namespace dscope
