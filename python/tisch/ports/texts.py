"""What all games have in common to say, in German and English."""

from __future__ import annotations

from collections.abc import Mapping

#: The texts by language and name; names in braces stand for values, ``<bold>…</bold>`` is a style.
TEXTS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "you": "Du",
        "header": "<bold>{title}</bold> · Seed {seed} · Du sitzt auf Platz {seat} · ? hilft",
        "header alone": "<bold>{title}</bold> · Seed {seed} · ? hilft",
        "header remote": "<bold>{title}</bold> · {name} bei {server} · ? hilft",
        "connected": "Verbunden. Das Spiel beginnt, sobald alle da sind.",
        "waits": "<dim>Die anderen sind dran …</dim>",
        "player joined": "{name} ist jetzt da.",
        "player left": "{name} ist nicht mehr da.",
        "server refused": "Das nimmt der Server nicht an: {reason}",
        "hung up": "Die Verbindung ist zu Ende, das Spiel ist es nicht.",
        "your turn": "<bold>Du bist am Zug</bold> (? hilft): ",
        "may speak": "<bold>Willst du dazwischengehen?</bold> (Enter: nein, ? hilft): ",
        "thinks": "<dim>{name} denkt nach …</dim>",
        "more": "<dim>… {count} weitere Zeilen: + und - blättern</dim>",
        "press a key": "<dim>Weiter mit einer Taste</dim>",
        "yes": "ja",
        "sure": "<bold>Wirklich?</bold> (ja und Enter, sonst nein): ",
        "not done": "Nicht getan: {move}",
        "not understood": "„{text}“ verstehe ich nicht; ? hilft.",
        "refused": "Das geht jetzt nicht.",
        "hint": "Tipp: <bold>{move}</bold>",
        "hint with reason": "Tipp: <bold>{move}</bold>   <dim>{reason}</dim>",
        "hint silence": "Tipp: jetzt nichts sagen",
        "no hint": "Der Agent, der einen Tipp geben sollte, ist gescheitert: {error}",
        "undone": "Zurückgenommen: {move}",
        "nothing to undo": "Es gibt nichts, was sich zurücknehmen lässt: Danach wurde etwas aufgedeckt oder gespielt.",
        "game over": "<bold>Das Spiel ist vorbei!</bold>",
        "quit": "Abgebrochen.",
        "again": "<dim>Noch einmal dasselbe Spiel: {command}</dim>",
        "help offer": "Was angeboten wird, tippst du mit dem, was davor steht: eine Zahl oder einen Buchstaben; "
        "dann Enter.",
        "help keys at once": "Die Taste, die vor einem Angebot steht, wirkt sofort, ohne Enter.",
        "help commands": "<bold>?</bold> Hilfe   {hint} Tipp   "
        "<bold>u</bold> zurücknehmen, wenn nichts aufgedeckt wurde   <bold>+ -</bold> blättern   "
        "<bold>q</bold> aufhören",
        "or": " oder ",
        "help text": "Auch der Text eines Zuges, wie er im Protokoll steht, wird verstanden.",
    },
    "en": {
        "you": "You",
        "header": "<bold>{title}</bold> · seed {seed} · you have seat {seat} · ? helps",
        "header alone": "<bold>{title}</bold> · seed {seed} · ? helps",
        "header remote": "<bold>{title}</bold> · {name} at {server} · ? helps",
        "connected": "Connected. The game begins as soon as all are there.",
        "waits": "<dim>The others are deciding …</dim>",
        "player joined": "{name} is here now.",
        "player left": "{name} is not here any more.",
        "server refused": "The server does not accept that: {reason}",
        "hung up": "The connection has ended, the game has not.",
        "your turn": "<bold>Your turn</bold> (? helps): ",
        "may speak": "<bold>Do you want to step in?</bold> (Enter: no, ? helps): ",
        "thinks": "<dim>{name} is thinking …</dim>",
        "more": "<dim>… {count} more lines: + and - turn the page</dim>",
        "press a key": "<dim>Press a key to go on</dim>",
        "yes": "yes",
        "sure": "<bold>Really?</bold> (yes and Enter, otherwise no): ",
        "not done": "Not done: {move}",
        "not understood": "I do not understand '{text}'; ? helps.",
        "refused": "That cannot be done now.",
        "hint": "Hint: <bold>{move}</bold>",
        "hint with reason": "Hint: <bold>{move}</bold>   <dim>{reason}</dim>",
        "hint silence": "Hint: say nothing now",
        "no hint": "The agent that should have given a hint failed: {error}",
        "undone": "Taken back: {move}",
        "nothing to undo": "There is nothing to take back: something was revealed or played since.",
        "game over": "<bold>The game is over!</bold>",
        "quit": "Broken off.",
        "again": "<dim>The same game again: {command}</dim>",
        "help offer": "What is offered is typed as what stands before it: a number or a letter; then Enter.",
        "help keys at once": "The key that stands before an offer acts at once, without Enter.",
        "help commands": "<bold>?</bold> help   {hint} hint   <bold>u</bold> take back, if nothing was revealed   "
        "<bold>+ -</bold> turn the page   <bold>q</bold> quit",
        "or": " or ",
        "help text": "A move's text, as it stands in a transcript, is understood as well.",
    },
}

#: Who sits on the other seats.
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Henri")
