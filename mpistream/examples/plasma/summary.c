/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "summary.h"

#include "failure.h"

#include <stdio.h>
#include <stdlib.h>

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

/* Returns the median duration of the steps; a step takes as long as on its slowest mover. */
static double median_of_steps(const rank_summary* own, long steps, MPI_Comm all) {
  double* const slowest = more_memory(NULL, (size_t)steps, sizeof(double));
  MPI_Allreduce(own->step_seconds, slowest, (int)steps, MPI_DOUBLE, MPI_MAX, all);
  qsort(slowest, (size_t)steps, sizeof(double), compare);
  const double median = 0.5 * (slowest[(steps - 1) / 2] + slowest[steps / 2]);
  free(slowest);
  return median;
}

typedef struct {
  long long movers, particles, put_out, written;
} totals;
typedef struct {
  double io_seconds, file_seconds, waiting_seconds, corrections, redistributions, alerts, imbalance;
} extremes;

static void write_json(const options* said, const totals* all, const extremes* most,
                       double median) {
  static const char* const ways_of_io[] = {"none", "stream", "shared"};
  static const char* const ways_of_convergence[] = {"none", "threshold", "allreduce"};
  printf(
      "{\"steps\":%ld,\"movers\":%lld,\"consumers\":%ld,\"particles\":%ld,\"particles_at_end\":%"
      "lld,",
      said->steps, all->movers, said->consumers, said->particles, all->particles);
  printf("\"io\":\"%s\",\"tagged_records\":%lld,\"written_records\":%lld,", ways_of_io[said->io],
         all->put_out, all->written);
  printf("\"step_seconds\":%.9f,\"io_seconds\":%.6f,\"file_seconds\":%.6f,", median,
         most->io_seconds, most->file_seconds);
  printf("\"convergence\":\"%s\",\"corrections\":%.0f,\"waiting_seconds\":%.6f,",
         ways_of_convergence[said->convergence], most->corrections, most->waiting_seconds);
  /* Without a monitor the imbalance is not known. */
  char imbalance[32] = "null";
  if (most->imbalance != 0) snprintf(imbalance, sizeof imbalance, "%.4f", most->imbalance);
  printf("\"alerts\":%.0f,\"redistributions\":%.0f,\"imbalance\":%s}\n", most->alerts,
         most->redistributions, imbalance);
}

static void write_words(const options* said, const totals* all, const extremes* most,
                        double median) {
  printf("%lld movers, %ld consumers: %ld steps of %lld particles\n", all->movers, said->consumers,
         said->steps, all->particles);
  printf("a step of the movers     %10.3f ms (median)\n", 1e3 * median);
  printf("tagged particles         %10.2f %% of all, in all steps together\n",
         100.0 * (double)all->put_out / ((double)said->particles * (double)said->steps));
  if (said->io != output_none) {
    printf("records written          %10lld\n", all->written);
    printf("a mover's time in I/O    %10.3f ms a step\n",
           1e3 * most->io_seconds / (double)said->steps);
  }
  if (said->convergence != convergence_none) {
    printf("corrections              %10.2f a step\n", most->corrections / (double)said->steps);
    printf("a mover waits for tests  %10.3f ms a step\n",
           1e3 * most->waiting_seconds / (double)said->steps);
  }
  if (said->monitor != NULL || said->imbalance_limit != 0)
    printf("imbalance at the end     %10.3f after %.0f redistributions\n", most->imbalance,
           most->redistributions);
}

int write_summary(const rank_summary* own, const options* said, MPI_Comm all) {
  const double median = median_of_steps(own, said->steps, all);
  const totals own_totals = {own->is_mover, own->particles, own->put_out, own->written};
  const extremes own_extremes = {own->io_seconds,  own->file_seconds,    own->waiting_seconds,
                                 own->corrections, own->redistributions, own->alerts,
                                 own->imbalance};
  totals sums = {0};
  extremes most = {0};
  int rank = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Allreduce(&own_totals, &sums, 4, MPI_LONG_LONG, MPI_SUM, all);
  MPI_Allreduce(&own_extremes, &most, 7, MPI_DOUBLE, MPI_MAX, all);
  if (rank == 0) {
    (said->json ? write_json : write_words)(said, &sums, &most, median);
    finish_output();
  }
  const int is_whole = sums.particles == said->particles &&
                       (said->io == output_none || sums.written == sums.put_out);
  if (!is_whole && rank == 0)
    fprintf(stderr,
            "plasma: %lld particles are left of %ld, %lld records of %lld have been written\n",
            sums.particles, said->particles, sums.written, sums.put_out);
  return is_whole;
}
