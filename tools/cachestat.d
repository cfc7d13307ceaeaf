#!/usr/bin/env -S dscope -s
/* How often do reads of files find their pages in memory?
 *
 * PAGES are those that read() and page faults ask for. MISSES were read from the file system, HIT is the share of the
 * others. REMOVED pages left the cache. Pages that programs write are not counted. Needs Linux 6.14 or newer.
 */
#pragma D arg -p -c -n -C -d
#pragma D arg -i TIME=1s
#pragma D option quiet

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

/* The pages that the last step of a read has asked for. */
self uint64_t file, first, last;

dtrace:::BEGIN
{
  printf("%-20s %12s %12s %8s %12s\n", "TIME", "PAGES", "MISSES", "HIT(%)", "REMOVED");
  pages = (uint64_t)0;
  misses = (uint64_t)0;
  removed = (uint64_t)0;
}

syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry
{
  self->is_writing = 1;
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return
{
  self->is_writing = 0;
}

/* A long read gets its pages in several steps. Each step names all that are left. */
sdt:filemap::mm_filemap_get_pages
/is_traced/
{
  this->is_next_step = self->file == args[0] && self->last == args[3] && self->first < args[2];
  pages += this->is_next_step ? 0 : args[3] - args[2] + 1;
  self->file = args[0];
  self->first = args[2];
  self->last = args[3];
}

/* A page fault that found its page and others around it. */
sdt:filemap::mm_filemap_map_pages
/is_traced/
{
  pages += args[3] - args[2] + 1;
}

sdt:filemap::mm_filemap_fault
/is_traced/
{
  pages++;
}

sdt:filemap::mm_filemap_add_to_page_cache
/is_traced && !self->is_writing/
{
  misses += 1 << args[4];
}

sdt:filemap::mm_filemap_delete_from_page_cache
/is_traced/
{
  removed += 1 << args[4];
}

profile:::tick-$interval, dtrace:::END
{
  printf("%-20Y %12d %12d %8d %12d\n", walltimestamp, pages, misses,
    pages == 0 ? 100 : misses >= pages ? 0 : (pages - misses) * 100 / pages, removed);
  pages = 0;
  misses = 0;
  removed = 0;
}
