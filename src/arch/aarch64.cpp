// AArch64. Sources: asm/ptrace.h and asm/unistd.h of the kernel, its internal asm/ptrace.h for the words of
// struct pt_regs behind those of user_pt_regs, AAPCS64 (argument registers), aadwarf64 (register numbers).
#include "arch/aarch64.h"

#include <elf.h>

#include "arch/architecture.h"
#include "arch/system_call_presence.h"

namespace dscope {

namespace {

constexpr SystemCall system_calls[] = {
#define DS_SYSCALL(number, name, presence, parameters) {number, name, presence, parameters},
#include "arch/syscalls_aarch64.inc"
#undef DS_SYSCALL
};

constexpr uint32_t x(uint32_t number) { return number * 8; }
constexpr uint32_t sp = 248, pc = 256, pstate = 264;
// The kernel keeps x0 here, because the result of the call replaces it; and the number of the call, 32 bits.
constexpr uint32_t orig_x0 = 272, syscallno = 280;

constexpr uint32_t function_arguments[] = {x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)};
constexpr uint32_t compat_function_arguments[] = {x(0), x(1), x(2), x(3)};
constexpr uint32_t system_call_arguments[] = {orig_x0, x(1), x(2), x(3), x(4), x(5)};
constexpr uint16_t dwarf_registers[] = {x(0),  x(1),  x(2),  x(3),  x(4),  x(5),  x(6),  x(7),  x(8),  x(9),  x(10),
                                        x(11), x(12), x(13), x(14), x(15), x(16), x(17), x(18), x(19), x(20), x(21),
                                        x(22), x(23), x(24), x(25), x(26), x(27), x(28), x(29), x(30), sp};

constexpr std::pair<std::string_view, uint32_t> register_names[] = {{"R_X0", 0},
                                                                    {"R_X1", 1},
                                                                    {"R_X2", 2},
                                                                    {"R_X3", 3},
                                                                    {"R_X4", 4},
                                                                    {"R_X5", 5},
                                                                    {"R_X6", 6},
                                                                    {"R_X7", 7},
                                                                    {"R_X8", 8},
                                                                    {"R_X9", 9},
                                                                    {"R_X10", 10},
                                                                    {"R_X11", 11},
                                                                    {"R_X12", 12},
                                                                    {"R_X13", 13},
                                                                    {"R_X14", 14},
                                                                    {"R_X15", 15},
                                                                    {"R_X16", 16},
                                                                    {"R_X17", 17},
                                                                    {"R_X18", 18},
                                                                    {"R_X19", 19},
                                                                    {"R_X20", 20},
                                                                    {"R_X21", 21},
                                                                    {"R_X22", 22},
                                                                    {"R_X23", 23},
                                                                    {"R_X24", 24},
                                                                    {"R_X25", 25},
                                                                    {"R_X26", 26},
                                                                    {"R_X27", 27},
                                                                    {"R_X28", 28},
                                                                    {"R_X29", 29},
                                                                    {"R_X30", 30},
                                                                    {"R_LR", 30},
                                                                    {"R_PSTATE", 33},
                                                                    // Names that do not depend on the machine
                                                                    {"R_R0", 0},
                                                                    {"R_R1", 1},
                                                                    {"R_FP", 29},
                                                                    {"R_SP", 31},
                                                                    {"R_PC", 32},
                                                                    {"R_PS", 33}};

}  // namespace

constinit const Architecture aarch64{
    .name = "aarch64",
    .elf_machine = EM_AARCH64,
    .register_words = 34,
    .instruction_pointer = pc,
    .stack_pointer = sp,
    .return_address = x(30),
    .compat_return_address = x(14),
    .return_address_mask = 0x0000ffffffffffff,
    .system_call_number = syscallno,
    .system_call_number_size = 4,
    .system_call_arguments = system_call_arguments,
    .is_user_mode = {.offset = pstate, .mask = 0xf, .value = 0},        // exception level 0
    .is_compat_code = {.offset = pstate, .mask = 0x10, .value = 0x10},  // PSR_MODE32_BIT
    .perf_event_address = 280,
    .thread_pointer = "thread.uw.tp_value",
    .register_names = register_names,
    .functions = {.arguments = function_arguments,
                  .result = x(0),
                  .second_result = x(1),
                  .objects = ObjectPassing::Aapcs64},
    .compat_functions = {.arguments = compat_function_arguments,
                         .result = x(0),
                         .second_result = x(1),
                         .objects = ObjectPassing::Stack},
    .unwinding = {.offsets = dwarf_registers, .frame_pointer = 29, .stack_pointer = 31, .return_address = 30},
    .system_calls = system_calls,
    .read_operand = read_aarch64_operand,
    .read_code = read_aarch64_code,
    .is_unsupported_instruction = is_unsupported_aarch64_instruction,
};

}  // namespace dscope
