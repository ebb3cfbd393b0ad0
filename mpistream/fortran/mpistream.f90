! SPDX-FileCopyrightText: 2026 The weir authors
! SPDX-License-Identifier: Apache-2.0

! MPIStream for Fortran: the functions of MPIStream.h as subroutines, whose last argument is the error. Communicators, types and operations are
! the integers of "use mpi", or the MPI_VAL of those of "use mpi_f08". Buffers are contiguous. Contracts stand in MPIStream.h.
module mpistream
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: MPIStream_Channel, MPIStream_Stream, MPIStream_Function, MPIStream_Key
  public :: MPIStream_CreateChannel, MPIStream_FreeChannel, MPIStream_Channel_size, MPIStream_Channel_comm
  public :: MPIStream_Attach, MPIStream_Set_selection, MPIStream_Terminal
  public :: MPIStream_Send, MPIStream_Isend, MPIStream_Flush, MPIStream_Terminate, MPIStream_Iterminate
  public :: MPIStream_Operate, MPIStream_Ioperate, MPIStream_Wait, MPIStream_Test
  public :: MPIStream_Query, MPIStream_Iquery, MPIStream_Result, MPIStream_ThresholdColl, MPIStream_Decide

  integer(c_int), parameter, public :: &
    MPISTREAM_STATIC = 0, MPISTREAM_ROUND_ROBIN = 1, MPISTREAM_BY_KEY = 2, MPISTREAM_LEAST_LOADED = 3

  ! Error classes.
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_CHANNEL") :: MPISTREAM_ERR_CHANNEL
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_STREAM") :: MPISTREAM_ERR_STREAM
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_ROLE") :: MPISTREAM_ERR_ROLE
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_ENDED") :: MPISTREAM_ERR_ENDED
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_TYPE") :: MPISTREAM_ERR_TYPE
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_OPERATION") :: MPISTREAM_ERR_OPERATION
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_CALL") :: MPISTREAM_ERR_CALL
  integer(c_int), protected, public, bind(C, name="MPISTREAM_ERR_PARTS") :: MPISTREAM_ERR_PARTS

  type, bind(C) :: MPIStream_Channel
    type(c_ptr) :: handle = c_null_ptr
  end type
  type, bind(C) :: MPIStream_Stream
    type(c_ptr) :: handle = c_null_ptr
  end type

  abstract interface
    ! len == 0: initialise inout, or, as a terminal function, finish it. c_f_pointer makes arrays of both pointers.
    subroutine MPIStream_Function(in, inout, len, datatype) bind(C)
      import :: c_ptr, c_int
      type(c_ptr), value :: in, inout
      integer(c_int), intent(in) :: len
      type(c_ptr), value :: datatype
    end subroutine
    ! Returns the key of an element.
    function MPIStream_Key(element) bind(C) result(key)
      import :: c_ptr, c_long_long
      type(c_ptr), value :: element
      integer(c_long_long) :: key
    end function
  end interface

  ! Values for MPIStream_Attach; the program must not call them.
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_SUM") :: MPIStream_SUM
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_PROD") :: MPIStream_PROD
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_MIN") :: MPIStream_MIN
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_MAX") :: MPIStream_MAX
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_LAND") :: MPIStream_LAND
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_LOR") :: MPIStream_LOR
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_BAND") :: MPIStream_BAND
  procedure(MPIStream_Function), public, bind(C, name="MPIStream_BOR") :: MPIStream_BOR

  interface MPIStream_Set_selection
    module procedure set_selection_alone, set_selection_with_key
  end interface

  interface
    function create_channel(is_producer, is_consumer, comm, channel) bind(C, name="mpistream_create_channel_f") result(error)
      import
      integer(c_int), value :: is_producer, is_consumer, comm
      type(MPIStream_Channel), intent(out) :: channel
      integer(c_int) :: error
    end function
    function free_channel(channel) bind(C, name="MPIStream_FreeChannel") result(error)
      import
      type(MPIStream_Channel), intent(inout) :: channel
      integer(c_int) :: error
    end function
    function channel_size(channel, producers, consumers) bind(C, name="MPIStream_Channel_size") result(error)
      import
      type(c_ptr), value :: channel
      integer(c_int), intent(out) :: producers, consumers
      integer(c_int) :: error
    end function
    function channel_comm(channel, all, consumers) bind(C, name="mpistream_channel_comm_f") result(error)
      import
      type(c_ptr), value :: channel
      integer(c_int), intent(out) :: all, consumers
      integer(c_int) :: error
    end function
    function attach(element, result_type, process, intermediate, terminal, stream, channel) bind(C, name="mpistream_attach_f") &
        result(error)
      import
      integer(c_int), value :: element, result_type, process, terminal
      type(c_funptr), value :: intermediate
      type(MPIStream_Stream), intent(out) :: stream
      type(MPIStream_Channel), intent(inout) :: channel
      integer(c_int) :: error
    end function
    function terminal_of(function) bind(C, name="mpistream_terminal_f") result(operation)
      import
      type(c_funptr), value :: function
      integer(c_int) :: operation
    end function
    function set_selection(stream, selection, key) bind(C, name="MPIStream_Set_selection") result(error)
      import
      type(c_ptr), value :: stream
      integer(c_int), value :: selection
      type(c_funptr), value :: key
      integer(c_int) :: error
    end function
    function send(element, stream) bind(C, name="MPIStream_Send") result(error)
      import
      type(c_ptr), value :: element
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function isend(element, stream) bind(C, name="MPIStream_Isend") result(error)
      import
      type(c_ptr), value :: element
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function flush_stream(stream) bind(C, name="MPIStream_Flush") result(error)
      import
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function terminate(stream) bind(C, name="MPIStream_Terminate") result(error)
      import
      type(c_ptr), value :: stream
      integer(c_int) :: error
    end function
    function iterminate(stream) bind(C, name="MPIStream_Iterminate") result(error)
      import
      type(c_ptr), value :: stream
      integer(c_int) :: error
    end function
    function operate(stream) bind(C, name="MPIStream_Operate") result(error)
      import
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function ioperate(stream) bind(C, name="MPIStream_Ioperate") result(error)
      import
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function wait_for(stream) bind(C, name="MPIStream_Wait") result(error)
      import
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function test(stream, flag) bind(C, name="MPIStream_Test") result(error)
      import
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int), intent(out) :: flag
      integer(c_int) :: error
    end function
    function query(buffer, flag, stream) bind(C, name="MPIStream_Query") result(error)
      import
      type(c_ptr), value :: buffer
      integer(c_int), intent(out) :: flag
      type(c_ptr), value :: stream
      integer(c_int) :: error
    end function
    function iquery(buffer, flag, stream) bind(C, name="MPIStream_Iquery") result(error)
      import
      type(c_ptr), value :: buffer
      integer(c_int), intent(out) :: flag
      type(c_ptr), value :: stream
      integer(c_int) :: error
    end function
    function result_of(buffer, stream) bind(C, name="MPIStream_Result") result(error)
      import
      type(c_ptr), value :: buffer
      type(c_ptr), value :: stream
      integer(c_int) :: error
    end function
    function threshold(local, global, stream) bind(C, name="MPIStream_ThresholdColl") result(error)
      import
      type(c_ptr), value :: local
      type(c_ptr), value :: global
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
    function decide(none, global, stream) bind(C, name="MPIStream_ThresholdColl") result(error)
      import
      type(c_ptr), value :: none
      type(c_ptr), value :: global
      type(MPIStream_Stream), intent(inout) :: stream
      integer(c_int) :: error
    end function
  end interface

contains

  subroutine MPIStream_CreateChannel(is_producer, is_consumer, comm, channel, error)
    logical, intent(in) :: is_producer, is_consumer
    integer, intent(in) :: comm
    type(MPIStream_Channel), intent(out) :: channel
    integer, intent(out) :: error
    error = create_channel(merge(1_c_int, 0_c_int, is_producer), merge(1_c_int, 0_c_int, is_consumer), int(comm, c_int), channel)
  end subroutine

  subroutine MPIStream_FreeChannel(channel, error)
    type(MPIStream_Channel), intent(inout) :: channel
    integer, intent(out) :: error
    error = free_channel(channel)
  end subroutine

  subroutine MPIStream_Channel_size(channel, producers, consumers, error)
    type(MPIStream_Channel), intent(in) :: channel
    integer, intent(out) :: producers, consumers, error
    error = channel_size(channel%handle, producers, consumers)
  end subroutine

  subroutine MPIStream_Channel_comm(channel, all, consumers, error)
    type(MPIStream_Channel), intent(in) :: channel
    integer, intent(out) :: all, consumers, error
    error = channel_comm(channel%handle, all, consumers)
  end subroutine

  ! `terminal`: MPI_SUM and so on, MPI_OP_NULL, one of MPI_Op_create, or one of MPIStream_Terminal.
  subroutine MPIStream_Attach(element, result_type, process, intermediate, terminal, stream, channel, error)
    integer, intent(in) :: element, result_type, process, terminal
    procedure(MPIStream_Function) :: intermediate
    type(MPIStream_Stream), intent(out) :: stream
    type(MPIStream_Channel), intent(inout) :: channel
    integer, intent(out) :: error
    error = attach(element, result_type, process, c_funloc(intermediate), terminal, stream, channel)
  end subroutine

  integer function MPIStream_Terminal(function) result(operation)
    procedure(MPIStream_Function) :: function
    operation = terminal_of(c_funloc(function))
  end function

  ! MPIStream_Set_selection(stream, selection, error), and by key (stream, selection, key, error).
  subroutine set_selection_alone(stream, selection, error)
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(in) :: selection
    integer, intent(out) :: error
    error = set_selection(stream%handle, selection, c_null_funptr)
  end subroutine

  subroutine set_selection_with_key(stream, selection, key, error)
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(in) :: selection
    procedure(MPIStream_Key) :: key
    integer, intent(out) :: error
    error = set_selection(stream%handle, selection, c_funloc(key))
  end subroutine

  subroutine MPIStream_Send(element, stream, error)
    type(*), dimension(..), intent(in), target :: element
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = send(c_loc(element), stream)
  end subroutine

  ! `element` is contiguous, asynchronous or a target, and must not change until MPIStream_Wait.
  subroutine MPIStream_Isend(element, stream, error)
    type(*), dimension(..), intent(in), target :: element
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = isend(c_loc(element), stream)
  end subroutine

  subroutine MPIStream_Flush(stream, error)
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = flush_stream(stream)
  end subroutine

  subroutine MPIStream_Terminate(stream, error)
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(out) :: error
    error = terminate(stream%handle)
  end subroutine

  subroutine MPIStream_Iterminate(stream, error)
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(out) :: error
    error = iterminate(stream%handle)
  end subroutine

  subroutine MPIStream_Operate(stream, error)
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = operate(stream)
  end subroutine

  subroutine MPIStream_Ioperate(stream, error)
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = ioperate(stream)
  end subroutine

  subroutine MPIStream_Wait(stream, error)
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = wait_for(stream)
  end subroutine

  subroutine MPIStream_Test(stream, flag, error)
    type(MPIStream_Stream), intent(inout) :: stream
    logical, intent(out) :: flag
    integer, intent(out) :: error
    integer(c_int) :: done
    done = 0
    error = test(stream, done)
    flag = done /= 0
  end subroutine

  subroutine MPIStream_Query(buffer, flag, stream, error)
    type(*), dimension(..), intent(inout), target :: buffer
    logical, intent(out) :: flag
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(out) :: error
    integer(c_int) :: found
    found = 0
    error = query(c_loc(buffer), found, stream%handle)
    flag = found /= 0
  end subroutine

  subroutine MPIStream_Iquery(buffer, flag, stream, error)
    type(*), dimension(..), intent(inout), target :: buffer
    logical, intent(out) :: flag
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(out) :: error
    integer(c_int) :: found
    found = 0
    error = iquery(c_loc(buffer), found, stream%handle)
    flag = found /= 0
  end subroutine

  subroutine MPIStream_Result(buffer, stream, error)
    type(*), dimension(..), intent(inout), target :: buffer
    type(MPIStream_Stream), intent(in) :: stream
    integer, intent(out) :: error
    error = result_of(c_loc(buffer), stream%handle)
  end subroutine

  ! Contributes to the present round as a producer, and gets the round's answer.
  subroutine MPIStream_ThresholdColl(local_result, global_result, stream, error)
    type(*), dimension(..), intent(in), target :: local_result
    type(*), dimension(..), intent(inout), target :: global_result
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = threshold(c_loc(local_result), c_loc(global_result), stream)
  end subroutine

  ! Gives the answer from within the intermediate function: MPIStream_ThresholdColl without a local result.
  subroutine MPIStream_Decide(answer, stream, error)
    type(*), dimension(..), intent(in), target :: answer
    type(MPIStream_Stream), intent(inout) :: stream
    integer, intent(out) :: error
    error = decide(c_null_ptr, c_loc(answer), stream)
  end subroutine

end module
