"""A local server that speaks OpenAI's chat, files and batches, and fails on script."""

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import openai._base_client
import pytest

Reply = tuple[int, dict[str, str], bytes]
Script = Callable[[str, str], "Reply | None"]
"""From method and path to a scripted fault, or None."""

CLOSED, HALF, RESET, LATE, NOISE = 0, -1, -2, -3, -4
"""Statuses of replies that are none."""

JSON = {"Content-Type": "application/json"}


def completion(answer: object, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    """The body of a chat completion."""
    content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return {
        "id": "c", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {
            "role": "assistant", "content": None if refusal else content, "refusal": refusal}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip


def line(custom_id: str, body: object, status: int = 200) -> dict[str, Any]:
    """A line of an output file."""
    response = {"status_code": status, "request_id": "r", "body": body}
    return {"id": f"l-{custom_id}", "custom_id": custom_id, "response": response, "error": None}


def fault(custom_id: str, code: str, status: int | None = None) -> dict[str, Any]:
    """A line of an error file."""
    response = None if status is None else {"status_code": status, "request_id": "r", "body": {}}
    error = {"code": code, "message": "m"}
    return {"id": f"l-{custom_id}", "custom_id": custom_id, "response": response, "error": error}


@dataclass
class ProviderServer:
    """Files and batches in memory. A batch ends when `end` is called, or at once with `at_once`:
    `answer` gives the body of each call's completion."""

    answer: Callable[[dict[str, Any]], Any]
    script: Script = field(default=lambda *_: None)
    at_once: bool = False
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    seen: list[bytes] = field(default_factory=list)
    chat: Callable[[dict[str, Any]], "Reply | None"] = field(default=lambda _: None)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def end(
        self,
        batch_id: str,
        status: str = "completed",
        output: bytes | None = None,
        error: bytes | None = None,
    ) -> None:
        """End a batch with these files, by default every call answered."""
        batch = self.batches[batch_id]
        if output is None and error is None and status == "completed":
            output = self.written(
                line(i, completion(self.answer(b))) for i, b in self.asked(batch_id)
            )
        batch["status"] = status
        for name, raw in (("output_file_id", output), ("error_file_id", error)):
            batch[name] = None if raw is None else self.put(f"{batch_id}-{name}", raw)

    def asked(self, batch_id: str) -> list[tuple[str, dict[str, Any]]]:
        """Custom ids and bodies of a batch's calls."""
        raw = self.files[self.batches[batch_id]["input_file_id"]]["raw"]
        asked = [json.loads(one) for one in raw.splitlines()]
        return [(one["custom_id"], one["body"]) for one in asked]

    @staticmethod
    def written(lines: Any) -> bytes:
        """Lines as a file."""
        return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in lines)

    def put(self, name: str, raw: bytes) -> str:
        """Put a file there."""
        with self.lock:
            file_id = f"file-{len(self.calls)}-{len(self.files)}-{name[:4]}"
            self.files[file_id] = {
                "id": file_id, "object": "file", "bytes": len(raw), "created_at": 0,
                "filename": name, "purpose": "batch", "status": "processed", "raw": raw,
            }  # fmt: skip
            return file_id

    def reply(self, method: str, path: str, headers: Any, body: bytes) -> Reply:
        """What the server answers."""
        with self.lock:
            self.calls.append(f"{method} {re.sub(r'(file|batch)-[^/]*', '*', path)}")
            self.seen.append(body)
            if scripted := self.script(method, path):
                return scripted
            return self._reply(method, path.removeprefix("/v1").partition("?")[0], headers, body)

    def _reply(self, method: str, path: str, headers: Any, body: bytes) -> Reply:
        parts = path.strip("/").split("/")
        if parts[0] == "files":
            if method == "POST":
                name, raw = _uploaded(headers, body)
                return _json(_shown(self.files[self.put(name, raw)]))
            if len(parts) == 1:
                return _json(
                    {
                        "object": "list",
                        "data": [_shown(f) for f in self.files.values()],
                        "has_more": False,
                    }
                )
            if parts[1] not in self.files:
                return 404, JSON, b'{"error": {"message": "no such file"}}'
            if method == "DELETE":
                del self.files[parts[1]]
                return _json({"id": parts[1], "object": "file", "deleted": True})
            return 200, {"Content-Type": "application/octet-stream"}, self.files[parts[1]]["raw"]
        if parts[0] == "batches":
            if method == "POST" and len(parts) == 1:
                return self._start(json.loads(body))
            if len(parts) == 1:
                return _json(
                    {"object": "list", "data": list(self.batches.values()), "has_more": False}
                )
            if parts[-1] == "cancel" and self.batches[parts[1]]["status"] == "in_progress":
                self.batches[parts[1]]["status"] = "cancelling"
            return _json(self.batches[parts[1]])
        asked = json.loads(body)
        return self.chat(asked) or _json(completion(self.answer(asked)))

    def _start(self, asked: dict[str, Any]) -> Reply:
        batch_id = f"batch-{len(self.batches)}"
        self.batches[batch_id] = {
            "id": batch_id, "object": "batch", "endpoint": asked["endpoint"], "created_at": 0,
            "input_file_id": asked["input_file_id"], "completion_window": "24h",
            "status": "in_progress", "output_file_id": None, "error_file_id": None,
            "metadata": asked.get("metadata"), "errors": None,
        }  # fmt: skip
        if self.at_once:
            self.end(batch_id)
        return _json(self.batches[batch_id])


@contextmanager
def serving(server: ProviderServer) -> Iterator[str]:
    """The address of the running server; meanwhile a client tries again at once."""

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, reply = server.reply(self.command, self.path, self.headers, body)
            if status <= 0:
                self._break(status, reply)
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def _break(self, how: int, reply: bytes) -> None:
            """Silence, half a body, a reset, no answer in time, or bytes that are no HTTP."""
            if how == HALF:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                self.wfile.write(f"Content-Length: {len(reply)}\r\n\r\n".encode())
                self.wfile.write(reply[: len(reply) // 2])
            elif how == RESET:
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            elif how == LATE:
                time.sleep(1.5)
            elif how == NOISE:
                self.wfile.write(reply)
            self.close_connection = True
            self.connection.close()

        do_GET = do_POST = do_DELETE = _do  # noqa: N815 - the base class's names

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            # the client's own pauses between attempts, which no test is about
            patch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.01)
            patch.setattr(openai._base_client, "MAX_RETRY_DELAY", 0.05)
            yield f"http://127.0.0.1:{http.server_address[1]}/v1"
    finally:
        http.shutdown()
        http.server_close()
        thread.join(5)


def _json(value: object) -> Reply:
    return 200, JSON, json.dumps(value).encode()


def _shown(file: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in file.items() if name != "raw"}


def _uploaded(headers: Any, body: bytes) -> tuple[str, bytes]:
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    for part in BytesParser().parsebytes(head + body).walk():
        name = part.get_filename()
        if name:
            raw = part.get_payload(decode=True)
            assert isinstance(raw, bytes)
            return name, raw
    raise AssertionError("no file was uploaded")
