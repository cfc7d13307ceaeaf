// RunReceiver: the run and the messages that a tracer (tracer_process.h) sends.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pictures/run_model.h"
#include "pictures/run_stream.h"
#include "support/fd.h"

namespace dscope {

class RunReceiver {
 public:
  using RowObserver = std::function<void(const RunModel& model, const std::vector<PictureRow>& rows)>;

  // `run`, `messages`: the read ends of StartedTracer, which do not block. `on_rows` may be empty.
  RunReceiver(Fd run, Fd messages, const RunModel::Limits& limits = {}, RowObserver on_rows = {})
      : run_(std::move(run)), messages_(std::move(messages)), limits_(limits), on_rows_(std::move(on_rows)) {}

  // Readable when receive() may have something new; -1: nothing will come.
  int run_fd() const { return run_.get(); }
  int message_fd() const { return messages_.get(); }
  // Takes what has arrived into the model. Returns whether the model has changed. Does not block.
  bool receive();

  // Null until the program is loaded and about to be attached.
  const RunModel* model() const { return model_ ? &*model_ : nullptr; }
  // As RunModel; there must be a model.
  std::vector<bool> continue_from(const RunModel& earlier) { return model_->continue_from(earlier); }
  void expire_carried() { model_->expire_carried(); }
  bool is_attached() const { return is_attached_; }  // an update has arrived
  bool has_ended() const { return !run_; }
  // The text that the process has written on stderr; the last part if it is long.
  const std::string& messages() const { return text_; }
  // Stops reading.
  void close() { run_ = {}; }

 private:
  void receive_messages();
  void apply(RunMessage message);

  Fd run_, messages_;
  RunModel::Limits limits_;
  RowObserver on_rows_;
  RunStreamReader reader_;
  std::optional<RunModel> model_;
  bool is_attached_ = false;
  std::string text_;
};

}  // namespace dscope
