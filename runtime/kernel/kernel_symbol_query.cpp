#include "runtime/kernel/kernel_symbol_query.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/kernel/bpf_instructions.h"

namespace dscope {

namespace {

using namespace instructions;

// In linux/bpf.h since 5.16; the header that dscope is built with may be older.
constexpr int bpf_func_kallsyms_lookup_name = 179;

// The context of the program, which it fills in.
struct Answer {
  int64_t status = 0;
  uint64_t address = 0;
};

// r6 is the Answer. The name lies at the top of the stack; below it the helper writes the address.
std::vector<bpf_insn> program_for(std::string_view name) {
  constexpr size_t word = sizeof(int32_t);
  std::string bytes{name};
  bytes.resize((name.size() / 8 + 1) * 8);  // at least one NUL
  auto name_offset = static_cast<int16_t>(-static_cast<int>(bytes.size()));
  auto address_offset = static_cast<int16_t>(name_offset - 8);
  std::vector<bpf_insn> program{move_register(6, 1)};
  for (size_t at = 0; at < bytes.size(); at += word) {
    int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, word);
    program.push_back(store_immediate(10, static_cast<int16_t>(name_offset + static_cast<int>(at)), value));
  }
  program.insert(program.end(), {
                                    move_immediate(1, 0),
                                    store_register(10, address_offset, 1),
                                    move_register(1, 10),
                                    add_immediate(1, name_offset),
                                    move_immediate(2, static_cast<int>(name.size()) + 1),
                                    move_immediate(3, 0),
                                    move_register(4, 10),
                                    add_immediate(4, address_offset),
                                    call(bpf_func_kallsyms_lookup_name),
                                    store_register(6, offsetof(Answer, status), 0),
                                    load_register(1, 10, address_offset),
                                    store_register(6, offsetof(Answer, address), 1),
                                    move_immediate(0, 0),
                                    exit_program(),
                                });
  return program;
}

}  // namespace

std::optional<uint64_t> query_kernel_symbol(std::string_view name) {
  constexpr size_t max_name_size = 480;  // a BPF stack has 512 bytes
  if (name.empty() || name.size() > max_name_size) return std::nullopt;
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_SYSCALL;
  attributes.prog_flags = BPF_F_SLEEPABLE;
  Fd program = load(program_for(name), attributes);
  if (!program) return std::nullopt;
  Answer answer;
  bpf_attr run{};
  run.test.prog_fd = static_cast<uint32_t>(program.get());
  run.test.ctx_in = reinterpret_cast<uint64_t>(&answer);
  run.test.ctx_size_in = sizeof answer;
  if (::syscall(SYS_bpf, BPF_PROG_TEST_RUN, &run, sizeof run) != 0) return std::nullopt;
  if (answer.status == -ENOENT) return 0;
  return answer.status == 0 && answer.address != 0 ? std::optional{answer.address} : std::nullopt;
}

}  // namespace dscope
