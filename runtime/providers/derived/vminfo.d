// Virtual memory statistics (providers.md 16.1). arg0 is the amount by which the statistic grows.

provider vminfo {
  probe anonfree, anonpgin, anonpgout, as_fault, cow_fault, dfree, execpgin, fsfree, fspgin, fspgout, kernel_asflt,
    maj_fault, pgfault, pgin, pgout, pgpgin, pgpgout, pgrrun, pgswapin, pgswapout, prot_fault, scan, swapin, swapout,
    zfod(int increment);
};

vminfo:::as_fault, vminfo:::pgfault <- rawtp:::page_fault_user [parameters 3..]
{ 1; }

vminfo:::kernel_asflt <- rawtp:::page_fault_kernel [parameters 3..]
{ 1; }

// Bits of the error code: 1 the page is present, 2 a write.
vminfo:::prot_fault <- rawtp:::page_fault_user [parameters 3..]
/(args[2] & 1) != 0/
{ 1; }

vminfo:::maj_fault <- perf:software:major_faults:1
{ 1; }

// ---- pages of files: they come and go by block I/O; page faults that find them in memory do not count

vminfo:::pgin <- rawtp:::block_bio_queue [parameters 1..]
/__is_paged_in[args[0]]/
{ (int)(1); }

vminfo:::pgpgin <- rawtp:::block_bio_queue [parameters 1..]
/__is_paged_in[args[0]]/
{ (int)(__pages_of[args[0]]); }

vminfo:::fspgin <- rawtp:::block_bio_queue [parameters 1..]
/__is_file_paged_in[args[0]] && !__is_fetching[curthread]/
{ (int)(__pages_of[args[0]]); }

vminfo:::execpgin <- rawtp:::block_bio_queue [parameters 1..]
/__is_file_paged_in[args[0]] && __is_fetching[curthread]/
{ (int)(__pages_of[args[0]]); }

vminfo:::pgout <- rawtp:::block_bio_queue [parameters 1..]
/__is_paged_out[args[0]]/
{ (int)(1); }

vminfo:::pgpgout <- rawtp:::block_bio_queue [parameters 1..]
/__is_paged_out[args[0]]/
{ (int)(__pages_of[args[0]]); }

vminfo:::fspgout <- rawtp:::block_bio_queue [parameters 1..]
/__is_file_paged_out[args[0]]/
{ (int)(__pages_of[args[0]]); }

// A page of code: bit 16 of the fault's error code is an instruction fetch, which lasts until the thread's next system
// call.
prepare vminfo:::fspgin, vminfo:::execpgin <- rawtp:::page_fault_user
{ __fetches[curthread] = args[2] & 16; }

prepare vminfo:::fspgin, vminfo:::execpgin <- rawtp:::sys_enter
/__fetches[curthread] != 0/
{ __fetches[curthread] = 0; }

// ---- reclaim

// The lowest bit of the mapping is set for pages that belong to no file.
vminfo:::anonpgout <- rawtp:::mm_vmscan_write_folio [parameters 1..]
/((uintptr_t)args[0]->mapping & 1) != 0/
{ 1; }

vminfo:::scan <- rawtp:::mm_vmscan_lru_shrink_inactive [parameters 6..]
{ (int)(args[1]); }

vminfo:::dfree <- rawtp:::mm_vmscan_lru_shrink_inactive [parameters 6..]
/args[2] != 0/
{ (int)(args[2]); }

vminfo:::fsfree <- rawtp:::mm_vmscan_lru_shrink_inactive [parameters 6..]
/args[2] != 0 && args[5] != 0/
{ (int)(args[2]); }

vminfo:::anonfree <- rawtp:::mm_vmscan_lru_shrink_inactive [parameters 6..]
/args[2] != 0 && args[5] == 0/
{ (int)(args[2]); }

vminfo:::pgrrun
  <- rawtp:::mm_vmscan_kswapd_wake [parameters 1..], rawtp:::mm_vmscan_direct_reclaim_begin [parameters 1..]
{ 1; }

// ---- copy on write
//
// The page is present and another one is allocated for the copy, or it is a page of a private file mapping (8 is
// VM_SHARED). Pages of zeros do not count, and other faults copy nothing. 0x10a: __GFP_HIGHMEM, __GFP_MOVABLE and
// __GFP_ZERO.

prepare vminfo:::cow_fault <- fbt::do_wp_page:entry
{ __copying[curthread] = (args[0]->vma->vm_flags & 8) == 0; }

prepare vminfo:::cow_fault <- rawtp:::mm_page_alloc
/(args[2] & 0x10a) == 0xa && args[1] == 0 && __copying[curthread] != 0/
{ __copying[curthread] = 2; }

vminfo:::cow_fault <- fbt::do_wp_page:return
/__has_copied[curthread]/
{ 1; }

prepare vminfo:::cow_fault <- fbt::do_wp_page:return
{ __copying[curthread] = 0; }

vminfo:::cow_fault <- fbt::finish_fault:entry
/args[0]->cow_page != NULL/
{ 1; }

// Without these functions, the copies that programs cause: the kernel allocates the page before the thread does
// anything else, and for a file's page before it looks that page up.
prepare vminfo:::cow_fault <- otherwise rawtp:::page_fault_user
{ __writing[curthread] = (args[2] & 2) != 0 ? (uintptr_t)args[1] | (args[2] & 1) : 0; }

vminfo:::cow_fault <- otherwise rawtp:::mm_page_alloc [parameters 4..]
/(args[2] & 0x10a) == 0xa && args[1] == 0 && (__writing[curthread] & 1) != 0 && __is_writing[curthread]/
{ 1; }

prepare vminfo:::cow_fault <- otherwise rawtp:::mm_page_alloc
/(args[2] & 0x10a) == 0xa && args[1] == 0 && __is_writing[curthread]/
{ __writing[curthread] |= 2; }

vminfo:::cow_fault <- otherwise rawtp:::mm_filemap_fault [parameters 2..]
/(__writing[curthread] & 3) == 2 && __is_writing[curthread]/
{ 1; }

prepare vminfo:::cow_fault <- otherwise rawtp:::mm_filemap_fault
/__writing[curthread] != 0/
{ __writing[curthread] = 0; }

prepare vminfo:::cow_fault <- otherwise rawtp:::sched_process_exit
/__writing[curthread] != 0/
{ __writing[curthread] = 0; }

// ---- zeroed pages and swap

vminfo:::zfod <- fbt::do_anonymous_page:entry
{ 1; }

// Zeroed pages for user memory.
vminfo:::zfod <- otherwise rawtp:::mm_page_alloc [parameters 4..]
/(args[2] & 0x10a) == 0x10a/
{ 1 << args[1]; }

// Each kernel has one of the two functions: their names have changed.
vminfo:::pgswapin, vminfo:::swapin, vminfo:::anonpgin <- fbt::swap_read_folio:entry, fbt::swap_readpage:entry
{ 1; }

vminfo:::pgswapout, vminfo:::swapout <- fbt::swap_writeout:entry, fbt::swap_writepage:entry
{ 1; }

// Without them, the completion function marks a bio as one of swap. Devices that complete at once (zram) are missed.
vminfo:::pgswapin, vminfo:::swapin, vminfo:::anonpgin <- otherwise rawtp:::block_bio_queue [parameters 1]
/(uintptr_t)args[0]->bi_end_io == __swap_read_end/
{ (int)(args[0]->bi_iter.bi_size / __machine_page_size); }

vminfo:::pgswapout, vminfo:::swapout <- otherwise rawtp:::block_bio_queue [parameters 1]
/(uintptr_t)args[0]->bi_end_io == __swap_write_end/
{ (int)(args[0]->bi_iter.bi_size / __machine_page_size); }
