// Runs a fuzz target without libFuzzer: NAME_fuzzer FOLDER... [--mutations=COUNT] [--seed=NUMBER].
// First come the inputs in the folders: those in tests/fuzz/corpus exposed bugs, or reach code that random bytes do not
// reach. Then COUNT random changes of them. Equal seeds give equal changes, on every machine. The input that
// crashes is written to the file crash-NAME_fuzzer in the current folder.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

constexpr size_t max_size = 16384;  // bytes of a changed input

const Input* current = nullptr;
std::string crash_file;

// Called by a signal: uses system calls only.
void keep_input(int signal_number) {
  int file = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0 && current != nullptr && ::write(file, current->data(), current->size()) >= 0) ::close(file);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

// Changes inputs. std::mt19937_64 has the same numbers in every standard library; its distributions differ.
class Mutator {
 public:
  Mutator(std::vector<Input> inputs, uint64_t seed) : inputs_(std::move(inputs)), random_(seed) {}

  Input next() {
    Input input = inputs_[below(inputs_.size())];
    for (size_t changes = 1 + below(6); changes > 0; --changes) change(input);
    if (input.size() > max_size) input.resize(max_size);
    return input;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(Input& input) {
    size_t at = below(input.size());
    if (input.empty()) input.push_back(static_cast<uint8_t>(random_()));
    switch (below(7)) {
      case 0: input[at] ^= static_cast<uint8_t>(1U << below(8)); break;
      case 1: input[at] = static_cast<uint8_t>(random_()); break;
      case 2: write_number(input, at); break;
      case 3: erase(input, at); break;
      case 4: insert(input, at, input, below(input.size())); break;
      case 5: {
        const Input& other = inputs_[below(inputs_.size())];
        insert(input, at, other, below(other.size()));
        break;
      }
      default: std::swap(input[at], input[below(input.size())]); break;
    }
  }

  // Numbers at the limits of types, of one to eight bytes.
  void write_number(Input& input, size_t at) {
    constexpr std::array<uint64_t, 12> numbers{0,      1,          0x7f,       0x80,       0xff,        0x7fff,
                                               0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 63U, ~0ULL};
    uint64_t number = numbers[below(numbers.size())] + below(3) - 1;
    for (size_t bytes = size_t{1} << below(4); bytes > 0 && at < input.size(); --bytes, ++at, number >>= 8U)
      input[at] = static_cast<uint8_t>(number);
  }

  void erase(Input& input, size_t at) {
    size_t count = std::min(1 + below(32), input.size() - at);
    input.erase(input.begin() + static_cast<ptrdiff_t>(at), input.begin() + static_cast<ptrdiff_t>(at + count));
  }

  void insert(Input& input, size_t at, const Input& source, size_t from) {
    Input piece(source.begin() + static_cast<ptrdiff_t>(from),
                source.begin() + static_cast<ptrdiff_t>(std::min(source.size(), from + 1 + below(64))));
    input.insert(input.begin() + static_cast<ptrdiff_t>(at), piece.begin(), piece.end());
  }

  std::vector<Input> inputs_;
  std::mt19937_64 random_;
};

std::vector<Input> read_folder(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);  // the order of a directory differs from machine to machine
  std::vector<Input> inputs;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void test(const Input& input) {
  current = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

uint64_t number_after(std::string_view argument, std::string_view option) {
  return std::strtoull(std::string(argument.substr(option.size())).c_str(), nullptr, 10);
}

}  // namespace

int main(int count, char** arguments) {
  constexpr std::string_view mutations_option = "--mutations=", seed_option = "--seed=";
  uint64_t mutations = 0, seed = 1;
  std::vector<Input> inputs;
  for (int i = 1; i < count; ++i) {
    std::string_view argument = arguments[i];
    if (argument.starts_with(mutations_option)) mutations = number_after(argument, mutations_option);
    else if (argument.starts_with(seed_option)) seed = number_after(argument, seed_option);
    else
      for (Input& input : read_folder(arguments[i])) inputs.push_back(std::move(input));
  }
  if (inputs.empty()) return 1;
  crash_file = "crash-" + std::filesystem::path(arguments[0]).filename().string();
  for (int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal_number, keep_input);
  for (const Input& input : inputs) test(input);
#if defined(__SANITIZE_ADDRESS__)
  mutations = 0;  // for libFuzzer, which is faster at finding what sanitizers report
#endif
  Mutator mutator(inputs, seed);
  for (uint64_t i = 0; i < mutations; ++i) test(mutator.next());
  std::printf("%zu inputs, %llu changes\n", inputs.size(), static_cast<unsigned long long>(mutations));
  return 0;
}
