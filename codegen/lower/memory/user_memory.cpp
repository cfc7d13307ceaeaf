// User memory that a helper could not read. Programs of uprobes run where the process itself could wait for a page, and
// have the kernel fetch it; others may not wait, but what the page holds may lie in the kernel's memory already. So
// does the memory of processes that are not running.
#include "codegen/lower/emitter.h"
#include "frontend/plan/plan_machine.h"

namespace dscope {

namespace {

constexpr uint64_t page_bytes = 4096;

}  // namespace

bool Emitter::may_sleep() const {
  return options_.may_sleep && frame_.kind == BpfContext::Probe && frame_.program != nullptr;
}

// Reads, and waits for what is not there. `size` is an i32. The result is 0 if the bytes could be read.
V Emitter::fetch_user(V to, V size, V address) {
  out_.sleeping.insert(static_cast<size_t>(frame_.program - layout_.programs.data()));
  return b_.call(Helper::CopyFromUser, {to, size, address});
}

// Not of a thread that is not running: the process that runs has another memory.
bool Emitter::may_find_user_memory() const {
  return !compiled_.memory_layout.empty() && !has_other_subject() && sees_newborn_processes(meaning_, *clause_);
}

// The constant ds_memory of the support library.
void Emitter::define_memory_layout() {
  V& layout = literals_["memory layout"];
  if (layout != nullptr) return;
  auto* constant = llvm::cast<llvm::GlobalVariable>(b_.constant_words64(compiled_.memory_layout, "ds_memory"));
  constant->setLinkage(llvm::GlobalValue::ExternalLinkage);
  layout = constant;
}

// Where the byte at an address lies in the kernel's memory, and the first one of the next page. `memory`: 0 is the
// running process.
std::pair<V, V> Emitter::kernel_places(V memory, V address) {
  define_memory_layout();
  auto place = [&](V at) { return b_.call_support("ds_alone_byte", b_.i64, {memory, at}); };
  V next = b_.ir.CreateAdd(b_.ir.CreateOr(address, b_.number(page_bytes - 1)), b_.number(1));
  V first = place(address);
  return {first, place(next)};
}

// The result of a read of user memory by a helper, or of another try if it failed.
template <typename F>
V Emitter::if_absent(V result, F again) {
  return b_.replaced_if(b_.ir.CreateICmpSLT(result, b_.number(0)), result, "absent", again);
}

// `room`: bytes of memory at `to`, `count` of which are wanted.
V Emitter::read_user(V to, uint32_t room, V count, V address) {
  V size = b_.ir.CreateTrunc(count, b_.i32);
  V result = b_.call(Helper::ProbeReadUser, {to, size, address});
  if (may_sleep()) return if_absent(result, [&] { return fetch_user(to, size, address); });
  if (!may_find_user_memory() || room == 0) return result;
  return if_absent(result, [&] {
    auto places = kernel_places(b_.number(0), address);
    return b_.call_support("ds_copy_user", b_.i64,
                           {to, b_.number(uint64_t{room} * 2), count, places.first, places.second});
  });
}

// `count` bytes with the terminator, at most `bytes`, into zeroed memory. A string may end in front of a page that does
// not exist: what cannot be fetched does not matter yet.
V Emitter::read_user_text(V to, uint32_t bytes, V count, V address) {
  V size = b_.ir.CreateTrunc(count, b_.i32);
  V result = b_.call(Helper::ProbeReadUserStr, {to, size, address});
  if (may_sleep())
    return if_absent(result, [&] {
      V byte = b_.shared_slot(8, "fetched");
      auto fetch = [&](uint64_t at) { fetch_user(byte, b_.number32(1), b_.ir.CreateAdd(address, b_.number(at))); };
      for (uint64_t at = 0; at < bytes; at += page_bytes) fetch(at);
      if (bytes != 0) fetch(bytes - 1);
      return b_.call(Helper::ProbeReadUserStr, {to, size, address});
    });
  if (!may_find_user_memory()) return result;
  return if_absent(result, [&] {
    auto places = kernel_places(b_.number(0), address);
    return b_.call_support("ds_copy_user", b_.i64,
                           {to, b_.number(uint64_t{bytes} * 2 + 1), count, places.first, places.second});
  });
}

// Up to 8 bytes into a slot of 8.
V Emitter::read_user_word(V slot, uint32_t size, V address) {
  V result = b_.call(Helper::ProbeReadUser, {slot, b_.number32(size), address});
  if (may_sleep()) return if_absent(result, [&] { return fetch_user(slot, b_.number32(size), address); });
  if (!may_find_user_memory()) return result;
  return if_absent(result, [&] {
    auto places = kernel_places(b_.number(0), address);
    return b_.call_support("ds_copy_user_word", b_.i64, {slot, b_.number(size), places.first, places.second});
  });
}

// __user_word_of(memory, address): of any process; 0: it cannot be had.
V Emitter::user_word_of(const Call& call) {
  V memory = scalar(*call.arguments[0]), address = scalar(*call.arguments[1]);
  if (compiled_.memory_layout.empty()) return b_.number(0);
  V slot = b_.shared_slot(8, "read");
  b_.ir.CreateStore(b_.number(0), slot);
  auto places = kernel_places(memory, address);
  b_.call_support("ds_copy_user_word", b_.i64, {slot, b_.number(8), places.first, places.second});
  return b_.load(slot, 8, false);
}

// __psargs_of(memory, start, end, otherwise): the arguments of any process, or another text.
StringValue Emitter::arguments_of(const Expr& expr, const Call& call) {
  StringValue otherwise = required_string(*call.arguments[3]);
  uint32_t capacity = round_up8(bound(expr));
  V data = temporary(capacity);
  V sizes = result_sizes(expr, otherwise.capacity);
  if (compiled_.memory_layout.empty()) {
    b_.call_support("ds_strcpy", b_.void_type, {data, otherwise.data, sizes});
    return {data, capacity, nullptr};
  }
  V memory = scalar(*call.arguments[0]), start = scalar(*call.arguments[1]), end = scalar(*call.arguments[2]);
  auto places = kernel_places(memory, start);
  V is_empty = b_.ir.CreateICmpULE(end, start);
  V length = b_.ir.CreateSelect(is_empty, b_.number(0), b_.ir.CreateSub(end, start));
  b_.call_support("ds_other_arguments", b_.void_type, {data, result_sizes(expr), length, places.first, places.second});
  auto* missing = b_.block("missing");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.load(data, 1, false)), missing, after);
  b_.start(missing);
  b_.call_support("ds_strcpy", b_.void_type, {data, otherwise.data, sizes});
  b_.ir.CreateBr(after);
  b_.start(after);
  return {data, capacity, nullptr};
}

}  // namespace dscope
