! SPDX-FileCopyrightText: 2026 The weir authors
! SPDX-License-Identifier: Apache-2.0

! fortran_test    parts of the module that listing 1 does not use: rules, keys, predefined functions, error classes, questions. At least three ranks.
module keys
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function own_key(element) bind(C) result(key)
    type(c_ptr), value :: element
    integer(c_long_long) :: key
    integer(c_int), pointer :: number
    call c_f_pointer(element, number)
    key = number
  end function

  ! Counts elements of two keys, which are 7 and 8.
  subroutine count_keys(in, inout, len, datatype) bind(C)
    type(c_ptr), value :: in, inout
    integer(c_int), intent(in) :: len
    type(c_ptr), value :: datatype
    integer(c_int), pointer :: seen(:), element
    call c_f_pointer(inout, seen, [2])
    if (len == 0) then
      seen = 0
      return
    end if
    call c_f_pointer(in, element)
    seen(element - 6) = seen(element - 6) + 1
  end subroutine
end module

program fortran_test
  use mpi
  use mpistream
  use keys
  implicit none
  integer, parameter :: elements = 1000
  type(MPIStream_Channel) :: channel
  type(MPIStream_Stream) :: stream
  integer :: rank, size, error, i, total, two, producers, consumers, failures, all_failures
  integer :: seen(2)
  real(8) :: extreme
  logical :: is_producer, there

  failures = 0
  call MPI_Init(error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Type_contiguous(2, MPI_INTEGER, two, error)
  is_producer = rank < size - 2

  call MPIStream_Send(1, stream, error)
  call expect(error == MPISTREAM_ERR_STREAM, 'a stream that there is not')
  call MPIStream_CreateChannel(is_producer, .not. is_producer, MPI_COMM_WORLD, channel, error)
  call expect(error == MPI_SUCCESS, 'a channel')
  call MPIStream_Channel_size(channel, producers, consumers, error)
  call expect(producers == size - 2 .and. consumers == 2, 'its size')

  ! Each of two keys is at one consumer, whichever producer sends it.
  call MPIStream_Attach(MPI_INTEGER, two, MPI_INTEGER, count_keys, MPI_OP_NULL, stream, channel, error)
  call expect(error == MPI_SUCCESS, 'a stream by key')
  call MPIStream_Set_selection(stream, MPISTREAM_BY_KEY, error)
  call expect(error /= MPI_SUCCESS, 'a rule that lacks its key')
  call MPIStream_Set_selection(stream, MPISTREAM_BY_KEY, own_key, error)
  call expect(error == MPI_SUCCESS, 'a rule with its key')
  if (is_producer) then
    do i = 1, elements
      call MPIStream_Send(7 + mod(i, 2), stream, error)
      call expect(error == MPI_SUCCESS, 'an element by key')
    end do
    call MPIStream_Terminate(stream, error)
    call MPIStream_Send(7, stream, error)
    call expect(error == MPISTREAM_ERR_ENDED, 'an element behind the end')
    call MPIStream_Operate(stream, error)
    call expect(error == MPISTREAM_ERR_ROLE, 'a producer that operates')
    total = 0
  else
    call MPIStream_Operate(stream, error)
    call MPIStream_Result(seen, stream, error)
    call expect(all(seen == 0 .or. seen == elements * producers / 2), 'equal keys at one consumer')
    total = sum(seen)
  end if
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call expect(total == elements * producers, 'all elements')

  ! Predefined functions, one after the other, and a query after the end.
  call MPIStream_Attach(MPI_REAL8, MPI_REAL8, MPI_REAL8, MPIStream_MAX, MPI_MAX, stream, channel, error)
  call expect(error == MPI_SUCCESS, 'a stream of maxima')
  call MPIStream_Set_selection(stream, MPISTREAM_ROUND_ROBIN, error)
  call expect(error == MPI_SUCCESS, 'a rule')
  if (is_producer) then
    do i = 1, elements
      call MPIStream_Send(-real(i, 8) - rank, stream, error)
    end do
    call MPIStream_Terminate(stream, error)
    call MPIStream_Query(extreme, there, stream, error)
    call expect(error == MPI_SUCCESS .and. .not. (there .and. extreme > -1), 'a question')
  else
    call MPIStream_Operate(stream, error)
    call MPIStream_Result(extreme, stream, error)
    if (rank == size - 2) call expect(extreme == -1, 'the greatest')
  end if
  call MPIStream_Attach(MPI_REAL8, MPI_REAL8, MPI_REAL8, MPIStream_BAND, MPI_BAND, stream, channel, error)
  call expect(error == MPISTREAM_ERR_OPERATION, 'an operation that does not fit')
  call MPIStream_FreeChannel(channel, error)
  call expect(error == MPI_SUCCESS, 'no channel any more')
  call MPIStream_FreeChannel(channel, error)
  call expect(error == MPISTREAM_ERR_CHANNEL, 'a channel that there is not')

  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
  if (all_failures /= 0) error stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ': not as it should be: ', what
    failures = failures + 1
  end subroutine

end program
