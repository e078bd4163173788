"""Every format with what must be taken out and what must be left: the table is the test.

Secrets are put together here from parts, so that no scanner takes this file for a leak.
"""

import pytest

from hermes.guard.redact import FORMAT_NAMES, redact

HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9" * 3
MIX = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF3hL6" * 8
CAPS = "A1B2C3D4E5F6G7H8J9K0" * 6
NUM = "1234567890" * 3
UUID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
B64 = "Zm9vYmFy+QmF6cXV4/UXV1eDEyMzQ1Njc4OTBhYmNk" * 4
SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"
PEM_BODY = "\n".join([B64[:64]] * 3)

# name: (secrets, look-alikes); "{}" is nowhere special, each stands alone and inside a sentence.
TABLE: dict[str, tuple[list[str], list[str]]] = {
    "aws-access-key": (
        ["AKIA" + CAPS[:16], "ASIA" + CAPS[:16]],
        ["AKIA" + CAPS[:12], "MAKIA shop"],
    ),
    "aws-bedrock-key": (["ABSK" + MIX[:120]], ["ABSK" + MIX[:40]]),
    "gcp-api-key": (["AIza" + MIX[:35]], ["AIza" + MIX[:20]]),
    "gcp-oauth-token": (["ya29." + MIX[:60]], ["ya29.example"]),
    "gcp-oauth-secret": (["GOCSPX-" + MIX[:28]], ["GOCSPX-short"]),
    "gcp-refresh-token": (["1//0" + MIX[:60]], ["1//0abc"]),
    "azure-client-secret": (["aB3" + "8Q~" + MIX[:34]], ["1Q~2Q comparison of quarters"]),
    "azure-devops-token": (
        [MIX[:76] + "AZDO" + "a1B2"],
        ["the AZDO board of the platform-team-two"],
    ),
    "alibaba-access-key": (["LTAI" + MIX[:20]], ["LTAI short"]),
    "tencent-secret-id": (["AKID" + MIX[:32]], ["AKID" + MIX[:9]]),
    "digitalocean-token": (["dop_v1_" + HEX[:64]], ["dop_v1_" + HEX[:30]]),
    "heroku-key": (["HRKU-" + UUID, "HRKU-AA" + MIX[:58]], ["HRKU-soon"]),
    "fly-token": (["fo1_" + MIX[:43], "fm2_" + MIX[:120]], ["fo1_" + MIX[:9]]),
    "cloudflare-origin-key": (
        ["v1.0-" + HEX[:24] + "-" + HEX[:146]],
        ["release v1.0-rc.1 of it-all"],
    ),
    "netlify-token": (["nfp_" + MIX[:36]], ["nfp_" + MIX[:12]]),
    "planetscale-token": (["pscale_tkn_" + MIX[:43]], ["pscale_tkn_short"]),
    "supabase-key": (["sbp_" + HEX[:40], "sb_secret_" + MIX[:31]], ["sbp_" + HEX[:10]]),
    "databricks-token": (["dapi" + HEX[:32], "dapi" + HEX[:32] + "-2"], ["dapi" + HEX[:31]]),
    "terraform-token": ([MIX[:14] + ".atlasv1." + MIX[:67]], [MIX[:14] + ".atlasv1.doc"]),
    "pulumi-token": (["pul-" + HEX[:40]], ["pul-" + HEX[:39]]),
    "vault-token": (["hvs." + MIX[:90]], ["hvs.local is a long-enough-host-name"]),
    "doppler-token": (["dp.st.prod." + MIX[:40], "dp.pt." + MIX[:43]], ["dp.pt.example"]),
    "tailscale-key": (["tskey-auth-" + MIX[:12] + "-" + MIX[:32]], ["tskey-auth-here"]),
    "1password-token": (["ops_eyJ" + MIX[:200]], ["ops_eyJ" + MIX[:20]]),
    "github-token": (["ghp_" + MIX[:36], "ghs_" + MIX[:36]], ["ghp_" + MIX[:20]]),
    "github-fine-grained-token": (
        ["github_pat_" + MIX[:22] + "_" + MIX[:59]],
        ["github_pat_ prefix"],
    ),
    "gitlab-token": (["glpat-" + MIX[:20], "glrt-" + MIX[:20]], ["glpat-" + MIX[:10]]),
    "bitbucket-token": (["ATBB" + MIX[:32]], ["ATBB" + "A" * 32]),
    "atlassian-token": (["ATATT3" + MIX[:180] + "=1A2B3C4D"], ["ATATT3" + MIX[:30]]),
    "npm-token": (["npm_" + MIX[:36]], ["npm_config_registry_for_the_team"]),
    "pypi-token": (["pypi-AgEIcHlwaS5vcmc" + MIX[:120]], ["pypi-Ag" + MIX[:20]]),
    "rubygems-key": (["rubygems_" + HEX[:48]], ["rubygems_mirror_of_the_company"]),
    "crates-token": (["cio" + MIX[:32]], ["cio" + "a" * 32]),
    "docker-token": (["dckr_pat_" + MIX[:27]], ["dckr_pat_short"]),
    "postman-key": (["PMAK-" + HEX[:24] + "-" + HEX[:34]], ["PMAK-" + HEX[:24]]),
    "sentry-token": (["sntrys_" + MIX[:120], "sntryu_" + HEX[:64]], ["sntryu_" + HEX[:30]]),
    "grafana-token": (["glsa_" + MIX[:32] + "_" + HEX[:8]], ["glsa_" + MIX[:32]]),
    "new-relic-key": (["NRAK-" + CAPS[:27], HEX[:36] + "NRAL"], ["NRAK-" + CAPS[:9]]),
    "dynatrace-token": (["dt0c01." + CAPS[:24] + "." + CAPS[:64]], ["dt0c01." + CAPS[:24]]),
    "launchdarkly-key": (["sdk-" + UUID], ["sdk-" + UUID[:20]]),
    "linear-key": (["lin_api_" + MIX[:40]], ["lin_api_" + MIX[:9]]),
    "notion-token": (["ntn_" + MIX[:46], "secret_" + MIX[:43]], ["secret_santa_list_of_the_team"]),
    "airtable-token": (
        ["pat" + MIX[:14] + "." + HEX[:64]],
        ["pattern.matching.is.a.language.feature"],
    ),
    "figma-token": (["figd_" + MIX[:40]], ["figd_" + MIX[:10]]),
    "hubspot-token": (["pat-na1-" + UUID], ["pat-na1-" + UUID[:8]]),
    "circleci-token": (["CCIPAT_" + MIX[:22] + "_" + HEX[:40]], ["CCIPAT_" + MIX[:22]]),
    "buildkite-token": (["bkua_" + HEX[:40]], ["bkua_" + HEX[:20]]),
    "sonar-token": (["squ_" + HEX[:40], "sqp_" + HEX[:40]], ["squ_" + HEX[:20]]),
    "mapbox-token": (["sk.eyJ" + MIX[:60] + "." + MIX[:22]], ["sk.eyJ" + MIX[:60]]),
    "nvidia-key": (["nvapi-" + MIX[:64]], ["nvapi-" + MIX[:20]]),
    "tavily-key": (["tvly-" + MIX[:32], "tvly-dev-" + MIX[:32]], ["tvly-" + MIX[:12]]),
    "pinecone-key": (["pcsk_" + MIX[:6] + "_" + MIX[:63]], ["pcsk_" + MIX[:6]]),
    "resend-key": (["re_" + MIX[:8] + "_" + MIX[:24]], ["re_index_" + "a" * 24]),
    "razorpay-key": (["rzp_live_" + MIX[:14]], ["rzp_live_mode"]),
    "contentful-token": (["CFPAT-" + MIX[:43]], ["CFPAT-" + MIX[:10]]),
    "anthropic-key": (["sk-ant-api03-" + MIX[:93] + "AA"], ["sk-ant-api03"]),
    "openrouter-key": (["sk-or-v1-" + HEX[:64]], ["sk-or-v1-" + HEX[:12]]),
    "langfuse-key": (["sk-lf-" + UUID], ["sk-lf-" + UUID[:9]]),
    "openai-key": (
        ["sk-" + MIX[:48], "sk-proj-" + MIX[:120], "sk-" + MIX[:20] + "T3BlbkFJ" + MIX[:20]],
        ["sk-learn-pipelines-are-nice-to-have", "sk-" + "a" * 40],
    ),
    "huggingface-token": (["hf_" + MIX[:34]], ["hf_hub_download_of_the_weights"]),
    "groq-key": (["gsk_" + MIX[:52]], ["gsk_" + MIX[:10]]),
    "replicate-token": (["r8_" + MIX[:37]], ["r8_" + MIX[:10]]),
    "perplexity-key": (["pplx-" + MIX[:48]], ["pplx-" + MIX[:10]]),
    "xai-key": (["xai-" + MIX[:80]], ["xai-" + MIX[:10]]),
    "langsmith-key": (["lsv2_pt_" + HEX[:32] + "_" + HEX[:10]], ["lsv2_pt_" + HEX[:32]]),
    "voyage-key": (["pa-" + MIX[:43]], ["pa-" + "a" * 43]),
    "slack-token": (
        ["xoxb-" + NUM[:12] + "-" + NUM[:12] + "-" + MIX[:24]],
        ["xoxb-like-tokens-are-long"],
    ),
    "slack-app-token": (
        ["xapp-1-" + CAPS[:11] + "-" + NUM[:13] + "-" + HEX[:64]],
        ["xapp-1-" + CAPS[:11]],
    ),
    "slack-webhook": (
        ["T" + CAPS[:8] + "/B" + CAPS[:8] + "/" + MIX[:24]],
        ["hooks.slack.com/services/ is where webhooks live"],
    ),
    "discord-token": (
        ["MTk4NjIyNDgzNDcxOTI1MjQ4" + "." + MIX[:6] + "." + MIX[:38]],
        ["Management.system.architecture_overview_document"],
    ),
    "discord-webhook": (
        [MIX[:68]],
        ["discord.com/api/webhooks/" + NUM[:18]],
    ),
    "telegram-token": ([NUM[:10] + ":AA" + MIX[:33]], [NUM[:10] + ":AA"]),
    "twilio-key": (["SK" + HEX[:32]], ["SK" + HEX[:20]]),
    "sendgrid-key": (["SG." + MIX[:22] + "." + MIX[:43]], ["SG.com.example-organisation"]),
    "mailgun-key": (["key-" + HEX[:32]], ["key-" + HEX[:16]]),
    "mailgun-private-key": (
        [HEX[:32] + "-" + HEX[:8] + "-" + HEX[8:16]],
        ["00-" + HEX[:32] + "-" + HEX[:16] + "-01"],
    ),
    "mailchimp-key": ([HEX[:32] + "-us12"], [HEX[:32] + "-usage"]),
    "brevo-key": (["xkeysib-" + HEX[:64] + "-" + MIX[:16]], ["xkeysib-" + HEX[:64]]),
    "twitter-bearer": (["A" * 22 + MIX[:70] + "%3D" + MIX[:20]], ["A" * 120]),
    "square-token": (["sq0atp-" + MIX[:22], "EAAA" + MIX[:60]], ["sq0atp-" + MIX[:9]]),
    "facebook-token": (["EAA" + MIX[:160]], ["EAA" + "A" * 100]),
    "stripe-key": (["sk_live_" + MIX[:24], "rk_test_" + MIX[:24]], ["sk_live_" + MIX[:8]]),
    "stripe-webhook-secret": (["whsec_" + MIX[:32]], ["whsec_" + MIX[:8]]),
    "shopify-token": (["shpat_" + HEX[:32]], ["shpat_" + HEX[:12]]),
    "braintree-token": (
        ["access_token$production$" + HEX[:16] + "$" + HEX[:32]],
        ["access_token$production$" + HEX[:16]],
    ),
    "plaid-token": (["access-sandbox-" + UUID], ["access-sandbox-" + UUID[:12]]),
    "easypost-key": (["EZAK" + MIX[:54]], ["EZAK" + MIX[:12]]),
    "flutterwave-key": (["FLWSECK_TEST-" + HEX[:32] + "-X"], ["FLWSECK_TEST-short"]),
    "age-key": (["AGE-SECRET-KEY-1" + CAPS[:58]], ["AGE-SECRET-KEY-1" + CAPS[:10]]),
    "jwt": (
        ["eyJ" + MIX[:33] + "." + "eyJ" + MIX[:80] + "." + MIX[:43]],
        ["eyJ" + MIX[:33] + ".json", "eyJ" + MIX[:60]],
    ),
    "private-key": (
        [
            f"-----BEGIN {kind}-----\n{PEM_BODY}\n-----END {kind}-----"
            for kind in ("PRIVATE KEY", "RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")
        ],
        ["-----BEGIN CERTIFICATE-----\n" + PEM_BODY + "\n-----END CERTIFICATE-----"],
    ),
    "putty-key": (
        [f"\n{B64[:64]}\n{B64[:64]}"],
        ["Private-Lines: 14 is a header of the file"],
    ),
    "wireguard-key": ([B64.replace("+", "x")[:43] + "="], ["PrivateKey = see the vault"]),
    "azure-storage-key": ([B64[:86] + "=="], ["AccountKey=<account-key>"]),
    "azure-sas-signature": ([MIX[:43] + "%3D"], ["https://x.example/?sig=abc"]),
    "aws-secret-key": ([B64.replace("=", "")[:40]], ["aws_secret_access_key = ${AWS_SECRET}"]),
    "datadog-key": ([HEX[:32]], ["DD_API_KEY: see 1Password"]),
    "cloudflare-token": ([MIX[:40]], ["the cloudflare token: rotate it"]),
    "okta-token": (["00" + MIX[:40]], ["okta token: 0042"]),
    "basic-authorization": (["dXNlcjpodW50ZXIy"], ["Authorization: Basic auth is off"]),
    "authorization-header": ([MIX[:40]], ["Authorization: Bearer <your token here>"]),
    "database-url": (
        ["s3cr3t"],
        ["postgres://localhost:5432/app", "postgres://user:password@host/db"],
    ),
    "url-password": (["s3cr3t"], ["https://example.com:8080/a@b", "http://user:<pass>@proxy:3128"]),
    "password": (
        ["hunter2", "Tr0ub4dor&3", "S3cure!Pass"],
        [
            "password: required",
            "Password: please ask Anna",
            "password=os.environ['DB_PASSWORD']",
            "password = getpass.getpass()",
            "password=${DB_PASSWORD}",
            "password: ********",
            "the password is case-sensitive",
            "PWD=/home/anna/src2",
            "passwords: 12 rotated",
            "the password was changed on 2026-01-05",
            "password hashing: bcrypt-12",
            "mot de passe : à demander",
            "密码：请在下次会议前修改2次",
        ],
    ),
    "secret": (
        [MIX[:32], HEX[:40]],
        [
            "max_tokens: 4096",
            "tokenizer: cl100k_base",
            "secretName: my-app-secret-v2",
            "token: string",
            "secret_key=hashlib.sha256(seed)",
            "token_type: bearer",
            "the secret: patience and 12 weeks",
            "API key: see the vault entry",
            "api_key=YOUR_API_KEY_1234",
            "token_endpoint: https://auth.example.com/v1/token",
            "primary key: customer_id_2024",
            "The token is valid until 2026-01-05T09:00:00Z",
        ],
    ),
    "pin": (
        ["4821", "739152"],
        [
            "GPIO pin: 17",
            "pin: 0000",
            "my opinion is 4821 words long",
            "the pin is 4821.50 euros",
            "spin: 2048",
        ],
    ),
    "cookie": (
        [
            f"sessionid={MIX[:24]}",
            f"theme=dark; connect.sid=s%3A{MIX[:24]}; lang=en",
            "PHPSESSID=r2t5uvjq435r4q7ib3vtdjq120",
        ],
        [
            "Cookie: lang=en; theme=dark-mode",
            "Set-Cookie: consent=true; Path=/; HttpOnly",
            "Cookie: session=${SESSION}",
            "the cookie policy: session cookies expire=soon",
        ],
    ),
    "sentry-dsn": (
        [HEX[:32], f"{HEX[:32]}:{HEX[:32]}"],
        ["https://anna@example.com/2", f"https://example.com/{HEX[:32]}/2"],
    ),
    "ssn": (
        ["536-22-8145", "536 22 8145", "536228145"],
        [
            "SSN: 000-12-3456",
            "SSN: 912-34-5678",
            "SSN: xxx-xx-6789",
            "SSN: 536-22-81456",
            "call 536-22-8145",
            "my mission 536-22-8145",
            "Social Security office 12345",
        ],
    ),
    "seed-phrase": (
        [SEED, SEED.upper(), SEED.replace(" ", ", "), f"{SEED} {SEED}"],
        [
            f"{SEED}",
            "seed phrase: never share those twelve words with anybody, not even your friends",
            "the phrase was one that nobody could guess, because nobody would think about those",
            "seed: " + " ".join(SEED.split()[:11]),
            "random seed: 42",
        ],
    ),
    "iban": (
        [
            "DE89 3704 0044 0532 0130 00",
            "NL91ABNA0417164300",
            "GB82 WEST 1234 5698 7654 32",
            "de89 3704 0044 0532 0130 00",
        ],
        ["DE89 3704 0044 0532 0130 01", "order AB12 3456 7890 1234"],
    ),
    "card-number": (
        [
            *("4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "4242424242424242"),
            *(
                "4111.1111.1111.1111",
                "4111  1111  1111  1111",
                "4111\u00a01111\u00a01111\u00a01111",
            ),
        ],
        [
            "4111 1111 1111 1112",
            "ISBN 978-3-16-148410-0",
            "order 4242424242424242",
            "+49 170 1234567",
            "0000 0000 0000 0000",
            "1767603600000000",
            "4242.4242.4242.4243",
        ],
    ),
}

# What stands before and after a secret that is told by its surroundings.
AROUND: dict[str, tuple[str, str]] = {
    "telegram-token": ("https://api.telegram.org/bot", "/getMe"),
    "slack-webhook": ("curl https://hooks.slack.com/services/", ""),
    "discord-webhook": (f"https://discord.com/api/webhooks/{NUM[:18]}/", ""),
    "putty-key": ("PuTTY-User-Key-File-3: ssh\nPrivate-Lines: 2", "\nPrivate-MAC: x"),
    "wireguard-key": ("[Interface]\nPrivateKey = ", "\nAddress = 10.0.0.2/32"),
    "azure-storage-key": ("AccountName=x;AccountKey=", ";EndpointSuffix=core"),
    "azure-sas-signature": ("https://x.blob.core.windows.net/c/b?sv=2022&sig=", ""),
    "aws-secret-key": ('aws_secret_access_key = "', '"'),
    "datadog-key": ("DD_API_KEY=", ""),
    "cloudflare-token": ("CLOUDFLARE_API_TOKEN=", ""),
    "okta-token": ("Authorization: SSWS ", ""),
    "basic-authorization": ("curl -H 'Authorization: Basic ", "' https://x.example"),
    "authorization-header": ('{"Authorization": "Bearer ', '"}'),
    "database-url": ("DATABASE_URL=postgresql+psycopg://app:", "@db.internal:5432/app"),
    "url-password": ("https://deploy:", "@git.example.com/x.git"),
    "password": ("DB_PASSWORD=", ""),
    "pin": ("my card pin is ", ""),
    "cookie": ("curl -H 'Cookie: ", "' https://x.example"),
    "sentry-dsn": ("SENTRY_DSN=https://", "@o123456.ingest.sentry.io/4501"),
    "ssn": ("my SSN is ", ""),
    "seed-phrase": ("Seed phrase: ", ""),
    "iban": ("IBAN ", ""),
    "secret": ("client_secret: '", "'"),
}


def test_the_table_has_every_format_and_forty_at_least() -> None:
    assert set(TABLE) == set(FORMAT_NAMES)
    assert len(TABLE) >= 40


@pytest.mark.parametrize("name", TABLE)
def test_the_secret_goes_and_its_surroundings_stay(name: str) -> None:
    before, after = AROUND.get(name, ("", ""))
    for secret in TABLE[name][0]:
        for text_before, text_after in [
            (before, after),
            (f"Note to self:\n{before}", f"{after} ok?"),
        ]:
            text = f"{text_before}{secret}{text_after}"
            answer = redact(text)
            assert answer.text == f"{text_before}[redacted:{name}]{text_after}"
            (finding,) = answer.findings
            assert text[finding.start : finding.end] == secret
            assert finding.format == name


@pytest.mark.parametrize("name", TABLE)
def test_what_only_looks_like_it_stays(name: str) -> None:
    for honest in TABLE[name][1]:
        for text in (honest, f"About {honest} and so on."):
            assert redact(text).text == text


@pytest.mark.parametrize("name", TABLE)
def test_a_redacted_text_is_left_as_it_is(name: str) -> None:
    before, after = AROUND.get(name, ("", ""))
    once = redact(f"{before}{TABLE[name][0][0]}{after}").text
    assert redact(once).text == once


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("SSWS ", "00" + MIX[:40], ""),
        ("Private-Lines: 2", f"\n{B64[:64]}\n{B64[:64]}", ""),
        ("", "4111111111111111", "/12/27"),
        ("-", "4111111111111111", ""),
        ("_", "ghp_" + MIX[:36], "_"),
        ("-", "ghp_" + MIX[:36], ""),
        ("id-", "AKIA" + CAPS[:16], ""),
        ("WEATHER_KEY=", HEX[:32], ""),
        ("ALGOLIA_ADMIN_KEY=", HEX[:32], ""),
        ("MAPS_KEY: ", MIX[:40], ""),
        ("our admin key is ", MIX[:32], ""),
        ("    client-key-data: ", B64[:160], ""),
        ('{"auths":{"r":{"auth":"', "YWRtaW46U29tbWVyMjAyNCE=", '"}}}'),
        ("//registry.example/:_auth=", "YWRtaW46U29tbWVyMjAyNCE=", ""),
        ("https://b.example/k?X-Amz-Signature=", HEX[:64], "&x=1"),
        ('{"kty":"RSA","d":"', MIX[:86], '"}'),
        ("password: ", "sunshine", ""),
        ("creds: admin / ", "Sommer2024!", ""),
        ("login: bob / ", "Sommer2024!", ""),
        ("la password è ", "Sole2024x", ""),
        ("het wachtwoord is ", "Zon2024xy", ""),
        ("hasło to ", "Slonce2024", ""),
        ("lösenordet är ", "Sol2024xy", ""),
        ("das Kennwort ist ", "Sonne2024", ""),
    ],
)
def test_a_secret_goes_in_whatever_it_stands(before: str, secret: str, after: str) -> None:
    answer = redact(f"{before}{secret}{after}").text
    assert secret.strip() not in answer
    assert answer.startswith(f"{before}[redacted:")
    assert answer.rstrip("_").endswith(("]" + after).rstrip("_"))


HONEST: dict[str, tuple[str, ...]] = {
    "cards": (
        *("IP 192.168.100.100", "version 4.11.1111.11111", "4111.1111.1111.1112 is no number"),
        *(
            "call 4111 1111 11",
            "https://shop.example/4111111111111111/12",
            "build-4111111111111111",
        ),
        *(
            "4000/12/27",
            "on 2026/03/02 we had 4111 visitors",
            "-4111.50 euros",
            "4111,1111,1111,1111",
        ),
        *("order 4242424242424242", "#4111111111111111", "2026.0302.0900.1200", "4111--1111"),
    ),
    "keys": (
        *("cache_key = user:42:profile_v3", f"cache_key={HEX[:32]}", f"primary_key: {HEX[:32]}"),
        *("public_key=" + MIX[:60], "sort_key: created_at_descending", "API_KEY=$API_KEY"),
        *("WEATHER_KEY=see the vault", "MAPS_KEY=<your key>", "the key is under the mat"),
        *("s3_key: backups/2026-03-02/db.sql.gz", "object_key=" + HEX[:40], "key: value"),
        *("our admin key is in the drawer", "foreign_key=orders_customer_id_fkey", "KEY_COUNT=12"),
        "translation_key: settings.profile.title.short_description",
    ),
    "logins": (
        *('"auth": "basic"', '{"auth":"oauth2-device-flow"}', "_auth=true", "_auth = required"),
        *("login: 2024-03-02 / 09:00", "login: anna / read-only", "creds: see 1Password"),
        *("credentials: admin / ask Anna", '"d": "M10 10"', '{"a":1,"d":"short"}', "no login: yet"),
        *("client-key-data: REDACTED", "the login page / signup page", '"d":"2026-03-02"'),
    ),
    "signatures": (
        *("X-Amz-Signature=<signature>", "X-Amz-Signature= is computed last", "signature=none"),
        *("the signature= field", "X-Amz-Date=20260302T090000Z", "X-Amz-Expires=3600"),
        *("X-Amz-Algorithm=AWS4-HMAC-SHA256", "signature: RSA", "email signature=Best, Anna"),
        *("?sig=abc", "signature=" + "a" * 20, "signature=sha256"),
    ),
    "tokens": (
        *(
            "re_export_all_of_the_company_notes",
            "re_12345678_twelve",
            "re_run_the_pipeline_tomorrow",
        ),
        *("nvapi-docs-for-developers", "tvly-search-is-nice", "pcsk_short_name", "squ_are_one"),
        *("bkua_" + "z" * 40, "rzp_test_mode_of_payments", "CCIPAT_ is the prefix", "sk.eyJ"),
        *("we re_named_it_to_something_longer", "pre_" + MIX[:8] + "_end", "sqp_" + HEX[:12]),
    ),
    "words": (
        *(
            "password: required",
            "password: optional",
            "Passwort: bitte fragen",
            "la password è sicura",
        ),
        *("het wachtwoord is vergeten", "hasło to ważna rzecz", "lösenordet är hemligt"),
        *("das Kennwort ist geheim", "het wachtwoord is veranderd", "heslo je dlouhé"),
        *(
            "salasana on pitkä",
            "the password is sunshine-coloured text",
            "sunshine is my password hint",
        ),
    ),
    "accounts": (
        *("de89 3704 0044 0532 0130 01", "ab12 3456 7890 1234 5678", "is12 a test of the code"),
        *(
            "no12 3456",
            "se 2026 0302 0900",
            "at 10 2026 0302 0900 we met",
            "room de12 3456 7890 1235",
        ),
        *(
            "it12 1234 1234 1234 1234",
            "be careful 1234 5678 9012 3456",
            "ticket es99 0001 0002 0003",
        ),
        *("order fr00 1111 2222 3333 4444", "xx89 3704 0044 0532 0130 00"),
    ),
    "headers": (
        *("SSWS 00", "SSWS tokens start with 00", "the SSWS scheme", "ssws 0042", "SSWS <token>"),
        *(
            "Private-Lines: 14 is a header",
            "Private-Lines: 4",
            "private-lines: none",
            "SSWS: see Okta",
        ),
        *("Private-Lines: 2\nshort", "Public-Lines: 4\n" + B64[:64], "private lines 4"),
    ),
}


@pytest.mark.parametrize("family", HONEST)
def test_honest_texts_beside_a_format_pass_untouched(family: str) -> None:
    assert len(HONEST[family]) >= 12
    for honest in HONEST[family]:
        for text in (honest, f"About {honest} and so on."):
            assert redact(text).text == text
