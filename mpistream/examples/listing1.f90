! SPDX-FileCopyrightText: 2026 The weir authors
! SPDX-License-Identifier: Apache-2.0

! Listing 1 of M in Fortran: two consumers sum the elements of the producers; needs at least three ranks.
module accumulation
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine accumulate_over_time(in, inout, len, datatype) bind(C)
    type(c_ptr), value :: in, inout
    integer(c_int), intent(in) :: len
    type(c_ptr), value :: datatype
    integer(c_int), pointer :: sum, element
    call c_f_pointer(inout, sum)
    if (len == 0) then
      sum = 0
      return
    end if
    call c_f_pointer(in, element)
    sum = sum + element
  end subroutine
end module

program listing1
  use mpi
  use mpistream
  use accumulation
  implicit none
  type(MPIStream_Channel) :: channel
  type(MPIStream_Stream) :: stream
  integer :: rank, size, error, i, sum
  logical :: is_producer

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  is_producer = rank < size - 2
  call MPIStream_CreateChannel(is_producer, .not. is_producer, MPI_COMM_WORLD, channel, error)
  call MPIStream_Attach(MPI_INTEGER, MPI_INTEGER, MPI_INTEGER, accumulate_over_time, MPI_SUM, stream, channel, error)
  if (is_producer) then
    do i = 0, 99
      call MPIStream_Send(i, stream, error)
    end do
    call MPIStream_Terminate(stream, error)
  else
    call MPIStream_Operate(stream, error)
    call MPIStream_Result(sum, stream, error)
    if (rank == size - 1) print '(a, i0)', 'sum of all elements: ', sum
  end if
  call MPIStream_FreeChannel(channel, error)
  call MPI_Finalize(error)
end program
