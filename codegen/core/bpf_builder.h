// BpfBuilder: an IRBuilder with BPF operations: helper calls, maps, memory copies. It depends on the machine (helper
// numbers, back-end limits) and not on D.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/core/llvm_headers.h"
#include "codegen/core/machine_number.h"

namespace dscope {

// Numbers from the kernel's include/uapi/linux/bpf.h. They are ABI and never change.
enum class Helper : uint32_t {
  MapLookup = 1,
  MapUpdate = 2,
  MapDelete = 3,
  KtimeGetNs = 5,
  GetPrandomU32 = 7,
  GetSmpProcessorId = 8,
  GetCurrentPidTgid = 14,
  GetCurrentUidGid = 15,
  GetCurrentComm = 16,
  GetCurrentTask = 35,
  ProbeWriteUser = 36,
  GetStack = 67,
  GetCurrentCgroupId = 80,
  SendSignal = 109,
  ProbeReadUser = 112,
  ProbeReadKernel = 113,
  ProbeReadUserStr = 114,
  ProbeReadKernelStr = 115,
  GetNsCurrentPidTgid = 120,
  KtimeGetBootNs = 125,
  SeqWrite = 127,
  RingbufReserve = 131,
  RingbufSubmit = 132,
  RingbufDiscard = 133,
  GetTaskStack = 141,
  CopyFromUser = 148,
  TaskStorageGet = 156,
  GetCurrentTaskBtf = 158,
  GetFuncIp = 173,
  GetAttachCookie = 174,
  TaskPtRegs = 175,
  GetFuncArg = 183,
  GetFuncRet = 184,
};

// Flags of helpers, from the same header.
namespace helper_flags {
constexpr uint64_t user_stack = 256;                 // BPF_F_USER_STACK
constexpr uint64_t create_storage = 1;               // BPF_LOCAL_STORAGE_GET_F_CREATE
constexpr uint64_t only_if_new = 1;                  // BPF_NOEXIST
constexpr uint64_t no_wakeup = 1, force_wakeup = 2;  // BPF_RB_
}  // namespace helper_flags

// Longer copies are a helper call instead of inline instructions.
constexpr uint32_t inline_copy_limit = 1024;

class BpfBuilder {
 public:
  using V = llvm::Value*;

  explicit BpfBuilder(llvm::Module& module);

  llvm::IRBuilder<> ir;
  llvm::Type *i1, *i8, *i16, *i32, *i64, *ptr, *void_type;

  llvm::Module& module() { return module_; }
  V number(uint64_t value) { return llvm::ConstantInt::get(i64, value); }
  // Numbers of the machine. LLVM does not know a late one. Offsets must lie within the 16 or 32 bits of an instruction.
  V number(const MachineNumber& number);
  V number32(const MachineNumber& number);
  V add(V value, const MachineNumber& offset);  // i64
  V at(V base, const MachineNumber& offset);    // base + bytes
  // load() and load_kernel() at base + offset. If the offset is late, the instruction itself contains it: the verifier
  // allows no computed address of the context.
  V load(V base, const MachineNumber& offset, uint32_t size, bool is_signed);
  V load_kernel(V base, const MachineNumber& offset, uint32_t size, bool is_signed);
  V number32(uint32_t value) { return llvm::ConstantInt::get(i32, value); }
  V null() { return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(ptr)); }

  // Calls helper `id` with at most 5 arguments. The result is an i64, or a pointer for call_for_pointer.
  V call(Helper id, std::initializer_list<V> arguments);
  V call_for_pointer(Helper id, std::initializer_list<V> arguments);
  // Calls a helper that always returns the same pointer for the same arguments. LLVM may merge repeated calls.
  V call_pure_for_pointer(Helper id, std::initializer_list<V> arguments);

  // The symbol of a map: its handle, or for direct maps (MapPlan::is_direct) the address of its first value.
  V map(std::string_view name);
  V lookup(std::string_view map_name, V key);  // pointer to the value, or null

  V at(V base, uint64_t offset);  // base + constant bytes
  V at(V base, V offset);         // base + i64 bytes
  // Loads `size` (1, 2, 4, 8) bytes and extends them to i64. Assumes natural alignment.
  V load(V address, uint32_t size, bool is_signed);
  // Loads from the context or another kernel object. In `c ? arg0 : x`, LLVM would merge this load with the load of x
  // from a map. The verifier requires each instruction to read only one kind of memory, so opaque() hides the load.
  V load_kernel(V address, uint32_t size, bool is_signed) { return opaque(load(address, size, is_signed)); }
  // Hides the origin of a value from LLVM.
  V opaque(V value);
  V load_volatile32(V address);
  void store(V address, V value, uint32_t size);  // value: i64, truncated
  void copy(V to, V from, uint32_t bytes);        // constant size, both 8-aligned
  void zero(V to, uint32_t bytes);

  // Narrows an i64 to `size` bytes and extends it again: the value of a D integer of that type.
  V narrow(V value, uint32_t size, bool is_signed);
  // Extends the lowest `bits` bits of an i64.
  V narrow_bits(V value, uint32_t bits, bool is_signed);
  V flag(V condition) { return ir.CreateZExt(condition, i64); }
  // Returns the value in a form that LLVM cannot compute earlier than here. An address made from it then stays behind
  // the test that bounds it, where the verifier knows the bound.
  V pin(V value);
  // Pins the value behind `instruction`, where it must be available.
  V pin_after(llvm::Instruction* instruction, V value);
  // Pins a value that a test has just shown to be below `limit` (1 to 2^31), and repeats that bound for the verifier.
  // LLVM may have spilled the value in between, and before Linux 6.8 the verifier does not transfer the bounds of a
  // tested register to its copy on the stack.
  V pin_below(V value, uint64_t limit);
  // An address as a plain number. A helper reads it back from memory, because the verifier allows hardly any arithmetic
  // on pointers.
  V as_untracked_scalar(V address);
  // The value of a typed pointer (PTR_TO_BTF_ID) as a plain number: the verifier does not track the copy in memory.
  V opaque_to_verifier(V pointer);
  // Makes LLVM assume that memory changes here: it loads values again instead of reusing earlier ones.
  void clobber_memory();
  // Makes the verifier save its state here, so that it prunes later paths that arrive with no new state. The verifier
  // saves states at jump targets, and only if at least two jumps and eight instructions have passed since the last one.
  // It removes the jumps to the next instruction after verification.
  void add_checkpoint();
  V is_zero(V value);
  V is_nonzero(V value);
  V to_pointer(V value) { return value->getType()->isPointerTy() ? value : ir.CreateIntToPtr(value, ptr); }
  V to_number(V value) { return value->getType()->isPointerTy() ? ir.CreatePtrToInt(value, i64) : value; }

  llvm::BasicBlock* block(const char* name);  // appended to the current function
  void start(llvm::BasicBlock* at) { ir.SetInsertPoint(at); }
  // Jumps to `then` if the condition holds. Otherwise falls through to a new block, in which building continues.
  void branch_if(V condition, llvm::BasicBlock* then);
  // Returns `value`, or the result of the code that `instead` builds if the condition holds.
  template <typename F>
  V replace_if(V condition, V value, const char* name, F instead) {
    auto* before = ir.GetInsertBlock();
    auto* replace = block(name);
    auto* after = block("after");
    ir.CreateCondBr(condition, replace, after);
    start(replace);
    V other = instead();
    auto* end = ir.GetInsertBlock();
    ir.CreateBr(after);
    start(after);
    return phi({{value, before}, {other, end}});
  }
  // Returns the value that `make(0)` builds if the condition holds, else the value that `make(1)` builds.
  template <typename F>
  V if_else(V condition, F make) {
    llvm::BasicBlock* starts[2] = {block("then"), block("else")};
    auto* after = block("after");
    ir.CreateCondBr(condition, starts[0], starts[1]);
    V values[2] = {};
    llvm::BasicBlock* ends[2] = {};
    for (int i = 0; i < 2; ++i) {
      start(starts[i]);
      values[i] = make(i);
      ends[i] = ir.GetInsertBlock();
      ir.CreateBr(after);
    }
    start(after);
    return phi({{values[0], ends[0]}, {values[1], ends[1]}});
  }
  V phi(std::initializer_list<std::pair<V, llvm::BasicBlock*>> incoming);
  llvm::Function* function() { return ir.GetInsertBlock()->getParent(); }
  // A stack slot in the entry block: the back end accepts none elsewhere.
  llvm::AllocaInst* slot(llvm::Type* type, const char* name);
  llvm::AllocaInst* slot_bytes(uint32_t bytes, const char* name);
  // A slot for a short-lived value. All uses of a name in a function share one slot, because the BPF stack has only 512
  // bytes.
  llvm::AllocaInst* shared_slot(uint32_t bytes, const char* name);

  // Calls a function of the support library (codegen/bpf/support.h) by name. Declares it on first use.
  V call_support(std::string_view name, llvm::Type* result, std::initializer_list<V> arguments);

  // Constant data in .rodata, 8-aligned, zero-padded to a multiple of 8.
  V constant_bytes(std::string_view bytes, uint32_t padded_size, const char* name);
  V constant_words16(const std::vector<uint16_t>& words, const char* name);
  V constant_words32(const std::vector<uint32_t>& words, const char* name);
  // Constant data that the loader may replace, alone in its section. LLVM does not know the content.
  V late_constant(std::string_view bytes, const std::string& section, const char* name);

 private:
  V late(const MachineNumber& number, const char* text, const char* constraints, llvm::Type* type,
         std::initializer_list<V> operands);
  llvm::CallInst* call_as(Helper id, llvm::Type* result, std::initializer_list<V> arguments);
  V constant(llvm::Constant* data, const char* name);

  llvm::Module& module_;
  std::map<std::pair<llvm::Function*, std::string>, llvm::AllocaInst*> shared_slots_;
};

}  // namespace dscope
