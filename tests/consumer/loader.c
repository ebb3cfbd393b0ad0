/* SPDX-FileCopyrightText: 2026 The weir authors */
/* SPDX-License-Identifier: Apache-2.0 */

#include <dlfcn.h>
#include <stdio.h>

/* Loads the library named on the command line, runs its network and closes it, several times. The
   library stays loaded, because weir's threads go on. */
int main(int argc, char** argv) {
  int round;
  if (argc != 2) return 2;
  for (round = 0; round != 3; ++round) {
    long (*run)(void);
    void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    *(void**)&run = dlsym(plugin, "run_in_plugin");
    if (run == NULL || run() != 45 || dlclose(plugin) != 0) return 1;
  }
  return dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL ? 1 : 0;
}
