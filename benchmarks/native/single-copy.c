/*
 * Whether one process may read another's memory (cross memory attach, CMA): what the native MPIs need for a
 * single copy. Prints "works" or the reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  static char source[64] = "abc"; /* at the same address in both processes */
  char target[64] = "";
  const pid_t sibling = fork();
  if (sibling == 0) {
    pause();
    _exit(0);
  }
  struct iovec local = {target, sizeof target}, remote = {source, sizeof source};
  /* A parent may always look into its child, so a second child asks: siblings, as ranks are. */
  const pid_t asker = fork();
  if (asker == 0) {
    const ssize_t read = process_vm_readv(sibling, &local, 1, &remote, 1, 0);
    puts(read == (ssize_t)sizeof target ? "works" : strerror(errno));
    fflush(stdout);
    _exit(0);
  }
  waitpid(asker, NULL, 0);
  kill(sibling, SIGKILL);
  waitpid(sibling, NULL, 0);
  return 0;
}
