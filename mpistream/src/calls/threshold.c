/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Threshold collectives: a producer contributes and waits for the verdict, consumer 0 decides. */
#include "calls/progress.h"
#include "common/trace.h"
#include "consumer/rounds.h"
#include "producer/replies.h"

static int contribute(const void* element, producer* self) {
  const MPIStream stream = self->stream;
  if (self->verdict.is_asked) return MPI_SUCCESS;
  TRY(mpistream_send_control(stream, &stream->channel->consumer_ranks[0], 1, control_contribution,
                             self->round, 0, &stream->element, element));
  self->verdict.is_asked = 1;
  return MPI_SUCCESS;
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
  int round = 0, error = MPI_SUCCESS;
  TRY(take_noted_error(of->channel));
  TRY(mpistream_receive_reply(self, &self->verdict, tag_verdict, &of->process));
  if (!mpistream_has_reply(&self->verdict, &error)) {
    TRY(error);
    TRY(contribute(local_result, self));
    TRY(mpistream_wait_until(of->channel, mpistream_has_reply, &self->verdict));
  }
  TRY(mpistream_read_reply(self, &self->verdict, &round));
  if (round != self->round) return MPI_ERR_INTERN;
  TRY(mpistream_read_reply_object(self, &self->verdict, &of->process, global_result));
  mpistream_end_reply(&self->verdict);
  ++self->round;
  trace_add(trace_threshold, begin);
  return MPI_SUCCESS;
}

int MPIStream_ThresholdColl(void* local_result, void* global_result, MPIStream* stream) {
  return raise_error_of(stream, take_part(local_result, global_result, stream));
}
