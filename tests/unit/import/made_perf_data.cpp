#include "tests/unit/import/made_perf_data.h"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>

namespace dscope {

namespace {

constexpr uint64_t identifier = 1 << 16, ip = 1, tid = 2, time_bit = 4, cpu_bit = 1 << 7, chain = 1 << 5, raw = 1 << 10;
constexpr uint64_t common = identifier | ip | tid | time_bit | cpu_bit;
constexpr uint64_t has_frequency = 1 << 10, has_sample_ids = 1 << 18;
constexpr uint64_t header_size = 104, attribute_size = 128, first_id = 1000;

std::string counted(const std::string& text) {
  std::string bytes = bytes_of(static_cast<uint32_t>(text.size() + 1));
  return bytes + text + '\0';
}

}  // namespace

uint32_t MadePerfData::add_tracepoint(const std::string& group, const std::string& name, uint32_t id,
                                      const std::string& fields) {
  events_.push_back(
      {.type = 2, .config = id, .sample_type = common | raw, .flags = has_sample_ids, .name = group + ":" + name});
  formats_.emplace_back(group, fmt::format("name: {}\nID: {}\nformat:\n"
                                           "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                                           "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n{}\n"
                                           "print fmt: \"\"\n",
                                           name, id, fields));
  return static_cast<uint32_t>(events_.size() - 1);
}

uint32_t MadePerfData::add_clock(uint64_t frequency) {
  events_.push_back({.type = 1,
                     .config = 0,
                     .period = frequency,
                     .sample_type = common | chain,
                     .flags = has_sample_ids | has_frequency,
                     .name = "cpu-clock"});
  return static_cast<uint32_t>(events_.size() - 1);
}

void MadePerfData::add_record(uint32_t type, uint16_t misc, const std::string& body) {
  records_ += bytes_of(type, misc, static_cast<uint16_t>(body.size() + 8)) + body;
}

std::string MadePerfData::stamp(uint64_t time, uint32_t cpu) {
  return bytes_of(uint64_t{0}, time, cpu, uint32_t{0}, first_id);
}

void MadePerfData::add_name(uint32_t pid, uint32_t thread, const std::string& name) {
  add_record(3, 0, bytes_of(pid, thread) + padded(name, 16) + stamp(0, 0));
}

void MadePerfData::add_fork(uint32_t parent, uint32_t pid, uint32_t thread) {
  add_record(7, 0, bytes_of(pid, parent, thread, parent, uint64_t{0}) + stamp(0, 0));
}

void MadePerfData::add_mapping(uint32_t pid, uint64_t start, uint64_t size, const std::string& path) {
  std::string body = bytes_of(pid, pid, start, size, uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0}, 5U, 2U);
  add_record(10, 2, body + padded(path, path.size() / 8 * 8 + 8) + stamp(0, 0));
}

void MadePerfData::add_losses(uint64_t count) { add_record(2, 0, bytes_of(first_id, count) + stamp(2, 1)); }

void MadePerfData::add_total_losses(uint64_t count) { add_record(13, 0, bytes_of(count) + stamp(0, 0)); }

void MadePerfData::add_sample(uint32_t event, uint64_t time, uint32_t pid, uint32_t thread, uint32_t cpu,
                              const std::string& content, uint16_t misc, uint64_t address) {
  std::string body = bytes_of(first_id + event, address, pid, thread, time, cpu, uint32_t{0});
  if (events_[event].type == 2) body += bytes_of(static_cast<uint32_t>(content.size())) + content;
  else body += bytes_of(uint64_t{content.size() / 8}) + content;
  body.resize((body.size() + 7) / 8 * 8);
  add_record(9, misc, body);
}

void MadePerfData::compress() {
  std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream*)> stream{ZSTD_createCStream(), ZSTD_freeCStream};
  std::string plain = std::move(records_);
  records_.clear();
  constexpr size_t part = 100;
  for (size_t at = 0; at < plain.size(); at += part) {
    ZSTD_inBuffer in{plain.data() + at, std::min(part, plain.size() - at), 0};
    std::string body(ZSTD_CStreamOutSize(), '\0');
    ZSTD_outBuffer out{body.data(), body.size(), 0};
    ZSTD_compressStream2(stream.get(), &out, &in, ZSTD_e_flush);
    body.resize(out.pos);
    constexpr uint32_t compressed = 81, compressed2 = 83;
    if (at == 0) add_record(compressed, 0, body);
    else add_record(compressed2, 0, padded(bytes_of(uint64_t{body.size()}) + body, (body.size() + 15) / 8 * 8));
  }
}

std::string MadePerfData::attributes(uint64_t ids_at) const {
  std::string all;
  for (const Event& event : events_) {
    std::string one = bytes_of(event.type, static_cast<uint32_t>(attribute_size), event.config, event.period,
                               event.sample_type, uint64_t{4}, event.flags);
    all += padded(one, attribute_size) + bytes_of(ids_at, uint64_t{8});
    ids_at += 8;
  }
  return all;
}

std::string MadePerfData::tracing_data() const {
  std::string data = std::string("\x17\x08\x44tracing") + "0.6" + '\0' + '\0' + '\x08' + bytes_of(4096U);
  for (const char* part : {"header_page", "header_event"}) data += part + std::string(1, '\0') + bytes_of(uint64_t{0});
  data += bytes_of(0U, static_cast<uint32_t>(formats_.size()));
  for (const auto& [group, text] : formats_) data += group + '\0' + bytes_of(1U, uint64_t{text.size()}) + text;
  return data + bytes_of(0U, 0U, uint64_t{0});
}

std::string MadePerfData::file() const {
  std::string ids, names = bytes_of(static_cast<uint32_t>(events_.size()), static_cast<uint32_t>(attribute_size));
  for (uint64_t i = 0; i < events_.size(); ++i) ids += bytes_of(first_id + i);
  for (const Event& event : events_) names += padded("", attribute_size) + bytes_of(0U) + counted(event.name);
  std::string table = attributes(header_size);
  const std::pair<int, std::string> features[] = {{1, tracing_data()},
                                                  {4, counted("6.18.0-made")},
                                                  {6, counted("x86_64")},
                                                  {7, bytes_of(2U, 2U)},
                                                  {11, bytes_of(2U) + counted("perf") + counted("record")},
                                                  {12, names}};
  uint64_t bits = 0, data_at = header_size + ids.size() + table.size();
  uint64_t at = data_at + records_.size() + std::size(features) * 16;
  std::string sections, contents;
  for (const auto& [number, content] : features) {
    bits |= uint64_t{1} << number;
    sections += bytes_of(at, uint64_t{content.size()});
    contents += content;
    at += content.size();
  }
  std::string header = "PERFILE2" + bytes_of(header_size, attribute_size + 16, header_size + ids.size(),
                                             uint64_t{table.size()}, data_at, uint64_t{records_.size()}, uint64_t{0},
                                             uint64_t{0}, bits, uint64_t{0}, uint64_t{0}, uint64_t{0});
  return header + ids + table + records_ + sections + contents;
}

}  // namespace dscope
