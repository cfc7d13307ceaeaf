// Expressions that read the memory of the traced process.
#include "generator.h"
#include "user_memory.h"

namespace dscope::oracle {

// Copies occupy scratch memory, in units of 8 bytes, until the clause ends.
bool Generator::take_scratch(uint32_t size) {
  uint32_t rounded = (size + 7) / 8 * 8;
  if (scratch_ < rounded) return false;
  scratch_ -= rounded;
  return true;
}

Transfer Generator::transfer_of(uint32_t size) {
  if (chance(40) || !take_scratch(size)) return Transfer::Direct;
  return chance(50) ? Transfer::Copyin : Transfer::Copyinto;
}

// `word` and `number` of an expression that reads user memory: arg4, or a pointer that is stored there.
Expr Generator::user_base() {
  Expr base;
  base.word = "arg4";
  if (chance(60)) return base;
  auto load = [&](const std::string& address) {
    if (chance(50) && take_scratch(8)) return "*(uint64_t *)copyin(" + address + ", 8)";
    return "*(userland uint64_t *)(" + address + ")";
  };
  size_t index = chance(4) ? user_pointers.size() - 1 : pick(user_pointers.size() - 1);
  base.word = load("arg4 + " + std::to_string(user_memory_size + 8 * index));
  base.number = user_pointers[index];
  if (base.number <= user_memory_size) return base;
  // A pointer to a pointer.
  base.number = user_pointers[(static_cast<uint64_t>(base.number) - user_memory_size) / 8];
  base.word = load(base.word);
  return base;
}

// A pointer that programs only read through.
ExprPtr Generator::user_pointer(const Type& type, int depth) {
  Expr pointer = user_base();
  const Type& element = *type.element;
  uint32_t size = element.size * (element.kind == Kind::Integer ? 2 : 1);
  pointer.form = Form::UserPointer;
  pointer.type = &type;
  bool is_null = pointer.number == null_pointer;
  uint32_t offsets = is_null ? 0 : user_memory_size - static_cast<uint32_t>(pointer.number) - size;
  if (!is_null && static_cast<int64_t>(size) + pointer.number > user_memory_size) {
    pointer.word = "arg4";
    pointer.number = 0;
    offsets = user_memory_size - size;
  }
  pointer.parts = {offsets == 0 ? number(int_, 0) : small(depth - 1, offsets + 1), number(int_, size)};
  pointer.transfer = transfer_of(size);
  if (pointer.transfer == Transfer::Copyinto) pointer.known = "this->" + fresh("c");
  return std::make_shared<const Expr>(pointer);
}

ExprPtr Generator::user_integer(int depth) {
  const Type* type = &any_integer();
  const Type* structure = structs_[pick(structs_.size())];
  if (chance(50) && is_plain(*structure)) type = structure;
  ExprPtr found = user_pointer(types_.pointer_to(*type), depth);
  while (found->type->kind != Kind::Integer) found = descend(found, depth - 1);
  return found;
}

ExprPtr Generator::user_text() {
  Expr text = user_base();
  text.form = Form::UserText;
  text.type = &types_.string();
  bool is_null = text.number == null_pointer;
  uint32_t rest = is_null ? 1 : user_text_size - static_cast<uint32_t>(text.number);
  uint32_t offset = pick(rest);
  text.parts = {number(int_, offset)};
  uint32_t size = rest - offset;
  if (!is_null && chance(30) && take_scratch(size)) {
    text.transfer = Transfer::Copyin;
    text.parts.push_back(number(int_, size));
  } else if (chance(40)) {
    text.parts.push_back(number(int_, 1 + pick(user_text_size)));
  }
  return std::make_shared<const Expr>(text);
}

}  // namespace dscope::oracle
