"""The tools the reader knows, by what they are for; `_` stands for a blank in a name."""

import re

TOOLS = {
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo cockroachdb dynamodb "
    "cassandra oracle mssql sql_server supabase planetscale neon duckdb "
    "clickhouse bigquery snowflake redshift firestore couchdb neo4j timescaledb "
    "timescale influxdb pgvector turso aurora rds pinecone qdrant weaviate milvus "
    "chroma scylladb scylla tidb yugabytedb cosmosdb firebase",
    "search_engine": "elasticsearch elastic opensearch meilisearch typesense solr algolia",
    "cache": "redis memcached valkey dragonfly",
    "queue": "kafka rabbitmq sqs nats pulsar celery redpanda sidekiq temporal airflow dagster "
    "prefect",
    "framework": "django flask fastapi rails ruby_on_rails laravel symfony spring spring_boot "
    "express nestjs next.js nextjs next nuxt react vue vue.js svelte sveltekit "
    "angular solidjs remix astro phoenix gin axum actix .net asp.net flutter "
    "react_native electron tauri tailwind tailwindcss bootstrap htmx hono "
    "starlette litestar pytorch tensorflow jax langchain streamlit gatsby ember "
    "qt swiftui wordpress",
    "programming_language": "python typescript javascript go golang rust java kotlin swift "
    "ruby php c# c++ gleam nim elm elixir scala haskell zig julia "
    "clojure perl lua dart ocaml f# erlang cobol fortran matlab",
    "deploys_on": "minikube k3d aws gcp google_cloud azure heroku fly.io fly vercel netlify "
    "render railway digitalocean digital_ocean hetzner cloudflare "
    "cloudflare_workers cloudflare_pages kubernetes k8s ecs eks gke aks lambda "
    "aws_lambda app_engine cloud_run nomad bare_metal linode ovh fargate ec2 "
    "docker_swarm openshift k3s scaleway vultr firebase_hosting github_pages "
    "dokku coolify elastic_beanstalk on-prem on_prem",
    "runtime": "node node.js nodejs deno jvm",
    "music_service": "spotify tidal deezer apple_music youtube_music bandcamp",
    "tasks": "todoist omnifocus ticktick things_3 google_calendar",
    "creative_tool": "blender ableton logic_pro reaper photoshop lightroom illustrator "
    "premiere davinci_resolve after_effects canva fl_studio procreate "
    "affinity indesign capture_one",
    "game_engine": "unity unreal unreal_engine godot pygame",
    "spreadsheet": "excel google_sheets airtable libreoffice",
    "crm": "salesforce hubspot zendesk intercom pipedrive freshdesk servicenow",
    "accounting": "quickbooks xero datev freshbooks sage",
    "website_builder": "shopify woocommerce webflow wix squarespace hugo jekyll eleventy "
    "drupal strapi contentful sanity",
    "scheduler": "slurm htcondor",
    "git_hooks": "lefthook husky pre-commit",
    "home_server": "home_assistant plex jellyfin proxmox truenas synology raspberry_pi unraid",
    "board": "esp32 arduino stm32 freertos platformio micropython",
    "ml_library": "lightgbm xgboost catboost scikit-learn sklearn keras",
    "data_tool": "databricks spark flink hadoop fivetran airbyte trino mlflow sagemaker "
    "rstudio stata spss zotero overleaf latex",
    "mesh": "consul istio linkerd kong cilium fluxcd flux",
    "build_tool": "bazel cmake meson sonarqube renovate dependabot storybook turborepo",
    "state": "redux zustand pinia mobx",
    "sms": "twilio vonage",
    "video_calls": "zoom google_meet webex",
    "container": "docker podman containerd docker_compose",
    "ci": "github_actions gitlab_ci circleci circle_ci jenkins travis travis_ci buildkite "
    "drone teamcity argocd argo_cd azure_pipelines woodpecker dagger tekton",
    "editor": "vim neovim nvim emacs vs_code vscode visual_studio_code cursor zed "
    "sublime_text sublime intellij pycharm webstorm helix jetbrains xcode "
    "android_studio rider goland clion doom_emacs spacemacs nano",
    "os": "macos mac_os windows windows_11 windows_10 linux ubuntu debian fedora arch "
    "arch_linux nixos pop!_os pop_os centos rhel alpine freebsd wsl wsl2 linux_mint "
    "manjaro mint opensuse kubuntu",
    "shell": "zsh bash fish powershell nushell fish_shell",
    "terminal": "iterm iterm2 alacritty kitty wezterm ghostty tmux warp windows_terminal",
    "package_manager": "npm yarn pnpm bun pip poetry uv conda cargo homebrew brew pipenv nix "
    "bundler maven gradle pdm hatch",
    "version_control": "git github gitlab bitbucket gitea mercurial perforce codeberg forgejo",
    "issue_tracker": "jira linear trello asana shortcut github_issues clickup basecamp "
    "youtrack monday redmine",
    "docs": "notion confluence obsidian google_docs coda readthedocs mkdocs docusaurus roam logseq",
    "chat": "slack teams microsoft_teams discord mattermost zulip telegram whatsapp signal",
    "monitoring": "datadog grafana prometheus sentry new_relic honeycomb opentelemetry "
    "cloudwatch pagerduty kibana loki splunk dynatrace betterstack statsd",
    "auth": "auth0 okta clerk keycloak cognito firebase_auth supabase_auth workos oauth saml "
    "authentik",
    "payments": "stripe paddle adyen paypal braintree lemon_squeezy mollie razorpay",
    "testing": "pytest jest vitest playwright cypress selenium junit rspec mocha unittest "
    "hypothesis",
    "infrastructure": "terraform pulumi ansible cloudformation opentofu helm chef puppet cdk bicep",
    "linter": "ruff black eslint prettier biome flake8 pylint mypy pyright isort rubocop clippy",
    "browser": "firefox chrome safari edge brave arc chromium vivaldi librewolf",
    "storage": "s3 minio r2 gcs azure_blob backblaze",
    "design_tool": "figma sketch adobe_xd penpot",
    "email_service": "sendgrid postmark mailgun ses resend mailchimp",
    "mail_client": "gmail outlook thunderbird fastmail protonmail superhuman",
    "api_style": "graphql rest grpc trpc soap openapi",
    "feature_flags": "launchdarkly unleash flagsmith",
    "secrets": "vault doppler 1password bitwarden infisical sops lastpass",
    "analytics": "posthog mixpanel amplitude segment dbt looker tableau metabase power_bi superset",
    "orm": "sqlalchemy prisma drizzle typeorm hibernate sequelize django_orm sqlmodel peewee",
    "bundler": "vite webpack esbuild rollup turbopack parcel",
    "web_server": "nginx caddy apache traefik haproxy gunicorn uvicorn envoy",
    "llm": "claude gpt gpt-4 gpt-4o gpt-5 gemini llama mistral ollama openai anthropic qwen "
    "deepseek copilot",
}

PURPOSE = {
    tool.replace("_", " "): purpose for purpose, tools in TOOLS.items() for tool in tools.split()
}
_WORDS_TOO = frozenset(
    "go next render fly swift express spring segment linear cursor phoenix arc edge signal teams "
    "warp fish black shortcut monday drone sketch mint arch chef puppet helm looker neon rest "
    "unleash nano solid remix oracle brave safari chrome lambda prefect temporal hatch resend sage "
    "flux reaper unity excel spark zoom things canva basecamp dart soap rider alpine parcel gin "
    "notion railway elastic node clerk vault hugo claude paddle logic bundler pip nix kong nim "
    "elm perl lua ember gatsby roam coda word stata xero tidal chroma conda turso aurora".split()
)
_VERSION = re.compile(r"[ -]?v?\d+(?:\.\d+)*\+?$")
SAME_PURPOSE = {
    "db": "database",
    "hosting": "deploys_on",
    "host": "deploys_on",
    "cloud": "deploys_on",
    "infra": "deploys_on",
    "tickets": "issue_tracker",
    "tracker": "issue_tracker",
    "tests": "testing",
    "sso": "auth",
    "login": "auth",
    "wiki": "docs",
    "documentation": "docs",
    "laptop": "machine",
    "computer": "machine",
    "work laptop": "machine",
    "main machine": "machine",
    "ide": "editor",
    "operating system": "os",
    "language": "programming_language",
    "main language": "programming_language",
    "pipeline": "ci",
    "pipelines": "ci",
    "message queue": "queue",
    "broker": "queue",
    "prod database": "database",
    "main database": "database",
}


def is_tool(word: str) -> bool:
    """A tool by its name alone; what is an English word, too, needs a capital to be one."""
    return word in PURPOSE and word not in _WORDS_TOO


def find_purpose(value: str) -> str:
    """What the first tool named in a value is for, or nothing."""
    runs = re.findall(r"[\w.#+!/-]+", value)
    words = [word for run in runs if (word := run.rstrip(".!/-"))]
    for index in range(len(words)):
        for width in (3, 2, 1):
            if index + width > len(words):
                continue
            written = " ".join(words[index : index + width])
            name = _VERSION.sub("", written.lower()) or written.lower()
            if name in PURPOSE and (name not in _WORDS_TOO or written[:1].isupper() or width > 1):
                return PURPOSE[name]
    return ""


_NUMBERED = re.compile(r"(?i)(?<![\w.])(?P<what>[a-z][\w+#-]*) v?\d+(?:\.\d+)+(?![\d%])")
_NO_PROGRAM = frozenset(
    "page chapter section step level figure table score size part item point rule question "
    "exercise gpa ph usd eur gbp chf sgd euro about around roughly almost over under by at to of "
    "from in on for is are was and or the a".split()
)


def has_version(value: str) -> bool:
    """ "pandas 2.2", "PVE 8.3": what is numbered so is a program, known or not."""
    found = _NUMBERED.search(value)
    return found is not None and found["what"].lower() not in _NO_PROGRAM


def is_versioned(value: str) -> bool:
    return bool(_VERSION.search(value))
