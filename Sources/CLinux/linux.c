// A feature-test macro is safe here, and only here: in a header it would reach other modules.
#define _GNU_SOURCE

#include "CLinux.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>

int linux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int linux_peer_credentials(int socket, uid_t *uid, gid_t *gid, pid_t *pid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
  *uid = credentials.uid;
  *gid = credentials.gid;
  *pid = credentials.pid;
  return 0;
}

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

int64_t linux_realtime_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
