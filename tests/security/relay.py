"""A proxy as small as one can be, on loopback: appends where a connection comes from to each connection's first request,
as nginx and Caddy do, then passes bytes on in both directions."""

import socket
import threading


class Relay:
    """Usable as a context manager. `client_address`: where it says requests come from."""

    def __init__(self, to_port, client_address, field="X-Forwarded-For", form="{}"):
        self._to_port = to_port
        self._line = f"{field}: {form.format(client_address)}\r\n".encode()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self._to_port)) as server:
            head = b""
            while b"\r\n\r\n" not in head:
                received = client.recv(65536)
                if not received:
                    return
                head += received
            head, _, rest = head.partition(b"\r\n\r\n")
            server.sendall(head + b"\r\n" + self._line + b"\r\n" + rest)
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _pump(source, sink):
    try:
        while received := source.recv(65536):
            sink.sendall(received)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # either side is gone
