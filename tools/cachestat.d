#!/usr/bin/env -S dscope -s
/* How often do reads of files find their pages in memory?
 *
 * Looks at pages that read() and page faults ask for. A missed page is read from the file system and added to the cache.
 * HIT is the share of pages that were there. Needs Linux 6.14 or newer.
 */
#pragma D arg -d
#pragma D arg -i TIME=1s
#pragma D option quiet

dtrace:::BEGIN
{
  printf("%-20s %12s %12s %8s %12s\n", "TIME", "PAGES", "MISSES", "HIT(%)", "REMOVED");
  pages = (uint64_t)0;
  misses = (uint64_t)0;
  removed = (uint64_t)0;
}

sdt:filemap::mm_filemap_get_pages, sdt:filemap::mm_filemap_map_pages
{
  pages += args[3] - args[2] + 1;
}

sdt:filemap::mm_filemap_fault
{
  pages++;
}

sdt:filemap::mm_filemap_add_to_page_cache
{
  misses += 1 << args[4];
}

sdt:filemap::mm_filemap_delete_from_page_cache
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
