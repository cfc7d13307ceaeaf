/* Static probes (USDT) without a provider definition: DTRACE_PROBE(provider, name), DTRACE_PROBE1(provider, name, a) ...
 * DTRACE_PROBE12, and the same macros as STAP_PROBE. Two underscores in a name are a dash. Arguments are integers and
 * pointers, passed as long. This header is for systems that lack <sys/sdt.h>: cc -I PREFIX/share/dscope/include.
 * If SDT_HAS_SEMAPHORES or _SDT_HAS_SEMAPHORES is defined, the program must define
 * `unsigned short provider_name_semaphore` in section .probes for each probe; it is not 0 while the probe is traced.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))

#if defined(__LP64__)
#define _SDT_ADDRESS ".8byte "
#define _SDT_SIZE "-8"
#else
#define _SDT_ADDRESS ".4byte "
#define _SDT_SIZE "-4"
#endif
#if defined(__i386__)
#define _SDT_OPERAND "nor"
#else
#define _SDT_OPERAND "nr"
#endif
#if defined(SDT_HAS_SEMAPHORES) || defined(_SDT_HAS_SEMAPHORES)
#define _SDT_SEMAPHORE(provider, name) #provider "_" #name "_semaphore"
#else
#define _SDT_SEMAPHORE(provider, name) "0"
#endif

#define _SDT_NOTE(provider, name, arguments) \
	"990:	nop\n" \
	"	.pushsection .note.stapsdt,\"?\",\"note\"\n" \
	"	.balign 4\n" \
	"	.4byte 992f-991f, 994f-993f, 3\n" \
	"991:	.asciz \"stapsdt\"\n" \
	"992:	.balign 4\n" \
	"993:	" _SDT_ADDRESS "990b\n" \
	"	" _SDT_ADDRESS "_.stapsdt.base\n" \
	"	" _SDT_ADDRESS _SDT_SEMAPHORE(provider, name) "\n" \
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
#define _SDT_VALUE(number, value) [v##number] _SDT_OPERAND ((long)(value))
#define _SDT_TEXT(number) _SDT_SIZE "@%[v" #number "]"

#define STAP_PROBE(provider, name) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, "") ::: "memory"); } while (0)
#define STAP_PROBE1(provider, name, a1) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1)) \
	    :: _SDT_VALUE(1, a1) \
	    : "memory"); } while (0)
#define STAP_PROBE2(provider, name, a1, a2) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2) \
	    : "memory"); } while (0)
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3) \
	    : "memory"); } while (0)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4) \
	    : "memory"); } while (0)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5) \
	    : "memory"); } while (0)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6) \
	    : "memory"); } while (0)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7) \
	    : "memory"); } while (0)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7) " " _SDT_TEXT(8)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7), _SDT_VALUE(8, a8) \
	    : "memory"); } while (0)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7) " " _SDT_TEXT(8) " " _SDT_TEXT(9)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7), _SDT_VALUE(8, a8), _SDT_VALUE(9, a9) \
	    : "memory"); } while (0)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7) " " _SDT_TEXT(8) " " _SDT_TEXT(9) " " _SDT_TEXT(10)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7), _SDT_VALUE(8, a8), _SDT_VALUE(9, a9), _SDT_VALUE(10, a10) \
	    : "memory"); } while (0)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7) " " _SDT_TEXT(8) " " _SDT_TEXT(9) " " _SDT_TEXT(10) " " _SDT_TEXT(11)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7), _SDT_VALUE(8, a8), _SDT_VALUE(9, a9), _SDT_VALUE(10, a10), _SDT_VALUE(11, a11) \
	    : "memory"); } while (0)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	do { __asm__ __volatile__ (_SDT_NOTE(provider, name, _SDT_TEXT(1) " " _SDT_TEXT(2) " " _SDT_TEXT(3) " " _SDT_TEXT(4) " " _SDT_TEXT(5) " " _SDT_TEXT(6) " " _SDT_TEXT(7) " " _SDT_TEXT(8) " " _SDT_TEXT(9) " " _SDT_TEXT(10) " " _SDT_TEXT(11) " " _SDT_TEXT(12)) \
	    :: _SDT_VALUE(1, a1), _SDT_VALUE(2, a2), _SDT_VALUE(3, a3), _SDT_VALUE(4, a4), _SDT_VALUE(5, a5), _SDT_VALUE(6, a6), _SDT_VALUE(7, a7), _SDT_VALUE(8, a8), _SDT_VALUE(9, a9), _SDT_VALUE(10, a10), _SDT_VALUE(11, a11), _SDT_VALUE(12, a12) \
	    : "memory"); } while (0)

#else

#define STAP_PROBE(provider, name) do { } while (0)
#define STAP_PROBE1(provider, name, a1) do { } while (0)
#define STAP_PROBE2(provider, name, a1, a2) do { } while (0)
#define STAP_PROBE3(provider, name, a1, a2, a3) do { } while (0)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) do { } while (0)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) do { } while (0)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) do { } while (0)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) do { } while (0)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) do { } while (0)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) do { } while (0)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) do { } while (0)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) do { } while (0)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) do { } while (0)

#endif

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a1) STAP_PROBE1(provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) STAP_PROBE2(provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) STAP_PROBE3(provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) STAP_PROBE4(provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) STAP_PROBE5(provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

#endif /* _SYS_SDT_H */
