"""The embedded graph server: ArcadeDB's Java server with its Bolt plugin, on loopback."""

import base64
import signal
import time
import urllib.error
import urllib.request
from functools import partial
from importlib.metadata import version

from memory_pipeline.local import ports, process
from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import StartError
from memory_pipeline.local.files import make_folder, write_private
from memory_pipeline.local.home import Home
from memory_pipeline.local.process import Record
from memory_pipeline.local.programs import graph_programs

SERVICE = "graph"
STOP = signal.SIGTERM
USER = "root"
DATABASE = "memory"
ATTEMPTS = 3


def start(home: Home, credentials: Credentials, timeout_s: float) -> Record:
    """Start the graph server and wait for its database. The home's lock is held.

    Raises `StartError`.
    """
    deadline = time.monotonic() + timeout_s
    folder = home.service(SERVICE)
    root_path = f"-Darcadedb.server.rootPath={folder}"
    for stray in process.strays(root_path):
        process.end(stray, STOP)
    password = credentials.ensure_random(SERVICE, USER)
    scratch = make_folder(folder / "tmp", home.owner)
    write_private(folder / "password", password, home.owner)
    programs = graph_programs(home)
    recorded = Record.read(home, SERVICE).ports
    for _ in range(ATTEMPTS):
        http, bolt = recorded = ports.choose(recorded, 2)
        spawned = process.spawn(
            home,
            [
                str(programs / "jre" / "bin" / "java"),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                # its counters would be a file in a folder that everybody can read
                "-XX:-UsePerfData",
                f"-XX:ErrorFile={scratch}/hs_err.log",
                f"-Djava.io.tmpdir={scratch}",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                root_path,
                f"-Darcadedb.server.rootPasswordPath={folder}/password",
                "-Darcadedb.server.mode=production",
                f"-Darcadedb.server.httpIncomingHost={ports.LOOPBACK}",
                f"-Darcadedb.server.httpIncomingPort={http}",
                "-Darcadedb.server.plugins=Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
                f"-Darcadedb.server.defaultDatabases={DATABASE}[{USER}]",
                f"-Darcadedb.bolt.host={ports.LOOPBACK}",
                f"-Darcadedb.bolt.port={bolt}",
                f"-Darcadedb.bolt.defaultDatabase={DATABASE}",
                "-cp",
                f"{programs}/jars/*",
                "com.arcadedb.server.ArcadeDBServer",
            ],
            log="graph.log",
            folder=folder,
        )
        record = Record(
            spawned.pid, spawned.started, False, recorded, version("arcadedb-embedded")
        ).write(home, SERVICE)
        try:
            if process.wait_ready(
                record, partial(answers, http, password), max(0.0, deadline - time.monotonic())
            ):
                return Record(**(vars(record) | {"ready": True})).write(home, SERVICE)
        except StartError:
            process.end(record, STOP)
            break
        # most likely another program took a port in between
        recorded = []
    raise StartError(f"the graph server did not start; see {home.logs / 'graph.log'}")


def answers(http_port: int, password: str) -> bool:
    """Whether the server has its database open; it listens for Bolt before that."""
    request = urllib.request.Request(
        f"http://{ports.LOOPBACK}:{http_port}/api/v1/exists/{DATABASE}",
        headers={
            "Authorization": "Basic " + base64.b64encode(f"{USER}:{password}".encode()).decode()
        },
    )
    try:
        with _DIRECT.open(request, timeout=5) as response:
            return b"true" in response.read()
    except (urllib.error.URLError, OSError):
        return False


# loopback never goes through a proxy that the environment names
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
