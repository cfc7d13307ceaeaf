// Ring records: a program that is loaded by somebody else could write them. The input is cut into records, each after
// its length in 8 bytes; the headers keep to clauses and probes that exist in half of them.
#include <cstring>

#include "../unit/runtime/output/output_fixture.h"

namespace dscope {

namespace {

class Feeder : public test::OutputTest {
 public:
  Feeder() {
    settings.is_testing = true;
    add_probe("syscall", "vmlinux", "read", "entry");
    add_text();
    add_stacks();
    test::CannedClause speculative = clause(3);
    speculative.action(Action::Trace, {speculative.layout.integer<int32_t>(1)});
    add(speculative);
    restart();
  }
  void TestBody() override {}

  void take(std::span<const std::byte> bytes) {
    std::vector<std::byte> record(bytes.begin(), bytes.end());
    consumer().record(record);
    output();
    messages.take();
  }

 private:
  void add_text() {
    test::CannedClause text = clause(3);
    test::Layout& layout = text.layout;
    text.action(Action::Printf, {layout.integer<int64_t>(1), layout.string("abc", 16), layout.integer<uint8_t>(2),
                                 layout.integer<int32_t>(3), layout.raw("raw bytes", true)});
    text.plan.actions.back().format = add_format("%*d %s %c %x %S\n");
    text.action(Action::Trace, {layout.string("text", 8)});
    text.action(Action::Tracemem, {layout.raw("0123456789abcdef")});
    add(text);
  }
  void add_stacks() {
    test::CannedClause stacks = clause(3);
    test::Layout& layout = stacks.layout;
    stacks.action(Action::Stack, {layout.stack({1, 2, 3, 4}, 4)});
    stacks.action(Action::Ustack, {layout.user_stack(42, {0x4000, 0x5000, 0}, 3)});
    stacks.action(Action::Sym, {layout.kernel_address(test::kernel_base + 0x1000, Action::Sym)});
    stacks.action(Action::Usym, {layout.user_address(42, 0x4000, Action::Usym)});
    add(stacks);
  }
};

}  // namespace

}  // namespace dscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  dscope::Feeder feeder;
  while (size >= sizeof(uint64_t)) {
    uint64_t choice = 0;
    std::memcpy(&choice, data, sizeof choice);
    data += sizeof choice;
    size -= sizeof choice;
    size_t length = std::min<size_t>(size, choice & 0xff);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> record(bytes, bytes + length);
    data += length;
    size -= length;
    if ((choice & 0x100) != 0 && length >= sizeof(ds_record_header)) {
      ds_record_header header;
      std::memcpy(&header, record.data(), sizeof header);
      header.clause %= 3;
      header.probe_row %= 4;
      std::memcpy(record.data(), &header, sizeof header);
      record.resize(std::max<size_t>(record.size(), 160));
    }
    feeder.take(record);
  }
  return 0;
}
