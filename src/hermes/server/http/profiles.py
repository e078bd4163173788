"""The Apps behind the doors: the daemon's own, and other profiles that a token opens."""

import logging
import threading

from hermes.app import App, open_app
from hermes.config.profiles import get_profile

log = logging.getLogger("hermes.http")


class Profiles:
    """Opens each profile once; closes those it opened."""

    def __init__(self, own: App) -> None:
        self.own = own
        self._others: dict[str, App] = {}
        self._lock = threading.Lock()

    def find(self, name: str) -> App | None:
        """The App of a profile if it is open; never waits."""
        return self.own if name == self.own.paths.name else self._others.get(name)

    def get(self, name: str) -> App:
        """The App of a profile that exists; opening it takes a while, so not on the event loop."""
        if name == self.own.paths.name:
            return self.own
        with self._lock:
            if name not in self._others:
                self._others[name] = self._open(name)
            return self._others[name]

    def _open(self, name: str) -> App:
        """A profile with its store, which two requests at once must not both open."""
        paths = get_profile(self.own.paths.home, name)
        app = open_app(paths, self.own.environ, clock=self.own.clock)
        log.info("opened profile %s, with a %s", name, type(app.store).__name__)
        return app

    def forget(self, name: str) -> None:
        """Close a profile that is put away."""
        with self._lock:
            app = self._others.pop(name, None)
        if app is not None:
            app.close()

    def close(self) -> None:
        for name in tuple(self._others):
            self.forget(name)
