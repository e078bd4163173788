"""Redaction as a whole: overlaps, opt-out, honest text, odd input, and time that stays linear."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.guard.plausibility import is_luhn
from hermes.guard.redact import FORMAT_NAMES, KEEP_ALL, Finding, Redacted, redact

MIX = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF3hL6"
TOKEN = "ghp_" + MIX
CARD = "4242 4242 4242 4242"

HONEST = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "request 3f2504e0-4f89-41d3-9a0c-0305e82c3301 took 3 s",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA",
    "ISBN 978-0-306-40615-7, call +44 20 7946 0958 or (555) 010-9999",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop",
    "https://example.com/a/very/long/path-with-words/and_more_words/index.html?page=2&sort=date",
    "s3://bucket/year=2026/month=01/part-00000-3f2504e0.snappy.parquet",
    "The key to a good token economy is not a secret: keep passwords out of it.",
    "npm install @hermes/very-long-package-name-indeed --save-dev",
    "meeting id 4242424242424242, tracking no. 5555555555554444",
    "2026-01-05T09:00:00.000000+00:00 INFO hermes.store.sqlite.writer group commit of 64",
    "user=anna&sort=asc&page_token=next",
    "کلید اصلی جدول customer_id است و رمز عبور را کسی ننویسد",
    "パスワードは毎月変更してください",
    "mailto:anna.schmidt@example.com",
    "git@github.com:hermes/hermes-memory-system.git",
    "class AuthorizationHeaderTokenProviderFactoryBeanConfiguration: pass",
]


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_left_alone(text: str) -> None:
    assert redact(text) == Redacted(text)


def test_several_secrets_in_one_text_are_each_named() -> None:
    answer = redact(f"use {TOKEN}, pay with {CARD}, password: hunter2.")
    assert answer.text == (
        "use [redacted:github-token], pay with [redacted:card-number], "
        "password: [redacted:password]."
    )
    assert [finding.format for finding in answer.findings] == [
        "github-token",
        "card-number",
        "password",
    ]


def test_a_secret_found_twice_is_marked_once_by_its_own_name() -> None:
    assert redact(f"API_TOKEN={TOKEN}").text == "API_TOKEN=[redacted:github-token]"


def test_overlapping_finds_leave_nothing_between_them() -> None:
    answer = redact(f'password="{TOKEN} and hunter2"')
    assert answer.text == 'password="[redacted:github-token]"'


def test_opting_out_keeps_an_item_or_a_format() -> None:
    text = f"{TOKEN} {CARD}"
    assert redact(text, keep=KEEP_ALL) == Redacted(text)
    assert redact(text, keep={"card-number"}).text == f"[redacted:github-token] {CARD}"
    assert redact(text, keep=FORMAT_NAMES) == Redacted(text)


def test_findings_do_not_hold_the_secret() -> None:
    assert redact(TOKEN).findings == (Finding("github-token", 0, len(TOKEN)),)
    assert TOKEN not in repr(redact(TOKEN))


TOLD = [
    *("my password is {}", "Passwort: {}", "la contraseña es {}", "senha: {}", "DB_PASS={}"),
    *("пароль: {}", "Пароль: {}", "密码是{}", "パスワード：{}", "비밀번호: {}", "رمز عبور: {}"),
    *("wifi pass: {}", "the wifi pass is {}", "WLAN-Passwort lautet {}", "pass={}"),
    *("the Password for staging is {}", "İ pwd={}", "?user=anna&password={}&page=2"),
]


@pytest.mark.parametrize("told", TOLD)
def test_passwords_are_found_in_many_tongues(told: str) -> None:
    assert redact(told.format("hunter2")).text == told.format("[redacted:password]")


@pytest.mark.parametrize(
    "told",
    ["رمز عبور من {} است", "رمز عبور وای‌فای خانه {} است", "пароль от вайфая {}", "پسورد من {}"],
)
def test_a_password_is_found_behind_whose_it_is(told: str) -> None:
    assert redact(told.format("Khorshid1402!")).text == told.format("[redacted:password]")
    assert redact(told.format("build-2")).text == told.format("build-2")


@pytest.mark.parametrize(
    "told",
    [
        *("my api key is {}", "the token for staging is {}", "run it --token {} twice"),
        *('{{"api_key": "{}"}}', "export SECRET_KEY='{}'", "tool --api-key {}", "ACCESS_TOKEN={}"),
    ],
)
def test_generated_secrets_are_found_as_they_are_told(told: str) -> None:
    assert redact(told.format(MIX)).text == told.format("[redacted:secret]")


@pytest.mark.parametrize(
    "told",
    [
        *('{{"password": "{}"}}', "mysql --password={}", "borg --passphrase {} list"),
        *("curl -u anna:{} https://x.example", "sshpass -p {} ssh lab", "password: '{}'"),
        *("log in as anna with password {} please", "wifi guest, passphrase {}"),
    ],
)
def test_passwords_are_found_in_commands_and_files(told: str) -> None:
    assert redact(told.format("hunter2")).text == told.format("[redacted:password]")


@pytest.mark.parametrize(
    "told",
    [
        *(
            "pw: {}",
            "DB_PW={}",
            "my pw is {}",
            "use '{}' as the root password",
            "sshpass -p{} ssh x",
        ),
        *("{} is my wifi password.", "mysql -uroot -p{}", "mysqldump -P 3306 -u root -p{} app > x"),
        *("we set the root password to {}", 'changed the wifi password to "{}" today'),
    ],
)
def test_passwords_are_found_as_people_jot_them_down(told: str) -> None:
    assert redact(told.format("Tr0ub4dor3")).text == told.format("[redacted:password]")


@pytest.mark.parametrize(
    "honest",
    [
        *("use KeePass2 as the password manager", "argon2id is the password hash we use"),
        *("the password to server1 is lost", "he changed the password to server1 today"),
        "my password manager 1password is fine",
        *("mysql -uroot -P3306 -h db", "mysql -u root -p app", "mysql -port 3306"),
        *("set the password to expire every 90days", "cwpw: Rev3rse", "python3 is not a password"),
    ],
)
def test_what_is_said_of_passwords_stays(honest: str) -> None:
    assert redact(honest).text == honest


AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
AWS_ID = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    "told",
    [
        *(
            "secret {}",
            "AWS secret access key {}",
            "{} is the AWS secret",
            "keep this secret - {} -",
        ),
        *(f"{AWS_ID} {{}}", f"{AWS_ID}\n{{}}", f"key {AWS_ID} / {{}} for s3"),
    ],
)
def test_an_aws_secret_is_found_near_its_id_or_the_word(told: str) -> None:
    wanted = told.format("[redacted:aws-secret-key]").replace(AWS_ID, "[redacted:aws-access-key]")
    assert redact(told.format(AWS)).text == wanted


@pytest.mark.parametrize(
    "other", ["a1b2c3d4e5" * 4, "src/hermes/Guard/formats/of1/abcdefghijk", AWS[:39], AWS + "x"]
)
def test_forty_letters_of_another_kind_are_no_aws_secret(other: str) -> None:
    assert redact(f"the secret of {other}").text == f"the secret of {other}"


def test_a_password_of_two_letters_in_a_url_is_one() -> None:
    told = "psql postgres://u:{}@h"
    assert redact(told.format("pw")).text == told.format("[redacted:database-url]")


def test_a_key_block_cut_short_is_taken_out_and_the_prose_after_it_stays() -> None:
    block = "-----BEGIN RSA PRIVATE KEY-----\n" + MIX[:32] + "\n" + MIX[:32]
    answer = redact(f"{block}\nthat was the key, it ends here")
    assert answer.text == "[redacted:private-key]\nthat was the key, it ends here"


def test_an_escaped_key_block_in_json_is_taken_out() -> None:
    block = "-----BEGIN PRIVATE KEY-----\\n" + MIX + "\\n-----END PRIVATE KEY-----\\n"
    assert redact(f'{{"private_key": "{block}"}}').text == (
        '{"private_key": "[redacted:private-key]\\n"}'
    )


@given(st.text())
def test_any_text_is_answered_and_findings_fit_it(text: str) -> None:
    answer = redact(text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in answer.findings)
    assert bool(answer.findings) == (answer.text != text)


@given(st.text(), st.text())
def test_a_token_is_found_wherever_a_word_can_start(before: str, after: str) -> None:
    assert TOKEN not in redact(f"{before} {TOKEN} {after}").text


@given(st.text(st.sampled_from("password=:\"' token/keyAKIA-0123456789@sk_.eyJ\n"), max_size=200))
def test_a_second_redaction_finds_nothing_new(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(st.integers(0, 10**15 - 1))
def test_luhn_accepts_one_check_digit_of_ten(number: int) -> None:
    assert sum(is_luhn(f"{number:015}{check}") for check in range(10)) == 1


def test_a_lone_surrogate_does_no_harm() -> None:
    assert redact(f"\ud800 {TOKEN}").text == "\ud800 [redacted:github-token]"


HOSTILE = [
    *("a", "eyJ", "eyJaaaaaaaa.", "sk-", "-----BEGIN PRIVATE KEY-----\n", "token=", "password:"),
    *("://a:", "postgres://", "4", "4111 ", "M", "0123456789abcdef", "ya29.hvs.dp.pt.", "xox"),
    *("authorization: bearer ", 'password="', "datadog key ", "private-lines: 1\n", "glpat-."),
    *("secret key ", "password for a.", "password=&", "-", "A", "tskey-auth-a", ": ", "dp.pt.a"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_megabyte_takes_linear_time(unit: str) -> None:
    """Sixteen times the text takes at most some fifty times as long; a square would be 256."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        redact(text)
        return time.process_time() - started

    small = min(seconds(1 << 16) for _ in range(3))
    assert seconds(1 << 20) < 48 * small + 0.05


def test_the_documentation_lists_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    listed = page.partition("<!-- formats:begin -->")[2].partition("<!-- formats:end -->")[0]
    assert tuple(re.findall(r"`([\w-]+)`", listed)) == FORMAT_NAMES


@pytest.mark.parametrize("before", [r"keys:\n", r"a\t", r"\r", r"{\"token\": \""])
def test_a_secret_behind_an_escape_is_found(before: str) -> None:
    assert redact(f"{before}{TOKEN}\\n").text == f"{before}[redacted:github-token]\\n"
