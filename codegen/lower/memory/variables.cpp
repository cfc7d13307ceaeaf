// D variables: globals, thread-locals, clause-locals and associative arrays, where the plan has placed them.
#include "codegen/lower/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint64_t create_storage = 1;  // BPF_LOCAL_STORAGE_GET_F_CREATE

}  // namespace

// The address of variables that have a fixed one.
V Emitter::variable_address(const VariablePlace& place) {
  switch (place.kind) {
    case VariablePlace::Kind::Globals: return b_.at(b_.map(place.map.empty() ? "ds_globals" : place.map), place.offset);
    case VariablePlace::Kind::Scratch: return scratch_at(place.offset);
    case VariablePlace::Kind::Task:
    case VariablePlace::Kind::Local:
    case VariablePlace::Kind::Map:
    case VariablePlace::Kind::Nowhere: break;
  }
  DS_UNREACHABLE();
}

// The thread's variables. Looked up once per region; a store creates them, and if that fails the clause ends with a
// dynamic drop (d-language.md 5.4).
V Emitter::task_storage(bool create) {
  if (auto known = cache_.find("task_storage"); known != cache_.end()) return known->second;
  if (create) ++state_.storage_creations;
  V found = nullptr;
  if (auto maybe = cache_.find("maybe_task_storage"); maybe != cache_.end()) {
    found = maybe->second;
  } else {
    found = create ? make_task_storage() : find_task_storage(0);
    cache_["maybe_task_storage"] = found;
    // Guarded, here and below: no offset may be added before the test for NULL.
    if (create) return cache_["task_storage"] = b_.guarded(found);
  }
  if (!create) return found;
  V storage = b_.replaced_if(b_.is_zero(b_.to_number(found)), found, "absent", [&] {
    V created = nullptr;
    conditionally([&] { created = make_task_storage(); });
    return created;
  });
  cache_["maybe_task_storage"] = storage;
  return cache_["task_storage"] = b_.guarded(storage);
}

V Emitter::find_task_storage(uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet, {b_.map("ds_task"), current_task(), b_.null(), b_.number(flags)});
}

// The clause ends if there is no memory for it, which is counted.
V Emitter::make_task_storage() {
  if (!has_many_clauses() || has_other_subject()) {
    V storage = find_task_storage(create_storage);
    dynamic_drop_if(b_.is_zero(b_.to_number(storage)));
    return storage;
  }
  auto* type = llvm::FunctionType::get(b_.ptr, false);
  V storage = b_.ir.CreateCall(shared_function("ds_thread_locals", type, [&](llvm::Function*) {
    V found = find_task_storage(create_storage);
    when(b_.is_zero(b_.to_number(found)), [&] { count(offsetof(ds_counters, dynamic_drops)); });
    return found;
  }));
  end_clause_if(b_.is_zero(b_.to_number(storage)));
  return storage;
}

// Counts a dynamic variable drop and ends the clause if `condition` holds.
void Emitter::dynamic_drop_if(V condition) {
  auto* dropped = b_.block("dropped");
  auto* on = b_.block("on");
  b_.ir.CreateCondBr(condition, dropped, on);
  b_.start(dropped);
  count(offsetof(ds_counters, dynamic_drops));
  end_clause();
  b_.start(on);
}

void Emitter::end_clause_if(V condition) {
  auto* end = b_.block("end");
  auto* on = b_.block("on");
  b_.ir.CreateCondBr(condition, end, on);
  b_.start(end);
  end_clause();
  b_.start(on);
}

void Emitter::end_clause() {
  if (record_ != nullptr) b_.call(Helper::RingbufDiscard, {record_, b_.number(1)});
  b_.ir.CreateBr(next_clause_);
}

// ---------------------------------------------------------------- how many there are (Layout::dynamic_limit)

void Emitter::when(V condition, const std::function<void()>& emit) {
  auto* then = b_.block("then");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(condition, then, after);
  b_.start(then);
  conditionally(emit);
  b_.ir.CreateBr(after);
  b_.start(after);
}

void Emitter::add_to_dynamic_count(int64_t by) {
  b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(b_.map("ds_globals"), layout_.dynamic_count),
                        b_.number(static_cast<uint64_t>(by)), llvm::MaybeAlign(8), llvm::AtomicOrdering::Monotonic);
}

// One more, or a dynamic drop if there are as many as may be.
void Emitter::claim_dynamic() {
  if (layout_.dynamic_limit == 0) return;
  V before = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(b_.map("ds_globals"), layout_.dynamic_count),
                                   b_.number(1), llvm::MaybeAlign(8), llvm::AtomicOrdering::SequentiallyConsistent);
  V is_full = b_.ir.CreateICmpUGE(before, b_.number(layout_.dynamic_limit));
  when(is_full, [&] { add_to_dynamic_count(-1); });
  dynamic_drop_if(is_full);
}

// A variable that existed or not (i1) comes to exist or not; called before anything is stored.
void Emitter::note_existence(V existed, V exists) {
  if (layout_.dynamic_limit == 0) return;
  when(b_.ir.CreateAnd(exists, b_.ir.CreateNot(existed)), [&] { claim_dynamic(); });
  when(b_.ir.CreateAnd(existed, b_.ir.CreateNot(exists)), [&] { add_to_dynamic_count(-1); });
}

// A new element; `element` has the size of the map's values. The clause ends with a dynamic drop if there is no room.
void Emitter::insert_element(const VariablePlace& place, V key, V element) {
  constexpr uint64_t only_if_new = 1;  // BPF_NOEXIST: another CPU may have been faster, and has counted it
  claim_dynamic();
  bool is_counted = layout_.dynamic_limit != 0;
  V result = b_.call(Helper::MapUpdate, {b_.map(place.map), key, element, b_.number(is_counted ? only_if_new : 0)});
  V is_lost = b_.ir.CreateICmpNE(result, b_.number(0));
  if (is_counted) when(is_lost, [&] { add_to_dynamic_count(-1); });
  dynamic_drop_if(is_lost);
}

// A whole element, new or not.
void Emitter::store_element(const VariablePlace& place, V key, V element) {
  if (layout_.dynamic_limit != 0) when(b_.is_zero(b_.to_number(b_.lookup(place.map, key))), [&] { claim_dynamic(); });
  V result = b_.call(Helper::MapUpdate, {b_.map(place.map), key, element, b_.number(0)});
  dynamic_drop_if(b_.ir.CreateICmpNE(result, b_.number(0)));
}

void Emitter::delete_element(const VariablePlace& place, V key) {
  V result = b_.call(Helper::MapDelete, {b_.map(place.map), key});
  if (layout_.dynamic_limit != 0) when(b_.is_zero(result), [&] { add_to_dynamic_count(-1); });
}

// Where a thread-local object is stored, which exists from now on.
V Emitter::created_object(const VariablePlace& place) {
  V address = b_.at(task_storage(true), place.offset);
  if (layout_.dynamic_limit == 0) return address;
  V mark = b_.at(address, place.size - 8);
  note_existence(b_.ir.CreateNot(b_.is_zero(b_.load(mark, 8, false))), b_.ir.getTrue());
  b_.store(mark, b_.number(1), 8);
  return address;
}

// ---------------------------------------------------------------- reading and assigning

// The associative array that a name stands for.
std::optional<VariableId> Emitter::associative(const Expr& expr) const {
  if (!std::holds_alternative<Name>(expr.form) || info(expr).stands_for != nullptr) return std::nullopt;
  const auto* id = std::get_if<VariableId>(&info(expr).binding);
  if (id == nullptr || !meaning_.variables[id->index].is_associative) return std::nullopt;
  return *id;
}

// Looks through `a[keys]` to the variable; `index` is the Index node of an associative array, else null.
const Expr& Emitter::target_of(const Expr& use, const Expr*& index) const {
  const Expr& expr = resolve_alias(use);
  index = nullptr;
  const auto* element = std::get_if<Index>(&expr.form);
  if (element == nullptr || !associative(*element->base)) return expr;
  index = &expr;
  return *element->base;
}

// The key of an associative array element, built in memory: self-> arrays begin with the thread.
V Emitter::array_key(const Variable& variable, const VariablePlace& place, const std::vector<Expr*>& keys) {
  V key = key_area(place.key_size);
  ++key_depth_;
  build_key(place.keys, place.key_size, key, keys);
  --key_depth_;
  if (variable.scope == VariableScope::Self) b_.store(key, b_.ir.CreateAdd(pid_tgid(*keys.front()), b_.number(1)), 8);
  if (place.number) b_.store(b_.at(key, place.key_size - 8), b_.number(*place.number), 8);
  return key;
}

V Emitter::read_variable(const Variable& variable, const VariablePlace& place, const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.is_pointer(variable.type) ? 8 : types.size_of(variable.type));
  bool is_signed = types.is_signed_integer(variable.type);
  V pointer = nullptr;
  switch (place.kind) {
    case VariablePlace::Kind::Globals:
    case VariablePlace::Kind::Scratch: return b_.load(variable_address(place), size, is_signed);
    case VariablePlace::Kind::Local: {
      auto index = static_cast<uint32_t>(&variable - meaning_.variables.data());
      llvm::AllocaInst*& local = locals_[index];
      if (local == nullptr) {
        local = b_.slot(b_.i64, "this");
        llvm::IRBuilder<> at_entry(local->getNextNode());
        at_entry.CreateStore(b_.number(0), local);
      }
      return merged(b_.ir.CreateLoad(b_.i64, local));
    }
    case VariablePlace::Kind::Task:
      pointer = task_storage(false);
      if (cache_.contains("task_storage")) return b_.load(b_.at(pointer, place.offset), size, is_signed);
      break;
    case VariablePlace::Kind::Map:
      pointer = b_.lookup(place.map, array_key(variable, place, std::get<Index>(expr.form).arguments));
      break;
    case VariablePlace::Kind::Nowhere: DS_UNREACHABLE();
  }
  // Absent elements read as 0.
  uint32_t offset = place.kind == VariablePlace::Kind::Task ? place.offset : 0;
  V is_present = b_.is_nonzero(b_.to_number(pointer));
  return merged(b_.replaced_if(is_present, b_.number(0), "present",
                               [&] { return b_.load(b_.at(b_.guarded(pointer), offset), size, is_signed); }));
}

V Emitter::assign(const Expr& lvalue, V value, const Expr& at) {
  V stored = assign_place(lvalue, value, at);
  state_.known.forget_all();
  return stored;
}

V Emitter::assign_place(const Expr& lvalue, V value, const Expr& at) {
  const Expr& target = resolve_alias(lvalue);
  const Expr* index = nullptr;
  const Expr& base = target_of(target, index);
  if (const auto* id = std::get_if<VariableId>(&info(base).binding);
      id != nullptr && std::holds_alternative<Name>(base.form))
    return assign_variable(*id, index, value, at);
  if (const auto* member = std::get_if<MemberPlace>(&info(target).binding);
      member != nullptr && member->bit_size != 0) {
    const auto& form = std::get<Member>(target.form);
    Place object =
        form.is_arrow ? place_of_pointer(*form.base, at, Access::Write) : place_of(*form.base, Access::Write);
    store_bitfield(object, *member, value);
    return narrow_bits(value, static_cast<uint32_t>(member->bit_size), meaning_.types->is_signed_integer(member->type));
  }
  store_place(place_of(target, Access::Write), value, type_of(target), at);
  return value;
}

V Emitter::assign_variable(VariableId id, const Expr* index, V value, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  const Variable& variable = meaning_.variables[id.index];
  const VariablePlace& place = layout_.variables[id.index];
  auto size = static_cast<uint32_t>(types.is_pointer(variable.type) ? 8 : types.size_of(variable.type));
  switch (place.kind) {
    case VariablePlace::Kind::Globals:
    case VariablePlace::Kind::Scratch: b_.store(variable_address(place), value, size); break;
    case VariablePlace::Kind::Local: {
      llvm::AllocaInst*& local = locals_[id.index];
      if (local == nullptr) {
        local = b_.slot(b_.i64, "this");
        llvm::IRBuilder<> at_entry(local->getNextNode());
        at_entry.CreateStore(b_.number(0), local);
      }
      b_.ir.CreateStore(value, local);
      break;
    }
    case VariablePlace::Kind::Task: {
      // Storing 0 needs no storage where there is none.
      bool is_zero = llvm::isa<llvm::ConstantInt>(value) && llvm::cast<llvm::ConstantInt>(value)->isZero();
      if (is_zero && !cache_.contains("task_storage")) {
        delete_variable(id, index);
      } else {
        V address = b_.at(task_storage(true), place.offset);
        if (layout_.dynamic_limit != 0) {
          V is_zero_now = b_.is_zero(b_.load(address, size, false));
          note_existence(b_.ir.CreateNot(is_zero_now), b_.ir.CreateNot(b_.is_zero(value)));
        }
        b_.store(address, value, size);
      }
      break;
    }
    case VariablePlace::Kind::Nowhere: DS_UNREACHABLE();
    case VariablePlace::Kind::Map: {
      V key = array_key(variable, place, std::get<Index>(index->form).arguments);
      auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
      if (constant != nullptr && constant->isZero()) {
        delete_element(place, key);
      } else if (constant != nullptr) {
        update_array(place, key, value, at);
      } else {
        auto* zero = b_.block("zero");
        auto* other = b_.block("other");
        auto* after = b_.block("after");
        b_.ir.CreateCondBr(b_.is_zero(value), zero, other);
        b_.start(zero);
        conditionally([&] { delete_element(place, key); });
        b_.ir.CreateBr(after);
        b_.start(other);
        conditionally([&] { update_array(place, key, value, at); });
        b_.ir.CreateBr(after);
        b_.start(after);
      }
      break;
    }
  }
  return value;
}

// An element's scalar: stored in place where it exists, else inserted.
void Emitter::update_array(const VariablePlace& place, V key, V value, const Expr&) {
  V element = b_.lookup(place.map, key);
  auto* present = b_.block("present");
  auto* absent = b_.block("absent");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(element)), absent, present);
  b_.start(present);
  b_.store(element, value, 8);
  b_.ir.CreateBr(after);
  b_.start(absent);
  bool is_word = place.map_value_size == 8;
  V fresh = is_word ? b_.shared_slot(8, "fresh") : temporary(place.map_value_size);
  if (!is_word) b_.zero(fresh, place.map_value_size);
  b_.store(fresh, value, 8);
  insert_element(place, key, fresh);
  b_.ir.CreateBr(after);
  b_.start(after);
}

// Assigning 0 removes a thread-local or an element; strings become NULL again.
void Emitter::delete_variable(VariableId id, const Expr* index) {
  const TypeTable& types = *meaning_.types;
  const Variable& variable = meaning_.variables[id.index];
  const VariablePlace& place = layout_.variables[id.index];
  if (place.kind == VariablePlace::Kind::Map) {
    return delete_element(place, array_key(variable, place, std::get<Index>(index->form).arguments));
  }
  bool is_string = types.is_string(variable.type);
  bool has_mark = is_string || !types.is_scalar(variable.type);
  auto clear = [&](V address) {
    if (place.kind == VariablePlace::Kind::Task && layout_.dynamic_limit != 0) {
      V mark = b_.load(has_mark ? b_.at(address, place.size - 8) : address, 8, false);
      note_existence(b_.ir.CreateNot(b_.is_zero(mark)), b_.ir.getFalse());
    }
    if (is_string) {
      b_.store(b_.at(address, place.size - 8), string_mark(variable, b_.ir.getTrue()), 8);
    } else {
      b_.zero(address, place.size);
    }
  };
  if (place.kind != VariablePlace::Kind::Task) return clear(variable_address(place));
  V storage = task_storage(false);
  if (cache_.contains("task_storage")) return clear(b_.at(storage, place.offset));
  auto* present = b_.block("present");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(storage)), after, present);
  b_.start(present);
  clear(b_.at(b_.guarded(storage), place.offset));
  b_.ir.CreateBr(after);
  b_.start(after);
}

// A string variable's bytes where they are; absent ones read as NULL (an all-zero constant, marked so).
StringValue Emitter::read_string_variable(VariableId id, const Expr* index) {
  const Variable& variable = meaning_.variables[id.index];
  const VariablePlace& place = layout_.variables[id.index];
  uint32_t capacity = place.size - 8;  // the last word tells a string from NULL
  V data = nullptr;
  bool may_be_absent = false;
  if (place.kind == VariablePlace::Kind::Map) {
    data = b_.lookup(place.map, array_key(variable, place, std::get<Index>(index->form).arguments));
    may_be_absent = true;
  } else if (place.kind == VariablePlace::Kind::Task) {
    data = task_storage(false);
    may_be_absent = !cache_.contains("task_storage");
  } else {
    data = variable_address(place);
  }
  uint32_t offset = place.kind == VariablePlace::Kind::Task ? place.offset : 0;
  if (may_be_absent) {
    V nothing = b_.constant_bytes("", place.size, "null_string");
    V is_present = b_.is_nonzero(b_.to_number(data));
    data = b_.guarded(b_.replaced_if(is_present, nothing, "present", [&] { return b_.at(b_.guarded(data), offset); }));
  } else {
    data = b_.at(data, offset);
  }
  V mark = b_.load(b_.at(data, capacity), 8, false);
  bool is_local = variable.scope == VariableScope::This;
  return {data, capacity, merged_flag(is_local ? b_.is_nonzero(mark) : b_.is_zero(mark))};
}

// The word behind a string that tells it from NULL. Zeroes are what a variable starts with: thread-locals and elements
// as NULL, clause-locals as "".
V Emitter::string_mark(const Variable& variable, V is_null) {
  return b_.flag(variable.scope == VariableScope::This ? is_null : b_.ir.CreateNot(is_null));
}

void Emitter::assign_string_variable(VariableId id, const Expr* index, const StringValue& value) {
  const Variable& variable = meaning_.variables[id.index];
  const VariablePlace& place = layout_.variables[id.index];
  auto write = [&](V address) {
    store_string(address, meaning_.types->strsize() + 1, value);
    V is_null = value.is_null != nullptr ? value.is_null : b_.ir.getFalse();
    V mark = b_.at(address, place.size - 8);
    if (place.kind == VariablePlace::Kind::Task && layout_.dynamic_limit != 0)
      note_existence(b_.ir.CreateNot(b_.is_zero(b_.load(mark, 8, false))), b_.ir.CreateNot(is_null));
    b_.store(mark, string_mark(variable, is_null), 8);
  };
  if (place.kind == VariablePlace::Kind::Task) return write(b_.at(task_storage(true), place.offset));
  if (place.kind != VariablePlace::Kind::Map) return write(variable_address(place));
  V element = temporary(place.map_value_size);
  write(element);
  store_element(place, array_key(variable, place, std::get<Index>(index->form).arguments), element);
}

}  // namespace dscope
