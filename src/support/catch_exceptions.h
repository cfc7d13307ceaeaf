// Exceptions end a function of dscope only where the standard library throws them: out of memory, a broken stream. They
// become Errors where a run can go on without the work that failed, because the data of a long run is worth more than
// one record, name or process.
#pragma once

#include <exception>
#include <new>

#include "support/result.h"

namespace dscope {

// Calls `work`, which returns a Result. An exception becomes an Error.
template <typename Work>
auto catch_exceptions(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(Error("out of memory"));
  } catch (const std::exception& exception) {
    return fail(Error::make("unexpected failure: {}", exception.what()));
  }
}

}  // namespace dscope
