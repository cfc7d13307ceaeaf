// Finds lines and variables of small programs, stops a child there as a debugger does, and evaluates the locations.
#include "runtime/dwarf/traced_code.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "runtime/elf/elf_symbols.h"

namespace dscope::test {
namespace {

struct Program {
  explicit Program(const std::string& program_path) : path(program_path) {
    file = DebugFile::open(*find_libdw(), "", path, path);
    code = std::make_unique<TracedCode>(*file, Fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)});
  }

  std::vector<LinePlace> places(uint32_t line, std::string_view name = "cart.c") const {
    return code->find_lines([&](std::string_view each) { return each.ends_with(name); },
                            [&](uint32_t each) { return each == line; });
  }

  std::string path;
  std::unique_ptr<DebugFile> file;
  std::unique_ptr<TracedCode> code;
};

#if defined(__x86_64__)
// A child that runs a program up to breakpoints.
class Child {
 public:
  explicit Child(const std::string& path) {
    pid_ = ::fork();
    if (pid_ == 0) {
      ::personality(ADDR_NO_RANDOMIZE);
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::execl(path.c_str(), path.c_str(), nullptr);
      ::_exit(1);
    }
    ::waitpid(pid_, &status_, 0);
    std::ifstream maps("/proc/" + std::to_string(pid_) + "/maps");
    std::string first;
    std::getline(maps, first);
    base_ = std::stoull(first, nullptr, 16);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Runs to a virtual address of the program, which is position-independent. False if the program ends.
  bool run_to(uint64_t address) {
    long old = ::ptrace(PTRACE_PEEKTEXT, pid_, base_ + address, nullptr);
    ::ptrace(PTRACE_POKETEXT, pid_, base_ + address, (old & ~0xffL) | 0xcc);
    ::ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
    ::waitpid(pid_, &status_, 0);
    if (!WIFSTOPPED(status_) || WSTOPSIG(status_) != SIGTRAP) return false;
    ::ptrace(PTRACE_POKETEXT, pid_, base_ + address, old);
    ::ptrace(PTRACE_GETREGS, pid_, nullptr, &registers_);
    registers_.rip = base_ + address;
    ::ptrace(PTRACE_SETREGS, pid_, nullptr, &registers_);
    return true;
  }

  uint64_t read(uint64_t address, size_t size) const {
    uint64_t word = 0;
    int memory = ::open(("/proc/" + std::to_string(pid_) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t count = ::pread(memory, &word, std::min<size_t>(size, sizeof word), static_cast<off_t>(address));
    ::close(memory);
    return count > 0 ? word : 0;
  }

  // The number that the steps leave; nothing if one of them requires what is not so.
  std::optional<uint64_t> evaluate(const LocationSteps& steps) const {
    std::vector<uint64_t> stack;
    auto pop = [&] {
      uint64_t top = stack.at(stack.size() - 1);
      stack.pop_back();
      return top;
    };
    for (const LocationStep& step : steps) {
      auto number = static_cast<uint64_t>(step.number);
      switch (step.operation) {
        case LocationOperation::Constant: stack.push_back(number); break;
        case LocationOperation::Register: {
          uint64_t word = 0;
          std::memcpy(&word, reinterpret_cast<const char*>(&registers_) + number, sizeof word);
          stack.push_back(word);
          break;
        }
        case LocationOperation::ThreadPointer: stack.push_back(registers_.fs_base); break;
        case LocationOperation::Load: stack.push_back(read(pop(), number)); break;
        case LocationOperation::Pick: stack.push_back(stack.at(stack.size() - 1 - number)); break;
        case LocationOperation::Drop: pop(); break;
        case LocationOperation::Swap: std::swap(stack.at(stack.size() - 1), stack.at(stack.size() - 2)); break;
        case LocationOperation::Negate: stack.back() = -stack.back(); break;
        case LocationOperation::Not: stack.back() = ~stack.back(); break;
        case LocationOperation::Require:
          if (pop() == 0) return std::nullopt;
          break;
        default: {
          uint64_t right = pop(), left = pop();
          auto value = combine(step.operation, static_cast<int64_t>(left), static_cast<int64_t>(right));
          if (!value) return std::nullopt;
          stack.push_back(*value);
        }
      }
    }
    return stack.back();
  }

 private:
  static std::optional<uint64_t> combine(LocationOperation operation, int64_t left, int64_t right) {
    auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
    switch (operation) {
      case LocationOperation::Add: return a + b;
      case LocationOperation::Subtract: return a - b;
      case LocationOperation::Multiply: return a * b;
      case LocationOperation::Divide: return static_cast<uint64_t>(left / right);
      case LocationOperation::And: return a & b;
      case LocationOperation::Or: return a | b;
      case LocationOperation::Xor: return a ^ b;
      case LocationOperation::ShiftLeft: return a << b;
      case LocationOperation::ShiftRight: return a >> b;
      case LocationOperation::ShiftRightSigned: return static_cast<uint64_t>(left >> right);
      case LocationOperation::Equal: return a == b;
      default: return std::nullopt;
    }
  }

  pid_t pid_ = -1;
  int status_ = 0;
  uint64_t base_ = 0;
  user_regs_struct registers_{};
};

// The value of an `int` variable at a line, when the program reaches it first.
std::optional<int> value_at(const Program& program, uint32_t line, const std::string& name) {
  std::vector<LinePlace> places = program.places(line);
  if (places.empty()) return std::nullopt;
  Child child(program.path);
  if (!child.run_to(places[0].address)) return std::nullopt;
  auto variables = program.code->variables(places[0].address, {.path = places[0].path, .number = line});
  if (auto global = program.code->find_global(places[0].address, name)) variables.push_back(*global);
  for (const TracedCode::Variable& variable : variables) {
    if (variable.found.name != name || variable.place.parts.size() != 1) continue;
    auto value = child.evaluate(variable.place.parts[0].steps);
    if (value && variable.place.is_memory()) value = child.read(*value, sizeof(int));
    return value ? std::optional{static_cast<int>(*value)} : std::nullopt;
  }
  return std::nullopt;
}

class TracedPrograms : public testing::TestWithParam<const char*> {};

TEST_P(TracedPrograms, VariablesHaveTheirValues) {
  Program program(GetParam());
  EXPECT_EQ(value_at(program, 28, "price"), 10);
  EXPECT_EQ(value_at(program, 40, "total"), 81);
  EXPECT_EQ(value_at(program, 40, "items_made"), 2);
  EXPECT_EQ(value_at(program, 40, "thread_total"), 86);
  EXPECT_EQ(value_at(program, 58, "limit"), 3);
  EXPECT_EQ(value_at(program, 58, "below"), 2);
  EXPECT_EQ(value_at(program, 71, "total"), 81);
}

INSTANTIATE_TEST_SUITE_P(Cart, TracedPrograms, testing::Values(DSCOPE_TRACED_PLAIN, DSCOPE_TRACED_OPTIMIZED),
                         [](const auto& program) { return program.index == 0 ? "Plain" : "Optimized"; });

// The register that held the argument is overwritten: the call says what was passed.
TEST(TracedCode, CallersKnowOverwrittenArguments) {
  Program program(DSCOPE_TRACED_OPTIMIZED);
  EXPECT_EQ(value_at(program, 59, "limit"), 3);
}
#endif

TEST(TracedCode, LinesOfInlinedHeadersHavePlacesInTheirCallers) {
  for (const char* path : {DSCOPE_TRACED_PLAIN, DSCOPE_TRACED_OPTIMIZED}) {
    Program program(path);
    std::vector<LinePlace> places = program.places(5, "cart_price.h");
    ASSERT_FALSE(places.empty());
    EXPECT_EQ(places[0].function, "reduced_price");
    std::vector<std::string> names;
    for (const TracedCode::Variable& variable :
         program.code->variables(places[0].address, {.path = places[0].path, .number = 5}))
      if (!variable.found.is_outside) names.push_back(variable.found.name);
    EXPECT_EQ(std::ranges::count(names, "percent"), 1) << path;
    EXPECT_EQ(std::ranges::count(names, "discount"), 0) << "a variable of the caller";
  }
}

// GCC merges the first instruction of `weight_of` with that of its caller, and both have a variable `it`.
TEST(TracedCode, LinesBelongToTheFunctionWhoseSourceContainsThem) {
  Program program(DSCOPE_TRACED_LINES);
  for (uint32_t line : {11, 12}) {
    std::vector<LinePlace> places = program.places(line, "lines.c");
    ASSERT_EQ(places.size(), 1U) << line;
    EXPECT_EQ(places[0].function, "heavier");
    auto variables = program.code->variables(places[0].address, {.path = places[0].path, .number = line});
    auto found = std::ranges::find(variables, "it", [](const auto& variable) { return variable.found.name; });
    ASSERT_NE(found, variables.end());
    EXPECT_FALSE(found->found.is_outside);
    EXPECT_FALSE(found->found.is_parameter) << "the parameter of weight_of()";
  }
  std::vector<LinePlace> inlined = program.places(10, "lines.h");
  ASSERT_EQ(inlined.size(), 1U);
  EXPECT_EQ(inlined[0].function, "weight_of");
}

TEST(TracedCode, PlacesAreNotInColdPartsIfTheLineHasOthers) {
  Program program(DSCOPE_TRACED_LINES);
  std::vector<LinePlace> first = program.places(21, "lines.c"), last = program.places(23, "lines.c");
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_GT(last[0].address, first[0].address);
}

TEST(TracedCode, FirstLinesAreBehindThePrologue) {
  Program program(DSCOPE_TRACED_PLAIN);
  std::vector<LinePlace> places = program.places(33);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].address, program.places(34).at(0).address);
}

TEST(TracedCode, DeadVariablesNameTheNearestLine) {
  Program program(DSCOPE_TRACED_OPTIMIZED);
  std::vector<LinePlace> places = program.places(59);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(program.code->nearest_line(places[0].address, {.path = places[0].path, .number = 59}, "below"), 58U);
  EXPECT_EQ(program.code->nearest_line(places[0].address, {.path = places[0].path, .number = 59}, "nothing"),
            std::nullopt);
}

TEST(TracedCode, LinesWithoutCodeHaveNoPlaces) {
  EXPECT_TRUE(Program(DSCOPE_TRACED_PLAIN).places(52).empty());
  EXPECT_TRUE(Program(DSCOPE_TRACED_PLAIN).places(53, "other.c").empty());
}

}  // namespace
}  // namespace dscope::test
