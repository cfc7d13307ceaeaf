#include "runtime/replay/own_stack.h"

#include <pthread.h>

#include <optional>

namespace dscope {

namespace {

struct Call {
  const std::function<Result<SessionResult>()>& body;
  std::optional<Result<SessionResult>> result;
};

void* run(void* argument) {
  auto& call = *static_cast<Call*>(argument);
  call.result = call.body();
  return nullptr;
}

}  // namespace

Result<SessionResult> run_on_stack(std::span<std::byte> stack, const std::function<Result<SessionResult>()>& body) {
  Call call{body, std::nullopt};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  int problem = pthread_attr_setstack(&attributes, stack.data(), stack.size());
  if (problem == 0) problem = pthread_create(&thread, &attributes, run, &call);
  pthread_attr_destroy(&attributes);
  if (problem != 0) return fail(Error::from_errno(problem, "cannot start the thread that replays"));
  pthread_join(thread, nullptr);
  return std::move(*call.result);
}

}  // namespace dscope
