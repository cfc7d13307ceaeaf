// The language server answers at every prefix of every script: while a user types, the text is broken nearly always.
// A run tries some prefixes of each script; DSCOPE_EVERY_PREFIX=1 in the environment tries all, which takes an hour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "driver/language/language_service.h"
#include "frontend/format/format.h"
#include "tests/support/fake_host.h"
#include "tests/support/golden_files.h"

namespace dscope {
namespace {

std::vector<std::filesystem::path> all_scripts() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"tools", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(DSCOPE_ROOT) / folder))
      if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

TEST(Prefixes, OfEveryScriptAreAnswered) {
  const bool tries_all = std::getenv("DSCOPE_EVERY_PREFIX") != nullptr;
  LanguageService service({}, [] { return std::make_unique<FakeHost>(); });
  size_t answers = 0, index = 0;
  for (const std::filesystem::path& path : all_scripts()) {
    std::string text = read_file(path);
    if (text.empty()) continue;
    // Requests that need no compilation are tried often.
    size_t step = tries_all ? 1 : std::max<size_t>(1, text.size() / 12);
    for (size_t end = ++index % step; end <= text.size(); end += step) {
      std::string prefix = text.substr(0, end);
      auto offset = static_cast<uint32_t>(end);
      Scan scanned = scan(prefix, OnBrokenText::Skip);
      find_definitions(scanned);
      find_cursor(prefix, offset);
      service.signature(prefix, offset);
      service.find_definition(path, prefix, offset);
      (void)format_source(prefix);
    }
    // The rest compiles: at one place of every sixteenth script.
    step = tries_all ? 1 : text.size() + 1;
    if (!tries_all && index % 16 != 0) continue;
    for (size_t end = index * 7919 % std::min(step, text.size() + 1); end <= text.size(); end += step) {
      std::string prefix = text.substr(0, end);
      auto offset = static_cast<uint32_t>(end);
      answers += service.complete(path, prefix, offset).items.size();
      service.hover(path, text, offset);
      for (const Problem& problem : service.check(path, prefix)) {
        EXPECT_LE(problem.range.end, end);
        if (tries_all && end % 64 == 0) service.quick_fixes(path, prefix, problem);
      }
    }
  }
  EXPECT_GT(answers, 100u);
}

}  // namespace
}  // namespace dscope
