"""A private real PostgreSQL for tests and measurements written in Python: its own folder, a free port on 127.0.0.1,
a Unix socket, no durability; database and superuser "postgres". Gone with its owner, and with this process."""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent


def bindir():
    folders = [f for f in Path("/usr/lib/postgresql").glob("*/bin") if (f / "postgres").exists()]
    if folders:
        return max(folders, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0))
    return Path(shutil.which("postgres") or "/usr/bin/postgres").parent


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _as_server_user(command):
    drop = ["--reuid", "postgres", "--regid", "postgres", "--init-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *drop, "--pdeathsig", "QUIT", *map(str, command)]


class Postgres:
    def __init__(self, configuration="", hba="host all all all trust\n", tls=False):
        self.folder = Path(tempfile.mkdtemp(prefix="pgload-test-"))
        self.data = self.folder / "data"
        self.port = 0
        self.process = None
        try:
            self._initialize(configuration, hba, tls)
            self.start()
        except BaseException:
            self.close()
            raise

    def _initialize(self, configuration, hba, tls):
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        subprocess.run(
            _as_server_user([bindir() / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync",
                             "--no-instructions", "--locale=C", "-E", "UTF8"]),
            check=True, stdout=subprocess.DEVNULL)
        with open(self.data / "postgresql.conf", "a") as conf:
            conf.write(f"listen_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\nfsync = off\n"
                       "synchronous_commit = off\nfull_page_writes = off\nlc_messages = 'C'\n" + configuration + "\n")
            if tls:
                conf.write("ssl = on\nssl_ca_file = 'ca.crt'\n")
        (self.data / "pg_hba.conf").write_text("local all postgres trust\n" + hba)
        if tls:
            (self.folder / "tls").mkdir()
            subprocess.run([SUPPORT / "certificates.sh", self.folder / "tls"], check=True)
            for name in ("ca.crt", "server.crt", "server.key"):
                shutil.copy(self.folder / "tls" / name, self.data)
                (self.data / name).chmod(0o600)
                if os.geteuid() == 0:
                    shutil.chown(self.data / name, "postgres", "postgres")

    def start(self):
        # Another process may take the port between the look and the bind: then the next one. After a stop: the same.
        for _ in range(5):
            self.port = self.port or free_port()
            with open(self.folder / "log", "ab") as log:
                self.process = subprocess.Popen(
                    _as_server_user([bindir() / "postgres", "-D", self.data, "-p", self.port]), stdout=log, stderr=log)
            while self.process.poll() is None:
                pid_file = self.data / "postmaster.pid"
                if pid_file.exists() and "\nready" in pid_file.read_text():
                    return
                time.sleep(0.005)  # a file, not an event, says that the server is ready
            self.port = 0
        raise RuntimeError("PostgreSQL did not start: " + (self.folder / "log").read_text())

    def stop(self):
        """Immediate: connections are cut."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()

    def restart(self):
        self.stop()
        self.start()

    def sql(self, text, database="postgres"):
        run = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U",
             "postgres", "-d", database, "-c", text], capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(run.stderr)
        return run.stdout.rstrip("\n")

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()
