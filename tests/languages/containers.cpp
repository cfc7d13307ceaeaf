// Containers of the C++ library, whose contents tests print.
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

struct point {
  short x, y;
};
struct item {
  int id;
  std::string name;
};
struct holder {
  int id;
  std::unique_ptr<item> owned;
  std::shared_ptr<point> shared;
  std::unique_ptr<item> none;
};

volatile unsigned long sum;

template <typename... Types>
void use(const Types&... values) {
  ((sum += reinterpret_cast<unsigned long>(&values)), ...);
}

__attribute__((noinline)) void observe(const std::map<int, std::string>& words, const std::set<long>& numbers) {
  std::unordered_map<std::string, int> counts = {{"only", 7}};
  std::unordered_set<char> letters = {'q'};
  std::list<short> list = {4, 5, 6};
  std::array<int, 3> array = {7, 8, 9};
  std::array<std::string, 2> texts = {"one", "two"};
  std::deque<int> queue;
  for (int i = 0; i < 300; ++i) queue.push_back(i);
  for (int i = 0; i < 126; ++i) queue.pop_front();  // elements of the first block are followed by those of the next
  std::optional<int> some = 5, none;
  std::optional<std::string> text = "a text";
  std::variant<int, std::string, point> alternative = std::string("second"), third = point{1, 2}, first = 3;
  std::vector<point> points = {{1, 2}, {3, 4}};
  std::vector<item> items = {{1, "a"}, {2, "b"}};
  std::vector<double> reals = {1.5};
  std::vector<item> nothing;
  std::map<int, item> empty;
  holder whole{.id = 9,
               .owned = std::make_unique<item>(item{3, "c"}),
               .shared = std::make_shared<point>(point{5, 6}),
               .none = nullptr};
  use(words, numbers, counts, letters, list, array, texts, queue, some, none, text, alternative, third, first, points,
      items, reals, nothing, empty, whole);
}

int main() {
  std::map<int, std::string> words;
  for (int i : {50, 20, 80, 10, 30, 70, 90, 60}) words[i] = "w" + std::to_string(i);
  observe(words, {3, 1, 2});
  return sum == 0;
}
