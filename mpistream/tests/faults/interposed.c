/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "faults.h"

int fault_code, fault_inside;
long fault_calls[fault_functions], fault_fired, fault_fired_ever[fault_functions];
static fault_plan plan;
static double passed_over; /* seconds */

void fault_set_up(void) {
  int own = MPI_ERR_OTHER;
  MPI_Add_error_class(&own);
  MPI_Add_error_code(own, &fault_code);
  MPI_Add_error_string(fault_code, "a fault of the test");
}

void fault_arm(fault_plan next) {
  plan = next;
  fault_fired = 0;
  for (int i = 0; i != fault_functions; ++i) fault_calls[i] = 0;
}

const char* fault_name(fault_function function) {
#define FAULT_NAME(name, parameters, arguments) "MPI_" #name,
  static const char* const names[] = {"no function", FAULT_FUNCTIONS(FAULT_NAME)};
  return names[function];
}

/* Counts a call. Returns whether it fails. */
static int fails(fault_function function) {
  if (!fault_inside) return 0;
  const long number = ++fault_calls[function];
  const int is_next = function == plan.next && fault_fired != 0;
  if (is_next) plan.next = fault_none;
  if (!is_next &&
      (function != plan.function || number < plan.first || number >= plan.first + plan.times))
    return 0;
  passed_over += plan.takes;
  ++fault_fired;
  ++fault_fired_ever[function];
  return 1;
}

double MPI_Wtime(void) { return PMPI_Wtime() + passed_over; }

#define FAULT_DEFINITION(name, parameters, arguments) \
  int MPI_##name parameters { return fails(fault_##name) ? fault_code : PMPI_##name arguments; }
FAULT_MOST(FAULT_DEFINITION)

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (plan.kind == fault_refused && fails(fault_Test)) return fault_code;
  const int error = PMPI_Test(request, flag, status);
  return plan.kind == fault_lost && *flag && fails(fault_Test) ? fault_code : error;
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int which[], MPI_Status statuses[]) {
  if (plan.kind == fault_refused && fails(fault_Testsome)) return fault_code;
  const int error = PMPI_Testsome(count, requests, done, which, statuses);
  if (plan.kind == fault_refused || *done <= 0 || !fails(fault_Testsome)) return error;
  for (int i = 0; i != *done; ++i) statuses[i].MPI_ERROR = i == 0 ? fault_code : MPI_SUCCESS;
  return MPI_ERR_IN_STATUS;
}
