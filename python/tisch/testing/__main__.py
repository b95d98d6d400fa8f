"""The command ``python -m tisch.testing``: names every promise that a game breaks."""

from __future__ import annotations

import sys

from tisch.arguments import Parser, loose_options
from tisch.games import find
from tisch.importing import import_from_here
from tisch.record import options_of
from tisch.testing import broken, report


def main() -> int:
    """Run the command.

    :result: The exit code: 0 if the game keeps every promise, 1 if not, 2 if there is no such game.
    """
    parser = Parser(
        prog="python -m tisch.testing",
        description="Play a game by random moves, and name every promise of docs/adding-a-game.md that it breaks.",
    )
    parser.add_argument("game", metavar="GAME", help="the game, such as 'my_game:GAME'")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game; may be repeated"
    )
    parser.add_argument("--seeds", metavar="N", type=int, default=3, help="the number of games to play (default: 3)")
    arguments = parser.parse_args()
    import_from_here()
    try:
        game = find(arguments.game)
        options = options_of(game, loose_options(arguments.option))
    except ValueError as error:
        print(f"python -m tisch.testing: {error}", file=sys.stderr)
        return 2
    is_broken = False
    for line in report(broken(game, options, seeds=range(max(arguments.seeds, 1)))):
        is_broken = True
        print(line, flush=True)
    if not is_broken:
        print(f"{game.title} keeps every promise.")
    return 1 if is_broken else 0


if __name__ == "__main__":
    sys.exit(main())
