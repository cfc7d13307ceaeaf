// LanguageServer: the protocol LSP 3.17 over a LanguageService. Messages in, messages out, without input or output:
// run_language_server() adds those.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/language/document.h"
#include "driver/language/language_service.h"

namespace dscope {

class LanguageServer {
 public:
  LanguageServer(CommandLine base, MakeHost make_host) : service_(std::move(base), std::move(make_host)) {}

  // Handles one message. Returns the replies, for a notification none. Any JSON is accepted.
  std::vector<nlohmann::json> handle(const nlohmann::json& message);

  // Whether documents have changed since their problems were published.
  bool has_unchecked_documents() const { return !unchecked_.empty(); }
  // Checks one of them; the message that publishes its problems.
  nlohmann::json check_next_document();
  // Collects the names of all probes, so that the first completion need not wait. Does nothing the second time.
  void prepare() { service_.probes(); }
  bool is_prepared() const { return !is_initialized_ || service_.has_probes(); }

  // Set by the notification `exit`: the exit status, 0 after the request `shutdown`.
  std::optional<int> exit_status() const { return exit_status_; }

 private:
  struct OpenDocument {
    Document document;
    std::vector<Problem> problems;  // of the last check
    int64_t version = 0;
  };

  nlohmann::json answer(const std::string& method, const nlohmann::json& params);
  void notify(const std::string& method, const nlohmann::json& params);
  nlohmann::json initialize();
  void open(const nlohmann::json& params);
  void change(const nlohmann::json& params);
  void close(const nlohmann::json& params);
  const OpenDocument& document_of(const nlohmann::json& params) const;

  nlohmann::json complete(const nlohmann::json& params);
  nlohmann::json hover(const nlohmann::json& params);
  nlohmann::json definition(const nlohmann::json& params);
  nlohmann::json signature_help(const nlohmann::json& params);
  nlohmann::json symbols(const nlohmann::json& params);
  nlohmann::json format(const nlohmann::json& params);
  nlohmann::json code_actions(const nlohmann::json& params);

  LanguageService service_;
  std::map<std::string, OpenDocument> documents_;  // by URI
  std::vector<std::string> unchecked_;             // URIs
  std::vector<nlohmann::json> notices_;            // to send before the next reply
  bool is_initialized_ = false, is_shut_down_ = false;
  std::optional<int> exit_status_;
};

// Speaks the protocol on two descriptors until the client exits. Returns the exit status.
Result<int> run_language_server(LanguageServer& server, int input, int output);

}  // namespace dscope
