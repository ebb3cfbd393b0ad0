/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
/* plasma: M's use cases of MPIStream in one program: parallel I/O, threshold collectives, and
 * on-line monitoring (M §5). The last ranks consume, the other ranks move particles. There is one
 * channel, with one stream for each use. */
#include "counters.h"
#include "domain.h"
#include "failure.h"
#include "fields.h"
#include "monitor.h"
#include "mover.h"
#include "options.h"
#include "output.h"
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  options said;
  int rank, is_mover;
  int movers;                /* number of movers */
  MPI_Comm fellows;          /* the movers, or the consumers */
  MPIStream_Channel channel; /* null: there are no consumers */
  output to;
  convergence test;
  monitor watcher;
  counters hardware;
} run;

/* The largest value of all ranks, by which all ranks end in the same way. */
static int any(int what) {
  MPI_Allreduce(MPI_IN_PLACE, &what, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return what;
}

/* @return the exit status of the program; -1: the run is to begin */
static int begin(run* of, int argc, char** argv) {
  char problem[512] = "";
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &of->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int is_right = read_options(argc, argv, &of->said, problem, sizeof problem);
  if (is_right && of->said.help) {
    if (of->rank == 0) {
      write_help(stdout);
      finish_output();
    }
    return 0;
  }
  is_right = is_right && check_options(&of->said, ranks, problem, sizeof problem);
  if (!is_right) {
    if (of->rank == 0) fprintf(stderr, "plasma: %s\n", problem);
    return 2;
  }
  of->movers = ranks - (int)of->said.consumers;
  of->is_mover = of->rank < of->movers;
  MPI_Comm_split(MPI_COMM_WORLD, of->is_mover, of->rank, &of->fellows);
  return -1;
}

/* Whether all movers have counters; if not, rank 0 prints the reason. */
static int find_counters(run* of) {
  if (!of->said.counters) return 0;
  const int error = of->is_mover ? open_counters(&of->hardware) : 0;
  const int most = any(error);
  if (most == 0) return 1;
  if (of->is_mover && error == 0) close_counters(&of->hardware);
  if (of->rank == 0)
    fprintf(stderr, "plasma: no hardware counters here (%s); going on without\n", strerror(most));
  return 0;
}

static void attach_streams(run* of) {
  const options* const said = &of->said;
  of->to = (output){
      .way = (output_way)said->io, .file_name = said->output, .buffer_records = said->buffer};
  of->test = (convergence){
      .way = (convergence_way)said->convergence,
      .movers = of->fellows,
      .mover = of->rank,
      .count = of->movers,
      .tolerance = (long long)(said->tolerance * (double)said->particles / convergence_unit),
      .most = 50,
      .late = said->slow};
  of->watcher = (monitor){.is_on = said->monitor != NULL || said->imbalance_limit != 0,
                          .has_counters = find_counters(of),
                          .file_name = said->monitor,
                          .limit = said->imbalance_limit == 0 ? 1e300 : said->imbalance_limit,
                          .movers = of->movers};
  if (said->consumers == 0) return;
  must(MPIStream_CreateChannel(of->is_mover, !of->is_mover, MPI_COMM_WORLD, &of->channel),
       "creating the channel");
  attach_output(&of->to, &of->channel);
  attach_convergence(&of->test, &of->channel);
  attach_monitor(&of->watcher, &of->channel);
}

/* Whether this rank writes. Consumers write the records of a stream, on their communicator of the
 * channel. */
static int writes(const run* of) {
  return of->to.way == output_shared ? of->is_mover : of->to.way == output_stream && !of->is_mover;
}

/* @return whether all files could be opened; a rank that could not open its file prints why */
static int open_files(run* of) {
  int failed = 0;
  if (writes(of)) {
    MPI_Comm writers = of->fellows;
    if (!of->is_mover)
      must(MPIStream_Channel_comm(of->channel, NULL, &writers), "asking for the consumers");
    const int error = open_output(&of->to, writers);
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, number = 0;
    if (error != MPI_SUCCESS) MPI_Error_string(error, text, &length);
    MPI_Comm_rank(writers, &number);
    /* MPICH appends a stack of its own calls to the text. */
    char* const stack = strstr(text, ", error stack:");
    if (stack != NULL) *stack = '\0';
    if (error != MPI_SUCCESS && number == 0)
      fprintf(stderr, "plasma: %s: %s\n", of->said.output, text);
    failed = error != MPI_SUCCESS;
  }
  if (!of->is_mover && of->watcher.is_on) {
    const int error = open_feed(&of->watcher);
    if (error != 0 && of->rank == of->movers)
      fprintf(stderr, "plasma: %s: %s\n", of->said.monitor, strerror(error));
    failed = failed || error != 0;
  }
  return !any(failed);
}

static void report(run* of, observation observed) {
  static long long instructions_before, misses_before;
  if (of->watcher.has_counters) {
    long long instructions = 0, misses = 0;
    read_counters(&of->hardware, &instructions, &misses);
    report_hardware(&of->watcher, &(hardware_observation){
                                      .mover = observed.mover,
                                      .step = observed.step,
                                      .instructions = (double)(instructions - instructions_before),
                                      .cache_misses = (double)(misses - misses_before)});
    instructions_before = instructions;
    misses_before = misses;
  }
  report_step(&of->watcher, &observed);
}

static void move(run* of, rank_summary* summary) {
  const options* const said = &of->said;
  const mover_setting setting = {said->time_step, said->electric_strength, said->threshold};
  domain slabs = even_domain(of->fellows);
  particles own = {NULL, 0, 0};
  append_plasma(&own, said->particles * of->rank / of->movers,
                said->particles * (of->rank + 1) / of->movers, (unsigned long long)said->seed,
                said->temperature, PLASMA_HALF_WIDTH);
  exchange_particles(&slabs, &own, 0);
  int redistributions = 0;
  for (long step = 1; step <= said->steps; ++step) {
    const double begin_of_step = MPI_Wtime();
    summary->corrections += move_particles(&own, &setting, step, &of->test, &of->to);
    const double moved = MPI_Wtime();
    /* The first mover queries the monitor; the answer is sent to all movers with the particles, so
     * all redistribute them in the same step. */
    const int alert = of->watcher.is_on && of->rank == 0 && is_alert(&of->watcher, redistributions);
    if (exchange_particles(&slabs, &own, alert)) {
      balance_domain(&slabs, &own);
      exchange_particles(&slabs, &own, 0);
      ++redistributions;
    }
    const double end_of_step = MPI_Wtime();
    summary->step_seconds[step - 1] = end_of_step - begin_of_step;
    if (of->watcher.is_on)
      report(of, (observation){.mover = of->rank,
                               .step = (double)step,
                               .particles = (double)own.count,
                               .seconds = end_of_step - begin_of_step,
                               .moving = moved - begin_of_step,
                               .redistributions = redistributions});
  }
  if (of->to.way == output_stream)
    must(MPIStream_Terminate(&of->to.stream), "ending the stream of particles");
  if (of->test.way == convergence_threshold)
    must(MPIStream_Terminate(&of->test.stream), "ending the tests");
  if (of->watcher.has_counters)
    must(MPIStream_Terminate(&of->watcher.hardware_stream), "ending the counters");
  if (of->watcher.is_on) must(MPIStream_Terminate(&of->watcher.stream), "ending the monitor");
  summary->particles = own.count;
  summary->redistributions = redistributions;
  free_domain(&slabs);
  free(own.at);
}

/* Operates each stream to its end; the other streams of the channel make progress meanwhile. */
static void consume(run* of) {
  if (of->to.way == output_stream) must(MPIStream_Operate(&of->to.stream), "writing particles");
  if (of->test.way == convergence_threshold)
    must(MPIStream_Operate(&of->test.stream), "answering tests");
  if (of->watcher.has_counters)
    must(MPIStream_Operate(&of->watcher.hardware_stream), "watching counters");
  if (of->watcher.is_on) must(MPIStream_Operate(&of->watcher.stream), "watching");
}

static int end(run* of, rank_summary* summary) {
  if (writes(of)) close_output(&of->to);
  if (!of->is_mover) close_feed(&of->watcher);
  if (of->is_mover && of->watcher.has_counters) close_counters(&of->hardware);
  summary->put_out = of->is_mover ? of->to.records : 0;
  summary->written = of->to.written;
  summary->io_seconds = of->to.seconds;
  summary->file_seconds = of->to.file_seconds;
  summary->waiting_seconds = of->test.seconds_waiting;
  summary->alerts = of->watcher.state.alerts;
  summary->imbalance = of->watcher.state.imbalance;
  return write_summary(summary, &of->said, MPI_COMM_WORLD) ? 0 : 1;
}

int main(int argc, char** argv) {
  run now = {0};
  MPI_Init(&argc, &argv);
  int code = begin(&now, argc, argv);
  if (code < 0) {
    attach_streams(&now);
    code = 1;
    if (open_files(&now)) {
      rank_summary summary = {.is_mover = now.is_mover};
      summary.step_seconds = calloc((size_t)now.said.steps, sizeof(double));
      if (summary.step_seconds == NULL) fail("no memory for the times of steps");
      if (now.is_mover) {
        move(&now, &summary);
      } else {
        consume(&now);
      }
      code = end(&now, &summary);
      free(summary.step_seconds);
    }
    if (now.channel != NULL) must(MPIStream_FreeChannel(&now.channel), "freeing the channel");
    MPI_Comm_free(&now.fellows);
  }
  MPI_Finalize();
  return code;
}
