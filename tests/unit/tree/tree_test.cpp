// The shape of the tree (docs/architecture.md): includes go one way only, and foreign libraries stay behind their
// module.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/unit/tree/source_folders.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = DSCOPE_ROOT;

struct SourceFile {
  fs::path path;       // below the root
  std::string module;  // "src/support", "frontend", "runtime" ...
  size_t lines = 0;
  std::vector<std::string> includes;         // "..." ones
  std::vector<std::string> system_includes;  // <...> ones
};

SourceFile read_file(const fs::path& path) {
  SourceFile file{.path = fs::relative(path, root), .module = {}, .lines = 0, .includes = {}, .system_includes = {}};
  auto part = file.path.begin();
  file.module = *part == "src" ? "src/" + std::next(part)->string() : part->string();
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line); ++file.lines) {
    size_t start = line.find_first_not_of(" \t#", 0);
    if (!line.starts_with("#") || start == std::string::npos || line.compare(start, 7, "include") != 0) continue;
    size_t open = line.find_first_of("\"<", start);
    size_t close = line.find_first_of("\">", open + 1);
    if (open == std::string::npos || close == std::string::npos) continue;
    (line[open] == '"' ? file.includes : file.system_includes).push_back(line.substr(open + 1, close - open - 1));
  }
  return file;
}

const std::vector<SourceFile>& all_files() {
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> found;
    for (const char* folder : {"src", "frontend", "codegen", "runtime", "tests"}) {
      if (!fs::exists(root / folder)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        static constexpr std::array<std::string_view, 4> extensions{".cpp", ".h", ".c", ".def"};
        std::string extension = entry.path().extension();
        if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end())
          found.push_back(read_file(entry.path()));
      }
    }
    return found;
  }();
  return files;
}

// Which module an include names; empty if it is in the includer's own folder.
std::string module_of(const std::string& include) {
  std::string first = include.substr(0, include.find('/'));
  for (const char* below_src : {"support", "catalog", "contract", "arch", "archive", "capture", "import", "pictures",
                                "metrics", "live", "web", "headers", "driver"})
    if (first == below_src) return std::string("src/") + below_src;
  for (const char* top : {"frontend", "codegen", "runtime"})
    if (first == top) return top;
  return {};
}

TEST(Tree, IncludesGoOneWay) {
  // The modules that each module may include besides itself.
  const std::map<std::string, std::vector<std::string>> allowed = {
      {"src/support", {}},
      {"src/catalog", {"src/support"}},
      {"src/contract", {"src/support", "src/catalog"}},
      {"src/arch", {"src/support", "src/catalog", "src/contract"}},
      {"src/archive", {"src/support", "src/catalog", "src/contract", "src/arch"}},
      {"src/capture", {"src/support", "src/catalog", "src/contract", "src/arch", "src/archive"}},
      {"src/import", {"src/support", "src/catalog", "src/contract", "src/arch", "src/capture"}},
      {"frontend", {"src/support", "src/catalog", "src/contract", "src/arch"}},
      {"codegen", {"src/support", "src/catalog", "src/contract", "src/arch", "frontend"}},
      {"src/pictures", {"src/support", "src/catalog", "src/contract"}},
      {"src/live", {"src/support", "src/catalog", "src/contract", "src/pictures"}},
      {"src/metrics", {"src/support", "src/catalog", "src/contract", "src/pictures"}},
      {"src/web", {"src/support", "src/catalog", "src/contract", "src/pictures", "src/metrics"}},
      {"runtime", {"src/support", "src/catalog", "src/contract", "src/arch", "src/capture", "src/pictures"}},
      {"src/headers", {"src/support", "src/catalog", "src/contract"}},
      {"src/driver",
       {"src/support", "src/catalog", "src/contract", "src/arch", "src/archive", "src/capture", "src/import",
        "src/pictures", "src/metrics", "src/live", "src/web", "src/headers", "frontend", "codegen", "runtime"}},
  };
  for (const SourceFile& file : all_files()) {
    auto rule = allowed.find(file.module);
    if (rule == allowed.end()) continue;
    for (const std::string& include : file.includes) {
      std::string module = module_of(include);
      bool is_allowed = module.empty() || module == file.module ||
                        std::find(rule->second.begin(), rule->second.end(), module) != rule->second.end();
      EXPECT_TRUE(is_allowed) << file.path << " includes " << include;
    }
  }
}

TEST(Tree, UnitTestsMirrorTheTree) {
  for (const SourceFile& file : all_files()) {
    std::string folder = file.path.parent_path();
    constexpr std::string_view tests = "tests/unit/";
    if (!folder.starts_with(tests) || !file.path.filename().string().ends_with("_test.cpp")) continue;
    folder.erase(0, tests.size());
    bool is_mirrored = folder == "tree" || fs::is_directory(root / folder) || fs::is_directory(root / "src" / folder);
    EXPECT_TRUE(is_mirrored) << file.path << ": no folder of sources is named " << folder;
  }
}

// The folders inside a module, in the order in which its CMakeLists.txt adds them: a folder may include those before
// it.
std::vector<std::string> folders_in(const std::string& module) {
  std::vector<std::string> names;
  for (const dscope::SourceFolder& folder : dscope::source_folders())
    if (folder.path.starts_with(module + "/") && folder.path.find('/', module.size() + 1) == std::string::npos)
      names.push_back(folder.path.substr(module.size() + 1));
  return names;
}

// The folder of a path below a module: "check" of "frontend/check/check.h".
std::string folder_of(const std::string& path) {
  size_t slash = path.find('/');
  return slash == std::string::npos ? std::string{} : path.substr(slash + 1, path.find('/', slash + 1) - slash - 1);
}

TEST(Tree, FoldersOfAModuleIncludeOnlyThoseBeforeThem) {
  std::map<std::string, std::vector<std::string>> order;
  for (const char* module : {"frontend", "codegen", "runtime"}) order[module] = folders_in(module);
  for (const SourceFile& file : all_files()) {
    if (!order.contains(file.module)) continue;
    const std::vector<std::string>& folders = order[file.module];
    auto own = std::find(folders.begin(), folders.end(), folder_of(file.path.string()));
    ASSERT_NE(own, folders.end()) << file.path << " is in no folder of " << file.module;
    for (const std::string& include : file.includes) {
      if (module_of(include) != file.module) continue;
      auto included = std::find(folders.begin(), folders.end(), folder_of(include));
      EXPECT_LE(included - folders.begin(), own - folders.begin()) << file.path << " includes " << include;
    }
  }
}

// The folders within frontend/check and codegen/lower have no order: their classes are mutually recursive.
TEST(Tree, NestedFoldersIncludeOnlyThoseBeforeThem) {
  const std::pair<std::string, std::string> parents[] = {// with the start of their includes
                                                         {"runtime/providers", "runtime/providers/"},
                                                         {"src/driver", "driver/"}};
  for (const auto& [parent, start] : parents) {
    const std::vector<std::string> folders = folders_in(parent);
    EXPECT_GE(folders.size(), 3U) << parent;
    auto index_of = [&](const std::string& path) {
      return std::ranges::find(folders, path.substr(0, path.find('/'))) - folders.begin();
    };
    for (const SourceFile& file : all_files()) {
      std::string folder = file.path.parent_path();
      if (!folder.starts_with(parent + "/")) continue;
      auto own = index_of(folder.substr(parent.size() + 1));
      for (const std::string& include : file.includes) {
        bool is_nested = include.starts_with(start) && include.find('/', start.size()) != std::string::npos;
        if (!is_nested) continue;
        EXPECT_LE(index_of(include.substr(start.size())), own) << file.path << " includes " << include;
      }
    }
  }
}

TEST(Tree, ForeignLibrariesStayBehindTheirModule) {
  // The modules that may include each library, separated by blanks.
  const std::pair<const char*, std::string_view> owners[] = {
      {"llvm/", "codegen"},
      {"bpf/", "runtime"},
      {"bcc/", "runtime"},
      {"libelf.h", "runtime"},
      {"gelf.h", "runtime"},
      {"elfutils/", "runtime"},
      {"dwarf.h", "runtime"},
      {"cereal/", "runtime src/support src/archive src/capture src/pictures"},
      {"clang-c/", "src/headers"},
      {"dlfcn.h", "src/support"},
      {"protozero/", "src/pictures src/metrics"},
      {"curses.h", "src/live"},
      {"microhttpd.h", "src/web"},
      {"event-parse.h", "src/import"},
      {"trace-cmd.h", "src/import"},
      {"babeltrace2/", "src/import"},
  };
  for (const SourceFile& file : all_files()) {
    bool is_bpf_program = file.path.string().starts_with("codegen/bpf/");
    if (file.module == "tests" || is_bpf_program) continue;
    for (auto [library, owner] : owners)
      for (const std::string& include : file.system_includes)
        EXPECT_FALSE(include.starts_with(library) && owner.find(file.module) == owner.npos)
            << file.path << " includes " << include;
  }
}

// Two types of one name in one namespace violate the one-definition rule, which neither compiler nor linker reports.
TEST(Tree, TypesHaveOneDefinition) {
  std::map<std::string, std::string> definitions;  // the file that defines a type, by name
  static const std::regex definition(R"((?:class|struct) (\w+)(?: final)?(?: :.*)? \{.*)");
  for (const SourceFile& file : all_files()) {
    if (file.module == "tests" || file.path.extension() == ".c" || file.path.extension() == ".def") continue;
    bool is_local = false;
    std::ifstream stream(root / file.path);
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("namespace {")) is_local = true;
      if (line == "}  // namespace") is_local = false;
      if (is_local || !std::regex_match(line, match, definition)) continue;
      auto [first, is_new] = definitions.emplace(match[1], file.path);
      EXPECT_TRUE(is_new) << file.path << " and " << first->second << " both define " << match[1];
    }
  }
  EXPECT_GT(definitions.size(), 400U);
}

TEST(Tree, EveryFileSaysWhatItIsFor) {
  for (const SourceFile& file : all_files()) {
    if (file.lines == 0 || file.module == "tests") continue;
    std::ifstream stream(root / file.path);
    std::string line;
    std::getline(stream, line);
    bool says = line.starts_with("//") || line.starts_with("/*");
    // A .cpp whose header says it all may start with including that header.
    bool has_header = line.starts_with("#include \"") && fs::exists(fs::path(root / file.path).replace_extension(".h"));
    EXPECT_TRUE(says || has_header) << file.path << ": the first line should be a comment";
  }
}

}  // namespace
