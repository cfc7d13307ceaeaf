/* Building blocks of the sysinfo, mib and fsinfo probes. System calls have their numbers of x86-64. */

#pragma D depends_on library io.d
#pragma D depends_on library proc.d
#pragma D depends_on library netinfo.d

/* read, pread64, readv, preadv, preadv2, and their writing counterparts */
inline int __reads[int64_t number] = __is_32bit ?
    number == 3 || number == 145 || number == 180 || number == 333 || number == 378 :
    number == 0 || number == 17 || number == 19 || number == 295 || number == 327;
inline int __writes[int64_t number] = __is_32bit ?
    number == 4 || number == 146 || number == 181 || number == 334 || number == 379 :
    number == 1 || number == 18 || number == 20 || number == 296 || number == 328;
/* open, creat, openat, openat2 */
inline int __opens[int64_t number] = __is_32bit ? number == 5 || number == 8 || number == 295 || number == 437 :
    number == 2 || number == 85 || number == 257 || number == 437;
/* ioctl; fsync, fdatasync; fstat; getdents, getdents64; lseek; ftruncate, fallocate */
inline int __controls[int64_t number] =
    __is_32bit ? number == 54 : number == 16;
inline int __syncs[int64_t number] =
    __is_32bit ? number == 118 || number == 148 : number == 74 || number == 75;
inline int __gets_attributes[int64_t number] =
    __is_32bit ? number == 108 || number == 197 : number == 5;
/* Also fstatat() and statx() of a file descriptor without a name: 0x1000 is AT_EMPTY_PATH. */
inline int __gets_own_attributes[struct pt_regs *R] = __gets_attributes[R->orig_ax] || (__is_32bit ?
    (R->orig_ax == 300 && (R->si & 0x1000) != 0) || (R->orig_ax == 383 && (R->dx & 0x1000) != 0) :
    (R->orig_ax == 262 && (R->r10 & 0x1000) != 0) || (R->orig_ax == 332 && (R->dx & 0x1000) != 0));
inline int __lists[int64_t number] =
    __is_32bit ? number == 141 || number == 220 : number == 78 || number == 217;
inline int __seeks[int64_t number] =
    __is_32bit ? number == 19 || number == 140 : number == 8;
inline int __sets_size[int64_t number] =
    __is_32bit ? number == 93 || number == 194 || number == 324 : number == 77 || number == 285;
/* open, stat, lstat, access, execve, truncate, chdir, rename ... lchown, their `at` variants, statx, openat2, faccessat2 */
inline int __takes_path[int64_t number] = !__is_32bit &&
    (number == 2 || number == 4 || number == 6 || number == 21 || number == 59 || number == 76 || number == 80 ||
    (number >= 82 && number <= 90) || number == 92 || number == 94 || (number >= 132 && number <= 133) ||
    number == 137 || (number >= 188 && number <= 198) || number == 235 || (number >= 257 && number <= 269) ||
    number == 280 || number == 316 || number == 322 || number == 332 || number == 437 || number == 439);

inline uintptr_t __swap_read_end = (uintptr_t)&`end_swap_bio_read ?? (uintptr_t)1;
inline uintptr_t __swap_write_end = (uintptr_t)&`end_swap_bio_write ?? (uintptr_t)1;

/* Pages of files and of swap, counted once for stacked devices: flag 2 marks a bio that such a device cloned. The low 8
   bits of the operation are 0 for a read, 1 for a write. */
inline int __is_first[struct bio *B] = (B->bi_flags & 2) == 0;
inline int __is_file_paged_in[struct bio *B] = (B->bi_opf & 0xff) == 0 && __is_first[B] && __bio_mapping[B] != NULL;
inline int __is_file_paged_out[struct bio *B] = (B->bi_opf & 0xff) == 1 && __is_first[B] && __bio_mapping[B] != NULL;
inline int __is_paged_in[struct bio *B] = __is_file_paged_in[B] || (uintptr_t)B->bi_end_io == __swap_read_end;
inline int __is_paged_out[struct bio *B] = __is_file_paged_out[B] || (uintptr_t)B->bi_end_io == __swap_write_end;
inline int __pages_of[struct bio *B] = (B->bi_iter.bi_size + __machine_page_size - 1) / __machine_page_size;

/* By thread: whether its last page fault was an instruction fetch. */
int __fetches[struct task_struct *];
inline int __is_fetching[struct task_struct *T] = __fetches[T] != 0;

/* By thread: the address of the registers of its last page fault, if it was a write; plus 1 if the page existed, 2 if the
   kernel allocated a page. The registers contain no system call number (-1) until the fault is over and the next call
   begins. */
uint64_t __writing[struct task_struct *];
inline int __is_writing[struct task_struct *T] =
	__writing[T] != 0 && (int64_t)((struct pt_regs *)(__writing[T] & ~(uint64_t)3))->orig_ax == -1;
/* By thread: 1 while it handles a write to an existing private page; 2 after it has allocated a page for that. */
int __copying[struct task_struct *];
inline int __has_copied[struct task_struct *T] = __copying[T] == 2;

/* The file of a call's first argument. */
inline struct file *__file_of_call[struct pt_regs *R] = __file_of[(int)(__is_32bit ? R->bx : R->di)];

inline int __is_file[struct file *F] = F != NULL;
inline int __is_file_of[string fs, struct file *F] = F != NULL && __fs_of[F] == fs;
inline int __is_dentry[struct dentry *D] = D != NULL;
inline int __is_dentry_of[string fs, struct dentry *D] = D != NULL && __dentry_fs[D] == fs;
/* By thread: the name that a function is about to use. __error_of: the error number in a function's result, or 0. */
uint64_t __used_name[struct task_struct *];
inline int __error_of[int64_t result] = result < 0 && result >= -4095 ? (int)-result : 0;

translator fileinfo_t < struct dentry *D > {
	fi_name = __dentry_name[D];
	fi_dirname = __dentry_dirname[D];
	fi_pathname = __dentry_path[D];
	fi_offset = -1;
	fi_fs = __dentry_fs[D];
	fi_mount = __dentry_mount[D];
	fi_oflags = 0;
};

inline int __is_icmp[struct iphdr *H] = __transport[H] == 1 || __transport[H] == 58;
inline int __is_icmp_type[struct iphdr *H, int type, int type6] =
    *(uint8_t *)__transport_header[H] == (__transport[H] == 58 ? type6 : type);
