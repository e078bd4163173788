"""`hermes model`: one tiny request, and the reason where it fails."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from hermes.llm.base import ModelSettings
from hermes.llm.probe import ProbeResult, list_models, probe
from hermes.testing import Fail, Hang, Html, Say, ScriptedServer, Step


def try_out(settings: ModelSettings, within_s: float = 5.0) -> ProbeResult:
    return asyncio.run(probe(settings, within_s=within_s))


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
def test_a_model_that_works(provider: str) -> None:
    with ScriptedServer([Say("ready")]) as server:
        result = try_out(ModelSettings(provider=provider, model="m", base_url=server.url))
    assert result.ok
    assert result.model == f"{provider}/m"
    assert result.took_ms >= 0
    assert len(server.requests) == 1


def test_no_key() -> None:
    result = try_out(ModelSettings(model="gpt-x"))
    assert (result.ok, result.reason) == (False, "no key")
    assert "OPENAI_API_KEY" in result.hint


def test_a_wrong_key() -> None:
    with ScriptedServer(api_key="right") as server:
        result = try_out(ModelSettings(model="m", base_url=server.url, api_key="wrong"))
    assert result.reason == "wrong key"


def test_an_unknown_model_is_answered_with_those_there_are() -> None:
    with ScriptedServer(models=("qwen3:8b", "llama3.2:3b")) as server:
        settings = ModelSettings(provider="ollama", model="qwen3:4b", base_url=server.url)
        result = try_out(settings)
    assert result.reason == "unknown model"
    assert result.offered == ("llama3.2:3b", "qwen3:8b")
    assert "Did you mean qwen3:8b" in result.hint
    assert "ollama pull qwen3:4b" in result.hint


def test_a_refused_connection() -> None:
    with ScriptedServer() as server:
        url = server.url
    assert try_out(ModelSettings(model="m", base_url=url)).reason == "no connection"


def test_a_server_whose_certificate_is_not_trusted(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subject = ["-subj", "/CN=localhost", "-days", "2"]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    with ScriptedServer([Say("x")], tls=tls) as server:
        result = try_out(ModelSettings(model="m", base_url=server.url))
    assert result.reason == "TLS failed"
    assert "self-signed" in result.message
    assert server.requests == []


@pytest.mark.parametrize(
    ("step", "reason"),
    [(Hang(), "too slow"), (Html(), "garbled reply"), (Fail(500), "server error")],
)
def test_other_reasons(step: Step, reason: str) -> None:
    with ScriptedServer([step]) as server:
        result = try_out(ModelSettings(model="m", base_url=server.url), within_s=0.3)
    assert result.reason == reason
    assert result.hint
    assert server.url in result.message


def test_a_wrong_setting_is_a_result_too() -> None:
    result = try_out(ModelSettings(provider="opanai", model="m"))
    assert (result.ok, result.reason) == (False, "wrong setting")
    assert "Did you mean openai" in result.hint


def test_the_models_of_an_endpoint_are_listed() -> None:
    with ScriptedServer(models=("b", "a"), api_key="k") as server:
        settings = ModelSettings(base_url=server.url, api_key="k")
        assert asyncio.run(list_models(settings)) == ("a", "b")
