/* Locks that no thread holds. */
#pragma D option quiet
BEGIN
{
  this->mutex = &curthread->signal->cred_guard_mutex;
  printf("%d %d\n", mutex_owned(this->mutex), mutex_owner(this->mutex) == NULL);
  printf("%d %d\n", mutex_type_adaptive(this->mutex), mutex_type_spin(this->mutex));
  this->rwlock = (rwlock_t *)&curthread->journal_info;
  printf("%d %d %d\n", rw_read_held(this->rwlock), rw_write_held(this->rwlock), rw_iswriter(this->rwlock));
}
BEGIN { printf("%d\n", mutex_owned(NULL)); }
BEGIN { printf("%d\n", rw_iswriter(NULL)); }
BEGIN { exit(0); }
