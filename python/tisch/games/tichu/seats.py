"""The four seats of a Tichu table and sets of them, as bits of a number."""

from __future__ import annotations

from typing import Final

SEATS: Final = range(4)
TEAMS: Final = ((0, 2), (1, 3))

#: The single seats, and the seats of each set of seats.
ONE: Final = tuple((seat,) for seat in SEATS)
SEATS_OF: Final = tuple(tuple(seat for seat in SEATS if seats >> seat & 1) for seats in range(16))
#: The first seat of a set after a seat, by set and seat.
NEXT: Final = tuple(
    tuple(next((other % 4 for other in range(seat + 1, seat + 5) if seats >> other % 4 & 1), -1) for seat in SEATS)
    for seats in range(16)
)

#: The sets that are a team.
TEAM_BITS: Final = tuple(sum(1 << seat for seat in team) for team in TEAMS)
