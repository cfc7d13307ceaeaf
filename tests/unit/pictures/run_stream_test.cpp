#include "pictures/run_stream.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"

namespace dscope::test {
namespace {

using namespace std::string_literals;

RunMessage the_next(RunStreamReader& reader) {
  auto message = reader.next();
  EXPECT_TRUE(message.has_value()) << message.error().message();
  EXPECT_TRUE(message && message->has_value());
  return message && *message ? std::move(**message) : RunMessage{};
}

TEST(RunStream, ArrivesInAnyPieces) {
  std::string bytes;
  RunStreamWriter writer([&](std::string_view frame) { bytes += frame; });
  writer.begin(start_with({counted("calls", {"execname"})}));
  RunUpdate update{.time_ns = second};
  PictureKey stack{.kind = KeyKind::Stack, .text = {}, .frames = {{.text = "vmlinux`read", .is_kernel = true}}};
  update.new_elements = {{.aggregation = 0, .keys = {text_key("a\0b"), stack}}};
  update.changes = {change(0, 0, -5)};
  update.rows = {{.time_ns = 1, .monotonic_ns = 2, .probe = 1, .pid = 3, .tid = 4, .execname = "cat", .text = "row"}};
  writer.add(update);
  writer.end({.time_ns = 2 * second, .exit_status = 3});

  RunStreamReader reader;
  std::vector<RunMessage> messages;
  for (char byte : bytes) {
    reader.add({&byte, 1});
    auto message = reader.next();
    ASSERT_TRUE(message.has_value());
    if (*message) messages.push_back(std::move(**message));
  }
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(std::get<RunStart>(messages[0]).aggregations.front().keys.front(), "execname");
  const auto& read = std::get<RunUpdate>(messages[1]);
  EXPECT_EQ(read.new_elements.front().keys, update.new_elements.front().keys);
  EXPECT_EQ(read.changes.front().value.numbers.front(), -5);
  EXPECT_EQ(read.rows.front().execname, "cat");
  EXPECT_EQ(std::get<RunEnd>(messages[2]).exit_status, 3);
}

TEST(RunStream, RejectsBytesOfNoStream) {
  RunStreamReader reader;
  reader.add("\x05\x00\x00\x00\x01garbage"s);
  EXPECT_FALSE(reader.next().has_value());
  RunStreamReader long_one;
  long_one.add("\xff\xff\xff\xff");
  EXPECT_FALSE(long_one.next().has_value());
}

TEST(RunStream, WaitsForTheRest) {
  RunStreamReader reader;
  std::string frame = pack_message(RunEnd{.time_ns = 7, .exit_status = 0});
  reader.add(std::string_view{frame}.substr(0, frame.size() - 1));
  auto message = reader.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_FALSE(message->has_value());
  reader.add(std::string_view{frame}.substr(frame.size() - 1));
  EXPECT_EQ(std::get<RunEnd>(the_next(reader)).time_ns, 7);
}

}  // namespace
}  // namespace dscope::test
