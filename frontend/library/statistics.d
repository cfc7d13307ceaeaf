/* What the probes of sysinfo, mib and fsinfo are made of. System calls by their numbers on x86-64. */

#pragma D depends_on library io.d
#pragma D depends_on library netinfo.d

/* read, pread64, readv, preadv, preadv2; their opposites */
inline int __reads[int64_t number] = number == 0 || number == 17 || number == 19 || number == 295 || number == 327;
inline int __writes[int64_t number] = number == 1 || number == 18 || number == 20 || number == 296 || number == 328;
/* open, creat, openat, openat2 */
inline int __opens[int64_t number] = number == 2 || number == 85 || number == 257 || number == 437;
/* ioctl; fsync, fdatasync; fstat; getdents, getdents64; lseek; ftruncate, fallocate */
inline int __controls[int64_t number] = number == 16;
inline int __syncs[int64_t number] = number == 74 || number == 75;
inline int __gets_attributes[int64_t number] = number == 5;
inline int __lists[int64_t number] = number == 78 || number == 217;
inline int __seeks[int64_t number] = number == 8;
inline int __sets_size[int64_t number] = number == 77 || number == 285;

inline int __is_file[struct file *F] = F != NULL;
inline int __is_file_of[string fs, struct file *F] = F != NULL && __fs_of[F] == fs;

inline int __is_icmp[struct iphdr *H] = __transport[H] == 1 || __transport[H] == 58;
inline int __is_icmp_type[struct iphdr *H, int type, int type6] =
    *(uint8_t *)__behind[H] == (__transport[H] == 58 ? type6 : type);
