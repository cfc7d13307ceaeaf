#include "string_model.h"

#include <algorithm>

namespace dscope::oracle {

std::string substr_of(const std::string& text, int64_t index, int64_t count) {
  auto length = static_cast<int64_t>(text.size());
  int64_t start = index < 0 ? length + index : index;
  if (start < 0) {
    if (count < 0) return "";
    count = std::max<int64_t>(0, count + start);
    start = 0;
  }
  if (start >= length) return "";
  int64_t rest = length - start;
  if (count < 0) count = std::max<int64_t>(0, rest + count);
  return text.substr(static_cast<size_t>(start), static_cast<size_t>(std::min(count, rest)));
}

int64_t index_of(const std::string& text, const std::string& part, int64_t start) {
  auto from = static_cast<size_t>(std::max<int64_t>(0, start));
  if (from > text.size()) return -1;
  size_t found = text.find(part, from);
  return found == std::string::npos ? -1 : static_cast<int64_t>(found);
}

int64_t rindex_of(const std::string& text, const std::string& part, int64_t start) {
  if (start < 0 && start != no_start) return -1;
  size_t found = text.rfind(part, start == no_start ? std::string::npos : static_cast<size_t>(start));
  return found == std::string::npos ? -1 : static_cast<int64_t>(found);
}

namespace {

std::optional<std::string> suffix(const std::string& text, size_t found) {
  if (found == std::string::npos) return std::nullopt;
  return text.substr(found);
}

std::string without_trailing_slashes(std::string path) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

std::optional<std::string> strchr_of(const std::string& text, char character) {
  return character == 0 ? std::nullopt : suffix(text, text.find(character));
}
std::optional<std::string> strrchr_of(const std::string& text, char character) {
  return character == 0 ? std::nullopt : suffix(text, text.rfind(character));
}
std::optional<std::string> strstr_of(const std::string& text, const std::string& part) {
  return suffix(text, text.find(part));
}

std::string basename_of(const std::string& path) {
  if (path.empty()) return ".";
  std::string name = without_trailing_slashes(path);
  if (name.empty()) return "/";
  size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

std::string dirname_of(const std::string& path) {
  if (path.empty()) return ".";
  std::string name = without_trailing_slashes(path);
  if (name.empty()) return "/";
  size_t slash = name.rfind('/');
  if (slash == std::string::npos) return ".";
  name = without_trailing_slashes(name.substr(0, slash));
  return name.empty() ? "/" : name;
}

std::string key_text(const std::string& text) {
  std::string visible;
  for (char character : text)
    if (character >= '\n' && character <= '\r') visible += {'^', static_cast<char>(character + '@')};
    else visible += character;
  return visible;
}

}  // namespace dscope::oracle
