/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Threshold collectives: a producer contributes and waits for the verdict, consumer 0 decides. */
#include "calls/progress.h"
#include "common/trace.h"
#include "consumer/rounds.h"
#include "producer/replies.h"

static int contribute(const void* element, producer* self) {
  const MPIStream stream = self->stream;
  return mpistream_send_control(stream, stream->channel->consumer_ranks[0], control_contribution,
                                self->round, 0, &stream->element, element);
}

static int take_part(void* local_result, void* global_result, MPIStream* stream) {
  TRY(mpistream_check_stream(stream));
  const MPIStream of = *stream;
  if (global_result == NULL) return MPI_ERR_BUFFER;
  /* A predefined operation decides nothing. */
  if (of->operation.combines != MPI_OP_NULL) return MPISTREAM_ERR_OPERATION;
  if (local_result == NULL && of->consumer != NULL)
    return mpistream_decide_round(of->consumer, global_result);
  producer* const self = of->producer;
  if (self == NULL) return MPISTREAM_ERR_ROLE;
  if (local_result == NULL) return MPI_ERR_BUFFER;
  if (self->ending) return MPISTREAM_ERR_ENDED;
  if (of->in_callback) return MPISTREAM_ERR_CALL;
  const double begin = trace_now();
  int has_come = 0, round = 0;
  TRY(mpistream_receive_reply(self, &self->verdict, tag_verdict, &of->process));
  TRY(MPI_Test(&self->verdict.request, &has_come, MPI_STATUS_IGNORE));
  if (!has_come) {
    TRY(contribute(local_result, self));
    TRY(mpistream_wait_for_request(of->channel, &self->verdict.request));
  }
  TRY(mpistream_read_reply(self, &self->verdict, &round));
  if (round != self->round) return MPI_ERR_INTERN;
  ++self->round;
  trace_add(trace_threshold, begin);
  return mpistream_read_reply_object(self, &self->verdict, &of->process, global_result);
}

int MPIStream_ThresholdColl(void* local_result, void* global_result, MPIStream* stream) {
  return raise_error_of(stream, take_part(local_result, global_result, stream));
}
