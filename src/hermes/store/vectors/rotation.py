"""The rotation that vectors of a space are turned by before they are coded.

A seed names it, the same on every machine. One of 0 or more names a QR of random numbers, as all
spaces once had; its cost grows with the cube of the dimensions (seconds at 1,536). Long vectors get
one below 0: random signs, an order, and Hadamard's matrix, over and over, made in a twentieth of
that and as good (`tests/store/test_rotation.py`).
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
ROUNDS = 2


def make_rotation(dimensions: int, coded: int, seed: int) -> Floats:
    """Orthonormal columns; more bases where they run out."""
    random = np.random.Generator(np.random.PCG64(seed if seed >= 0 else ~seed))
    make = _make_dense if seed >= 0 else _make_fast
    bases = [make(dimensions, coded, random) for _ in range(-(-coded // dimensions))]
    return np.ascontiguousarray(np.concatenate(bases, axis=1)[:, :coded])


def _make_dense(dimensions: int, coded: int, random: np.random.Generator) -> Floats:
    shape = (dimensions, min(dimensions, coded))
    basis, upper = np.linalg.qr(random.standard_normal(shape))
    return (basis * np.sign(np.diag(upper))).astype(np.float32)


def _make_fast(dimensions: int, coded: int, random: np.random.Generator) -> Floats:
    """Each step turns, so all of them together do; the two blocks of a round overlap.

    Signs before each: Hadamard's matrix twice in a row is nothing at all.
    """
    basis = np.eye(dimensions, min(dimensions, coded), dtype=np.float32)
    block = 1 << (dimensions.bit_length() - 1)
    for _ in range(ROUNDS):
        basis = basis[random.permutation(dimensions)]
        for part in (slice(None, block), slice(-block, None)):
            basis *= random.choice(np.array([-1, 1], np.float32), (dimensions, 1))
            basis[part] = _mix(basis[part])
    return basis


def _mix(rows: Floats) -> Floats:
    """Hadamard's matrix times rows, a power of two of them: two small products make a large one."""
    height, width = rows.shape
    low = 1 << (height.bit_length() // 2)
    high = height // low
    first = _hadamard(high) @ rows.reshape(high, low * width)
    mixed: Floats = _hadamard(low) @ first.reshape(high, low, width)
    return mixed.reshape(height, width)


def _hadamard(size: int) -> Floats:
    """The orthonormal one of a power of two."""
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    scaled: Floats = matrix / np.float32(np.sqrt(size))
    return scaled
