#include "codegen/lower/programs/iterators.h"

namespace dscope {

// Leaves by `otherwise` if there is no object. The verifier knows no more of a pointer than what this function found
// out: the thread that an object is or belongs to is kept for all that asks for it.
void Iterators::find_object(llvm::BasicBlock* otherwise) {
  for (uint32_t word : frame_.iterator->objects) {
    V object = b_.ir.CreateAlignedLoad(b_.ptr, core_.context_at(uint64_t{word} * 8), llvm::Align(8));
    b_.branch_if(b_.is_zero(b_.to_number(object)), otherwise);
    if (frame_.iterator->subject == word) frame_.subject = object;
  }
}

// A byte for the reader, who says how many it wants: so many objects are walked before it looks at the records.
void Iterators::mark_object() {
  auto load = [&](V from) { return b_.ir.CreateAlignedLoad(b_.ptr, from, llvm::Align(8)); };
  V sequence = load(load(frame_.context));  // context->meta->seq
  V mark = b_.shared_slot(8, "mark");
  b_.zero(mark, 8);
  b_.call(Helper::SeqWrite, {sequence, mark, b_.number32(1)});
}

}  // namespace dscope
