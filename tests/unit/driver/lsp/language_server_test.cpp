// The protocol: messages in, messages out.
#include "driver/lsp/language_server.h"

#include <gtest/gtest.h>

#include "driver/lsp/message_reader.h"
#include "tests/support/fake_host.h"

namespace dscope {
namespace {

using nlohmann::json;

class Client {
 public:
  Client() { request("initialize", {{"capabilities", json::object()}}); }

  json request(const std::string& method, json params) {
    json message = {{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}};
    std::vector<json> replies = server_.handle(message);
    EXPECT_FALSE(replies.empty());
    return replies.empty() ? json() : replies.back();
  }
  void notify(const std::string& method, json params) {
    notices_ = server_.handle({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void open(const std::string& text) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "d"}, {"version", 1}, {"text", text}}}});
  }
  json ask(const std::string& method, uint32_t line, uint32_t character) {
    return request("textDocument/" + method, {{"textDocument", {{"uri", uri}}},
                                              {"position", {{"line", line}, {"character", character}}}})["result"];
  }
  json check() { return server_.check_next_document()["params"]["diagnostics"]; }
  LanguageServer& server() { return server_; }
  const std::vector<json>& notices() const { return notices_; }

  static constexpr const char* uri = "file:///tmp/t.d";

 private:
  LanguageServer server_{{}, [] { return std::make_unique<FakeHost>(); }};
  std::vector<json> notices_;
  int id_ = 0;
};

TEST(LanguageServer, Introduces) {
  LanguageServer server({}, [] { return std::make_unique<FakeHost>(); });
  auto early = server.handle({{"id", 1}, {"method", "textDocument/hover"}, {"params", json::object()}});
  EXPECT_EQ(early.at(0)["error"]["code"], -32002);
  auto reply = server.handle({{"id", 2}, {"method", "initialize"}, {"params", json::object()}});
  EXPECT_EQ(reply.at(0)["result"]["serverInfo"]["name"], "dscope");
  EXPECT_TRUE(reply.at(0)["result"]["capabilities"]["hoverProvider"]);
}

TEST(LanguageServer, PublishesProblemsWithFixes) {
  Client client;
  client.open("BEGIN\n{\n  x = execnam;\n}\n");
  json problems = client.check();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0]["code"], "D_IDENT_UNDEF");
  EXPECT_EQ(problems[0]["range"], json::parse(R"({"start":{"line":2,"character":6},"end":{"line":2,"character":13}})"));
  EXPECT_NE(problems[0]["message"].get<std::string>().find("hint: did you mean `execname`?"), std::string::npos);
  json actions = client.request("textDocument/codeAction",
                                {{"textDocument", {{"uri", Client::uri}}}, {"range", problems[0]["range"]}})["result"];
  ASSERT_FALSE(actions.empty());
  EXPECT_EQ(actions[0]["edit"]["changes"][Client::uri][0]["newText"], "execname");

  client.notify("textDocument/didChange",
                {{"textDocument", {{"uri", Client::uri}, {"version", 2}}},
                 {"contentChanges", {{{"range", problems[0]["range"]}, {"text", "execname"}}}}});
  EXPECT_TRUE(client.server().has_unchecked_documents());
  EXPECT_TRUE(client.check().empty());
  EXPECT_FALSE(client.server().has_unchecked_documents());
}

TEST(LanguageServer, Answers) {
  Client client;
  client.open("/* Most. */\ninline int most = 3;\nsyscall::open:entry\n{\n  self->n = substr(execname, most);\n}\n");
  json list = client.ask("completion", 4, 14);
  EXPECT_FALSE(list["items"].empty());
  EXPECT_NE(client.ask("hover", 4, 21)["contents"]["value"].get<std::string>().find("Name of the running"),
            std::string::npos);
  EXPECT_EQ(client.ask("definition", 4, 31)[0]["range"]["start"]["line"], 1);
  EXPECT_EQ(client.ask("signatureHelp", 4, 31)["activeParameter"], 1);
  json symbols = client.ask("documentSymbol", 0, 0);
  ASSERT_EQ(symbols.size(), 2u);
  EXPECT_EQ(symbols[1]["name"], "syscall::open:entry");
  EXPECT_EQ(symbols[1]["children"][0]["name"], "self->n");
}

TEST(LanguageServer, Formats) {
  Client client;
  client.open("BEGIN{x=1;}");
  EXPECT_EQ(client.ask("formatting", 0, 0)[0]["newText"], "BEGIN { x = 1; }\n");
  client.open("BEGIN { x = 1; }\n");
  EXPECT_TRUE(client.ask("formatting", 0, 0).empty());
}

TEST(LanguageServer, RejectsWhatIsNoRequest) {
  Client client;
  EXPECT_EQ(client.request("textDocument/none", json::object())["error"]["code"], -32601);
  EXPECT_EQ(client.request("textDocument/hover", json::object())["error"]["code"], -32602);
  EXPECT_EQ(client.server().handle(json::parse("[1]"))[0]["error"]["code"], -32600);
  EXPECT_EQ(client.server().handle(json::parse("{", nullptr, false))[0]["error"]["code"], -32700);
  client.notify("textDocument/didChange", {{"textDocument", 7}});
  EXPECT_EQ(client.ask("hover", 0, 0), json());  // the document is not open
}

TEST(LanguageServer, Exits) {
  Client client;
  EXPECT_TRUE(client.request("shutdown", nullptr)["result"].is_null());
  EXPECT_EQ(client.request("textDocument/hover", json::object())["error"]["code"], -32600);
  client.notify("exit", nullptr);
  EXPECT_EQ(client.server().exit_status(), 0);
}

TEST(LanguageServer, ClearsTheProblemsOfClosedDocuments) {
  Client client;
  client.open("BEGIN { x = execnam; }");
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", Client::uri}}}});
  ASSERT_EQ(client.notices().size(), 1u);
  EXPECT_TRUE(client.notices()[0]["params"]["diagnostics"].empty());
  EXPECT_FALSE(client.server().has_unchecked_documents());
}

TEST(MessageReader, SplitsMessages) {
  MessageReader reader;
  std::string bytes = frame_message({{"a", 1}}) + frame_message({{"b", 2}});
  for (char c : bytes.substr(0, bytes.size() - 1)) reader.append({&c, 1});
  EXPECT_EQ((**reader.next())["a"], 1);
  EXPECT_FALSE(reader.next()->has_value());
  reader.append(bytes.substr(bytes.size() - 1));
  EXPECT_EQ((**reader.next())["b"], 2);
}

TEST(MessageReader, RejectsOtherProtocols) {
  for (const char* bytes : {"Content-Length: x\r\n\r\n", "Content-Length: 99999999999999\r\n\r\n", "a: b\r\n\r\n",
                            "GET / HTTP/1.1\r\n\r\n"}) {
    MessageReader reader;
    reader.append(bytes);
    EXPECT_FALSE(reader.next().has_value()) << bytes;
  }
  MessageReader reader;
  reader.append(std::string(MessageReader::max_header_bytes + 1, 'x'));
  EXPECT_FALSE(reader.next().has_value());
}

}  // namespace
}  // namespace dscope
