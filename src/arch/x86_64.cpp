// x86-64. Sources: asm/ptrace.h and asm/unistd_64.h of the kernel, the System V psABI (argument registers, DWARF
// register numbers), arch/x86/entry (system call arguments).
#include <elf.h>

#include "arch/architecture.h"
#include "arch/system_call_presence.h"
#include "arch/x86_64.h"

namespace dscope {

namespace {

// The kernel can run 32-bit programs.
constexpr SystemCallPresence with_32_bits{.path = "/proc/sys/abi/vsyscall32"};

// Offsets in struct pt_regs.
enum : uint32_t {
  r15 = 0,
  r14 = 8,
  r13 = 16,
  r12 = 24,
  bp = 32,
  bx = 40,
  r11 = 48,
  r10 = 56,
  r9 = 64,
  r8 = 72,
  ax = 80,
  cx = 88,
  dx = 96,
  si = 104,
  di = 112,
  orig_ax = 120,
  ip = 128,
  cs = 136,
  sp = 152,
};

constexpr SystemCall system_calls[] = {
#define DS_SYSCALL(number, name, presence, parameters) {number, name, presence, parameters},
#include "arch/syscalls_x86_64.inc"
#undef DS_SYSCALL
#define DS_I386_SYSCALL(number, name, alias, parameters) \
  {HookSyscall::first_compat_number + (number), name, with_32_bits, parameters},
#include "arch/syscalls_i386.inc"
#undef DS_I386_SYSCALL
};
constexpr CompatCall i386_calls[] = {
#define DS_I386_CALL(number, number_for_64_bits, name, registers) {number, number_for_64_bits, name, registers},
#include "arch/i386_calls.inc"
#undef DS_I386_CALL
};
constexpr std::pair<std::string_view, uint32_t> own_names_of_i386[] = {
#define DS_I386_SYSCALL(number, name, alias, parameters) {alias, HookSyscall::first_compat_number + (number)},
#include "arch/syscalls_i386.inc"
#undef DS_I386_SYSCALL
};

constexpr uint32_t function_arguments[] = {di, si, dx, cx, r8, r9};
constexpr uint32_t system_call_arguments[] = {di, si, dx, r10, r8, r9};
constexpr uint32_t i386_arguments[] = {bx, cx, dx, si, di, bp};
// The return address has a number of its own.
constexpr uint16_t dwarf_registers[] = {ax, dx, cx, bx, si, di, bp, sp, r8, r9, r10, r11, r12, r13, r14, r15, ip};

constexpr std::string_view thread_registers[] = {"thread.ds", "thread.es", "thread.fsindex", "thread.gsindex",
                                                 "thread.trap_nr"};
constexpr std::pair<std::string_view, uint32_t> register_names[] = {{"R_R15", 0},
                                                                    {"R_R14", 1},
                                                                    {"R_R13", 2},
                                                                    {"R_R12", 3},
                                                                    {"R_RBP", 4},
                                                                    {"R_RBX", 5},
                                                                    {"R_R11", 6},
                                                                    {"R_R10", 7},
                                                                    {"R_R9", 8},
                                                                    {"R_R8", 9},
                                                                    {"R_RAX", 10},
                                                                    {"R_RCX", 11},
                                                                    {"R_RDX", 12},
                                                                    {"R_RSI", 13},
                                                                    {"R_RDI", 14},
                                                                    {"R_ERR", 15},
                                                                    {"R_RIP", 16},
                                                                    {"R_CS", 17},
                                                                    {"R_RFL", 18},
                                                                    {"R_RSP", 19},
                                                                    {"R_SS", 20},
                                                                    {"R_DS", 21},
                                                                    {"R_ES", 22},
                                                                    {"R_FS", 23},
                                                                    {"R_GS", 24},
                                                                    {"R_TRAPNO", 25},
                                                                    // Names of 32-bit programs
                                                                    {"R_EBP", 4},
                                                                    {"R_EBX", 5},
                                                                    {"R_EAX", 10},
                                                                    {"R_ECX", 11},
                                                                    {"R_EDX", 12},
                                                                    {"R_ESI", 13},
                                                                    {"R_EDI", 14},
                                                                    {"R_EIP", 16},
                                                                    {"R_EFL", 18},
                                                                    {"R_ESP", 19},
                                                                    {"R_UESP", 19},
                                                                    // Names that do not depend on the machine
                                                                    {"R_FP", 4},
                                                                    {"R_R1", 5},
                                                                    {"R_R0", 10},
                                                                    {"R_PC", 16},
                                                                    {"R_PS", 18},
                                                                    {"R_SP", 19}};

// For the duration of a call through the 32-bit gate, the kernel sets TS_COMPAT in the thread's status.
constexpr uint64_t ts_compat = 2;
constexpr CompatCalls compat_calls{.name = "i386",
                                   .task_member = "thread_info.status",
                                   .bits = ts_compat,
                                   .argument_names = "bx cx dx si di bp",
                                   .arguments = i386_arguments,
                                   .calls = i386_calls,
                                   .first_common = 424,
                                   .own_names = own_names_of_i386};

}  // namespace

constinit const Architecture x86_64{
    .name = "x86_64",
    .elf_machine = EM_X86_64,
    .register_words = 21,
    .instruction_pointer = ip,
    .stack_pointer = sp,
    .system_call_number = orig_ax,
    .system_call_arguments = system_call_arguments,
    .is_user_mode = {.offset = cs, .mask = 3, .value = 3},
    .is_compat_code = {.offset = cs, .value = 0x23},  // __USER32_CS
    .perf_event_address = 176,
    .thread_registers = thread_registers,
    .thread_pointer = "thread.fsbase",
    .register_names = register_names,
    .functions = {.arguments = function_arguments,
                  .stack_arguments = 8,  // above the return address
                  .result = ax,
                  .second_result = dx,
                  .objects = ObjectPassing::SystemV},
    .compat_functions = {.stack_arguments = 4, .result = ax, .second_result = dx, .objects = ObjectPassing::Stack},
    .unwinding = {.offsets = dwarf_registers, .frame_pointer = 6, .stack_pointer = 7, .return_address = 16},
    .system_calls = system_calls,
    .compat_calls = &compat_calls,
    .read_operand = read_x86_operand,
    .read_code = read_x86_code,
    .is_unsupported_instruction = is_unsupported_x86_instruction,
    .has_skippable_instructions = true,
};

}  // namespace dscope
