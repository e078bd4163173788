"""Text on disk: compressed with a dictionary learnt from the store's own messages.

A chat message is too short to compress alone, and much like its neighbours: with a dictionary it
takes half the room. The stored form says what it is: text as it was, or bytes that begin with the
number of the dictionary. A dictionary, once used, never changes; where what is kept has shrunk or
grown so much that its size no longer suits, all is written anew with another.
"""

from collections.abc import Callable, Iterator, Sequence

import zstandard

from hermes.errors import Corrupt

DICTIONARY_BYTES = 64 * 1024
SAMPLES = 1_000
MIN_CHARS = 48
USUAL_LEVEL = 3
HARD_LEVEL = 19  # for what is written once and kept for years: a sixth smaller, read as fast
_SEGMENT_BYTES = 200  # left open, several would be tried: four times as long, and no better
_SAMPLE_BYTES = 4_096
_PART_BYTES = 400
_SMALLEST_BYTES = 4 * 1024
_CHARS_A_BYTE = 24  # measured on summaries: 16 KB for 420,000 characters, 8 to 32 do nearly as well
_FORMAT = zstandard.FORMAT_ZSTD1_MAGICLESS


class TextCodec:
    """Encodes and decodes the text of one connection; not for use by two threads at once."""

    def __init__(self, load: Callable[[int], bytes]) -> None:
        self._load = load
        self._compressors: dict[tuple[int, int], zstandard.ZstdCompressor] = {}
        self._decompressors: dict[int, zstandard.ZstdDecompressor] = {}

    def encode(self, text: str, dictionary: int, level: int = USUAL_LEVEL) -> str | bytes:
        """`text` as it is stored: as it is where compression would not help."""
        return self.encoder(dictionary, level)(text)

    def encoder(self, dictionary: int, level: int = USUAL_LEVEL) -> Callable[[str], str | bytes]:
        """`encode` for many texts and one dictionary."""
        if not dictionary:
            return str
        compress, head = self._compressor(dictionary, level).compress, _head(dictionary)

        def encode(text: str) -> str | bytes:
            if len(text) < MIN_CHARS:
                return text
            raw = text.encode("utf-8")
            packed = compress(raw)
            return text if len(packed) >= len(raw) else head + packed

        return encode

    def decode(self, stored: str | bytes) -> str:
        if isinstance(stored, str):
            return stored
        try:
            packed = stored[1:] if stored[0] else stored[3:]
            # Looked up here: a recall decodes a hundred texts, and a call costs as much as some.
            known = self._decompressors.get(stored[0] or dictionary_of(stored))
            decompressor = known or self._decompressor(dictionary_of(stored))
            return decompressor.decompress(packed).decode("utf-8")
        except (zstandard.ZstdError, UnicodeDecodeError, MemoryError) as error:
            raise Corrupt(
                f"A stored text cannot be read: {error}.",
                "Restore the last good backup with `hermes backup restore`.",
            ) from error

    def forget(self) -> None:
        """Let go of every dictionary; those that exist are loaded again."""
        self._compressors.clear()
        self._decompressors.clear()

    def _compressor(self, dictionary: int, level: int) -> zstandard.ZstdCompressor:
        if (dictionary, level) not in self._compressors:
            trained = zstandard.ZstdCompressionDict(self._load(dictionary))
            trained.precompute_compress(level=level)
            settings = zstandard.ZstdCompressionParameters.from_level(
                level, format=_FORMAT, write_content_size=1, write_dict_id=0, write_checksum=0
            )
            self._compressors[dictionary, level] = zstandard.ZstdCompressor(
                dict_data=trained, compression_params=settings
            )
        return self._compressors[dictionary, level]

    def _decompressor(self, dictionary: int) -> zstandard.ZstdDecompressor:
        if dictionary not in self._decompressors:
            trained = zstandard.ZstdCompressionDict(self._load(dictionary))
            self._decompressors[dictionary] = zstandard.ZstdDecompressor(
                dict_data=trained, format=_FORMAT
            )
        return self._decompressors[dictionary]


def _head(dictionary: int) -> bytes:
    """The number in one byte; from 256 on, a zero and two bytes."""
    return bytes((dictionary,)) if dictionary < 256 else b"\x00" + dictionary.to_bytes(2, "big")


def dictionary_of(stored: bytes) -> int:
    """The number of the dictionary a compressed text was written with."""
    return stored[0] or int.from_bytes(stored[1:3], "big")


def train(samples: Sequence[str], size_bytes: int = DICTIONARY_BYTES) -> bytes | None:
    """A dictionary for texts like `samples`, or None where they have too little in common."""
    encoded: list[bytes | bytearray | memoryview[int]] = list(_pieces(samples))
    if len(encoded) < SAMPLES // 4:
        return None
    try:
        return zstandard.train_dictionary(size_bytes, encoded, k=_SEGMENT_BYTES, d=8).as_bytes()
    except zstandard.ZstdError:
        return None


def _pieces(samples: Sequence[str]) -> Iterator[bytes]:
    """What is learnt from: the beginnings of texts, or, of a few long ones, all their parts."""
    texts = [text.encode("utf-8")[:_SAMPLE_BYTES] for text in samples if len(text) >= MIN_CHARS]
    cut = _SAMPLE_BYTES if len(texts) >= SAMPLES // 4 else _PART_BYTES
    return (text[start : start + cut] for text in texts for start in range(0, len(text), cut))


def fitting_bytes(chars: int) -> int:
    """How large a dictionary suits so many characters: of a small memory it is itself a part."""
    return min(DICTIONARY_BYTES, max(_SMALLEST_BYTES, chars // _CHARS_A_BYTE))


def is_misfit(size_bytes: int, chars: int) -> bool:
    """Whether a dictionary is so much too large or too small that writing all anew pays."""
    fitting = fitting_bytes(chars)
    return size_bytes > 2 * fitting or 4 * size_bytes <= fitting


# Where too little is left to learn from: any text will do, and this one says nothing of anyone.
PLAIN = (
    b"The quick brown fox jumps over the lazy dog. Could you please check whether the file is "
    b"there, and let me know what you think about it? Thank you, that is what I wanted to know. "
    b"I would like to have a look at the next version of the project before we go on with it. "
    b"Yes, we should do that today or tomorrow, because there is not much time left this week. "
    b"Here is the answer to the question: it has been done, and there were no errors. "
)
PIECE_BYTES = 12


def find_better(size_bytes: int, chars: int, learn: Callable[[int], bytes | None]) -> bytes | None:
    """What should take the place of a dictionary; None where it suits, or nothing suits better."""
    if not size_bytes or not is_misfit(size_bytes, chars):
        return None
    learnt = learn(fitting_bytes(chars))
    if learnt is not None and not is_misfit(len(learnt), chars):  # or it would be tried for ever
        return learnt
    return PLAIN if size_bytes > 2 * fitting_bytes(chars) else None


def holds(content: bytes, text: str) -> bool:
    """Whether a dictionary repeats any piece of a text. Short texts were not learnt from."""
    if len(text) < MIN_CHARS:
        return False
    raw = text.encode("utf-8")[:_SAMPLE_BYTES]
    return any(raw[n : n + PIECE_BYTES] in content for n in range(len(raw) - PIECE_BYTES + 1))
