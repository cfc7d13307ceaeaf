// Strings, vectors and pointers of the C++ library, whose contents tests print.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct point {
  int x, y;
};
struct owner {
  int id;
  std::string name;
  std::vector<int> scores;
  std::vector<std::string> tags;
};

volatile unsigned long sum;

__attribute__((noinline)) void observe(const owner& whole, const std::string& text, std::string_view view,
                                       const std::vector<int>& numbers, const std::unique_ptr<point>& only,
                                       const std::shared_ptr<point>& shared) {
  std::string copy = text;
  std::string long_text = text + ", which is longer than the string object itself";
  std::vector<std::string> words = {copy, "second"};
  sum = whole.name.size() + long_text.size() + view.size() + numbers.size() + words.size() + (only ? 1 : 0) +
        (shared ? 1 : 0);
}

int main() {
  auto shared = std::make_shared<point>(point{5, 6});
  owner whole{.id = 9, .name = "owner of it", .scores = {10, 20}, .tags = {"a", "b"}};
  std::string text = "short";
  observe(whole, text, std::string_view("a view of text").substr(2, 4), {1, 2, 3}, std::make_unique<point>(point{3, 4}),
          shared);
  return sum == 0;
}
