/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "consumer/rounds.h"

#include "consumer/results.h"

int mpistream_take_contribution(consumer* self, control_message* message) {
  if (message->number != self->round || self->over) return MPI_SUCCESS;
  TRY(mpistream_read_object(self->stream, message, &self->stream->element, self->unpacked));
  self->in_contribution = 1;
  const int error = mpistream_process_element(self, self->unpacked);
  self->in_contribution = 0;
  return error;
}

int mpistream_decide_round(consumer* self, const void* answer) {
  const MPIStream_Channel channel = self->stream->channel;
  if (!self->in_contribution) return MPISTREAM_ERR_CALL;
  TRY(mpistream_send_message(self->stream, channel->producer_ranks, channel->producers, tag_verdict,
                             &self->round, 1, &self->stream->process, answer));
  ++self->round;
  /* A second answer would be for the next round. */
  self->in_contribution = 0;
  return MPI_SUCCESS;
}
