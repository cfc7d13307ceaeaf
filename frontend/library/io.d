/* Files: fileinfo_t and fds[], open flags (x86-64 numbers), and the b_flags of bufinfo_t. */

/* Second argument of open(2) */
inline int O_ACCMODE = 03;
inline int O_RDONLY = 0;
inline int O_WRONLY = 01;
inline int O_RDWR = 02;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_NONBLOCK = 04000;
inline int O_NDELAY = 04000;
inline int O_DSYNC = 010000;
inline int O_ASYNC = 020000;
inline int O_DIRECT = 040000;
inline int O_LARGEFILE = 0100000;
inline int O_DIRECTORY = 0200000;
inline int O_NOFOLLOW = 0400000;
inline int O_NOATIME = 01000000;
inline int O_CLOEXEC = 02000000;
inline int O_SYNC = 04010000;
inline int O_FSYNC = 04010000;
inline int O_RSYNC = 04010000;
inline int O_PATH = 010000000;
inline int O_TMPFILE = 020200000;

/* b_flags */
inline int B_BUSY = 0x1;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;
inline int B_PHYS = 0x20;
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;
inline int B_DISCARD = 0x10000;

typedef struct fileinfo fileinfo_t;
struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
};

inline string __fs_of[struct file *F] = stringof(F->f_inode->i_sb->s_type->name);

/* s_magic of pipefs and sockfs, whose files have no names */
inline int __is_pipe[struct file *F] = F->f_inode->i_sb->s_magic == 0x50495045;
inline int __is_socket[struct file *F] = F->f_inode->i_sb->s_magic == 0x534f434b;

inline string __path_of[struct file *F] =
    __is_pipe[F] ? "<pipe>" : __is_socket[F] ? "<socket>" : d_path(&F->f_path);

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : __is_pipe[F] ? "<pipe>" : __is_socket[F] ? "<socket>" :
	    stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(__path_of[F]);
	fi_pathname = F == NULL ? "<none>" : __path_of[F];
	fi_offset = F == NULL ? -1 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : __fs_of[F];
	fi_mount = F == NULL ? "<none>" : __mountpoint(&F->f_path);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline struct file *__file_of[int fd] =
    curthread->files != NULL && fd >= 0 && fd < curthread->files->fdt->max_fds ? curthread->files->fdt->fd[fd] : NULL;
inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (__file_of[fd]);

/* Block I/O: the arguments of the io probes, from the kernel's request. */
typedef char *caddr_t;

typedef struct bufinfo bufinfo_t;
struct bufinfo {
	int b_flags;
	size_t b_bcount;
	size_t b_bufsize;
	caddr_t b_addr;
	uint64_t b_blkno;
	uint64_t b_lblkno;
	size_t b_resid;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
};

typedef struct devinfo devinfo_t;
struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
};

/* blk_status_t as an error number: BLK_STS_NOTSUPP, TIMEOUT, NOSPC, TRANSPORT ... */
inline int __block_errno[int status] =
    status == 0 ? 0 : status == 1 ? 95 : status == 2 ? 110 : status == 3 ? 28 : status == 4 ? 67 : status == 5 ? 121 :
    status == 6 ? 52 : status == 7 ? 61 : status == 8 ? 84 : status == 9 ? 12 : status == 11 ? 78 :
    status == 12 ? 11 : status == 13 ? 16 : 5;

/* The operation is in the low 8 bits of the flags: odd numbers write, 2 flushes; 0x800 is REQ_SYNC. The flushing request
   belongs to the queue and serves all writers that need a flush; each writer has its own request. */
inline int __is_flush[struct request *R] = (R->cmd_flags & 0xff) == 2;
inline int __is_block_write[struct request *R] = (R->cmd_flags & 1) != 0 || __is_flush[R];
/* Discarding, secure erasing and writing zeroes affect blocks but transfer no bytes. */
inline int __is_erasing[unsigned int O] = (O & 0xff) == 3 || (O & 0xff) == 5 || (O & 0xff) == 9;
inline uint64_t __request_bytes[struct request *R] = __is_erasing[R->cmd_flags] ? 0 : R->__data_len;
inline uint64_t __bio_bytes[struct bio *B] = __is_erasing[B->bi_opf] ? 0 : B->bi_iter.bi_size;

/* The partition or disk of a request. A flush has no data and refers only to its disk. */
inline struct block_device *__block_device[struct request *R] =
    R->bio != NULL && R->bio->bi_bdev != NULL ? R->bio->bi_bdev : R->q->disk->part0;
inline int __partition[struct block_device *B] = (B->__bd_flags.counter & 0xff) ?? B->bd_partno;

/* The file whose page is read or written. Each page of a large folio refers to the first page: by its address plus 1 or,
   since Linux 7.1, by a mask for its own address, whose upper half has only ones. The two low bits of `mapping` are set
   for pages without a file. */
inline uintptr_t __page_head[struct page *P] = P->compound_head ?? P->compound_info;
inline struct page *__first_page[struct page *P] = (__page_head[P] & 1) == 0 ? P :
    __page_head[P] >> 32 == 0xffffffff ? (struct page *)((uintptr_t)P & __page_head[P]) :
    (struct page *)(__page_head[P] - 1);
/* The current segment of the rest of the bio. A bio that was split off shares the segments of the whole. */
inline struct bio_vec *__bio_segment[struct bio *B] = &B->bi_io_vec[B->bi_iter.bi_idx];
inline struct page *__bio_page[struct bio *B] =
    B != NULL && B->bi_io_vec != NULL && B->bi_iter.bi_size > 0 ? __first_page[__bio_segment[B]->bv_page] : NULL;
inline struct address_space *__bio_mapping[struct bio *B] =
    __bio_page[B] != NULL && ((uintptr_t)__bio_page[B]->mapping & 3) == 0 ? __bio_page[B]->mapping : NULL;
/* Direct I/O transfers memory of the process, so only the waiting iomap_dio refers to the file. A bio that was split off
   refers to the whole. */
inline uintptr_t __direct_end = (uintptr_t)&`iomap_dio_bio_end_io ?? (uintptr_t)1;
inline uintptr_t __chained_end = (uintptr_t)&`bio_chain_endio ?? (uintptr_t)1;
inline struct bio *__whole_bio[struct bio *B] =
    B != NULL && (uintptr_t)B->bi_end_io == __chained_end ? (struct bio *)B->bi_private : B;
inline struct dentry *__direct_dentry[struct bio *B] =
    ((struct iomap_dio *)__whole_bio[B]->bi_private)->iocb->ki_filp->f_path.dentry ?? (struct dentry *)NULL;
inline int __is_direct[struct bio *B] = B != NULL && (uintptr_t)__whole_bio[B]->bi_end_io == __direct_end;
inline size_t __alias_offset = offsetof(struct dentry, d_u) ?? offsetof(struct dentry, d_alias);
inline struct dentry *__bio_dentry[struct bio *B] = __is_direct[B] ? __direct_dentry[B] :
    __bio_mapping[B] != NULL && __bio_mapping[B]->host != NULL &&
    (__bio_mapping[B]->host->i_mode & 0xf000) != 0x6000 && __bio_mapping[B]->host->i_dentry.first != NULL ?
    (struct dentry *)((uintptr_t)__bio_mapping[B]->host->i_dentry.first - __alias_offset) : NULL;
inline string __dentry_name[struct dentry *D] = D != NULL ? stringof(D->d_name.name) : "<none>";
/* One mount of the file system: the first; since Linux 6.17 the last. If that mount shows only a part of the file system,
   paths are relative to the whole file system. */
inline struct vfsmount *__first_mount[struct super_block *S] =
    &((struct mount *)S->s_mounts)->mnt ??
    &((struct mount *)((uintptr_t)S->s_mounts.next - offsetof(struct mount, mnt_instance)))->mnt;
inline string __dentry_path[struct dentry *D] = D == NULL ? "<none>" :
    __dentrypath(D, __first_mount[D->d_sb]);
inline string __dentry_dirname[struct dentry *D] = D == NULL ? "<none>" : dirname(__dentry_path[D]);
inline loff_t __bio_offset[struct bio *B] =
    __bio_mapping[B] != NULL ? (__bio_page[B]->index ?? __bio_page[B]->__folio_index) * 4096 +
    ((uintptr_t)__bio_segment[B]->bv_page - (uintptr_t)__bio_page[B]) / sizeof (struct page) * 4096 +
    __bio_segment[B]->bv_offset + (B->bi_iter.bi_bvec_done ?? B->bi_iter.bi_offset) : -1;
inline string __dentry_fs[struct dentry *D] = D != NULL ? stringof(D->d_sb->s_type->name) : "<none>";
inline string __dentry_mount[struct dentry *D] = D == NULL ? "<none>" :
    __dentrypath(D->d_sb->s_root, __first_mount[D->d_sb]);

translator bufinfo_t < struct request *R > {
	b_flags = (__is_block_write[R] ? B_WRITE | ((R->cmd_flags & 0x800) == 0 ? B_ASYNC : 0) : B_READ) |
	    (__bio_mapping[R->bio] != NULL ? B_PAGEIO : B_PHYS) | (__is_erasing[R->cmd_flags] ? B_DISCARD : 0);
	b_bcount = __request_bytes[R];
	b_bufsize = R->__data_len;
	b_addr = NULL;
	b_blkno = R->__sector;
	b_lblkno = R->__sector - __block_device[R]->bd_start_sect;
	b_resid = 0;
	b_iodone = (caddr_t)R->end_io;
	b_error = 0;
	b_edev = __block_device[R]->bd_dev;
};

/* sda1, but nvme0n1p1: a name that ends in a digit gets a p before the partition number. */
inline int __ends_in_digit[string s] = s[strlen(s) - 1] >= '0' && s[strlen(s) - 1] <= '9';
inline string __disk_name[struct block_device *B] = stringof(B->bd_disk->disk_name);
inline string __device_name[struct block_device *B] = __partition[B] == 0 ? __disk_name[B] :
    strjoin(strjoin(__disk_name[B], __ends_in_digit[__disk_name[B]] ? "p" : ""), lltostr(__partition[B]));
inline struct device *__disk_parent[struct block_device *B] = B->bd_disk->part0->bd_device.parent;
inline string __driver_name[struct block_device *B] =
    __disk_parent[B] != NULL && __disk_parent[B]->driver != NULL ? stringof(__disk_parent[B]->driver->name) :
    __blockdriver(B->bd_dev >> 20);

translator devinfo_t < struct request *R > {
	dev_major = __block_device[R]->bd_dev >> 20;
	dev_minor = __block_device[R]->bd_dev & 0xfffff;
	dev_instance = __partition[__block_device[R]];
	dev_name = __driver_name[__block_device[R]];
	dev_statname = __device_name[__block_device[R]];
	dev_pathname = strjoin("/dev/", __device_name[__block_device[R]]);
};

translator fileinfo_t < struct request *R > {
	fi_name = __dentry_name[__bio_dentry[R->bio]];
	fi_dirname = __dentry_dirname[__bio_dentry[R->bio]];
	fi_pathname = __dentry_path[__bio_dentry[R->bio]];
	fi_offset = __bio_offset[R->bio];
	fi_fs = __dentry_fs[__bio_dentry[R->bio]];
	fi_mount = __dentry_mount[__bio_dentry[R->bio]];
	fi_oflags = 0;
};

/* Block I/O as file systems submit it; NULL if unknown. */
inline int __is_bio_write[struct bio *B] = (B->bi_opf & 1) != 0 || (B->bi_opf & 0xff) == 2;

translator bufinfo_t < struct bio *B > {
	b_flags = B == NULL ? 0 :
	    (__is_bio_write[B] ? B_WRITE | ((B->bi_opf & 0x800) == 0 ? B_ASYNC : 0) : B_READ) |
	    (__bio_mapping[B] != NULL ? B_PAGEIO : B_PHYS) | (__is_erasing[B->bi_opf] ? B_DISCARD : 0) |
	    (B->bi_status != 0 ? B_ERROR : 0);
	b_bcount = B == NULL ? 0 : __bio_bytes[B];
	b_bufsize = B == NULL ? 0 : B->bi_iter.bi_size;
	b_addr = NULL;
	b_blkno = B == NULL ? 0 : B->bi_iter.bi_sector;
	b_lblkno = B == NULL ? 0 : B->bi_iter.bi_sector - B->bi_bdev->bd_start_sect;
	b_resid = 0;
	b_iodone = B == NULL ? NULL : (caddr_t)B->bi_end_io;
	b_error = B == NULL ? 0 : __block_errno[B->bi_status];
	b_edev = B == NULL ? 0 : B->bi_bdev->bd_dev;
};

translator devinfo_t < struct bio *B > {
	dev_major = B == NULL ? 0 : B->bi_bdev->bd_dev >> 20;
	dev_minor = B == NULL ? 0 : B->bi_bdev->bd_dev & 0xfffff;
	dev_instance = B == NULL ? 0 : __partition[B->bi_bdev];
	dev_name = B == NULL ? "<unknown>" : __driver_name[B->bi_bdev];
	dev_statname = B == NULL ? "<unknown>" : __device_name[B->bi_bdev];
	dev_pathname = B == NULL ? "<unknown>" : strjoin("/dev/", __device_name[B->bi_bdev]);
};

translator fileinfo_t < struct bio *B > {
	fi_name = B == NULL ? "<unknown>" : __dentry_name[__bio_dentry[B]];
	fi_dirname = B == NULL ? "<unknown>" : __dentry_dirname[__bio_dentry[B]];
	fi_pathname = B == NULL ? "<unknown>" : __dentry_path[__bio_dentry[B]];
	fi_offset = __bio_offset[B];
	fi_fs = B == NULL ? "<unknown>" : __dentry_fs[__bio_dentry[B]];
	fi_mount = B == NULL ? "<unknown>" : __dentry_mount[__bio_dentry[B]];
	fi_oflags = 0;
};

/*
 * The raw form of the io probes' arguments: the address of a request or bio, with its kind in the low bits: 0 a request
 * that starts, 1 a bio, 2 a request that has ended with the status arg3, 3 the last I/O of the running thread, which
 * waits for it. NULL if unknown.
 */
struct __block_io;
inline int __io_kind[struct __block_io *P] = (uintptr_t)P & 3;
inline struct __block_io *__io_of[uintptr_t ADDRESS, int KIND] = (struct __block_io *)(ADDRESS | KIND);
inline uintptr_t __io_address[struct __block_io *P] = (uintptr_t)P & ~3ULL;
inline struct bio *__io_bio[struct __block_io *P] = (struct bio *)__io_address[P];
inline struct request *__io_request[struct __block_io *P] = (struct request *)__io_address[P];
inline int __is_bio_based[struct bio *B] = B->bi_bdev->bd_disk->fops->submit_bio != NULL;

/* The last I/O that a thread has started. __is_waiting: the thread waits for it. __in_flight: by its address, whether it
   is in progress. */
self uintptr_t __waited;
self struct dentry *__waited_dentry;
self struct block_device *__waited_device;
self loff_t __waited_offset;
self uint64_t __waited_block;
self uint64_t __waited_bytes;
self int __waited_flags;
inline int __waited_erases = (self->__waited_flags & B_DISCARD) != 0;
self int __is_waiting;
int __in_flight[uintptr_t];

/* The last I/O of a waiting thread, if it is known to be in flight. */
inline uintptr_t __awaited[int IS_KNOWN] = IS_KNOWN ? self->__waited : 0;
inline struct __block_io *__awaited_io[int IS_KNOWN] = __io_of[__awaited[IS_KNOWN], IS_KNOWN ? 3 : 0];

inline struct block_device *__io_device[struct __block_io *P] = __io_kind[P] == 1 ? __io_bio[P]->bi_bdev :
    __io_kind[P] == 3 ? self->__waited_device : __block_device[__io_request[P]];
inline struct dentry *__io_dentry[struct __block_io *P] = __io_kind[P] == 1 ? __bio_dentry[__io_bio[P]] :
    __io_kind[P] == 3 ? self->__waited_dentry : __bio_dentry[__io_request[P]->bio];

translator bufinfo_t < struct __block_io *P > {
	b_flags = P == NULL ? 0 : __io_kind[P] == 1 ? xlate <bufinfo_t *> (__io_bio[P])->b_flags :
	    __io_kind[P] == 3 ? self->__waited_flags :
	    xlate <bufinfo_t *> (__io_request[P])->b_flags | (__io_kind[P] == 2 && arg3 != 0 ? B_ERROR : 0);
	b_bcount = P == NULL ? 0 : __io_kind[P] == 1 ? __bio_bytes[__io_bio[P]] :
	    __io_kind[P] == 3 ? (__waited_erases ? 0 : self->__waited_bytes) : __request_bytes[__io_request[P]];
	b_bufsize = P == NULL ? 0 : __io_kind[P] == 1 ? __io_bio[P]->bi_iter.bi_size :
	    __io_kind[P] == 3 ? self->__waited_bytes : __io_request[P]->__data_len;
	b_addr = NULL;
	b_blkno = P == NULL ? 0 : __io_kind[P] == 1 ? __io_bio[P]->bi_iter.bi_sector :
	    __io_kind[P] == 3 ? self->__waited_block : __io_request[P]->__sector;
	b_lblkno = P == NULL ? 0 : __io_kind[P] == 1 ? xlate <bufinfo_t *> (__io_bio[P])->b_lblkno :
	    __io_kind[P] == 3 ? self->__waited_block - self->__waited_device->bd_start_sect :
	    xlate <bufinfo_t *> (__io_request[P])->b_lblkno;
	b_resid = 0;
	b_iodone = P == NULL || __io_kind[P] == 3 ? NULL : __io_kind[P] == 1 ? (caddr_t)__io_bio[P]->bi_end_io :
	    (caddr_t)__io_request[P]->end_io;
	b_error = P == NULL ? 0 : __io_kind[P] == 1 ? __block_errno[__io_bio[P]->bi_status] :
	    __io_kind[P] == 2 ? __block_errno[arg3] : 0;
	b_edev = P == NULL ? 0 : __io_device[P]->bd_dev;
};

translator devinfo_t < struct __block_io *P > {
	dev_major = P == NULL ? 0 : __io_device[P]->bd_dev >> 20;
	dev_minor = P == NULL ? 0 : __io_device[P]->bd_dev & 0xfffff;
	dev_instance = P == NULL ? 0 : __partition[__io_device[P]];
	dev_name = P == NULL ? "<unknown>" : __driver_name[__io_device[P]];
	dev_statname = P == NULL ? "<unknown>" : __device_name[__io_device[P]];
	dev_pathname = P == NULL ? "<unknown>" : strjoin("/dev/", __device_name[__io_device[P]]);
};

translator fileinfo_t < struct __block_io *P > {
	fi_name = P == NULL ? "<unknown>" : __dentry_name[__io_dentry[P]];
	fi_dirname = P == NULL ? "<unknown>" : __dentry_dirname[__io_dentry[P]];
	fi_pathname = P == NULL ? "<unknown>" : __dentry_path[__io_dentry[P]];
	fi_offset = P == NULL ? -1 : __io_kind[P] == 1 ? __bio_offset[__io_bio[P]] :
	    __io_kind[P] == 3 ? self->__waited_offset : __bio_offset[__io_request[P]->bio];
	fi_fs = P == NULL ? "<unknown>" : __dentry_fs[__io_dentry[P]];
	fi_mount = P == NULL ? "<unknown>" : __dentry_mount[__io_dentry[P]];
	fi_oflags = 0;
};
