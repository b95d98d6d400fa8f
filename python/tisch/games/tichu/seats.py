"""The four seats of a Tichu table, and sets of seats as bit masks."""

from __future__ import annotations

from typing import Final

SEATS: Final = range(4)
TEAMS: Final = ((0, 2), (1, 3))

#: The single seats as sets, and the seats of each set.
ONE: Final = tuple((seat,) for seat in SEATS)
SEATS_OF: Final = tuple(tuple(seat for seat in SEATS if seats >> seat & 1) for seats in range(16))
#: The next seat of a set after a seat, by set and seat.
NEXT: Final = tuple(
    tuple(next((other % 4 for other in range(seat + 1, seat + 5) if seats >> other % 4 & 1), -1) for seat in SEATS)
    for seats in range(16)
)

#: The sets that are teams.
TEAM_BITS: Final = tuple(sum(1 << seat for seat in team) for team in TEAMS)
