/* getmajor() and getminor() of the kernel's device numbers. */
#pragma D option quiet
BEGIN
{
  this->dev = (dev_t)0x80200003;
  printf("%u %u\n", getmajor(this->dev), getminor(this->dev));
  printf("%u %u\n", getmajor(0), getminor(0xfffff));
  exit(0);
}
