"""The servers that the store benchmark compares: Cairn, its peers and nginx. Each is a process of its own on a free
loopback port, on the cores it is given, with its files in a scratch directory."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

READY_SECONDS = 30
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20240501T123456Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20240501/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
}


class Missing(Exception):
    """This server cannot be had here; the text says why."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Start, ready, stop. A subclass says the command; `storage` is "memory" or "disk"."""

    name = ""

    def __init__(self, scratch, storage, cores):
        self.scratch = pathlib.Path(scratch, f"{self.name}-{storage}")
        self.storage, self.cores = storage, cores
        self.port, self.process = 0, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def command(self):
        raise NotImplementedError

    def start(self):
        """Returns the seconds until the server answered its first request."""
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.port = self.port or free_port()
        command = ["taskset", "-c", self.cores, *map(str, self.command())]
        begin = time.monotonic()
        with open(self.scratch / "log", "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() - begin > READY_SECONDS:
                tail = (self.scratch / "log").read_text(errors="replace")[-800:]
                self.stop()
                raise Missing(f"{self.name} does not start: {tail}")
            time.sleep(0.001)
        return time.monotonic() - begin

    def _answers(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=READY_SECONDS)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
            return True
        except (ConnectionError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def call(self, operation, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        connection.request("POST", "/", json.dumps(body), {**HEADERS, **target})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        if reply.status != 200:
            raise RuntimeError(f"{self.name}: {operation}: {reply.status} {text}")
        return json.loads(text)

    def create_table(self):
        keys = (("pk", "HASH"), ("sk", "RANGE"))
        self.call("CreateTable", {
            "TableName": "Bench", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name, _ in keys],
            "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in keys]})
        while self.call("DescribeTable", {"TableName": "Bench"})["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.05)

    def cpu_seconds(self):
        """User and system time of all its threads: what /proc/PID/stat adds up to, in finer steps."""
        cpu_clock_of_process = (~self.process.pid << 3) | 2  # as clock_getcpuclockid() makes it
        return time.clock_gettime(cpu_clock_of_process)

    def memory_mb(self):
        """Resident memory: now, its highest so far, and what of it is now not mapped from files."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = {"now": "VmRSS", "peak": "VmHWM", "private": "RssAnon"}
        return {name: int(re.search(rf"{field}:\s+(\d+) kB", text).group(1)) / 1024 for name, field in fields.items()}

    def settle(self, quiet_seconds=3, at_most_seconds=600):
        """Waits until the server has done its work in the background: it uses under 2 % of a core."""
        begin = time.monotonic()
        while time.monotonic() - begin < at_most_seconds:
            before = self.cpu_seconds()
            time.sleep(quiet_seconds)
            if self.cpu_seconds() - before < 0.02 * quiet_seconds:
                return

    def stop(self, with_signal=signal.SIGTERM):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.scratch, ignore_errors=True)


class Cairn(Server):
    name = "cairn"

    def __init__(self, scratch, storage, cores, binary, flags=("--no-apps",)):
        super().__init__(scratch, storage, cores)
        self.binary, self.flags = binary, list(flags)

    def command(self):
        where = ["--memory"] if self.storage == "memory" else ["--data", self.scratch / "data"]
        return [self.binary, "serve", "--port", self.port, "--log-level", "warning", *where, *self.flags]


def unhurried(binary):
    """Flags with which a few users may ask as much as ten thousand would: limits are looked at, but not reached. None
    of a binary that knows no limits."""
    known = subprocess.run([str(binary), "serve", "--help"], capture_output=True, text=True, check=False).stdout
    limits = ("--user-requests-per-second", "--address-requests-per-second", "--user-writes-mb-per-hour",
              "--user-items", "--user-storage-mb")
    return [part for limit in limits if limit in known for part in (limit, "1000000")]


class Dynoxide(Server):
    name = "dynoxide"

    def __init__(self, scratch, storage, cores, packages):
        super().__init__(scratch, storage, cores)
        self.packages = packages

    def command(self):
        binary = self.packages / "node_modules/@dynoxide/linux-x64/dynoxide"
        where = [] if self.storage == "memory" else ["--db-path", self.scratch / "data.db"]
        return [binary, "--host", "127.0.0.1", "--port", self.port, *where]


class Dynalite(Server):
    name = "dynalite"

    def __init__(self, scratch, storage, cores, packages):
        super().__init__(scratch, storage, cores)
        self.packages = packages

    def command(self):
        where = [] if self.storage == "memory" else ["--path", self.scratch / "data"]
        quick = [f"--{verb}TableMs=0" for verb in ("create", "delete", "update")]
        return ["node", self.packages / "node_modules/dynalite/cli.js", "--host", "127.0.0.1", "--port", self.port,
                *quick, *where]


NGINX_CONF = """
master_process off;
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {folder}/files; }}
}}
"""


class Nginx(Server):
    """Serves one file of 300 bytes: what HTTP itself costs on this machine."""

    name = "nginx"

    def command(self):
        files = self.scratch / "files"
        files.mkdir(exist_ok=True)
        (files / "item").write_text("x" * 300)
        (self.scratch / "nginx.conf").write_text(NGINX_CONF.format(folder=self.scratch, port=self.port))
        return [nginx_binary(), "-p", self.scratch, "-c", self.scratch / "nginx.conf"]


def nginx_binary():
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if found is None:
        raise Missing("nginx is not installed: apt-get install nginx-light")
    return found


def install_nginx(progress):
    """Installs Debian's package if nginx is missing and we may. Its service is not started by us, and not used."""
    try:
        nginx_binary()
    except Missing:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise
        progress("installing nginx-light")
        policy = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "nginx-light"], env=policy,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        nginx_binary()


def install_packages(folder, progress):
    """The peers from npm, into a folder that is never committed. Raises Missing if they cannot be had."""
    wanted = ["@dynoxide/linux-x64", "dynalite"]
    if all((folder / "node_modules" / name).exists() for name in wanted):
        return
    if shutil.which("npm") is None:
        raise Missing("npm is not installed")
    progress(f"installing {' and '.join(wanted)} with npm")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private":true}')
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *wanted],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"npm could not install the peers: {done.stderr.strip()[-300:]}")


def package_version(folder, name):
    return json.loads((folder / "node_modules" / name / "package.json").read_text())["version"]
