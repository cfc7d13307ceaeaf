// The capture that an import makes: probes with the types of their arguments, then events.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/capture_info.h"
#include "capture/capture_shape.h"
#include "capture/capture_writer.h"
#include "capture/type_export.h"
#include "contract/types/type.h"
#include "contract/types/type_text.h"
#include "import/imported_event.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// A member of an object that an argument points to.
struct ImportedMember {
  std::string name, type_text;  // "pr_fname", "char [16]"
};

struct ImportedArgument {
  std::string name, type_text;
  ImportedKind kind{};
  uint32_t size = 0;           // bytes: of the number, or of the longest text or array
  bool is_signed = false;      // of numbers whose type is unknown
  bool is_in_process = false;  // a pointer that leads to user memory
  // If not empty: the argument points to an object of the D type `object`, "psinfo_t", with these members. Each is a
  // value of the event.
  std::string object = {};
  std::vector<ImportedMember> members = {};
};

struct ImportedProbe {
  std::string provider, module, function, name;
  bool is_system_call = false;
  std::vector<ImportedArgument> arguments;
};

class ImportTarget {
 public:
  ImportTarget();
  ~ImportTarget();

  // Describes the machine and the recording: the caller fills it in. add_probe() and open() add probes, types and
  // clocks.
  CaptureInfo& info() { return start_.info; }
  // Returns the probe's number. A probe that exists already is not added again: its number is returned.
  uint32_t add_probe(const ImportedProbe& probe);

  // Begins the file. `output` is an empty file; `begin` and `boot_to_wall_ns` as in CapturedClocks.
  Result<> open(Fd output, uint64_t begin, uint64_t boot_to_wall_ns);
  // `values` are those of the probe's arguments in order, members of objects one by one.
  void add(uint32_t probe, const ImportedFiring& firing, std::span<const ImportedValue> values);
  void add_object(CapturedObject object) { writer_->add_object(std::move(object)); }
  void set_losses(std::vector<uint64_t> by_cpu) { writer_->set_losses(std::move(by_cpu)); }
  Result<> finish(uint64_t end);
  uint64_t event_count() const { return writer_->event_count(); }

 private:
  // A value of an event: a number of this size and sign, or bytes.
  struct Column {
    bool is_number = true;
    uint32_t size = 0;
    bool is_signed = false;
  };

  TypeId type_of(const ImportedArgument& argument);
  std::optional<TypeId> opaque_struct(const std::string& name);
  TypeId object_type(const ImportedArgument& argument);
  void add_argument(const ImportedArgument& argument, uint32_t word, CapturedProbe& probe, CapturedShape& shape,
                    std::vector<Column>& columns);
  void add_members(const ImportedArgument& argument, uint32_t word, CapturedShape& shape, std::vector<Column>& columns);

  CaptureStart start_;
  TypeTable types_;
  TypeExport exported_{types_, start_.info.types};
  std::map<std::string, TypeId> structs_, object_pointers_;
  std::map<std::string, uint32_t> probe_numbers_;
  std::vector<std::vector<Column>> columns_;  // by probe
  std::vector<uint64_t> numbers_;
  std::unique_ptr<CaptureWriter> writer_;
};

}  // namespace dscope
