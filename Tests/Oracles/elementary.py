"""Measures the fixed-point functions against mpmath at 40 digits.

Input: a line per value, `log WORD UNITS`, `exp UNITS MANTISSA EXPONENT` or `quantile WORD UNITS`.
Output: per function, its name, the number of compared values, and log2 of the largest error: absolute for `log` and
`quantile`, relative for `exp`.
"""

import sys

from mpmath import erfc, exp, inf, ldexp, log, mp, mpf, pi, sqrt

mp.dps = 40


def log_error(word, units):
    return abs(ldexp(units, -57) - (64 * log(2) - log(word)))


def exp_error(units, mantissa, exponent):
    return abs(ldexp(mpf(mantissa), exponent - 63) / exp(ldexp(mpf(units), -57)) - 1)


def quantile_error(word, units):
    # One Newton step from the answer to the true quantile; its own error is of the order of the square of the step.
    # Calculated from the side of the smaller tail, where nothing cancels.
    z = -abs(ldexp(mpf(units), -57))
    tail = ldexp(mpf(min(word, 2**64 - word)), -64)
    return abs((erfc(-z / sqrt(2)) / 2 - tail) * sqrt(2 * pi) * exp(z * z / 2))


ERRORS = {"log": log_error, "exp": exp_error, "quantile": quantile_error}


def main():
    worst, counts = {}, {}
    for line in sys.stdin:
        kind, *numbers = line.split()
        error = ERRORS[kind](*map(int, numbers))
        counts[kind] = counts.get(kind, 0) + 1
        worst[kind] = max(worst.get(kind, mpf(0)), error)
    for kind, error in worst.items():
        print(kind, counts[kind], f"{float(log(error, 2)) if error else -inf}")


main()
