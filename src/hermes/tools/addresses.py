"""Which host a URL leads to, and whether it lies on the open network.

A page can name any address, also that of a service on this machine or a cloud's own; so the
address a name stands for is looked at, and the connection is made to that very address.
"""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from hermes.errors import Refused, Unavailable, UserError


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: the URL as asked, and the address that was found for its host."""

    url: str
    host: str
    port: int
    address: str

    @property
    def pinned_url(self) -> str:
        """The URL with the address in the place of the name."""
        parts = urlsplit(self.url)
        host = f"[{self.address}]" if ":" in self.address else self.address
        return parts._replace(netloc=f"{host}:{self.port}", fragment="").geturl()


def parse_url(url: str) -> SplitResult:
    """A web address with a host and without a password."""
    try:
        parts = urlsplit(url.strip())
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        port_is_right = False
    if not port_is_right or parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f"{url[:120]!r} is not a web address.", "Give an http or https URL.")
    if parts.username or parts.password:
        raise Refused("The address holds a name or password.", "Leave them out.")
    return parts


def is_private(host: str) -> bool:
    """Whether `host`, as written, is this machine or a private network; names are not resolved."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not _is_open(host)
    except ValueError:
        return False


async def resolve(url: str) -> Target:
    """The address to connect to; a name that hides a private address is refused."""
    parts = parse_url(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Unavailable(f"{host} was not found.", "Check the address and the network.") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not is_private(host) and not all(_is_open(address) for address in addresses):
        raise Refused(
            f"{host} leads to a private address.", "Give that address itself, to be asked about."
        )
    return Target(url, host, port, addresses[0])


def _is_open(address: str) -> bool:
    parsed = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_global and not parsed.is_multicast
