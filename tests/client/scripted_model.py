"""A Messages API server on 127.0.0.1 that plays a script instead of thinking.

The client under test talks to it as it would to the real service. Which turn it
plays depends only on the conversation in the request (how often the model has already
spoken in it), never on a counter: a repeated request gets the same answer, and
requests that arrive at the same time cannot steal each other's turns.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

Json = dict[str, Any]
Block = dict[str, Any]
Turn = Sequence[Block] | Callable[[Json], Sequence[Block]]
Script = Sequence[Turn]

MAIN = "main"
"""Key of the script that plays every conversation no marker claims."""

EXHAUSTED_ANSWER = "done"

ERRAND_ANSWER = '{"title": "Scripted session", "ok": true, "reason": "scripted"}'
"""An object that fits both a request for a title and one to judge a prompt hook."""

SUMMARY_ANSWER = "<summary>A scripted conversation.</summary>"
SUMMARY_REQUEST = "Respond with plain text only — an <analysis> block followed by a <summary>"
HOOK_JUDGE = re.compile(r"You are evaluating an? \S+ hook in Claude Code")


def say(text: str) -> Block:
    """A block of text spoken by the model."""
    return {"type": "text", "text": text}


def use(tool_name: str, **tool_input: Any) -> Block:
    """A tool call made by the model; several in one turn are parallel calls."""
    return {"type": "tool_use", "name": tool_name, "input": tool_input}


class ToolResult(NamedTuple):
    """What the client told the model about one tool call."""

    tool_use_id: str
    is_error: bool
    text: str


class ScriptedModel:
    """The server, its scripts, and a record of everything it was asked.

    `scripts` is the main script alone, or a mapping from marker to script. A request
    belongs to the first marker that occurs in its first user message, and to the
    script under `MAIN` when there is none.
    """

    def __init__(self, scripts: Script | Mapping[str, Script] = ()) -> None:
        self._scripts = dict(scripts) if isinstance(scripts, Mapping) else {MAIN: scripts}
        self._requests: list[Json] = []
        self._errors: list[str] = []
        self._lock = threading.Lock()
        self._server: _Server | None = None

    def __enter__(self) -> Self:
        self._server = _Server(self)
        # The short poll only bounds how long leaving the block takes.
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
        # A script that raises answers the client with status 400, which alone would
        # show up as some unrelated assertion; the true cause must not stay hidden.
        if self._errors and error is None:
            raise AssertionError("a scripted turn failed: " + "; ".join(self._errors))

    @property
    def base_url(self) -> str:
        """What ANTHROPIC_BASE_URL must say to reach this model."""
        if self._server is None:
            raise RuntimeError("the scripted model serves only inside its with block")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def requests(self) -> list[Json]:
        """All bodies posted to /v1/messages so far, side requests included."""
        with self._lock:
            return list(self._requests)

    def conversation(self, marker: str = MAIN) -> list[Json]:
        """The scripted requests of one marker, in order of arrival."""
        return [r for r in self.requests if side_answer(r) is None and self._marker_of(r) == marker]

    def saw(self, text: str) -> bool:
        """Whether the text occurs in any string of any request."""
        return any(text in string for body in self.requests for string in _strings(body))

    def texts(self) -> list[str]:
        """Every distinct string from the user or system side, in order of arrival."""
        found: dict[str, None] = {}
        for body in self.requests:
            spoken = [m.get("content") for m in _messages(body) if m.get("role") != "assistant"]
            found.update(dict.fromkeys(_content_texts([body.get("system"), *spoken])))
        return list(found)

    def tool_results(self) -> list[ToolResult]:
        """Every distinct tool result received, in order of arrival."""
        found: dict[ToolResult, None] = {}
        for body in self.requests:
            for message in _messages(body):
                found.update(dict.fromkeys(_results_in(message)))
        return list(found)

    def answer(self, request: Json) -> Json:
        """Record a request and build the complete message that answers it."""
        with self._lock:
            self._requests.append(request)
            number = len(self._requests)
        errand = side_answer(request)
        if errand is not None:
            return _message(request, [say(errand)], f"msg_side_{number}")
        marker = self._marker_of(request)
        turn_number = sum(m.get("role") == "assistant" for m in _messages(request))
        name = f"{re.sub(r'[^A-Za-z0-9]+', '_', marker)}_{turn_number}"
        blocks = self._play(marker, turn_number, request)
        return _message(request, _with_ids(blocks, f"toolu_{name}"), f"msg_{name}")

    def report_error(self, error: Exception) -> None:
        """Keep a failure of a script so that leaving the with block can raise it."""
        with self._lock:
            self._errors.append(repr(error))

    def _marker_of(self, request: Json) -> str:
        opening = "\n".join(_content_texts(_first_user_content(request)))
        return next((m for m in self._scripts if m != MAIN and m in opening), MAIN)

    def _play(self, marker: str, turn_number: int, request: Json) -> Sequence[Block]:
        script = self._scripts.get(marker, ())
        if turn_number >= len(script):
            return [say(EXHAUSTED_ANSWER)]
        turn = script[turn_number]
        return turn(request) if callable(turn) else turn


def side_answer(request: Json) -> str | None:
    """A harmless answer to what the client asks for itself; None for an agent's turn.

    Most errands (a title, a topic, a prompt hook) come without tools. Two have them: an
    agent hook, told by its system prompt, and a compaction, told by its last message.
    """
    system = "\n".join(_content_texts(request.get("system")))
    if not request.get("tools") or HOOK_JUDGE.search(system):
        return ERRAND_ANSWER
    spoken = [m.get("content") for m in _messages(request) if m.get("role") == "user"]
    if any(SUMMARY_REQUEST in text for text in _content_texts(spoken[-1:])):
        return SUMMARY_ANSWER
    return None


def _messages(request: Json) -> list[Json]:
    return [m for m in request.get("messages", []) if isinstance(m, dict)]


def _first_user_content(request: Json) -> Any:
    return next((m.get("content") for m in _messages(request) if m.get("role") == "user"), None)


def _strings(value: Any) -> Iterator[str]:
    """All strings inside a JSON value, keys excluded."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _content_texts(content: Any) -> Iterator[str]:
    """The texts a reader of message content sees: no block types, no ids."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield from _content_texts(block)
    elif isinstance(content, dict):
        yield from _content_texts(content.get("text"))
        yield from _content_texts(content.get("content"))


def _results_in(message: Json) -> Iterator[ToolResult]:
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            text = "\n".join(_content_texts(block.get("content")))
            yield ToolResult(str(block["tool_use_id"]), bool(block.get("is_error")), text)


def _with_ids(blocks: Sequence[Block], prefix: str) -> list[Block]:
    """Name each tool call after its place in the script, which makes the ids repeatable."""
    return [
        {**block, "id": f"{prefix}_{position}"} if block["type"] == "tool_use" else block
        for position, block in enumerate(blocks)
    ]


def _message(request: Json, blocks: Sequence[Block], message_id: str) -> Json:
    calls_tools = any(block["type"] == "tool_use" for block in blocks)
    return {
        # The client joins blocks that share a message id, so each turn has its own.
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "scripted"),
        "content": list(blocks),
        "stop_reason": "tool_use" if calls_tools else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def stream_events(message: Json) -> Iterator[Json]:
    """The server-sent events that carry one complete message."""
    opening = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": opening}
    for index, block in enumerate(message["content"]):
        if block["type"] == "tool_use":
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            empty = {**block, "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client that was killed may leave a connection open; leaving must not wait for it.
    block_on_close = False

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are separate writes; without this each answer waits for an ACK.
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send_json(200, {"input_tokens": 10})
        elif path == "/v1/messages":
            self._answer(body)
        else:
            self._send_not_found()

    def do_GET(self) -> None:
        self._send_not_found()

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the requests are on record already."""

    def _answer(self, body: bytes) -> None:
        try:
            request: Json = json.loads(body)
            message = self.server.model.answer(request)
            events = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in stream_events(message))
        except Exception as error:  # the script is the test's code and may raise anything
            self.server.model.report_error(error)
            # 400 rather than 500: the client repeats the latter for minutes.
            self._send_error(400, "invalid_request_error", repr(error))
            return
        if request.get("stream"):
            self._send(200, "text/event-stream", events.encode())
        else:
            self._send_json(200, message)

    def _send_not_found(self) -> None:
        self._send_error(404, "not_found_error", f"nothing at {self.path}")

    def _send_error(self, status: int, kind: str, text: str) -> None:
        self._send_json(status, {"type": "error", "error": {"type": kind, "message": text}})

    def _send_json(self, status: int, body: Json) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            # The client may leave (or be killed) at any time; that is not our failure.
            self.close_connection = True
