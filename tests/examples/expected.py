"""The sample's answers by another way than its solutions: by search, by coordinates or by a closed formula."""

import cmath
import math
from itertools import combinations

Number = float | int


def _length(a: complex, b: complex) -> float:
    return abs(a - b)


def _angle_deg(a: complex, corner: complex, b: complex) -> float:
    return abs(math.degrees(cmath.phase((a - corner) / (b - corner))))


def _area(*corners: complex) -> float:
    turns = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum((a.conjugate() * b).imag for a, b in turns)) / 2


def _at(radius: float, angle_deg: float) -> complex:
    return cmath.rect(radius, math.radians(angle_deg))


def _paths() -> int:
    """Orders of 4 moves right and 3 moves up that avoid the crossing (2, 1)."""
    return sum(
        all((k - sum(u < k for u in ups), sum(u < k for u in ups)) != (2, 1) for k in range(8))
        for ups in combinations(range(7), 3)
    )


def _only(found: list[int]) -> int:
    (single,) = found
    return single


def _fence_width() -> int:
    return _only([w for w in range(1, 14) if 2 * (w + w + 4) == 28])


_SEQUENCE = [5 + 3 * k for k in range(100)]
_SIMILAR = {"A": (5, 3), "B": (12, 9), "C": (8, 5), "D": (12, 8)}

# numbers; a choice stands for the value of its option
NUMBERS: dict[str, Number] = {
    "mv-areas": _only([h for h in range(1, 50) if 10 * h == 2 * 8 * 5]),
    "mv-balances": _only([s for s in range(12) for c in range(12) if 2 * c + s == 11 and c + s == 7]),
    "mv-matches": 2 * 20 + 21,  # two lying for each square, and one standing more than squares
    "mv-zh-survey": _only([b for b in range(60) if 3 * (12 + b + 8 + 6) == 10 * 12]),
    "geo-01": _length(0, (5j + 12) / 2),
    "geo-02": _length(_at(3, 60), 6),
    "geo-03": _area(8j, 0, 10, 4 + 8j),
    "geo-04": _area(8j, 0, 6, 25.2 + 14.4j),
    "geo-05": math.sqrt(2 * 6**2 + 2 * 10**2 - 4 * 4**2),  # median theorem
    "geo-08": _angle_deg(_at(1, 220), _at(1, 75), _at(1, 320)),
    "geo-09": _area(-2, 2j, 2 / math.tan(math.radians(30))),
    "geo-10": _angle_deg(-1, 1, _at(1, 50)),
    "circle-multi": 100 - 3.14 * 25,
    "circle-1": 10**2,
    "circle-2": 3.14 * 25,
    "tank-multi": _only([d for d in range(1, 100) if 50 * 40 * d == 24_000]),
    "tank-1": 24 * 10**3,
    "tank-2": 50 * 40,
    "alg-product": sum(25 for _ in range(36)),
    "num-last-digit": 7**50 % 10,
    "num-divisors": sum(360 % d == 0 for d in range(1, 361)),
    "count-paths": _paths(),
    "geo-exterior": 180 - (180 - 48 - 60),
    "geo-sector": math.pi * 6**2 / 6,
    "zh-equation": _only([x for x in range(-99, 99) if 3 * (x - 2) == x + 8]),
    "zh-probability": sum(set(pair) <= {0, 1, 2} for pair in combinations(range(5), 2)) / 10,
    "zh-discount": 200 * 8 / 10 - 20,
}

PARTS: dict[str, list[Number]] = {
    "mv-two-angles": [180 - 65 - 45, 180 - 128],
    "steps-sequence": [
        _SEQUENCE[9],
        sum(_SEQUENCE[:10]),
        next(n for n, term in enumerate(_SEQUENCE, 1) if term > 100),
    ],
    "steps-fence": [_fence_width(), _fence_width() * (_fence_width() + 4)],
    "steps-zh-line": [5 - 2 * 1, _area(0, 3j, -3 / 2)],
}

_FIRST, _SECOND = (0, 3), (2, 7)
_SLOPE = (_SECOND[1] - _FIRST[1]) // (_SECOND[0] - _FIRST[0])
_INSIDE = [k / 8 for k in range(-80, 81) if abs(2 * k / 8 - 5) < 3]

TEXTS: dict[str, str] = {
    "mv-similar": "".join(letter for letter, (a, b) in _SIMILAR.items() if 6 * a == 8 * b),
    "mv-zh-symmetry": "B",  # by eye: only the isosceles trapezium has an axis
    "zh-domain": "B",  # x - 3 ≥ 0
    "tank-3": {10: "A", 11: "B", 13: "C", 14: "D"}.get(24_000 // 2000, "E"),
    "alg-roots": "{" + ", ".join(str(x) for x in range(-50, 51) if x * x - 7 * x + 10 == 0) + "}",
    "alg-interval": f"({_INSIDE[0] - 1 / 8:g}, {_INSIDE[-1] + 1 / 8:g})",
    "alg-expand": f"{((10 + 3) ** 2 - 9**2 - (3**2 - 1)) // 10}x + {3**2 - (-1) ** 2}",  # linear: from x = 10 and x = 0
    "alg-line": f"y = {_SLOPE}x + {_FIRST[1]}",
    "alg-midpoint": f"({(-2 + 6) // 2}, {(5 + 1) // 2})",
}

PAPER: list[Number] = [
    29,
    _only([x for x in range(-99, 99) if 3 * x - 7 == 2 * x + 8]),
    _only([n for n in range(3, 99) if (n - 2) * 180 == 1080]),
    7 / 12,
    2 * math.pi * math.sqrt(36),
    sum(n % 4 == 0 or n % 6 == 0 for n in range(1, 101)),
    math.sqrt((2 * math.sqrt(3)) ** 2 - 3),
    2**20 % 7,
]

SCAN: list[Number] = [sum([12] * 7), 15 + 8 + 15 + 8, 4 * 9 + 5, sum(80 for _ in range(9, 12))]

WORD_PROBLEMS: list[Number] = [29, 45, 3, 8, 180, 740, 58, 33, 14, 88]
