#include "codegen/lower/programs/iterators.h"

namespace dscope {

// Loads the objects that the iterator passes. Jumps to `otherwise` if one is null. Keeps the object's thread in the
// frame, because the verifier would not apply this null test to a pointer that is loaded again.
void Iterators::find_object(llvm::BasicBlock* otherwise) {
  for (uint32_t word : frame_.iterator->objects) {
    V object = core_.load_context_pointer(uint64_t{word} * 8);
    b_.branch_if(b_.is_zero(b_.to_number(object)), otherwise);
    if (frame_.iterator->subject == word) frame_.subject = object;
  }
}

// Writes one byte to the reader of the iterator. The number of bytes that the reader requests is therefore the number
// of objects that the kernel walks before the reader looks at the records.
void Iterators::mark_object() {
  auto load = [&](V from) { return b_.ir.CreateAlignedLoad(b_.ptr, from, llvm::Align(8)); };
  V sequence = load(load(frame_.context));  // context->meta->seq
  V mark = b_.shared_slot(8, "mark");
  b_.zero(mark, 8);
  b_.call(Helper::SeqWrite, {sequence, mark, b_.number32(1)});
}

}  // namespace dscope
