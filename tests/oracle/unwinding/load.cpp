// C++ code for the comparison of unwinders: templates, virtual calls, exceptions, recursion.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Node {
  virtual ~Node() = default;
  virtual double value(int depth) const = 0;
};
struct Leaf final : Node {
  double value(int) const override { return 1.5; }
};
struct Sum final : Node {
  std::vector<std::unique_ptr<Node>> parts;
  double value(int depth) const override {
    double sum = 0;
    for (const auto& part : parts) sum += part->value(depth + 1);
    if (depth == 3) throw std::out_of_range("too deep");
    return sum;
  }
};

std::unique_ptr<Node> nested(int depth) {
  if (depth == 0) return std::make_unique<Leaf>();
  auto sum = std::make_unique<Sum>();
  for (int i = 0; i < 3; ++i) sum->parts.push_back(nested(depth - 1));
  return sum;
}

size_t count_words(const std::vector<std::string>& words, const std::function<bool(const std::string&)>& is_wanted) {
  std::map<std::string, size_t> counts;
  for (const std::string& word : words)
    if (is_wanted(word)) ++counts[word + '!'];
  std::vector<std::pair<size_t, std::string>> sorted;
  for (const auto& [word, count] : counts) sorted.emplace_back(count, word);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return b < a; });
  return sorted.size();
}

}  // namespace

int main() {
  std::vector<std::string> words;
  for (int i = 0; i < 500; ++i) words.push_back("word " + std::to_string(i * 7919 % 257));
  for (double sum = 0; sum >= 0;) {
    try {
      sum += nested(6)->value(0);
    } catch (const std::out_of_range& error) {
      sum += static_cast<double>(std::string(error.what()).size());
    }
    sum += static_cast<double>(count_words(words, [](const std::string& word) { return word.size() > 5; }));
  }
  return 0;
}
