#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""in_background.py COMMAND [ARGUMENT...]

Runs a command in the background of a terminal of its own, where somebody types. Ends as it ends; with 3 if it was stopped, as whoever reads the
terminal from there is."""

import os
import pty
import signal
import sys


def main():
    shell, terminal = pty.fork()
    if shell == 0:
        command = os.fork()
        if command == 0:
            os.setpgid(0, 0)
            os.execvp(sys.argv[1], sys.argv[1:])
        try:
            os.setpgid(command, command)
        except PermissionError:
            pass  # it has done so itself
        _, status = os.waitpid(command, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.killpg(command, signal.SIGKILL)
            os._exit(3)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    os.write(terminal, b"typed\n")
    try:
        while part := os.read(terminal, 4096):
            sys.stdout.buffer.write(part)
    except OSError:
        pass  # nobody has the terminal open any more
    _, status = os.waitpid(shell, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


main()
