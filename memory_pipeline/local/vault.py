"""The embedded OpenBao server: raft storage, unsealed by a key file of the home, audited."""

import json
import secrets
import shutil
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

from memory_pipeline.local import ports, process
from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import HomeError, StartError
from memory_pipeline.local.files import make_folder, write_private
from memory_pipeline.local.home import Home
from memory_pipeline.local.process import Record
from memory_pipeline.local.programs import vault_program
from memory_pipeline.local.vault_setup import client, is_current, login, set_up

SERVICE = "vault"
STOP = signal.SIGTERM
ATTEMPTS = 3

# performance_multiplier: one server needs no long election; 5 would add 6 s to a first start
_CONF = """\
# written at every start; a change here is lost
ui = false
api_addr = "http://{host}:{api}"
cluster_addr = "http://{host}:{cluster}"

storage "raft" {{
  path = {raft}
  node_id = "local"
  performance_multiplier = 1
}}

listener "tcp" {{
  address = "{host}:{api}"
  cluster_address = "{host}:{cluster}"
  tls_disable = true
}}

seal "static" {{
  current_key_id = "home-1"
  current_key = {key}
}}

audit "file" "local" {{
  options {{
    file_path = {audit}
    mode = "0600"
  }}
}}
"""


def address(record: Record) -> str:
    """The server's address on loopback."""
    return f"http://{ports.LOOPBACK}:{record.ports[0]}"


def start(home: Home, credentials: Credentials, timeout_s: float) -> Record:
    """Start the server, set it up if it is new, wait until it is unsealed. The home's lock is
    held. Raises `StartError`, and `HomeError` where its credentials are lost.
    """
    deadline = time.monotonic() + timeout_s
    folder = home.service(SERVICE)
    config = folder / "config.hcl"
    for stray in process.strays(f"-config={config}"):
        process.end(stray, STOP)
    _forget_half_made(home, credentials)
    make_folder(folder / "raft", home.owner)
    key = folder / "unseal.key"
    if not key.exists():
        write_private(key, secrets.token_bytes(32), home.owner)
    recorded = Record.read(home, SERVICE).ports
    for _ in range(ATTEMPTS):
        recorded = ports.choose(recorded, 2)
        text = _CONF.format(
            host=ports.LOOPBACK,
            api=recorded[0],
            cluster=recorded[1],
            raft=json.dumps(str(folder / "raft")),
            key=json.dumps(f"file://{key}"),
            audit=json.dumps(str(home.logs / "vault-audit.log")),
        )
        write_private(config, text, home.owner)
        spawned = process.spawn(
            home,
            [str(vault_program(home)), "server", f"-config={config}"],
            log="vault.log",
            folder=folder,
        )
        record = Record(spawned.pid, spawned.started, False, recorded).write(home, SERVICE)
        try:
            if _bring_up(home, credentials, record, deadline):
                facts = health(address(record))
                done = {"ready": True, "version": str(facts.get("version", ""))}
                return Record(**(vars(record) | done)).write(home, SERVICE)
        except StartError:
            process.end(record, STOP)
            break
        # most likely another program took a port in between
        recorded = []
    raise StartError(f"the vault did not start; see {home.logs / 'vault.log'}")


def _bring_up(home: Home, credentials: Credentials, record: Record, deadline: float) -> bool:
    def left() -> float:
        return max(0.0, deadline - time.monotonic())

    addr = address(record)
    if not process.wait_ready(record, lambda: bool(health(addr)), left()):
        return False
    if not health(addr)["initialized"]:
        made = client(addr).sys.initialize(recovery_shares=1, recovery_threshold=1)
        credentials.put(
            SERVICE, root_token=made["root_token"], recovery_key=made["recovery_keys"][0]
        )
    if not process.wait_ready(record, lambda: is_active(addr), left()):
        return False
    root_token = credentials.get(SERVICE, "root_token")
    if root_token is not None:
        first = client(addr, root_token)
        set_up(first, credentials, SERVICE)
        write_private(_marker(home), "", home.owner)
        first.auth.token.revoke_self()
        credentials.put(SERVICE, root_token=None)
    elif not is_current(credentials, SERVICE):
        set_up(login(addr, credentials, SERVICE, "admin"), credentials, SERVICE)
    return True


def _marker(home: Home) -> Path:
    return home.service(SERVICE) / "set-up"


def _forget_half_made(home: Home, credentials: Credentials) -> None:
    """Drop a server whose maker died before it kept the keys: nothing can be in it yet."""
    raft = home.service(SERVICE) / "raft"
    if credentials.get(SERVICE, "recovery_key") is not None or not raft.exists():
        return
    if _marker(home).exists():
        raise HomeError(
            f"the vault of {home.path} holds secrets, but its credentials are missing from "
            "credentials.json; restore that file from a backup"
        )
    shutil.rmtree(raft)


# loopback never goes through a proxy that the environment names
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def health(addr: str) -> dict[str, object]:
    """The server's own account of itself (initialized, sealed, standby, version), or {}."""
    query = "standbycode=200&sealedcode=200&uninitcode=200"
    try:
        with _DIRECT.open(f"{addr}/v1/sys/health?{query}", timeout=5) as response:
            facts: dict[str, object] = json.load(response)
    except (urllib.error.URLError, OSError, ValueError):
        return {}
    return facts


def is_active(addr: str) -> bool:
    """Whether the server is unsealed and takes writes."""
    facts = health(addr)
    return bool(facts) and not facts["sealed"] and not facts["standby"]
