#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <linux/iio/types.h>
#include <stdint.h>
#include <sys/types.h>

/// Accepts a connection, close-on-exec and non-blocking; −1 and errno if there is none.
int linux_accept(int listener);

/// Gets the uid of the process at the other end of a Unix socket; −1 and errno on failure.
int linux_peer_user(int socket, uid_t *uid);

/// Makes the process run as a user for good, with this group only, and without a way back.
///
/// Returns −1 and errno if nothing has changed. A process that could be changed only in part is ended.
int linux_become(uid_t uid, gid_t gid);

/// A descriptor that becomes readable when a child of this process has ended, close-on-exec; −1 and errno if there is
/// no such child.
int linux_process_descriptor(pid_t child);

/// An eventfd, close-on-exec and non-blocking.
int linux_eventfd(void);

/// An epoll instance, close-on-exec.
int linux_epoll_create(void);

/// Watches a descriptor, until its next event, for reading, writing or both.
///
/// Hang-ups and errors are always reported, by linux_epoll_wait.
int linux_epoll_arm(int epoll, int descriptor, int reading, int writing);

/// Stops watching a descriptor.
int linux_epoll_remove(int epoll, int descriptor);

/// A descriptor that is ready. With an error or a hang-up it counts as ready for both reading and writing.
struct linux_ready {
  int descriptor;
  int reading;
  int writing;
  int hung_up;
};

/// Waits until watched descriptors are ready or the time is over, and returns their number; −1 and errno on failure.
///
/// A negative timeout waits without a limit.
int linux_epoll_wait(int epoll, struct linux_ready *ready, int capacity, int timeout_milliseconds);

/// Drops the pages of the program and its libraries that were only read, and gives unused memory back.
///
/// Pages that are needed again are read from the file cache, one by one.
void linux_release_memory(void);

/// Gives unused memory back, and leaves the pages of the program where they are.
void linux_release_heap(void);

/// Makes all threads started later share so many heaps.
///
/// Blocks of more than `largest` bytes are given back to the system as soon as they are freed.
void linux_bound_heaps(int number, int largest);

/// Makes a file without a name in a folder, open for writing, close-on-exec; −1 and errno if the file system has no
/// such files.
int linux_unnamed_file(const char *folder, mode_t mode);

/// The random number that Linux gave the file system in memory (tmpfs) at a path; 0 if it is another file system, or
/// Linux is older than 5.13.
uint64_t linux_memory_file_system(const char *path);

/// The name in a directory entry, valid as long as the entry.
const char *linux_entry_name(const struct dirent *entry);

/// The descriptor from which the events of an IIO device are read, close-on-exec and non-blocking.
///
/// `device` is an open /dev/iio:deviceN; it may be closed afterwards. Returns -1 and errno if there is no such
/// descriptor; a device has only one at a time (EBUSY).
int linux_iio_event_descriptor(int device);

/// One event of an IIO device.
struct linux_iio_event {
  enum iio_chan_type channel;
  enum iio_event_type type;
  int is_falling;
  /// For an activity: whether it is that of standing still.
  int is_stillness;
};

/// The number of bytes of one event.
int linux_iio_event_size(void);

/// Decodes one event of linux_iio_event_size() bytes, which needn't be aligned.
struct linux_iio_event linux_iio_decode_event(const uint8_t *bytes);

#endif
