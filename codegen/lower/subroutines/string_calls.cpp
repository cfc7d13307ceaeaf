#include "codegen/lower/subroutines/string_calls.h"

#include <algorithm>
#include <bit>

#include "codegen/lower/memory/user_memory.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/subroutines/copy_calls.h"
#include "codegen/lower/subroutines/path_calls.h"
#include "codegen/lower/subroutines/process_calls.h"
#include "codegen/lower/subroutines/text_calls.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/string_memory.h"
#include "codegen/lower/values/strings.h"

namespace dscope {

StringValue StringCalls::call(const Expr& expr, const Call& call, Subroutine subroutine) {
  uint32_t capacity = round_up8(bound(expr));
  uint64_t characters = std::min(bound(expr) - 1, meaning_.types->strsize());
  auto result = [&] { return scratch_.temporary(capacity); };
  auto sizes = [&](uint32_t first, uint32_t second) {
    return b_.number(pack_sizes(capacity, characters, first, second));
  };
  auto one_string = [&](const char* function) -> StringValue {
    StringValue text = strings_.required_string(*call.arguments[0]);
    V data = result();
    b_.call_support(function, b_.void_type, {data, text.data, sizes(text.capacity, 0)});
    return {data, capacity, nullptr};
  };
  // The part of `text` from an offset; negative: not found, NULL.
  auto part = [&](const StringValue& text, V offset) -> StringValue {
    V data = result();
    b_.call_support("ds_suffix", b_.void_type, {data, text.data, sizes(text.capacity, 0), offset});
    return {data, capacity, core_.merged_flag(b_.ir.CreateICmpSLT(offset, b_.number(0)))};
  };
  switch (subroutine) {
    case Subroutine::Basename: return one_string("ds_basename");
    case Subroutine::Dirname: return one_string("ds_dirname");
    case Subroutine::Toupper: return one_string("ds_toupper");
    case Subroutine::Tolower: return one_string("ds_tolower");
    case Subroutine::Strjoin: {
      StringValue left = strings_.required_string(*call.arguments[0]);
      StringValue right = strings_.required_string(*call.arguments[1]);
      V data = result();
      b_.call_support("ds_strjoin", b_.void_type, {data, left.data, right.data, sizes(left.capacity, right.capacity)});
      return {data, capacity, nullptr};
    }
    case Subroutine::Substr: {
      StringValue text = strings_.required_string(*call.arguments[0]);
      V index = expressions_.int_argument(*call.arguments[1]);
      V count = call.arguments.size() > 2 ? expressions_.int_argument(*call.arguments[2])
                                          : b_.number(meaning_.types->strsize());
      V data = result();
      b_.call_support("ds_substr", b_.void_type, {data, text.data, sizes(text.capacity, 0), index, count});
      return {data, capacity, nullptr};
    }
    case Subroutine::Strchr:
    case Subroutine::Strrchr: {
      StringValue text = strings_.required_string(*call.arguments[0]);
      V character = expressions_.scalar(*call.arguments[1]);
      return part(text, b_.call_support(subroutine == Subroutine::Strchr ? "ds_strchr" : "ds_strrchr", b_.i64,
                                        {text.data, b_.number(text.capacity), character}));
    }
    case Subroutine::Strstr: {
      StringValue text = strings_.required_string(*call.arguments[0]);
      StringValue needle = strings_.required_string(*call.arguments[1]);
      V found = b_.call_support("ds_strstr", b_.i64,
                                {text.data, needle.data, b_.number(pack_sizes(0, 0, text.capacity, needle.capacity))});
      return part(text, found);
    }
    case Subroutine::DPath: return path_calls_.path(expr, call, 0);
    case Subroutine::MountPoint: return path_calls_.path(expr, call, 1);
    case Subroutine::DentryPath: return path_calls_.path(expr, call, 0);
    case Subroutine::BlockDriver: {
      auto size = static_cast<uint32_t>(compiled_.driver_table.size());
      if (driver_table_ == nullptr) driver_table_ = b_.constant_bytes(compiled_.driver_table, size, "block_drivers");
      V major = faults_.bounded(expressions_.scalar(*call.arguments[0]), block_driver_rows, DS_FAULT_BADINDEX, expr);
      return {b_.at(driver_table_, b_.ir.CreateMul(major, b_.number(block_driver_row()))), block_driver_row(), nullptr};
    }
    case Subroutine::PsArgs: {
      V start = expressions_.scalar(*call.arguments[0]), end = expressions_.scalar(*call.arguments[1]);
      V data = result();
      b_.call_support("ds_arguments", b_.void_type, {data, sizes(0, 0), start, end});
      return {data, capacity, nullptr};
    }
    case Subroutine::PsArgsOf: return process_calls_.arguments_of(expr, call);
    case Subroutine::Memstr: return copy_calls_.memory_text(expr, call);
    case Subroutine::Copyinstr: {
      V address = expressions_.scalar(*call.arguments[0]);
      if (call.arguments.size() < 2 || info(*call.arguments[1]).constant)
        return string_memory_.copy_from({Space::User, address}, bound(expr), expr);
      // A length known only when it runs: read within it, at least one byte for the terminator.
      V wanted = expressions_.scalar(*call.arguments[1]);
      if (is_solaris_mode()) wanted = b_.ir.CreateAdd(wanted, b_.number(1));
      V data = scratch_.temporary(capacity);
      b_.zero(data, capacity);
      V most = b_.number(bound(expr));
      V length = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(wanted, most), most, wanted);
      length = b_.ir.CreateAnd(length, b_.number(std::bit_ceil(bound(expr) + 1) - 1));
      V read = user_memory_.read_text(data, bound(expr), length, address);
      faults_.fault_if(b_.ir.CreateICmpSLT(read, b_.number(0)), DS_FAULT_BADADDR, address, expr);
      return {data, capacity, nullptr};
    }
    default: return text_calls_.call(expr, call, subroutine);
  }
}

}  // namespace dscope
