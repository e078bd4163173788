"""Files that have the system start the daemon with the person's session: systemd and launchd.

Text and places only; nothing here runs a program.
"""

import plistlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.config.paths import DEFAULT_PROFILE, ProfilePaths
from hermes.errors import UserError

STOP_WAIT_S = 60


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """What is to be written where, and the commands that make the system read it.

    `link` is what enabling makes; `disable` works once the file and the link are gone.
    """

    path: Path
    text: str
    enable: tuple[str, ...]
    disable: tuple[str, ...]
    link: Path | None = None


def describe_service(
    paths: ProfilePaths, command: Sequence[str], environ: Mapping[str, str], platform: str
) -> ServiceFile:
    """The service file of a profile on this kind of system."""
    home = Path(environ.get("HOME") or Path.home())
    if platform == "darwin":
        return _launchd(paths, command, home)
    if platform.startswith("linux"):
        config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        return _systemd(paths, command, config)
    raise UserError(
        f"There is no service file for {platform}.",
        "Have your system run `hermes start --foreground`.",
    )


def _systemd(paths: ProfilePaths, command: Sequence[str], config: Path) -> ServiceFile:
    name = f"hermes{_suffix(paths)}.service"
    text = f"""\
[Unit]
Description=Hermes memory, profile {paths.name}

[Service]
Type=notify
ExecStart={" ".join(map(quote_systemd, command))}
Restart=on-failure
RestartSec=5
TimeoutStopSec={STOP_WAIT_S}
UMask=0077
NoNewPrivileges=true

[Install]
WantedBy=default.target
"""
    folder = config / "systemd" / "user"
    return ServiceFile(
        folder / name,
        text,
        ("systemctl --user daemon-reload", f"systemctl --user enable --now {name}"),
        (f"systemctl --user stop {name}", "systemctl --user daemon-reload"),
        folder / "default.target.wants" / name,
    )


def quote_systemd(argument: str) -> str:
    """An argument as ExecStart takes it: quoted, with `%` and `$` meaning themselves."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("%", "%%").replace("$", "$$").replace("\n", "\\n") + '"'


def _launchd(paths: ProfilePaths, command: Sequence[str], home: Path) -> ServiceFile:
    label = f"org.hermes.memory{_suffix(paths).replace('-', '.', 1)}"
    file = home / "Library" / "LaunchAgents" / f"{label}.plist"
    plist = {
        "Label": label,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ExitTimeOut": STOP_WAIT_S,
        "Umask": 0o077,
        "StandardErrorPath": str(paths.logs / "daemon.out"),
    }
    return ServiceFile(
        file,
        plistlib.dumps(plist).decode(),
        (f"launchctl bootstrap gui/$(id -u) '{file}'",),
        (f"launchctl bootout gui/$(id -u)/{label}",),
    )


def _suffix(paths: ProfilePaths) -> str:
    return "" if paths.name == DEFAULT_PROFILE else f"-{paths.name}"
