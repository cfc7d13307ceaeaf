#include "model.h"

#include <algorithm>
#include <cctype>

namespace dscope::model {

__extension__ using Wide = __int128;

int order(const std::string& left, const std::string& right) {
  return left < right ? -1 : left > right ? 1 : 0;  // std::string compares unsigned bytes
}

// Keeps each position of the string that lies in the window [from, to).
std::string substr(const std::string& text, int64_t index, std::optional<int64_t> count) {
  Wide length = static_cast<Wide>(text.size());
  Wide from = index >= 0 ? Wide{index} : length + index;
  Wide to = length;
  if (count && *count >= 0) to = from + *count;
  if (count && *count < 0) to = from < 0 ? from : length + *count;
  std::string kept;
  for (Wide i = 0; i < length; i++)
    if (i >= from && i < to) kept += text[static_cast<size_t>(i)];
  return kept;
}

namespace {

bool stands_at(const std::string& text, const std::string& needle, int64_t at) {
  return text.compare(static_cast<size_t>(at), needle.size(), needle) == 0;
}

}  // namespace

int64_t index_of(const std::string& text, const std::string& needle, int64_t start) {
  for (int64_t at = std::max<int64_t>(start, 0); at <= static_cast<int64_t>(text.size()); at++)
    if (stands_at(text, needle, at)) return at;
  return -1;
}

int64_t last_index_of(const std::string& text, const std::string& needle, std::optional<int64_t> start) {
  int64_t length = static_cast<int64_t>(text.size());
  for (int64_t at = std::min(start.value_or(length), length); at >= 0; at--)
    if (stands_at(text, needle, at)) return at;
  return -1;
}

namespace {

void drop_trailing_slashes(std::string& path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
}

}  // namespace

std::string basename(const std::string& path) {
  if (path.empty()) return ".";
  std::string name = path;
  drop_trailing_slashes(name);
  return name == "/" ? name : name.substr(name.rfind('/') + 1);
}

std::string dirname(const std::string& path) {
  std::string folder = path;
  drop_trailing_slashes(folder);
  size_t slash = folder.rfind('/');
  if (slash == std::string::npos) return ".";
  folder.resize(slash + 1);
  drop_trailing_slashes(folder);
  return folder;
}

std::string cleanpath(const std::string& path) {
  if (path.empty()) return "";
  bool is_absolute = path[0] == '/';
  std::vector<std::string> kept;
  for (const std::string& part : tokens(path, "/")) {
    if (part == ".") continue;
    if (part != "..") kept.push_back(part);
    else if (!kept.empty() && kept.back() != "..") kept.pop_back();
    else if (!is_absolute) kept.push_back(part);
  }
  std::string clean;
  for (const std::string& part : kept) clean += "/" + part;
  if (clean.empty()) return is_absolute ? "/" : ".";
  return is_absolute ? clean : clean.substr(1);
}

std::vector<std::string> tokens(const std::string& text, const std::string& delimiters) {
  std::vector<std::string> found;
  for (size_t at = 0; (at = text.find_first_not_of(delimiters, at)) != std::string::npos;) {
    size_t end = std::min(text.find_first_of(delimiters, at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

namespace {

// Reads a JSON text from left to right. Each function advances `at` past the text it has read.
class JsonReader {
 public:
  JsonReader(const std::string& text, const std::vector<std::string>& path) : text_(text), path_(path) {}

  std::optional<std::string> read() {
    skip_white();
    return is_container() ? container(0) : std::nullopt;
  }

 private:
  char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_container() const { return now() == '{' || now() == '['; }
  void skip_white() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  // The text between quotes; empty if the string is not closed.
  std::optional<std::string> quoted() {
    size_t start = ++at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') ++at_;
      else if (text_[at_] == '"') return text_.substr(start, at_++ - start);
    }
    return std::nullopt;
  }
  std::optional<std::string> word() {
    size_t start = at_;
    while (at_ < text_.size() && text_.find_first_of(",]} \t\n\v\f\r", at_) != at_) ++at_;
    if (at_ >= text_.size()) return std::nullopt;
    return text_.substr(start, at_ - start);
  }
  std::optional<std::string> whole_container() {
    size_t start = at_;
    for (int depth = 0; at_ < text_.size();) {
      if (now() == '"') {
        if (!quoted()) return std::nullopt;
        continue;
      }
      if (is_container()) ++depth;
      bool closes = now() == '}' || now() == ']';
      ++at_;
      if (closes && --depth == 0) return text_.substr(start, at_ - start);
    }
    return std::nullopt;
  }
  std::optional<std::string> value() {
    if (now() == '"') return quoted();
    if (is_container()) return whole_container();
    return word();
  }
  std::optional<std::string> container(size_t level) {
    bool is_array = text_[at_++] == '[';
    for (size_t i = 0;; ++i) {
      skip_white();
      if (is_array && now() == ']') return std::nullopt;
      std::string name = std::to_string(i);
      if (!is_array) {
        auto key = now() == '"' ? quoted() : std::nullopt;
        if (!key) return std::nullopt;
        name = *key;
        skip_white();
        if (now() != ':') return std::nullopt;
        ++at_;
        skip_white();
      }
      if (name == path_[level]) {
        if (level + 1 == path_.size()) return value();
        return is_container() ? container(level + 1) : std::nullopt;
      }
      if (!value()) return std::nullopt;
      skip_white();
      if (now() != ',') return std::nullopt;
      ++at_;
    }
  }

  const std::string& text_;
  const std::vector<std::string>& path_;
  size_t at_ = 0;
};

}  // namespace

std::optional<std::string> json(const std::string& text, const std::vector<std::string>& path) {
  return JsonReader(text, path).read();
}

std::string lltostr(int64_t value, unsigned base) {
  bool is_negative = base == 10 && value < 0;
  uint64_t rest = is_negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base]);
  while ((rest /= base) != 0);
  return (is_negative ? "-" : base == 16 ? "0x" : base == 8 ? "0" : "") + digits;
}

int64_t strtoll(const std::string& text, unsigned base) {
  static const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  size_t at = 0;
  while (at < text.size() && std::string(" \t\n\v\f\r").find(text[at]) != std::string::npos) at++;
  bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) at++;
  bool has_prefix = base == 16 && at + 1 < text.size() && text[at] == '0' && (text[at + 1] | 32) == 'x';
  if (has_prefix) at += 2;
  uint64_t value = 0;
  for (; at < text.size(); at++) {
    char c = text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] + 32) : text[at];
    size_t digit = digits.find(c);
    if (digit == std::string::npos || digit >= base) break;
    value = value * base + digit;
  }
  return static_cast<int64_t>(negative ? -value : value);
}

uint64_t quantize_bucket(int64_t value) {
  if (value == 0) return 63;
  Wide size = value < 0 ? -Wide{value} : Wide{value};
  int log = 0;
  while (Wide{1} << (log + 1) <= size) log++;
  return static_cast<uint64_t>(std::max(0, value > 0 ? 64 + log : 62 - log));
}

uint64_t lquantize_bucket(int64_t value, int64_t base, uint64_t levels, uint64_t step) {
  if (value < base) return 0;
  for (uint64_t i = 0; i < levels; i++)
    if (Wide{value} < Wide{base} + Wide{i + 1} * Wide{step}) return 1 + i;
  return levels + 1;
}

// Finds the last bin whose lower bound (as a fraction) is at most |value|.
uint64_t llquantize_bucket(int64_t value, const LlquantizeShape& shape) {
  Wide size = value < 0 ? -Wide{value} : Wide{value};
  Wide lower = 1;
  for (uint64_t m = 0; m < shape.low; m++) lower *= shape.factor;
  uint64_t distance = 0;
  uint64_t bin = 0;
  for (uint64_t m = shape.low; m <= shape.high; m++) {
    Wide upper = lower * shape.factor;
    for (uint64_t part = shape.steps / shape.factor; part < shape.steps; part++, bin++)
      if (size >= lower && size * shape.steps >= part * upper) distance = bin + 1;
    lower = upper;
  }
  if (size >= lower) distance = bin + 1;
  uint64_t middle = shape.bins() + 1;
  return value < 0 ? middle - distance : middle + distance;
}

}  // namespace dscope::model
