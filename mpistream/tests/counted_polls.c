/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* MPI's tests of requests, counted: MPI lets a program put its own functions before the library's.
   Each of them makes all of MPI look for messages, so their number is what polling costs. */
#include "cases.h"

poll_counts polls;

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const int error = PMPI_Test(request, flag, status);
  ++*(*flag ? &polls.found : &polls.in_vain);
  return error;
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int which[], MPI_Status statuses[]) {
  const int error = PMPI_Testsome(count, requests, done, which, statuses);
  ++polls.of_many;
  if (*done > 0) polls.found += *done;
  return error;
}
