"""Which names a certificate is for, so that links to this server say one of them.

Read by a handshake in memory with the certificate itself: the one documented way of the standard
library to take a certificate apart.
"""

import ssl
from collections.abc import Sequence

from hermes.errors import UserError


def read_names(cert_file: str, key_file: str) -> Sequence[str]:
    """Names and addresses in the order of the certificate; none of one that is out of date."""
    try:
        ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ours.load_cert_chain(cert_file, key_file, password="")  # never asks on a terminal
        theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        theirs.check_hostname = False
        trust_file(theirs, cert_file)
        told = _shake_hands(ours, theirs)
    except ssl.SSLCertVerificationError:
        return ()
    except (OSError, ValueError) as error:
        hint = "server.tlsCert and server.tlsKey are a pair in PEM, the key without a passphrase."
        raise UserError(f"The certificate cannot be used: {error}", hint) from error
    return [str(each[1]) for each in told if each[0] in ("DNS", "IP Address")]


def trust_file(context: ssl.SSLContext, cert_file: str) -> None:
    """Trust the certificates of a file as they stand, whoever signed them."""
    context.load_verify_locations(cert_file)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN


def _shake_hands(ours: ssl.SSLContext, theirs: ssl.SSLContext) -> Sequence[Sequence[object]]:
    """The names a client is told by a server; both are here, and talk in memory."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = ours.wrap_bio(to_server, to_client, server_side=True)
    client = theirs.wrap_bio(to_client, to_server)
    for side in (client, server, client):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    found = (client.getpeercert() or {}).get("subjectAltName", ())
    return found if isinstance(found, tuple) else ()
