#include "pictures/report/report_writer.h"

#include <zlib.h>

#include <cstdint>
#include <new>
#include <string_view>

#include "pictures/report/page_text.h"
#include "pictures/report/report_json.h"

namespace dscope {

namespace {

// The header of zlib's gzip format has neither a time nor a file name.
std::string gzip(std::string_view text) {
  constexpr int gzip_window = 15 + 16, memory_level = 9;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  // avail_in has 32 bits.
  constexpr size_t chunk = size_t{1} << 30;
  std::string out;
  std::string buffer(size_t{1} << 16, '\0');
  for (size_t begin = 0; begin <= text.size(); begin += chunk) {
    std::string_view input = text.substr(begin, chunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream.avail_in = static_cast<uInt>(input.size());
    int flush = begin + chunk > text.size() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      out.append(buffer, 0, buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

void append_base64(std::string& out, std::string_view bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  auto byte = [&](size_t i) { return i < bytes.size() ? uint32_t{static_cast<uint8_t>(bytes[i])} : 0U; };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (size_t digit = 0; digit < 4; ++digit)
      out += i + digit <= bytes.size() ? digits[group >> (18 - 6 * digit) & 63] : '=';
  }
}

}  // namespace

std::string report_html(const RunModel& model) {
  std::string html{report_page_start};
  append_base64(html, gzip(report_page_script));
  html += report_page_middle;
  append_base64(html, gzip(report_json(model)));
  html += report_page_end;
  return html;
}

}  // namespace dscope
