#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <linux/iio/types.h>
#include <stdint.h>
#include <sys/types.h>

/// Accepts a connection close-on-exec and non-blocking; −1 and errno when there is none.
int linux_accept(int listener);

/// The uid of the process at the other end of a Unix socket; −1 and errno on failure.
int linux_peer_user(int socket, uid_t *uid);

/// Makes the process a user's for good: no other groups than this one, and no way back. −1 and errno
/// when nothing has changed; a process that could change only in part ends.
int linux_become(uid_t uid, gid_t gid);

/// A descriptor that can be read from when a child of this process has ended, close-on-exec; −1 and errno where
/// there is none.
int linux_process_descriptor(pid_t child);

/// An eventfd, close-on-exec and non-blocking.
int linux_eventfd(void);

/// An epoll instance, close-on-exec.
int linux_epoll_create(void);

/// Watches a descriptor, once, for reading, writing, both, or only for a hang-up or an error, which
/// are always told of. linux_epoll_wait tells.
int linux_epoll_arm(int epoll, int descriptor, int reading, int writing);

/// Stops watching a descriptor.
int linux_epoll_remove(int epoll, int descriptor);

/// A descriptor that became ready. An error or a hang-up counts as both.
struct linux_ready {
  int descriptor;
  int reading;
  int writing;
  int hung_up;
};

/// Waits until watched descriptors are ready or the time is over. Returns how many; −1 and errno on
/// failure. A negative timeout waits for ever.
int linux_epoll_wait(int epoll, struct linux_ready *ready, int capacity, int timeout_milliseconds);

/// Takes the pages of the program and its libraries that were only read out of the process, and gives
/// unused memory back. What is needed again comes from the file cache, page by page.
void linux_release_memory(void);

/// Gives unused memory back, and leaves the program's pages where they are.
void linux_release_heap(void);

/// Has all threads share so many heaps, from when others are started on, and gives memory of more bytes than that
/// back to the system as soon as it is freed.
void linux_bound_heaps(int number, int largest);

/// A new file in a folder that has no name, open for writing, close-on-exec; −1 and errno where the file
/// system has no such files.
int linux_unnamed_file(const char *folder, mode_t mode);

/// The number that Linux drew for the file system in memory (tmpfs) at a path; 0 where it is another one, or
/// Linux is older than 5.13.
uint64_t linux_memory_file_system(const char *path);

/// The name in a directory entry, which lives as long as the entry.
const char *linux_entry_name(const struct dirent *entry);

/// The descriptor on which an IIO device tells of its events, close-on-exec and non-blocking, for an
/// opened /dev/iio:deviceN, which may be closed then; -1 and errno when there is none. A device has
/// one at a time (EBUSY).
int linux_iio_event_descriptor(int device);

/// What one event of an IIO device says.
struct linux_iio_event {
  enum iio_chan_type channel;
  enum iio_event_type type;
  int is_falling;
  /// Of an activity: that of doing nothing.
  int is_stillness;
};

/// How many bytes of the descriptor are one event.
int linux_iio_event_size(void);

/// Decodes one event of linux_iio_event_size() bytes, however they lie in memory.
struct linux_iio_event linux_iio_decode_event(const uint8_t *bytes);

#endif
