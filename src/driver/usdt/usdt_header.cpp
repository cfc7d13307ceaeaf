#include "driver/usdt/usdt_header.h"

#include <algorithm>
#include <cctype>

#include "support/format.h"

namespace dscope {

namespace {

// GCC accepts 30 operands in one asm; each argument needs two.
constexpr size_t max_arguments = 12;

// A C identifier in upper case.
std::string in_capitals(std::string_view name) {
  std::string text;
  for (unsigned char c : name) text += std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_';
  return text;
}

std::string macro_name(const DefinedProvider& provider, const DefinedProbe& probe) {
  return in_capitals(provider.name + "_" + probe.name);
}

// "arg0, arg1"
std::string parameter_list(const DefinedProbe& probe) {
  std::string text;
  for (size_t i = 0; i < probe.input.size(); ++i) text += fmt::format("{}arg{}", i == 0 ? "" : ", ", i);
  return text;
}

// The common part of all headers. The note and the base section are those of <sys/sdt.h>, which other tracers parse.
// With section flag "?" a note joins the section group of its function: the linker keeps one of several copies, or
// none.
constexpr std::string_view prelude =
    R"(#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#define	_DTRACE_VERSION 1
#else
#define	_DTRACE_VERSION 0
#endif

#if _DTRACE_VERSION && !defined(_DSCOPE_PROBE)
#if defined(__LP64__)
#define _DSCOPE_ADDRESS ".8byte "
#else
#define _DSCOPE_ADDRESS ".4byte "
#endif
#if defined(__i386__)
#define _DSCOPE_OPERAND "noq"
#else
#define _DSCOPE_OPERAND "nr"
#endif
#define _DSCOPE_PROBE(provider, name, semaphore, arguments) \
	"990:	nop\n" \
	"	.pushsection .note.stapsdt,\"?\",\"note\"\n" \
	"	.balign 4\n" \
	"	.4byte 992f-991f, 994f-993f, 3\n" \
	"991:	.asciz \"stapsdt\"\n" \
	"992:	.balign 4\n" \
	"993:	" _DSCOPE_ADDRESS "990b\n" \
	"	" _DSCOPE_ADDRESS "_.stapsdt.base\n" \
	"	" _DSCOPE_ADDRESS #semaphore "\n" \
	"	.asciz \"" #provider "\"\n" \
	"	.asciz \"" #name "\"\n" \
	"	.asciz \"" arguments "\"\n" \
	"994:	.balign 4\n" \
	"	.popsection\n" \
	"	.ifndef _.stapsdt.base\n" \
	"	.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	"	.weak _.stapsdt.base\n" \
	"	.hidden _.stapsdt.base\n" \
	"_.stapsdt.base:\n" \
	"	.space 1\n" \
	"	.size _.stapsdt.base, 1\n" \
	"	.popsection\n" \
	"	.endif\n"
#define _DSCOPE_DEFINITION(provider, text) \
	__asm__ ( \
	"	.pushsection .note.dscope,\"G\",\"note\",_.dscope." #provider ",comdat\n" \
	"	.balign 4\n" \
	"	.4byte 992f-991f, 994f-993f, 1\n" \
	"991:	.asciz \"dscope\"\n" \
	"992:	.balign 4\n" \
	"993:	.ascii \"" text "\"\n" \
	"994:	.balign 4\n" \
	"	.popsection\n")
#define _DSCOPE_SEMAPHORE \
	__attribute__((weak, visibility("hidden"), section(".probes"), used))
#define _DSCOPE_VALUE(number, type, value) \
	[v##number] _DSCOPE_OPERAND ((type)(value)), [s##number] "n" (sizeof (type))
#define _DSCOPE_BITS(number, type, word, value) \
	[v##number] _DSCOPE_OPERAND (__extension__ ({ union { type f; word w; } _u; _u.f = (type)(value); _u.w; })), \
	[s##number] "n" (sizeof (word))
#endif
)";

// The C spelling of an integer type, independent of the data model of the program.
std::string c_integer(const DefinedArgument& argument) {
  const std::string& declared = argument.type_text;
  bool is_wide =
      declared == "int64_t" || declared == "uint64_t" || declared == "longlong_t" || declared == "u_longlong_t";
  std::string sign = argument.form == ArgumentForm::Signed ? "" : "unsigned ";
  if (!is_wide && (argument.base_text == "long" || argument.base_text == "unsigned long")) return sign + "long";
  switch (argument.size) {
    case 1: return argument.form == ArgumentForm::Signed ? "signed char" : "unsigned char";
    case 2: return sign + "short";
    case 4: return sign + "int";
    default: return sign + "long long";
  }
}

std::string operand(size_t index, const DefinedArgument& argument) {
  switch (argument.form) {
    case ArgumentForm::Signed:
    case ArgumentForm::Unsigned: return fmt::format("_DSCOPE_VALUE({0}, {1}, arg{0})", index, c_integer(argument));
    case ArgumentForm::Float:
      return argument.size == 4 ? fmt::format("_DSCOPE_BITS({0}, float, unsigned int, arg{0})", index)
                                : fmt::format("_DSCOPE_BITS({0}, double, unsigned long long, arg{0})", index);
    case ArgumentForm::Pointer:
    case ArgumentForm::String:
    case ArgumentForm::Other: break;
  }
  return fmt::format("_DSCOPE_VALUE({0}, const volatile void *, arg{0})", index);
}

// "-%c[s0]@%[v0] %c[s1]@%[v1]"
std::string operand_text(const DefinedProbe& probe) {
  std::string text;
  for (size_t i = 0; i < probe.input.size(); ++i)
    text += fmt::format("{}{}%c[s{}]@%[v{}]", i == 0 ? "" : " ", probe.input[i].form == ArgumentForm::Signed ? "-" : "",
                        i, i);
  return text;
}

std::string probe_macros(const DefinedProvider& provider, const DefinedProbe& probe) {
  std::string macro = macro_name(provider, probe), semaphore = semaphore_name(provider.name, probe.name);
  std::string text = fmt::format(
      "extern _DSCOPE_SEMAPHORE volatile unsigned short {0};\n"
      "_DSCOPE_SEMAPHORE volatile unsigned short {0} = 0;\n",
      semaphore);
  text += fmt::format(
      "#define\t{}({}) \\\n\t__extension__ ({{ __asm__ __volatile__ (_DSCOPE_PROBE({}, {}, {}, \\\n\t    \"{}\")",
      macro, parameter_list(probe), provider.name, without_dashes(probe.name), semaphore, operand_text(probe));
  for (size_t i = 0; i < probe.input.size(); ++i)
    text += fmt::format("{} \\\n\t    {}", i == 0 ? " ::" : ",", operand(i, probe.input[i]));
  // The targets of pointers must be in memory, where tracers read them.
  bool has_pointer = std::ranges::any_of(probe.input, [](const DefinedArgument& argument) {
    return argument.form == ArgumentForm::Pointer || argument.form == ArgumentForm::String;
  });
  text += has_pointer ? " : \"memory\"); (void)0; })\n" : "); (void)0; })\n";
  text += fmt::format("#define\t{}_ENABLED() \\\n\t__builtin_expect({} != 0, 0)\n", macro, semaphore);
  return text;
}

Result<> check_probe(const DefinedProvider& provider, const DefinedProbe& probe) {
  if (probe.input.size() > max_arguments)
    return fail(Error::make("probe {}:::{} has {} arguments: at most {} are supported", provider.name, probe.name,
                            probe.input.size(), max_arguments));
  for (size_t i = 0; i < probe.input.size(); ++i)
    if (probe.input[i].form == ArgumentForm::Other)
      return fail(Error::make("argument {} of probe {}:::{} has type {}: only numbers and pointers are supported", i,
                              provider.name, probe.name, probe.input[i].type_text));
  return {};
}

// Returns the definition, which each program contains once: types and stability for tracers.
std::string definition(const DefinedProvider& provider) {
  std::string text = fmt::format("_DSCOPE_DEFINITION({},", provider.name), note = write_note(provider);
  for (std::string_view rest = note; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    text += fmt::format(" \\\n\t\"{}\\\\n\"", line);
  }
  return text + ");\n";
}

std::string provider_macros(const DefinedProvider& provider) {
  std::string text = "\n#if _DTRACE_VERSION\n\n" + definition(provider) + "\n";
  for (const DefinedProbe& probe : provider.probes) text += probe_macros(provider, probe) + "\n";
  text += "#else\n\n";
  for (const DefinedProbe& probe : provider.probes) {
    std::string macro = macro_name(provider, probe);
    text +=
        fmt::format("#define\t{0}({1}) do {{ }} while (0)\n#define\t{0}_ENABLED() (0)\n", macro, parameter_list(probe));
  }
  return text + "\n#endif\n";
}

}  // namespace

Result<> check_usdt_probes(std::span<const DefinedProvider> providers) {
  for (const DefinedProvider& provider : providers)
    for (const DefinedProbe& probe : provider.probes) DS_TRY_VOID(check_probe(provider, probe));
  return {};
}

Result<std::string> usdt_header(std::span<const DefinedProvider> providers, std::string_view file_name) {
  DS_TRY_VOID(check_usdt_probes(providers));
  std::string guard = "_" + in_capitals(file_name);
  std::string text = fmt::format("/*\n * Generated by dtrace(1M).\n */\n\n#ifndef\t{0}\n#define\t{0}\n\n", guard);
  text += "#include <unistd.h>\n#include <inttypes.h>\n\n#if defined(__GNUC__)\n#pragma GCC system_header\n#endif\n\n";
  text += prelude;
  text += "\n#ifdef\t__cplusplus\nextern \"C\" {\n#endif\n";
  for (const DefinedProvider& provider : providers) text += provider_macros(provider);
  return text + fmt::format("\n#ifdef\t__cplusplus\n}}\n#endif\n\n#endif\t/* {} */\n", guard);
}

}  // namespace dscope
