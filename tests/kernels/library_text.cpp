#include "tests/kernels/library_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace dscope {

namespace {

namespace fs = std::filesystem;

std::string without_comments(const fs::path& path) {
  std::ifstream file{path};
  std::stringstream text;
  text << file.rdbuf();
  return std::regex_replace(text.str(), std::regex{R"(/\*[^*]*\*+([^/*][^*]*\*+)*/)"}, "");
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\n"));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

// "struct file *F, int fd": the types without the names.
std::vector<std::string> parameter_types(const std::string& list) {
  std::vector<std::string> types;
  std::istringstream parts{list};
  for (std::string part; std::getline(parts, part, ',');)
    types.push_back(trimmed(std::regex_replace(part, std::regex{R"(\w+\s*$)"}, "")));
  return types;
}

template <typename Visit>
void for_each_match(const std::string& text, const std::regex& pattern, Visit visit) {
  for (std::sregex_iterator match{text.begin(), text.end(), pattern}, end; match != end; ++match) visit(*match);
}

// `translation`: "xlate <psinfo_t *>", or empty. A pointer in a translator selects a member, whose value is plain.
ValueKind kind_of(const std::string& translation) {
  if (translation.empty()) return ValueKind::Plain;
  return translation.find('*') == std::string::npos ? ValueKind::Object : ValueKind::PointerToObject;
}

LibraryText read_library(const fs::path& path) {
  LibraryText library{.file = path.filename().string(), .inlines = {}, .translators = {}};
  std::string text = without_comments(path);
  static const std::regex inlines{R"((?:^|\n)inline\s[^=\[;]*?(\w+)\s*(\[([^\]]*)\])?\s*=\s*(xlate\s*<[^>]*>)?)"};
  for_each_match(text, inlines, [&](const std::smatch& match) {
    library.inlines.push_back({.name = match[1], .kind = kind_of(match[4]), .parameters = parameter_types(match[3])});
  });
  static const std::regex translators{R"((?:^|\n)translator\s+([^<]+)<\s*([^>]*?)\w+\s*>\s*\{([^}]*)\})"};
  static const std::regex members{R"(\n\t(\w+)\s*=\s*(xlate\s*<[^*>]*>)?)"};
  for_each_match(text, translators, [&](const std::smatch& match) {
    LibraryTranslator& translator = library.translators.emplace_back();
    translator.output = trimmed(match[1]);
    translator.input = trimmed(match[2]);
    std::string body = match[3];
    for_each_match(body, members, [&](const std::smatch& member) {
      translator.members.push_back({.name = member[1], .kind = kind_of(member[2])});
    });
  });
  return library;
}

}  // namespace

std::vector<LibraryText> read_libraries(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<LibraryText> libraries;
  for (const fs::path& path : paths) libraries.push_back(read_library(path));
  return libraries;
}

}  // namespace dscope
