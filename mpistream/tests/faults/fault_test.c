/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* fault_test    runs each scenario again and again; each time one call of MPI fails, or some in
   succession. On one rank all functions fail, at some of their calls; on several ranks some of the
   functions. The program ends with 1 if a check fails, and at once if a call hangs. */
#include "scenarios.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int rank, size, failures;
const char* now_in = "";
static char text[256];
static int runs;

void failed(void) {
  if (++failures == 20) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Whether a communicator of the program has the error handler that it should have. */
static int has_handler(MPI_Comm comm, MPI_Errhandler expected) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  const int is_same = handler == expected;
  MPI_Errhandler_free(&handler);
  return is_same;
}

static void hangs(int number) {
  (void)number;
  (void)!write(STDERR_FILENO, "hangs: ", 7);
  (void)!write(STDERR_FILENO, text, strlen(text));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(1);
}

static const fault_plan no_fault = {.function = fault_none};
static fault_plan once(fault_function function, long call) {
  return (fault_plan){.function = function, .first = call, .times = 1};
}
/* With a call of `next` that fails because of it. */
static fault_plan twice(fault_function function, long call, fault_function next) {
  return (fault_plan){.function = function, .first = call, .times = 1, .next = next};
}
/* So long that no call waits to the end of it. */
enum { long_time = 200 };
static fault_plan for_long(fault_function function, long call) {
  return (fault_plan){.function = function, .first = call, .times = long_time, .takes = 0.1};
}

/* Runs a scenario. The plan is for the rank `on`. */
static void run(const scenario* what, fault_run how, int on) {
  ++runs;
  enum { longest = 60 }; /* seconds */
  now = how;
  now.is_here = rank == on;
  snprintf(text, sizeof text, "%s, %s %s on rank %d from call %ld on, %ld times%s%s%s%s",
           what->name, fault_name(how.plan.function),
           how.plan.kind == fault_lost ? "loses" : "fails", on, how.plan.first, how.plan.times,
           how.plan.next == fault_none ? "" : ", and then ",
           how.plan.next == fault_none ? "" : fault_name(how.plan.next),
           how.after_create ? ", after the channel's creation" : "",
           how.gives_up ? ", failed elements are not sent again" : "");
  now_in = text;
  returned = handled = elsewhere = is_lost = 0;
  alarm(longest);
  fault_arm(now.is_here && !now.after_create ? now.plan : no_fault);
  what->run();
  alarm(0);
  /* The library sets it back, and tries twice. */
  EXPECT(how.plan.times > 1 || has_handler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  if (is_lost) return;
  /* The handler can't be called if the functions for this fail again. */
  EXPECT(how.plan.times == 1 ? handled == returned : handled <= returned);
  EXPECT((returned != 0) == (fault_fired != 0) && returned <= fault_fired);
}

/* Counts the calls of each function in a scenario, on the rank `on`. */
static void count(const scenario* what, int after_create, int on, long* counts) {
  run(what, (fault_run){.after_create = after_create}, on);
  memcpy(counts, fault_calls, sizeof fault_calls);
  MPI_Bcast(counts, fault_functions, MPI_LONG, on, MPI_COMM_WORLD);
}

/* Functions that fail on several ranks. On two ranks: those that send, receive, agree or pack. On
 * more, where a run takes long, only the first few: those of the tree of consumers. */
static const fault_function on_several[] = {
    fault_Isend, fault_Test,   fault_Unpack,    fault_Reduce_local, fault_Get_count,
    fault_Irecv, fault_Issend, fault_Ibarrier,  fault_Iallreduce,   fault_Improbe,
    fault_Mrecv, fault_Pack,   fault_Recv_init, fault_Start,        fault_Testsome};
static size_t chosen(void) { return size == 2 ? sizeof on_several / sizeof *on_several : 4; }
/* Functions that fail while the channel is created. Another rank's collective call does not wait
 * for them. */
static const fault_function in_creation[] = {fault_Comm_test_inter, fault_Comm_rank,
                                             fault_Comm_size, fault_Comm_get_errhandler,
                                             fault_Comm_set_errhandler};

/* Lets some calls of each function fail: the first ones, and some of the others. */
static void some_calls(const scenario* what) {
  const int first_calls = what->first_calls, others = what->other_calls;
  long counts[fault_functions];
  count(what, 0, 0, counts);
  for (int i = 0; i != fault_functions; ++i) {
    for (long each = 1; each <= first_calls + others; ++each) {
      const long further = each - first_calls;
      const long call =
          further <= 0 ? each : first_calls + (counts[i] - first_calls) * further / others;
      if (call > counts[i] || call < each) break;
      run(what, (fault_run){.plan = once((fault_function)i, call), .gives_up = each % 2 == 0}, 0);
    }
  }
}

/* Lets each function fail for some time, or for so long that no call waits to the end of it. */
static void for_some_time(const scenario* what, int is_long) {
  long counts[fault_functions];
  count(what, 1, 0, counts);
  for (int i = 0; i != fault_functions; ++i) {
    if (counts[i] == 0) continue;
    fault_run how = {.plan = for_long((fault_function)i, counts[i] / 3 + 1),
                     .after_create = 1,
                     .gives_up = i % 2,
                     .may_lose = is_long};
    if (!is_long) how.plan.times = 3, how.plan.takes = 0;
    run(what, how, 0);
  }
}

/* Messages of all kinds that MPI loses: each message of a scenario, or ever fewer of them. */
static void losses(const scenario* what, int each, fault_function function, fault_function next) {
  int lost = 0;
  for (long call = 1;; call += each ? 1 : 1 + call / 3) {
    fault_run how = {.plan = twice(function, call, next), .after_create = 1, .may_lose = 1};
    how.plan.kind = fault_lost;
    run(what, how, 0);
    if (fault_fired == 0) break; /* there are fewer messages */
    EXPECT(is_lost);
    ++lost;
  }
  EXPECT(lost > 1);
}

/* An attachment that can't be undone, so that a receive with the tags of the next stream stays. */
static void undoing(void) {
  MPIStream_Channel channel = NULL;
  MPIStream stream = NULL;
  MPIStream_Operation operation = {MPIStream_SUM, MPI_SUM};
  now_in = "an attachment that can't be undone";
  OK(MPIStream_CreateChannel(1, 1, own, &channel));
  fault_inside = 1;
  fault_arm(twice(fault_Recv_init, 3, fault_Cancel));
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         fault_code);
  EXPECT(fault_fired == 2);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         MPI_ERR_INTERN);
  EXPECT(MPIStream_FreeChannel(&channel) == MPI_ERR_INTERN && channel != NULL);
  fault_inside = 0;
}

/* Calls on which all ranks agree, while MPI fails for long. If the agreement has begun, the call
 * can't be made again. */
static void giving_up(void) {
  MPIStream_Channel channel = NULL;
  MPIStream stream = NULL;
  MPIStream_Operation operation = {MPIStream_SUM, MPI_SUM};
  now_in = "giving up";
  OK(MPIStream_CreateChannel(1, 1, own, &channel));
  fault_inside = 1;
  fault_arm(for_long(fault_Iallreduce, 1));
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         fault_code);
  EXPECT(fault_fired > 3 && fault_fired < long_time);
  fault_arm(no_fault);
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  fault_arm(for_long(fault_Test, 1));
  EXPECT(MPIStream_Set_selection(stream, MPISTREAM_ROUND_ROBIN, NULL) == fault_code);
  EXPECT(fault_fired > 3 && fault_fired < long_time);
  fault_arm(no_fault);
  EXPECT(MPIStream_Set_selection(stream, MPISTREAM_ROUND_ROBIN, NULL) == MPI_ERR_INTERN);
  EXPECT(MPIStream_Send(&(long){0}, &stream) == MPI_ERR_INTERN);
  EXPECT(MPIStream_FreeChannel(&channel) == MPI_ERR_INTERN && channel != NULL);
  fault_inside = 0;
}

static int says(int error, const char* words) {
  char said[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  return MPI_Error_string(error, said, &length) == MPI_SUCCESS && strstr(said, words) != NULL;
}

/* The error classes are made in the first call; those that MPI refuses then, in the next one. */
static void error_classes(void) {
  now_in = "error classes";
  fault_inside = 1;
  fault_arm(once(fault_Add_error_class, 3));
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, NULL) == MPI_ERR_ARG);
  EXPECT(fault_fired == 1 && MPISTREAM_ERR_CALL == MPI_ERR_OTHER);
  fault_arm(once(fault_Add_error_string, 2));
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, NULL) == MPI_ERR_ARG);
  EXPECT(fault_fired == 1 && MPISTREAM_ERR_CALL == MPI_ERR_OTHER);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, NULL) == MPI_ERR_ARG);
  EXPECT(says(MPISTREAM_ERR_CHANNEL, "no channel") && says(MPISTREAM_ERR_ENDED, "terminated"));
  EXPECT(says(MPISTREAM_ERR_PARTS, "a rank that produces"));
  fault_inside = 0;
}

static void finish(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)inout, (void)len, (void)datatype;
}

static void terminals(void) {
  const fault_function functions[] = {fault_Comm_create_keyval, fault_Comm_set_attr,
                                      fault_Op_create};
  now_in = "terminal functions";
  fault_inside = 1;
  for (int i = 0; i != 3; ++i) {
    fault_arm(once(functions[i], 1));
    EXPECT(MPIStream_Terminal(finish) == MPI_OP_NULL);
    EXPECT(fault_fired == 1);
  }
  const MPI_Op made = MPIStream_Terminal(finish);
  EXPECT(made != MPI_OP_NULL && MPIStream_Terminal(finish) == made);
  fault_inside = 0;
}

/* A lost message does not count as sent. */
static void flushing(void) {
  MPIStream_Channel channel = NULL;
  MPIStream stream = NULL;
  MPIStream_Operation operation = {MPIStream_SUM, MPI_SUM};
  fault_plan lost = once(fault_Test, 1);
  lost.kind = fault_lost;
  now_in = "flushing";
  OK(MPIStream_CreateChannel(1, 1, own, &channel));
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  OK(MPIStream_Send(&(long){0}, &stream));
  fault_inside = 1;
  fault_arm(lost);
  EXPECT(MPIStream_Flush(&stream) == fault_code);
  EXPECT(MPIStream_Flush(&stream) == MPI_ERR_INTERN);
  EXPECT(MPIStream_Terminate(stream) == MPI_ERR_INTERN);
  fault_inside = 0;
}

/* Functions that are called for an error. The call returns that error all the same, and the
 * channel's communicator returns later ones. */
static void errors_of_errors(void) {
  const fault_function functions[] = {fault_Initialized,          fault_Finalized,
                                      fault_Comm_get_errhandler,  fault_Comm_set_errhandler,
                                      fault_Comm_call_errhandler, fault_Errhandler_free};
  MPIStream_Channel channel = NULL, none = NULL;
  MPI_Comm all = MPI_COMM_NULL;
  now_in = "errors of errors";
  OK(MPIStream_CreateChannel(1, 1, own, &channel));
  OK(MPIStream_Channel_comm(channel, &all, NULL));
  MPIStream stream = NULL;
  for (size_t i = 0; i != sizeof functions / sizeof *functions; ++i) {
    fault_inside = 1;
    for (int call = 1; call <= 1 + (functions[i] == fault_Comm_set_errhandler); ++call) {
      fault_arm(once(functions[i], call));
      EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, NULL, &stream, &channel) ==
             MPISTREAM_ERR_OPERATION);
      EXPECT(fault_fired == 1 && has_handler(all, MPI_ERRORS_RETURN));
    }
    fault_arm(once(functions[i], 1));
    EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, &none) == MPI_ERR_COMM);
    fault_inside = 0;
  }
  OK(MPIStream_FreeChannel(&channel));
}

/* There are three exceptions. One is called in MPI_Finalize, and one before the program ends.
 * MPI_Mrecv drops what is left over, which is nothing here: no message is sent twice. */
static void all_have_failed(void) {
  for (int i = fault_none + 1; i != fault_functions; ++i) {
    now_in = fault_name((fault_function)i);
    if (i == fault_Op_free || i == fault_Error_string) continue;
    EXPECT((fault_fired_ever[i] != 0) == (i != fault_Mrecv));
  }
}

static void on_one_rank(void) {
  const scenario *const numbers = &all_scenarios[scenario_numbers],
                        *const several = &all_scenarios[scenario_several];
  for (int i = 0; i != scenarios; ++i) {
    const scenario* const each = &all_scenarios[i];
    some_calls(each);
    for_some_time(each, 0);
    if (!each->is_read_by_mpi) for_some_time(each, 1);
  }
  /* MPI does not tell the class of its error either. */
  run(numbers, (fault_run){.plan = twice(fault_Reduce_local, 1, fault_Error_class)}, 0);
  run(several, (fault_run){.plan = twice(fault_Testsome, 3, fault_Error_class)}, 0);
  errors_of_errors();
  all_have_failed();
  /* These leave channels behind. */
  undoing();
  giving_up();
  flushing();
  losses(&all_scenarios[scenario_blocks], 0, fault_Test, fault_none);
  losses(&all_scenarios[scenario_rounds], 1, fault_Test, fault_none);
  losses(&all_scenarios[scenario_roles], 1, fault_Test, fault_none);
  losses(several, 0, fault_Test, fault_none);
  losses(several, 1, fault_Testsome, fault_none);
  losses(several, 1, fault_Testsome, fault_Error_class);
}

/* Lets a call of each function fail on the rank `on`: the last one on rank 0, where all results
 * meet, and the first one on the others. The number of calls depends on time, so an earlier one
 * fails if that does not come. */
static void on_rank(const scenario* what, int on) {
  long counts[fault_functions];
  count(what, 1, on, counts);
  for (size_t i = 0; i != chosen(); ++i) {
    const long calls = counts[on_several[i]];
    const long tries[] = {on == 0 ? calls : 1, (calls + 1) / 2, 1};
    long fired = 0;
    for (int each = 0; calls != 0 && fired == 0 && each != 3; ++each) {
      fault_run how = {
          .plan = once(on_several[i], tries[each]), .after_create = 1, .gives_up = on == 0};
      if (each == 0 && i % 2 == 0) how.plan.times = 3;
      run(what, how, on);
      fired = fault_fired;
      MPI_Bcast(&fired, 1, MPI_LONG, on, MPI_COMM_WORLD);
    }
  }
}

static void while_created(const scenario* what, int on) {
  enum { calls = 3 };
  long counts[fault_functions];
  count(what, 0, on, counts);
  for (size_t i = 0; i != sizeof in_creation / sizeof *in_creation; ++i) {
    for (long call = 1; call <= calls && call <= counts[in_creation[i]]; ++call) {
      run(what, (fault_run){.plan = once(in_creation[i], call)}, on);
      EXPECT(rank == on || size > 2 || elsewhere != 0);
    }
  }
}

/* On several ranks fewer calls fail, since each run takes longer. */
static void on_several_ranks(void) {
  for (int i = 0; i != scenarios; ++i) {
    if (size > 2 ? !all_scenarios[i].is_for_all : !all_scenarios[i].is_for_two) continue;
    for (int on = 0; on != size; ++on) on_rank(&all_scenarios[i], on);
  }
  for (int on = 0; on != size; ++on) while_created(&all_scenarios[scenario_roles], on);
  for (size_t i = 0; i != chosen(); ++i) {
    long fired = 0;
    now_in = fault_name(on_several[i]);
    MPI_Allreduce(&fault_fired_ever[on_several[i]], &fired, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(fired != 0);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  signal(SIGALRM, hangs);
  fault_set_up();
  set_up_scenarios();
  error_classes();
  terminals();
  const double begin = PMPI_Wtime();
  if (size == 1) {
    on_one_rank();
  } else {
    on_several_ranks();
  }
  if (rank == 0) printf("%d runs, %.2f s\n", runs, PMPI_Wtime() - begin);
  int all = failures;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  /* An operation that MPI does not free is no error of a program that has done its work. */
  fault_inside = 1;
  fault_arm(once(fault_Op_free, 1));
  const int ended = MPI_Finalize();
  return all == 0 && ended == MPI_SUCCESS && fault_fired == 1 ? 0 : 1;
}
