// Block I/O (providers.md 12). frontend/library/io.d describes struct __block_io.

provider io {
  probe done, start, wait-done, wait-start(
    struct __block_io * : bufinfo_t *, struct __block_io * : devinfo_t *, struct __block_io * : fileinfo_t *);
};

// Devices whose driver takes requests.
io:::start <- rawtp:::block_io_start [parameters 1..]
{
  args[0], __io_of[(uintptr_t)args[0], 0];
  args[0], __io_of[(uintptr_t)args[0], 0];
  args[0], __io_of[(uintptr_t)args[0], 0];
  0;
}

// Before Linux 6.5: when the driver gets the request, which may be later and in a kernel thread.
io:::start <- otherwise rawtp:::block_rq_issue [parameters 1]
/!__is_flush[args[0]]/
{
  args[0], __io_of[(uintptr_t)args[0], 0];
  args[0], __io_of[(uintptr_t)args[0], 0];
  args[0], __io_of[(uintptr_t)args[0], 0];
  0;
}

// Devices whose driver takes bios: dm, md, zram.
io:::start <- rawtp:::block_bio_queue [parameters 1]
/__is_bio_based[args[0]]/
{
  args[0], __io_of[(uintptr_t)args[0], 1];
  args[0], __io_of[(uintptr_t)args[0], 1];
  args[0], __io_of[(uintptr_t)args[0], 1];
  0;
}

io:::done <- rawtp:::block_rq_complete [parameters 3..]
/args[2] >= args[0]->__data_len && !__is_flush[args[0]]/
{
  args[0], __io_of[(uintptr_t)args[0], 2];
  args[0], __io_of[(uintptr_t)args[0], 2];
  args[0], __io_of[(uintptr_t)args[0], 2];
  args[1];
}

io:::done <- rawtp:::block_bio_complete [parameters 2..]
/__is_bio_based[args[1]]/
{
  args[1], __io_of[(uintptr_t)args[1], 1];
  args[1], __io_of[(uintptr_t)args[1], 1];
  args[1], __io_of[(uintptr_t)args[1], 1];
  0;
}

// ---- waiting: a thread waits for the last I/O that it has started, if that is still in flight; else for unknown I/O

io:::wait-start <- rawtp:::sched_switch [parameters 4.., order 2]
/args[3] != 0 && args[1]->in_iowait/
{
  __awaited[__in_flight[self->__waited] != 0], __awaited_io[__in_flight[self->__waited] != 0];
  __awaited[__in_flight[self->__waited] != 0], __awaited_io[__in_flight[self->__waited] != 0];
  __awaited[__in_flight[self->__waited] != 0], __awaited_io[__in_flight[self->__waited] != 0];
  0;
}

io:::wait-done <- rawtp:::sched_switch [parameters 4.., order 6, subject 2]
/args[2]->in_iowait/
{
  __awaited[self->__is_waiting], __awaited_io[self->__is_waiting];
  __awaited[self->__is_waiting], __awaited_io[self->__is_waiting];
  __awaited[self->__is_waiting], __awaited_io[self->__is_waiting];
  0;
}

prepare io:::wait-* <- rawtp:::sched_switch
/args[3] != 0 && args[1]->in_iowait/
{ self->__is_waiting = __in_flight[self->__waited] != 0; }

prepare io:::wait-* <- rawtp:::block_io_start or rawtp:::block_rq_issue
{
  self->__waited = (uintptr_t)args[0];
  self->__waited_flags = xlate <bufinfo_t *> (args[0])->b_flags;
  self->__waited_bytes = args[0]->__data_len;
  self->__waited_block = args[0]->__sector;
  self->__waited_device = __block_device[args[0]];
  self->__waited_dentry = __bio_dentry[args[0]->bio];
  self->__waited_offset = __bio_offset[args[0]->bio];
  __in_flight[(uintptr_t)args[0]] = 1;
}

prepare io:::wait-* <- rawtp:::block_rq_complete
/args[2] >= args[0]->__data_len/
{ __in_flight[(uintptr_t)args[0]] = 0; }

prepare io:::wait-* <- rawtp:::block_bio_queue
/__is_bio_based[args[0]]/
{
  self->__waited = (uintptr_t)args[0];
  self->__waited_flags = xlate <bufinfo_t *> (args[0])->b_flags;
  self->__waited_bytes = args[0]->bi_iter.bi_size;
  self->__waited_block = args[0]->bi_iter.bi_sector;
  self->__waited_device = args[0]->bi_bdev;
  self->__waited_dentry = __bio_dentry[args[0]];
  self->__waited_offset = __bio_offset[args[0]];
  __in_flight[(uintptr_t)args[0]] = 1;
}

prepare io:::wait-* <- rawtp:::block_bio_complete
/__is_bio_based[args[1]]/
{ __in_flight[(uintptr_t)args[1]] = 0; }
