/**
 * The words of every table; those of a game are in Words.
 */
Texts.add({
    de: {
        'table.felt': 'Auf dem Tisch',
        'table.hand': 'Deine Hand',
        'table.log': 'Verlauf',
        'table.score': '{points} P.',
        'table.hint': 'Tipp',
        'table.hint_says': '{move} – {reason}',
        'table.mine': 'Du bist am Zug',
        'table.mine_timed': 'Du bist am Zug · {seconds} s',
        'table.wait': 'Warte auf {name}',
        'table.wait_timed': 'Warte auf {name} · {seconds} s',
        'table.away': 'Die KI spielt für dich',
        'table.over': 'Das Spiel ist aus.',
        'table.won': 'Gewonnen!',
        'table.lost': 'Verloren.',
        'table.to_lobby': 'Zur Lobby',
        'table.rematch': 'Revanche',
        'table.replay': 'Spiel noch einmal ansehen'
    },
    en: {
        'table.felt': 'On the table',
        'table.hand': 'Your hand',
        'table.log': 'What happened',
        'table.score': '{points} pts',
        'table.hint': 'Hint',
        'table.hint_says': '{move} – {reason}',
        'table.mine': 'Your turn',
        'table.mine_timed': 'Your turn · {seconds} s',
        'table.wait': 'Waiting for {name}',
        'table.wait_timed': 'Waiting for {name} · {seconds} s',
        'table.away': 'The AI plays for you',
        'table.over': 'The game is over.',
        'table.won': 'You win!',
        'table.lost': 'You lose.',
        'table.to_lobby': 'To the lobby',
        'table.rematch': 'Rematch',
        'table.replay': 'Watch the game again'
    }
});
