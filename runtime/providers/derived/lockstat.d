// Locks of the kernel (providers.md 14).

provider lockstat {
  probe adaptive-acquire, adaptive-release(struct mutex *lock);
  probe adaptive-acquire-error(struct mutex *lock, int error);
  probe adaptive-block, adaptive-spin(struct mutex *lock, uint64_t time);
  probe rw-acquire, rw-release(struct rw_semaphore *lock, int kind);
  probe rw-block(struct rw_semaphore *lock, uint64_t time, int wanted, int held, int holders);
  probe rw-downgrade(struct rw_semaphore *lock);
  probe rw-spin(rwlock_t *lock, uint64_t time, int wanted);
  probe spin-spin(spinlock_t *lock, uint64_t time);
};

// ---- taking and releasing sleeping locks: only where kernel functions can be traced
//
// The argument of a function names the lock, but only its return shows that the thread has the lock.

prepare lockstat:::adaptive-acquire
  <- fbt::mutex_lock:entry, fbt::mutex_lock_io:entry, fbt::mutex_lock_interruptible:entry,
    fbt::mutex_lock_killable:entry, fbt::mutex_trylock:entry
{ __acquiring[curthread] = (uintptr_t)args[0]; }

prepare lockstat:::adaptive-acquire
  <- fbt::mutex_lock:return, fbt::mutex_lock_io:return, fbt::mutex_lock_interruptible:return,
    fbt::mutex_lock_killable:return, fbt::mutex_trylock:return
{ __acquiring[curthread] = 0; }

lockstat:::adaptive-acquire <- fbt::mutex_lock:return, fbt::mutex_lock_io:return
/__acquiring[curthread] != 0/
{ (struct mutex *)__acquiring[curthread]; }

lockstat:::adaptive-acquire <- fbt::mutex_lock_interruptible:return, fbt::mutex_lock_killable:return
/__acquiring[curthread] != 0 && args[1] == 0/
{ (struct mutex *)__acquiring[curthread]; }

lockstat:::adaptive-acquire <- fbt::mutex_trylock:return
/__acquiring[curthread] != 0 && args[1] != 0/
{ (struct mutex *)__acquiring[curthread]; }

lockstat:::adaptive-release <- fbt::mutex_unlock:entry
{ (struct mutex *)args[0]; }

prepare lockstat:::rw-acquire
  <- fbt::down_read:entry, fbt::down_read_interruptible:entry, fbt::down_read_killable:entry,
    fbt::down_read_trylock:entry, fbt::down_write:entry, fbt::down_write_killable:entry, fbt::down_write_trylock:entry
{ __acquiring[curthread] = (uintptr_t)args[0]; }

prepare lockstat:::rw-acquire
  <- fbt::down_read:return, fbt::down_read_interruptible:return, fbt::down_read_killable:return,
    fbt::down_read_trylock:return, fbt::down_write:return, fbt::down_write_killable:return,
    fbt::down_write_trylock:return
{ __acquiring[curthread] = 0; }

lockstat:::rw-acquire <- fbt::down_read:return
/__acquiring[curthread] != 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 1; }

lockstat:::rw-acquire <- fbt::down_read_interruptible:return, fbt::down_read_killable:return
/__acquiring[curthread] != 0 && args[1] == 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 1; }

lockstat:::rw-acquire <- fbt::down_read_trylock:return
/__acquiring[curthread] != 0 && args[1] != 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 1; }

lockstat:::rw-acquire <- fbt::down_write:return
/__acquiring[curthread] != 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 0; }

lockstat:::rw-acquire <- fbt::down_write_killable:return
/__acquiring[curthread] != 0 && args[1] == 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 0; }

lockstat:::rw-acquire <- fbt::down_write_trylock:return
/__acquiring[curthread] != 0 && args[1] != 0/
{ (struct rw_semaphore *)__acquiring[curthread]; 0; }

lockstat:::rw-release <- fbt::up_read:entry
{ (struct rw_semaphore *)args[0]; 1; }

lockstat:::rw-release <- fbt::up_write:entry
{ (struct rw_semaphore *)args[0]; 0; }

lockstat:::rw-downgrade <- fbt::downgrade_write:entry
{ (struct rw_semaphore *)args[0]; }

// ---- waiting for locks: on all kernels
//
// The arguments of contention_begin are kept by thread and lock until contention_end.

prepare lockstat:::* <- rawtp:::contention_begin
/__contended[curthread, args[0]] == 0/
{
  __contended[curthread, args[0]] = timestamp;
  __contention[curthread, args[0]] = args[1] | 0x80000000;
}

prepare lockstat:::* <- rawtp:::contention_begin
/__sleeps[args[1]]/
{ __contention[curthread, args[0]] = args[1] | 0x80000000; }

prepare lockstat:::rw-block <- rawtp:::contention_begin
/__sleeps[args[1]] && (args[1] & 22) != 0/
{ __contended_count[curthread, args[0]] = ((struct rw_semaphore *)args[0])->count.counter; }

prepare lockstat:::* <- rawtp:::contention_end
/__contended[curthread, args[0]] != 0/
{
  __contended[curthread, args[0]] = 0;
  __contention[curthread, args[0]] = 0;
}

prepare lockstat:::rw-block <- rawtp:::contention_end
{ __contended_count[curthread, args[0]] = 0; }

lockstat:::adaptive-spin <- rawtp:::contention_end [parameters 2..]
/__contention[curthread, args[0]] != 0 && (__contention[curthread, args[0]] & 33) == 33 && args[1] == 0/
{ (struct mutex *)args[0]; timestamp - __contended[curthread, args[0]]; }

lockstat:::adaptive-block <- rawtp:::contention_end [parameters 2.., order 2]
/__contention[curthread, args[0]] != 0 && (__contention[curthread, args[0]] & 23) == 0 && args[1] == 0/
{ (struct mutex *)args[0]; timestamp - __contended[curthread, args[0]]; }

lockstat:::adaptive-acquire-error <- rawtp:::contention_end [parameters 2.., order 3]
/__contention[curthread, args[0]] != 0 && (__contention[curthread, args[0]] & 32) != 0 && args[1] != 0/
{ (struct mutex *)args[0]; -args[1]; }

lockstat:::spin-spin <- rawtp:::contention_end [parameters 2..]
/__contention[curthread, args[0]] != 0 && (__contention[curthread, args[0]] & 55) == 1/
{ (spinlock_t *)args[0]; timestamp - __contended[curthread, args[0]]; }

lockstat:::rw-spin <- rawtp:::contention_end [parameters 2..]
/(__contention[curthread, args[0]] & 1) != 0 && (__contention[curthread, args[0]] & 6) != 0/
{
  (rwlock_t *)args[0];
  timestamp - __contended[curthread, args[0]];
  (__contention[curthread, args[0]] & 2) != 0;
}

// The holder is known when the waiting begins: the lowest bit of the count is the writer, readers count from bit 8.
lockstat:::rw-block <- rawtp:::contention_end [parameters 2..]
/(__contention[curthread, args[0]] & 1) == 0 && (__contention[curthread, args[0]] & 22) != 0 && args[1] == 0/
{
  (struct rw_semaphore *)args[0];
  timestamp - __contended[curthread, args[0]];
  (__contention[curthread, args[0]] & 2) != 0;
  (__contended_count[curthread, args[0]] & 1) == 0;
  (__contended_count[curthread, args[0]] & 1) != 0 ? 1 : (int)(__contended_count[curthread, args[0]] >> 8);
}
