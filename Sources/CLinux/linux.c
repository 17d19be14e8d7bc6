// A feature-test macro is safe only here: in a header it would affect other modules.
#define _GNU_SOURCE

#include "CLinux.h"

#include <assert.h>
#include <fcntl.h>
#include <grp.h>
#include <link.h>
#include <linux/iio/events.h>
#include <linux/magic.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

static int release_read_only(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    // Pages of writable segments were written to already, and can't be read from the file again.
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
    const uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    const uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void linux_bound_heaps(int number, int largest) {
  mallopt(M_ARENA_MAX, number);
  // Without this, the limit grows up to 32 MiB when larger blocks are freed (mallopt(3)), and heaps keep more memory.
  mallopt(M_MMAP_THRESHOLD, largest);
}

void linux_release_memory(void) {
  dl_iterate_phdr(release_read_only, NULL);
  linux_release_heap();
}

void linux_release_heap(void) { malloc_trim(0); }

int linux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int linux_peer_user(int socket, uid_t *uid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
  *uid = credentials.uid;
  return 0;
}

int linux_become(uid_t uid, gid_t gid) {
  // glibc changes all threads (nptl(7)). The groups have to be dropped first, while that is still allowed.
  if (setgroups(0, NULL) != 0) return -1;
  uid_t real_user, user, saved_user;
  gid_t real_group, group, saved_group;
  if (setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0 &&
      getresuid(&real_user, &user, &saved_user) == 0 &&
      getresgid(&real_group, &group, &saved_group) == 0 && real_user == uid && user == uid &&
      saved_user == uid && real_group == gid && group == gid && saved_group == gid &&
      getgroups(0, NULL) == 0)
    return 0;
  // The process is partly another user now: it must not do anything in this state.
  _exit(EXIT_FAILURE);
}

uint64_t linux_memory_file_system(const char *path) {
  struct statfs status;
  uint64_t number = 0;
  if (statfs(path, &status) != 0 || status.f_type != TMPFS_MAGIC) return 0;
  static_assert(sizeof status.f_fsid == sizeof number, "an fsid has 64 bits");
  memcpy(&number, &status.f_fsid, sizeof number);
  return number;
}

int linux_unnamed_file(const char *folder, mode_t mode) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int linux_process_descriptor(pid_t child) { return pidfd_open(child, 0); }

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int linux_epoll_arm(int epoll, int descriptor, int reading, int writing) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLONESHOT;
  if (reading) event.events |= EPOLLIN | EPOLLRDHUP;
  if (writing) event.events |= EPOLLOUT;
  event.data.fd = descriptor;
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int linux_epoll_remove(int epoll, int descriptor) {
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int linux_epoll_wait(int epoll, struct linux_ready *ready, int capacity, int timeout_milliseconds) {
  struct epoll_event events[64];
  if (capacity > 64) capacity = 64;
  int count = epoll_wait(epoll, events, capacity, timeout_milliseconds);
  for (int i = 0; i < count; i++) {
    const uint32_t failed = EPOLLERR | EPOLLHUP;
    ready[i].descriptor = events[i].data.fd;
    ready[i].reading = (events[i].events & (EPOLLIN | EPOLLRDHUP | failed)) != 0;
    ready[i].writing = (events[i].events & (EPOLLOUT | failed)) != 0;
    ready[i].hung_up = (events[i].events & failed) != 0;
  }
  return count;
}

const char *linux_entry_name(const struct dirent *entry) { return entry->d_name; }

int linux_iio_event_descriptor(int device) {
  int events = -1;
  if (ioctl(device, IIO_GET_EVENT_FD_IOCTL, &events) != 0) return -1;
  // The kernel makes it close-on-exec; non-blocking has to be set.
  int flags = fcntl(events, F_GETFL);
  if (flags >= 0 && fcntl(events, F_SETFL, flags | O_NONBLOCK) == 0) return events;
  close(events);
  return -1;
}

int linux_iio_event_size(void) { return sizeof(struct iio_event_data); }

struct linux_iio_event linux_iio_decode_event(const uint8_t *bytes) {
  struct iio_event_data event;
  memcpy(&event, bytes, sizeof event);
  struct linux_iio_event decoded;
  memset(&decoded, 0, sizeof decoded);
  decoded.channel = IIO_EVENT_CODE_EXTRACT_CHAN_TYPE(event.id);
  decoded.type = IIO_EVENT_CODE_EXTRACT_TYPE(event.id);
  decoded.is_falling = IIO_EVENT_CODE_EXTRACT_DIR(event.id) == IIO_EV_DIR_FALLING;
  decoded.is_stillness = decoded.channel == IIO_ACTIVITY &&
                         IIO_EVENT_CODE_EXTRACT_MODIFIER(event.id) == IIO_MOD_STILL;
  return decoded;
}
