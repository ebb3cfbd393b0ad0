# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   damaging_proxy.py COMMAND...    runs a program whose connection to the coordinator has each 500th byte damaged.
import os, socket, sys, threading

def pump(source, target, damage):
    seen = 0
    try:
        while part := bytearray(source.recv(4096)):
            for i in range(len(part)):
                if damage and (seen + i) % 500 == 499: part[i] ^= 4
            seen += len(part)
            target.sendall(part)
    except OSError:
        pass
    for end in (source, target): end.close()

def serve(listener, host, port):
    near, _ = listener.accept()
    far = socket.create_connection((host, port))
    threading.Thread(target=pump, args=(far, near, False), daemon=True).start()
    pump(near, far, True)

host, port = os.environ["WEIR_COORDINATOR"].split(":")
listener = socket.create_server(("127.0.0.1", 0))
if os.fork() == 0:
    serve(listener, host, int(port))
    os._exit(0)
os.environ["WEIR_COORDINATOR"] = "127.0.0.1:%d" % listener.getsockname()[1]
listener.close()
os.execvp(sys.argv[1], sys.argv[1:])
