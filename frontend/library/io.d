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

/* s_magic of file systems whose files have no names: pipefs and sockfs */
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
