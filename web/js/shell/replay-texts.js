/**
 * The words of the replay. Loaded with it.
 */
Texts.add({
    de: {
        'replay.title': 'Rückblick',
        'replay.missing': 'Dieses Spiel gibt es nicht.',
        'replay.missing_text': 'Vielleicht ist die Adresse unvollständig.',
        'replay.home': 'Zum Eingang',
        'replay.position': 'Stelle im Spiel',
        'replay.seat': 'Wessen Sicht',
        'replay.play': 'Abspielen',
        'replay.pause': 'Anhalten',
        'replay.back': 'Schritt zurück',
        'replay.forward': 'Schritt vor',
        'replay.why': 'Was hätte der stärkste Agent gespielt?',
        'replay.begin': 'Vor dem ersten Zug',
        'replay.advice': 'Der stärkste Agent: {move} – {reason}',
        'replay.no_advice': 'Dazu hat der Agent nichts zu sagen.'
    },
    en: {
        'replay.title': 'Replay',
        'replay.missing': 'There is no such game.',
        'replay.missing_text': 'Perhaps the address is incomplete.',
        'replay.home': 'To the entrance',
        'replay.position': 'Place in the game',
        'replay.seat': 'Whose view',
        'replay.play': 'Play',
        'replay.pause': 'Pause',
        'replay.back': 'Step back',
        'replay.forward': 'Step forward',
        'replay.why': 'What would the strongest agent have played?',
        'replay.begin': 'Before the first move',
        'replay.advice': 'The strongest agent: {move} – {reason}',
        'replay.no_advice': 'The agent has nothing to say about this.'
    }
});
