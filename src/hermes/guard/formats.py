"""The secrets that can be told by their own shape: one row a format.

A row names the format as it is shown in a marker, gives strings of which at least one must be in
the text (the cheap test, made first), the pattern, and a check where the shape alone is not enough.
A pattern starts where a word starts and is bounded or takes a whole word, so that a search stays
linear in the text. The group `secret`, if there is one, is what is replaced.
"""

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from hermes.guard.plausibility import is_forty_of_base64, is_mixed

Check = Callable[[str], bool]

TELLING = 4  # characters of a beginning that are no chance

_WORD = frozenset(string.ascii_letters + string.digits + "_-")


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of secret: its name, what gives it away, its shape.

    `check` judges the secret itself, `fits` what stands around it: the text, start and end.
    A pattern is compiled when its anchor is first met: all of them take longer than a command.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: str
    check: Check | None = None
    fits: Callable[[str, int, int], bool] | None = None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def starts_word(text: str, start: int, end: int) -> bool:
    """A token inside a longer word, as in base64, is no token."""
    return start == 0 or text[start - 1] not in _WORD


def starts_token(text: str, start: int, end: int) -> bool:
    """As above, but for what its own beginning tells: `_ghp_…_`, `id-AKIA…`."""
    return start == 0 or not (text[start - 1].isascii() and text[start - 1].isalnum())


def _row(name: str, anchors: str, shape: str, check: Check | None = None) -> Format:
    """A format told by its shape; by its beginning alone, if all of its anchors are long."""
    whole = rf"(?:{shape})(?![A-Za-z0-9-]|_\w)"
    given = tuple(anchors.split())
    is_telling = min(map(len, given)) >= TELLING
    return Format(name, given, whole, check, starts_token if is_telling else starts_word)


_UUID = r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"

FORTY = r"(?<![A-Za-z0-9/+_=-])(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+_=-])"

_CLOUD = (
    _row("aws-access-key", "AKIA ASIA ABIA ACCA", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}"),
    Format(
        "aws-secret-key",
        ("AKIA", "ASIA"),
        rf"A[KS]IA[A-Z0-9]{{16}}\b[\s\S]{{0,80}}?{FORTY}",
        is_forty_of_base64,
    ),
    _row("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{100,300}={0,2}"),
    _row("gcp-api-key", "AIza", r"AIza[\w-]{35}"),
    _row("gcp-oauth-token", "ya29.", r"ya29\.[\w-]{20,}"),
    _row("gcp-oauth-secret", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    _row("gcp-refresh-token", "1//0", r"1//0[\w-]{40,}"),
    _row("azure-client-secret", "Q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}"),
    _row("azure-devops-token", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    _row("alibaba-access-key", "LTAI", r"LTAI[A-Za-z0-9]{16,20}", is_mixed),
    _row("tencent-secret-id", "AKID", r"AKID[A-Za-z0-9]{32}"),
    _row("digitalocean-token", "do", r"do[opr]_v1_[a-f0-9]{64}"),
    _row("heroku-key", "HRKU-", r"HRKU-[\w-]{36,64}"),
    _row("fly-token", "fo1_ fm1 fm2_", r"fo1_[\w-]{40,}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{80,}={0,2}"),
    _row("cloudflare-origin-key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}"),
    _row("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36}"),
    _row("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{32,64}"),
    _row("supabase-key", "sbp_ sb_secret_", r"sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,}"),
    _row("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    _row("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    _row("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _row("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    _row("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[\w-]{40,44}"),
    _row("tailscale-key", "tskey-", r"tskey-[a-z]{3,8}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{16,}"),
    _row("1password-token", "ops_eyJ", r"ops_eyJ[\w-]{80,}={0,2}"),
)

_CODE = (
    _row("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _row("github-fine-grained-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{60,}"),
    _row(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- gloas-",
        r"gl(?:pat|dt|rt|cbt|ptt|oas)-[\w-]{20,}(?:\.[\w-]{2,20}){0,3}",
    ),
    _row("bitbucket-token", "ATBB", r"ATBB[A-Za-z0-9]{28,32}", is_mixed),
    _row("atlassian-token", "ATATT3 ATCTT3", r"AT[AC]TT3[\w-]{100,}={0,2}[A-F0-9]{0,8}"),
    _row("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _row("pypi-token", "pypi-Ag", r"pypi-Ag[\w-]{50,}"),
    _row("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _row("crates-token", "cio", r"cio[A-Za-z0-9]{32}", is_mixed),
    _row("docker-token", "dckr_", r"dckr_[po]at_[\w-]{27,}"),
    _row("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _row("sentry-token", "sntrys_ sntryu_", r"sntrys_[A-Za-z0-9+/=_-]{50,}|sntryu_[a-f0-9]{64}"),
    _row("grafana-token", "glsa_ glc_", r"glsa_\w{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}"),
    _row(
        "new-relic-key",
        "NRAK- NRII- NRJS- NRBR- NRAL",
        r"NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|NR(?:JS|BR)-[a-f0-9]{19}|[a-f0-9]{36}NRAL",
    ),
    _row("dynatrace-token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _row("launchdarkly-key", "sdk-", rf"sdk-{_UUID}"),
    _row("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    _row("notion-token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}"),
    _row("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _row("figma-token", "figd_", r"figd_[\w-]{40,}"),
    _row("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)[0-9]-{_UUID}"),
    _row("circleci-token", "CCIPAT_ CCIPRJ_", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _row("buildkite-token", "bkua_ bkct_", r"bk(?:ua|ct)_[a-f0-9]{40}"),
    _row("sonar-token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    _row("mapbox-token", "sk.eyJ", r"sk\.eyJ[\w-]{20,}\.[\w-]{20,}"),
    _row("contentful-token", "CFPAT-", r"CFPAT-[\w-]{43}"),
)

_MODELS = (
    _row("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    _row("openrouter-key", "sk-or-", r"sk-or-v1-[a-f0-9]{64}"),
    _row("langfuse-key", "sk-lf-", rf"sk-lf-{_UUID}"),
    _row(
        "openai-key",
        "sk-",
        r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|sk-[A-Za-z0-9]{32,64}",
        is_mixed,
    ),
    _row("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{34,}"),
    _row("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    _row("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _row("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _row("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    _row("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _row("nvidia-key", "nvapi-", r"nvapi-[\w-]{60,80}", is_mixed),
    _row("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}", is_mixed),
    _row("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9]{5,7}_[A-Za-z0-9]{50,80}"),
    _row("voyage-key", "pa-", r"pa-[A-Za-z0-9_-]{43}", is_mixed),
)

_MESSAGING = (
    _row("slack-token", "xox", r"xox[abeoprs][-.][A-Za-z0-9.-]{10,}", is_mixed),
    _row("slack-app-token", "xapp-", r"xapp-[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-f0-9]{40,}"),
    _row("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/\w{8,9}/(?P<secret>[\w/]{30,})"),
    _row("discord-token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}", is_mixed),
    _row(
        "discord-webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/"
        r"[0-9]{15,21}/(?P<secret>[\w-]{50,})",
    ),
    _row("telegram-token", ":AA", r"(?:bot)?(?P<secret>[0-9]{8,10}:AA[\w-]{32,33})"),
    _row("twilio-key", "SK", r"SK[a-f0-9]{32}"),
    _row("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _row("resend-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}", is_mixed),
    _row("mailgun-key", "key-", r"key-[a-f0-9]{32}"),
    _row("mailgun-private-key", "-", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"),
    _row("mailchimp-key", "-us", r"[a-f0-9]{32}-us[0-9]{1,2}"),
    _row("brevo-key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _row("twitter-bearer", "AAAAAAAAAAAAAAAAAAAA", r"A{20,30}[A-Za-z0-9%]{60,}", is_mixed),
    _row("square-token", "sq0 EAAA", r"sq0(?:atp|csp|idp)-[\w-]{22,43}|EAAA[\w-]{60}"),
    _row("facebook-token", "EAA", r"EAA[A-Za-z0-9]{80,}", is_mixed),
)

_PAYMENT = (
    _row("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_\w{16,}"),
    _row("razorpay-key", "rzp_live_ rzp_test_", r"rzp_(?:live|test)_[A-Za-z0-9]{14}", is_mixed),
    _row("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    _row("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _row("braintree-token", "access_token$", r"access_token\$[a-z]{7,10}\$\w{16}\$[a-f0-9]{32}"),
    _row("plaid-token", "access-", rf"access-(?:production|development|sandbox)-{_UUID}"),
    _row("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _row("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
)

_KEYS = (
    _row("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    # The start of the word is tested inside, or a long run of "eyJ" would be read again and again.
    _row(
        "jwt", "eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{8,}\.(?:eyJ|[\w-]*\.[\w-]{8,}\.)[\w-]{8,}\.[\w-]{8,}"
    ),
)

TOKENS = _CLOUD + _CODE + _MODELS + _MESSAGING + _PAYMENT + _KEYS
