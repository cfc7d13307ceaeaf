#include "web/http_session.h"

#include <microhttpd.h>

#include "pictures/gzip.h"

namespace dscope {

namespace {

constexpr size_t min_compressed_bytes = 1024;

MHD_Response* response_of(std::string& body) {
  return MHD_create_response_from_buffer(body.size(), body.data(), MHD_RESPMEM_MUST_COPY);
}

bool accepts_gzip(const HttpRequest& request) {
  const std::string& accepted = request.header("accept-encoding");
  return accepted.find("gzip") != accepted.npos && accepted.find("gzip;q=0") == accepted.npos;
}

}  // namespace

HttpSession::~HttpSession() {
  if (response_ != nullptr) MHD_destroy_response(response_);
}

void HttpSession::answer(HttpResponse response) {
  if (connection_ == nullptr || response_ != nullptr) return;
  bool is_compressed = response.body.size() >= min_compressed_bytes && accepts_gzip(request_);
  if (is_compressed) response.body = gzip(response.body, GzipEffort::Fast);
  MHD_Response* built = response_of(response.body);
  MHD_add_response_header(built, MHD_HTTP_HEADER_CONTENT_TYPE, response.content_type.c_str());
  MHD_add_response_header(built, MHD_HTTP_HEADER_VARY, "Accept, Accept-Encoding");
  if (is_compressed) MHD_add_response_header(built, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
  for (const auto& [name, value] : response.headers) MHD_add_response_header(built, name.c_str(), value.c_str());
  status_ = response.status;
  set_response(built);
}

std::shared_ptr<EventStream> HttpSession::answer_with_events() {
  stream_ = std::make_shared<EventStream>(connection_, has_work_);
  if (connection_ == nullptr || response_ != nullptr) return stream_;
  constexpr size_t block_bytes = size_t{64} << 10;
  auto read = [](void* stream, uint64_t, char* buffer, size_t size) -> ssize_t {
    return static_cast<EventStream*>(stream)->read(buffer, size);
  };
  MHD_Response* built =
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block_bytes, read, stream_.get(), /*free=*/nullptr);
  MHD_add_response_header(built, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
  MHD_add_response_header(built, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  MHD_add_response_header(built, "X-Content-Type-Options", "nosniff");
  set_response(built);
  return stream_;
}

void HttpSession::set_response(MHD_Response* response) {
  response_ = response;
  if (!is_suspended_) return;
  is_suspended_ = false;
  *has_work_ = true;
  MHD_resume_connection(connection_);
}

void HttpSession::suspend() {
  is_suspended_ = true;
  MHD_suspend_connection(connection_);
}

bool HttpSession::deliver() {
  return MHD_queue_response(connection_, static_cast<unsigned>(status_), response_) == MHD_YES;
}

void HttpSession::disconnect() {
  connection_ = nullptr;
  if (stream_) stream_->disconnect();
}

void HttpSession::end() {
  if (stream_) stream_->close();
  else answer(text_response(503, "the server ends"));
}

}  // namespace dscope
