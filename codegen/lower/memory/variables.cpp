#include "codegen/lower/memory/variables.h"

#include "codegen/lower/memory/dynamic_variables.h"
#include "codegen/lower/memory/keys.h"
#include "codegen/lower/memory/thread_locals.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/probe/traced_variables.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/string_memory.h"
#include "support/check.h"

namespace dscope {

// The address of a variable with a fixed address.
V Variables::variable_address(const VariableLocation& location) {
  switch (location.kind) {
    case VariableLocation::Kind::Globals:
      return b_.at(b_.map(location.map.empty() ? "ds_globals" : location.map), location.offset);
    case VariableLocation::Kind::Scratch: return scratch_.at(location.offset);
    case VariableLocation::Kind::Task:
    case VariableLocation::Kind::Local:
    case VariableLocation::Kind::Map:
    case VariableLocation::Kind::Nowhere: break;
  }
  DS_UNREACHABLE();
}

// Creates a thread-local object if it does not exist, and returns its address.
V Variables::create_object(const VariableLocation& location) {
  V address = b_.at(thread_locals_.storage(true), location.offset);
  if (layout_.dynamic_limit == 0) return address;
  V mark = b_.at(address, location.size - 8);
  dynamic_variables_.update_count(b_.ir.CreateNot(b_.is_zero(b_.load(mark, 8, false))), b_.ir.getTrue());
  b_.store(mark, b_.number(1), 8);
  return address;
}

// The associative array that an expression names, if any.
std::optional<VariableId> Variables::associative_array_of(const Expr& expr) const {
  if (!std::holds_alternative<Name>(expr.form) || info(expr).stands_for != nullptr) return std::nullopt;
  const auto* id = std::get_if<VariableId>(&info(expr).binding);
  if (id == nullptr || !meaning_.variables[id->index].is_associative) return std::nullopt;
  return *id;
}

// Resolves `a[keys]` to the variable. Sets `index` to the expression that names the element, if the variable is in a
// map: the Index node of an associative array, the name of a variable that follows goroutines. Else to null.
const Expr& Variables::target_of(const Expr& use, const Expr*& index) const {
  const Expr& expr = resolve_alias(use);
  index = nullptr;
  const auto* id = std::get_if<VariableId>(&info(expr).binding);
  bool is_name = std::holds_alternative<Name>(expr.form) && id != nullptr;
  if (is_name && layout_.variables[id->index].kind == VariableLocation::Kind::Map) index = &expr;
  const auto* element = std::get_if<Index>(&expr.form);
  if (element == nullptr || !associative_array_of(*element->base)) return expr;
  index = &expr;
  return *element->base;
}

// Builds the key of an element in memory. `use`: as target_of() returns it in `index`. Keys of self-> variables begin
// with their owner.
V Variables::array_key(const Variable& variable, const VariableLocation& location, const Expr& use) {
  V key = keys_.area(location.key_size);
  const auto* element = std::get_if<Index>(&use.form);
  keys_.enter();
  keys_.build(location.keys, location.key_size, key, element != nullptr ? element->arguments : std::vector<Expr*>{});
  keys_.leave();
  if (variable.scope == VariableScope::Self) store_owner(key, variable, use);
  if (location.number) b_.store(b_.at(key, location.key_size - 8), b_.number(*location.number), 8);
  return key;
}

// The owner of a self-> variable: the thread; the process and its goroutine, if one fires the probe. The threads of
// Go's own scheduler are goroutine 0.
void Variables::store_owner(V key, const Variable& variable, const Expr& use) {
  V thread = task_.pid_tgid(use), owner = b_.ir.CreateAdd(thread, b_.number(1));
  if (variable.follows_goroutines) {
    V goroutine = traced_variables_.goroutine(use);
    V process = b_.ir.CreateAnd(thread, b_.number(~uint64_t{0} << 32));
    owner = b_.ir.CreateSelect(b_.is_zero(goroutine), owner, process);
    b_.store(b_.at(key, 8), goroutine, 8);
  }
  b_.store(key, owner, 8);
}

// The stack slot of a clause-local number, which is 0 at the start of the function.
V Variables::local_slot(uint32_t variable) {
  llvm::AllocaInst*& slot = (*local_slots_)[variable];
  if (slot == nullptr) {
    slot = b_.slot(b_.i64, "this");
    llvm::IRBuilder<> at_entry(slot->getNextNode());
    at_entry.CreateStore(b_.number(0), slot);
  }
  return slot;
}

V Variables::read(const Variable& variable, const VariableLocation& location, const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.is_pointer(variable.type) ? 8 : types.size_of(variable.type));
  bool is_signed = types.is_signed_integer(variable.type);
  V pointer = nullptr;
  switch (location.kind) {
    case VariableLocation::Kind::Globals:
    case VariableLocation::Kind::Scratch: return b_.load(variable_address(location), size, is_signed);
    case VariableLocation::Kind::Local: {
      auto index = static_cast<uint32_t>(&variable - meaning_.variables.data());
      return core_.as_unknown(b_.ir.CreateLoad(b_.i64, local_slot(index)));
    }
    case VariableLocation::Kind::Task:
      pointer = thread_locals_.storage(false);
      if (thread_locals_.is_storage_known()) return b_.load(b_.at(pointer, location.offset), size, is_signed);
      break;
    case VariableLocation::Kind::Map: pointer = b_.lookup(location.map, array_key(variable, location, expr)); break;
    case VariableLocation::Kind::Nowhere: DS_UNREACHABLE();
  }
  // An absent element reads as 0.
  uint32_t offset = location.kind == VariableLocation::Kind::Task ? location.offset : 0;
  V is_present = b_.is_nonzero(b_.to_number(pointer));
  return core_.as_unknown(b_.replace_if(is_present, b_.number(0), "present",
                                        [&] { return b_.load(b_.at(b_.pin(pointer), offset), size, is_signed); }));
}

V Variables::assign(VariableId id, const Expr* index, V value, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  const Variable& variable = meaning_.variables[id.index];
  const VariableLocation& location = layout_.variables[id.index];
  auto size = static_cast<uint32_t>(types.is_pointer(variable.type) ? 8 : types.size_of(variable.type));
  switch (location.kind) {
    case VariableLocation::Kind::Globals:
    case VariableLocation::Kind::Scratch: b_.store(variable_address(location), value, size); break;
    case VariableLocation::Kind::Local: b_.ir.CreateStore(value, local_slot(id.index)); break;
    case VariableLocation::Kind::Task: {
      // Storing 0 must not create the storage.
      bool is_zero = llvm::isa<llvm::ConstantInt>(value) && llvm::cast<llvm::ConstantInt>(value)->isZero();
      if (is_zero && !thread_locals_.is_storage_known()) {
        remove(id, index);
      } else {
        V address = b_.at(thread_locals_.storage(true), location.offset);
        if (layout_.dynamic_limit != 0) {
          V is_zero_now = b_.is_zero(b_.load(address, size, false));
          dynamic_variables_.update_count(b_.ir.CreateNot(is_zero_now), b_.ir.CreateNot(b_.is_zero(value)));
        }
        b_.store(address, value, size);
      }
      break;
    }
    case VariableLocation::Kind::Nowhere: DS_UNREACHABLE();
    case VariableLocation::Kind::Map: {
      V key = array_key(variable, location, *index);
      auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
      if (constant != nullptr && constant->isZero()) {
        dynamic_variables_.remove(location, key);
      } else if (constant != nullptr) {
        update_array(location, key, value, at);
      } else {
        auto* zero = b_.block("zero");
        auto* other = b_.block("other");
        auto* after = b_.block("after");
        b_.ir.CreateCondBr(b_.is_zero(value), zero, other);
        b_.start(zero);
        core_.conditionally([&] { dynamic_variables_.remove(location, key); });
        b_.ir.CreateBr(after);
        b_.start(other);
        core_.conditionally([&] { update_array(location, key, value, at); });
        b_.ir.CreateBr(after);
        b_.start(after);
      }
      break;
    }
  }
  return value;
}

// Stores a scalar in an existing element, or inserts a new element.
void Variables::update_array(const VariableLocation& location, V key, V value, const Expr&) {
  V element = b_.lookup(location.map, key);
  auto* present = b_.block("present");
  auto* absent = b_.block("absent");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(element)), absent, present);
  b_.start(present);
  b_.store(element, value, 8);
  b_.ir.CreateBr(after);
  b_.start(absent);
  dynamic_variables_.insert(location, key, fresh_element(location, value));
  b_.ir.CreateBr(after);
  b_.start(after);
}

// A scalar as an element to insert, which has the size of the map's values.
V Variables::fresh_element(const VariableLocation& location, V value) {
  bool is_word = location.map_value_size == 8;
  V fresh = is_word ? b_.shared_slot(8, "fresh") : scratch_.temporary(location.map_value_size);
  if (!is_word) b_.zero(fresh, location.map_value_size);
  b_.store(fresh, value, 8);
  return fresh;
}

// Assigning 0 removes a thread-local variable or an element. Strings become NULL again.
void Variables::remove(VariableId id, const Expr* index) {
  const TypeTable& types = *meaning_.types;
  const Variable& variable = meaning_.variables[id.index];
  const VariableLocation& location = layout_.variables[id.index];
  if (location.kind == VariableLocation::Kind::Map) {
    return dynamic_variables_.remove(location, array_key(variable, location, *index));
  }
  bool is_string = types.is_string(variable.type);
  bool has_mark = is_string || !types.is_scalar(variable.type);
  auto clear = [&](V address) {
    if (location.kind == VariableLocation::Kind::Task && layout_.dynamic_limit != 0) {
      V mark = b_.load(has_mark ? b_.at(address, location.size - 8) : address, 8, false);
      dynamic_variables_.update_count(b_.ir.CreateNot(b_.is_zero(mark)), b_.ir.getFalse());
    }
    if (is_string) {
      b_.store(b_.at(address, location.size - 8), null_mark(variable, b_.ir.getTrue()), 8);
    } else {
      b_.zero(address, location.size);
    }
  };
  if (location.kind != VariableLocation::Kind::Task) return clear(variable_address(location));
  V storage = thread_locals_.storage(false);
  if (thread_locals_.is_storage_known()) return clear(b_.at(storage, location.offset));
  auto* present = b_.block("present");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(storage)), after, present);
  b_.start(present);
  clear(b_.at(b_.pin(storage), location.offset));
  b_.ir.CreateBr(after);
  b_.start(after);
}

// The bytes of a string variable, without a copy. An absent variable reads as NULL: an all-zero constant, whose mark
// says NULL.
StringValue Variables::read_string(VariableId id, const Expr* index) {
  const Variable& variable = meaning_.variables[id.index];
  const VariableLocation& location = layout_.variables[id.index];
  uint32_t capacity = location.size - 8;  // the last word is the NULL mark
  V data = nullptr;
  bool may_be_absent = false;
  if (location.kind == VariableLocation::Kind::Map) {
    data = b_.lookup(location.map, array_key(variable, location, *index));
    may_be_absent = true;
  } else if (location.kind == VariableLocation::Kind::Task) {
    data = thread_locals_.storage(false);
    may_be_absent = !thread_locals_.is_storage_known();
  } else {
    data = variable_address(location);
  }
  uint32_t offset = location.kind == VariableLocation::Kind::Task ? location.offset : 0;
  if (may_be_absent) {
    V nothing = b_.constant_bytes("", location.size, "null_string");
    V is_present = b_.is_nonzero(b_.to_number(data));
    data = b_.pin(b_.replace_if(is_present, nothing, "present", [&] { return b_.at(b_.pin(data), offset); }));
  } else {
    data = b_.at(data, offset);
  }
  V mark = b_.load(b_.at(data, capacity), 8, false);
  bool is_local = variable.scope == VariableScope::This;
  return {data, capacity, core_.as_unknown_flag(is_local ? b_.is_nonzero(mark) : b_.is_zero(mark))};
}

// The word behind a string that distinguishes "" from NULL. A variable starts with zeros, which mean NULL for
// thread-locals and elements, and "" for clause-locals.
V Variables::null_mark(const Variable& variable, V is_null) {
  return b_.flag(variable.scope == VariableScope::This ? is_null : b_.ir.CreateNot(is_null));
}

void Variables::assign_string(VariableId id, const Expr* index, const StringValue& value) {
  const Variable& variable = meaning_.variables[id.index];
  const VariableLocation& location = layout_.variables[id.index];
  auto write = [&](V address) {
    string_memory_.store(address, meaning_.types->strsize() + 1, value);
    V is_null = value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
    V mark = b_.at(address, location.size - 8);
    if (location.kind == VariableLocation::Kind::Task && layout_.dynamic_limit != 0)
      dynamic_variables_.update_count(b_.ir.CreateNot(b_.is_zero(b_.load(mark, 8, false))), b_.ir.CreateNot(is_null));
    b_.store(mark, null_mark(variable, is_null), 8);
  };
  if (location.kind == VariableLocation::Kind::Task) return write(b_.at(thread_locals_.storage(true), location.offset));
  if (location.kind != VariableLocation::Kind::Map) return write(variable_address(location));
  V element = scratch_.temporary(location.map_value_size);
  write(element);
  dynamic_variables_.store(location, array_key(variable, location, *index), element);
}

}  // namespace dscope
