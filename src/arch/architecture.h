// Architecture: everything that dscope knows about one processor. Each processor is a table in a file of its own
// (x86_64.cpp, aarch64.cpp); a new one needs such a file and a row in architecture.cpp.
//
// The compiler uses the table of the machine that a program is compiled for, which a facts file may describe. The
// runtime uses the table of the machine that it runs on. Offsets are in bytes from the start of struct pt_regs, which
// is part of the kernel's user ABI (asm/ptrace.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "contract/machine.h"
#include "contract/probe.h"
#include "contract/process_tools.h"

namespace dscope {

// Holds if the bits `mask` of the 64-bit word at `offset` are `value`.
struct RegisterTest {
  uint32_t offset = 0;
  uint64_t mask = UINT64_MAX, value = 0;
};

// How to detect that the kernel has a system call.
struct SystemCallPresence {
  const char* path = nullptr;  // a file that exists if the kernel has the call
  int number = -1;             // a call that returns ENOSYS if the kernel lacks it
};

struct SystemCall {
  uint32_t number;        // of calls that only 32-bit programs have: plus HookSyscall::first_compat_number
  std::string_view name;  // in the kernel
  SystemCallPresence presence;
  std::string_view parameters;  // in C, separated by ", "
};

// A system call of 32-bit programs with a 64-bit equivalent.
struct CompatCall {
  uint16_t number, number_for_64_bits;
  std::string_view name;  // in the C header of 32-bit programs
  // The registers of the arguments of the 64-bit call, separated by blanks: NAME, high:low, sign:low or pages:low.
  // Empty: in the usual order.
  std::string_view registers;
};

// The system calls of 32-bit programs.
struct CompatCalls {
  std::string_view name;         // of the 32-bit architecture
  std::string_view task_member;  // word of struct task_struct in which `bits` mark such a call
  uint64_t bits = 0;
  std::string_view argument_names;      // of the registers in argument order, separated by blanks
  std::span<const uint32_t> arguments;  // their offsets
  std::span<const CompatCall> calls;
  uint16_t first_common = 0;  // from this number on, calls have the same numbers in 64-bit programs
  // Names in the C header of calls that only 32-bit programs have, with their SystemCall::number.
  std::span<const std::pair<std::string_view, uint32_t>> own_names;
};

// The rules by which functions receive objects and return them.
enum class ObjectPassing : uint8_t {
  SystemV,  // x86-64 psABI 3.2.3: up to 16 bytes by the class of each eight bytes, larger ones on the stack
  Aapcs64,  // AAPCS64 6.8: up to 16 bytes in general registers or as numbers in vector registers, larger ones by
            // address
  Stack,    // all arguments on the stack
};

// How functions of user programs receive arguments and return results.
struct FunctionAbi {
  std::span<const uint32_t> arguments;  // offsets of the registers, in argument order
  // Bytes from the stack pointer to the first argument on the stack, at the function's first instruction.
  uint32_t stack_arguments = 0;
  uint32_t result = 0, second_result = 0;  // offsets
  ObjectPassing objects{};
};

// Unwinding by call frame information.
struct UnwindRegisters {
  std::span<const uint16_t> offsets;                                  // by DWARF register number
  uint16_t frame_pointer = 0, stack_pointer = 0, return_address = 0;  // DWARF register numbers
};

struct Architecture {
  std::string_view name;     // as in uname -m
  uint16_t elf_machine = 0;  // EM_ number of 64-bit programs (elf.h)

  // --- struct pt_regs
  uint32_t register_words = 0;  // 64-bit words that describe a user thread: uregs[0] and later, copies of user stacks
  uint32_t instruction_pointer = 0, stack_pointer = 0;
  // The register that holds the return address at a function's first instruction and where it returns; nullopt: it is
  // on top of the stack. In 32-bit programs the register may be another one.
  std::optional<uint32_t> return_address, compat_return_address;
  // Significant bits of return addresses: others may be a signature (pointer authentication).
  uint64_t return_address_mask = UINT64_MAX;
  uint32_t system_call_number = 0, system_call_number_size = 8;  // while the call returns; size in bytes
  std::span<const uint32_t> system_call_arguments;               // offsets, valid until the call has returned
  RegisterTest is_user_mode, is_compat_code;                     // the state that the registers describe
  uint32_t perf_event_address = 0;                               // offset of `addr` in struct bpf_perf_event_data

  // --- uregs[]
  // Dotted paths from struct task_struct of the registers from uregs[register_words] on.
  std::span<const std::string_view> thread_registers;
  // Dotted path from struct task_struct to the address of the thread's control block, which thread-local variables are
  // relative to.
  std::string_view thread_pointer;
  std::span<const std::pair<std::string_view, uint32_t>> register_names;  // D constants: indices of uregs[]

  FunctionAbi functions, compat_functions;
  UnwindRegisters unwinding;

  // --- system calls
  std::span<const SystemCall> system_calls;
  const CompatCalls* compat_calls = nullptr;  // null: 32-bit programs are not traced

  // --- user programs
  // Fills in the location of a USDT argument that is not a constant: a register or memory, in assembler syntax.
  // `source` has the argument's size. Returns false if the location cannot be read.
  bool (*read_operand)(std::string_view text, ArgSource& source) = nullptr;
  // Decodes the machine code of one function, in the 64-bit or the 32-bit instruction set.
  ReadCode read_code = nullptr;
  // Whether the kernel refuses a uprobe on the instruction at the start of `code`, or the uprobe would do harm.
  bool (*is_unsupported_instruction)(std::span<const uint8_t> code) = nullptr;
  // Functions may begin with instructions that CodeOutline::probe_offset skips.
  bool has_skippable_instructions = false;

  // The last index of uregs[].
  uint32_t last_user_register() const { return register_words + static_cast<uint32_t>(thread_registers.size()) - 1; }
  const FunctionAbi& abi(WordSize word_size) const {
    return word_size == WordSize::Bits32 ? compat_functions : functions;
  }
};

extern const Architecture x86_64, aarch64;

// Null if dscope does not know the processor. `name` is as in uname -m.
const Architecture* find_architecture(std::string_view name);
// Returns the processor for which dscope was built.
const Architecture& native_architecture();
// Returns the processor that the facts name; the native one if dscope does not know the name.
const Architecture& architecture_of(const MachineFacts& facts);

// The call of that number or kernel name; null if there is none.
const SystemCall* find_system_call(const Architecture& architecture, uint32_t number);
const SystemCall* find_system_call(const Architecture& architecture, std::string_view name);

// The value of a constant of D that depends on the processor: R_PC, an index of uregs[]; __nr_openat, the number of a
// system call. nullopt if there is no such constant.
std::optional<uint32_t> architecture_constant(const Architecture& architecture, std::string_view name);

}  // namespace dscope
