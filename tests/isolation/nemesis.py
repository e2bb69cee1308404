"""The one who disturbs: kills the server and starts it again, or stops it for a while, at random moments."""

import contextlib
import os
import shutil
import signal
import threading
import time

STOP_SECONDS_MAX = 2.0
FORGOTTEN_SECONDS = 0.3


class Nemesis(threading.Thread):
    """`kills` times kill -9 spread over `seconds`, and a SIGSTOP for about four of them.

    With `forgetful` the disk is a mutant: after each kill it is as it was a moment before, acknowledged writes or not.
    """

    def __init__(self, server, random, seconds, kills, forgetful=False):
        super().__init__(daemon=True)
        self.forgetful = forgetful
        self.server, self.random = server, random
        self.kills, self.stops = kills, (kills + 2) // 4
        self.pause_seconds = seconds / (kills + self.stops + 1)
        self.up = threading.Event()  # clear while the server is down
        self.up.set()
        self.done = threading.Event()
        self.failure = None
        self.restart_seconds = []

    def run(self):
        try:
            disturbances = [self.kill] * self.kills + [self.stop] * self.stops
            self.random.shuffle(disturbances)
            for disturb in disturbances:
                if self.done.wait(self.random.uniform(0.5, 1.5) * self.pause_seconds):
                    return
                disturb()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
            self.up.set()

    def kill(self):
        self.up.clear()
        if self.forgetful:
            self.forget()
        else:
            self.server.kill()
        begun = time.monotonic()
        self.server.start()
        self.restart_seconds.append(time.monotonic() - begun)
        self.up.set()

    def forget(self):
        """Kills the server and puts back the files as they were FORGOTTEN_SECONDS ago."""
        before = self.server.data + "-before"
        with self.stopped():
            shutil.copytree(self.server.data, before, ignore=shutil.ignore_patterns("*.sock"))
        self.done.wait(FORGOTTEN_SECONDS)
        self.server.kill()
        shutil.rmtree(self.server.data)
        os.rename(before, self.server.data)

    def stop(self):
        with self.stopped():
            self.done.wait(self.random.uniform(0.2, STOP_SECONDS_MAX))

    @contextlib.contextmanager
    def stopped(self):
        os.kill(self.server.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.server.pid, os.WSTOPPED)  # a thread inside of a system call goes on for a while
        try:
            yield
        finally:
            os.kill(self.server.pid, signal.SIGCONT)

    def finish(self):
        self.done.set()
        self.join(120)
