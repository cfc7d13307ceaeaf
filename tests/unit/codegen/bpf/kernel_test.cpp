// Runs each support function in the kernel: the verifier accepts it at a bounded cost, and it computes the same result
// as the same source on the host. Skipped without root.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>

#include "buffer.h"
#include "codegen/bpf/support.h"
#include "kernel_call.h"
#include "many_calls.h"

namespace dscope {
namespace {

constexpr int kRounds = 400;
// Limits for the instructions that the verifier processes: for one function, and for a program with a dozen calls (row
// "many").
constexpr int kMaxInstructions = 5000;
constexpr int kMaxForMany = 40000;
constexpr unsigned kStatisticsOnly = 4;  // BPF_LOG_STATS

// The host's version of each call: the rows of calls.def, run on the same bytes.
using NativeCall = i64 (*)(KernelCall&);
#define A call.bytes
#define B (call.bytes + call.a_capacity)
#define OUT (call.bytes + call.a_capacity + call.b_capacity)
#define WORK (call.bytes + call.a_capacity + call.b_capacity + call.out_capacity)
#define A_CAP call.a_capacity
#define B_CAP call.b_capacity
#define OUT_CAP call.out_capacity
#define SIZES DS_SIZES(call.out_capacity, call.max_length, call.a_capacity, call.b_capacity)
#define N call.n
#define M call.m
#define WORDS call.words
#define ADDRESS (reinterpret_cast<const char*>(call.words))
#define DS_CALL(name, expression) {#name, [](KernelCall& call) { return static_cast<i64>(expression); }},
const std::map<std::string, NativeCall> native_calls = {
#include "calls.def"
};
#undef A
#undef B
#undef OUT
#undef WORK
#undef A_CAP
#undef B_CAP
#undef OUT_CAP
#undef SIZES
#undef N
#undef M
#undef WORDS
#undef ADDRESS

int drop_message(libbpf_print_level level, const char* format, va_list arguments) {
  return level == LIBBPF_WARN ? std::vfprintf(stderr, format, arguments) : 0;
}

using Object = std::unique_ptr<bpf_object, decltype(&bpf_object__close)>;
constexpr size_t kLogSize = 1 << 16;
using Logs = std::map<std::string, std::vector<char>>;

std::string call_name(const bpf_program* program) {
  std::string name = bpf_program__name(program);
  return name.substr(0, name.rfind("_call"));
}

Object load(const std::string& path, Logs& logs) {
  libbpf_set_print(drop_message);
  Object object(bpf_object__open_file(path.c_str(), nullptr), bpf_object__close);
  EXPECT_NE(object.get(), nullptr) << path;
  if (!object) return object;
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object.get()) {
    std::vector<char>& log = logs[call_name(program)];
    log.resize(kLogSize);
    bpf_program__set_log_buf(program, log.data(), log.size());
    bpf_program__set_log_level(program, kStatisticsOnly);
  }
  EXPECT_EQ(bpf_object__load(object.get()), 0) << path;
  return object;
}

// The bytes of `call_data` in the object's .data map.
class SharedCall {
 public:
  explicit SharedCall(bpf_object* object) {
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (std::string(bpf_map__name(map)).find(".data") != std::string::npos) fd_ =
        bpf_map__fd(map);
  }
  KernelCall read() const {
    KernelCall call;
    int key = 0;
    EXPECT_EQ(bpf_map_lookup_elem(fd_, &key, &call), 0);
    return call;
  }
  void write(const KernelCall& call) const {
    int key = 0;
    EXPECT_EQ(bpf_map_update_elem(fd_, &key, &call, BPF_ANY), 0);
  }

 private:
  int fd_ = -1;
};

// A string for the first source, with content that the functions search for.
std::string text_for(Random& random, size_t max_length) {
  const char* alphabets[] = {"", "/a.", "ab", "0123456789", "abcXYZ/", "{}[]\\\"a.01:, "};
  std::string text = random.string(max_length, alphabets[random.below(6)]);
  if (random.chance(4)) text = text.substr(0, max_length / 2) + std::to_string(random.number());
  return text.substr(0, max_length);
}

void fill(Random& random, KernelCall& call) {
  std::memset(call.bytes, 0, sizeof call.bytes);
  std::string a = text_for(random, call.a_capacity - 1), b = text_for(random, call.b_capacity - 1);
  if (random.chance(2))
    b = a.substr(random.below(a.size() + 1), std::min<u64>(random.characters(40), call.b_capacity - 1));
  if (random.chance(4)) a = b = a.substr(0, std::min(call.b_capacity, call.a_capacity) - 1);
  std::memcpy(call.bytes, a.data(), a.size());
  std::memcpy(call.bytes + call.a_capacity, b.data(), b.size());
  std::memset(call.bytes + call.a_capacity + call.b_capacity, '#', call.out_capacity);
  call.n = random.chance(4) ? random.number() : static_cast<int64_t>(random.below(a.size() + 20)) - 10;
  if (call.n < INT32_MIN) call.n = INT32_MIN;
  call.m = random.chance(2) ? random.number() : static_cast<int64_t>(random.below(a.size() + 20)) - 10;
  for (size_t i = 0; i < std::size(call.words); i++) call.words[i] = i * 1000003;
  // An address with runs of zero bytes.
  auto* address = reinterpret_cast<unsigned char*>(call.words);
  for (int i = 0; i < 24; i++) address[i] = random.chance(2) ? 0 : static_cast<unsigned char>(random.below(256));
}

void compare_with_host(const bpf_program* program, const SharedCall& shared, unsigned seed) {
  Random random(seed);
  for (int i = 0; i < kRounds; i++) {
    KernelCall call = shared.read();
    fill(random, call);
    shared.write(call);
    LIBBPF_OPTS(bpf_test_run_opts, options);
    ASSERT_EQ(bpf_prog_test_run_opts(bpf_program__fd(program), &options), 0);
    call.result = native_calls.at(call_name(program))(call);
    KernelCall seen = shared.read();
    ASSERT_EQ(seen.result, call.result) << "round " << i << " a=" << call.bytes << " n=" << call.n << " m=" << call.m;
    ASSERT_EQ(std::memcmp(&seen, &call, sizeof call), 0) << "round " << i << " a=" << call.bytes << " n=" << call.n;
  }
}

// "processed 52 insns (limit 1000000) ..." and "stack depth 8+48"
void report(const std::string& name, const std::string& log) {
  size_t at = log.find("processed ");
  ASSERT_NE(at, std::string::npos) << name << ": " << log;
  int processed = std::atoi(log.c_str() + at + 10);
  size_t stack = log.find("stack depth ");
  std::string depth = stack == std::string::npos ? "" : log.substr(stack + 12, log.find('\n', stack) - stack - 12);
  std::printf("  %-16s %5d instructions verified, stack %s\n", name.c_str(), processed, depth.c_str());
  EXPECT_LT(processed, name == "many" ? kMaxForMany : kMaxInstructions) << name;
}

class SupportInKernel : public testing::TestWithParam<const char*> {};

TEST_P(SupportInKernel, VerifiesCheaplyAndMatchesHost) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  Logs logs;
  Object object = load(std::string(DSCOPE_KERNEL_PROGRAMS) + "_" + GetParam() + ".bpf", logs);
  if (!object || HasFailure()) {
    for (const auto& [name, log] : logs) std::printf("%s: %s\n", name.c_str(), log.data());
    return;
  }
  SharedCall shared(object.get());
  bpf_program* program = nullptr;
  unsigned seed = 100;
  bpf_object__for_each_program(program, object.get()) {
    SCOPED_TRACE(call_name(program));
    report(call_name(program), logs[call_name(program)].data());
    compare_with_host(program, shared, seed++);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SupportInKernel, testing::Values("default", "large", "small", "mixed"));

}  // namespace
}  // namespace dscope
