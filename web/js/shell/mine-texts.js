/**
 * The words of the page of one's own games. Loaded with it.
 */
Texts.add({
    de: {
        'mine.note': 'Nur auf diesem Gerät gespeichert.',
        'mine.nothing': 'Noch kein Spiel zu Ende gespielt.',
        'mine.rate': '{won} von {count} gewonnen · {rate} %',
        'mine.best': 'Bestzeit {time}',
        'mine.with': 'mit {names}',
        'mine.won': 'gewonnen',
        'mine.lost': 'verloren',
        'mine.over': 'beendet',
        'mine.replay': 'Ansehen',
        'mine.gone': 'nicht mehr aufbewahrt',
        'mine.somebody': 'gelöscht',
        'mine.forget': 'Liste löschen',
        'mine.forget_text': 'Die Liste wird geleert; die Spiele selbst behält der Server.',
        'mine.keep': 'Behalten',
        'mine.strength': 'Stärke {rating} ± {deviation}',
        'mine.strength_text': 'Die Stärke wird nach Glicko-2 berechnet, für Menschen und KI auf derselben Skala. Alle '
            + 'beginnen mit 1500, und mit jedem Spiel wird die Zahl genauer.',
        'mine.agents': 'KI: {agents}',
        'mine.companions': 'Mit wem',
        'mine.together': 'zusammen gewonnen: {won} von {count}',
        'mine.against': 'gegeneinander gewonnen: {won} von {count}',
        'mine.more': 'Ältere Spiele',
        'mine.offer': 'Auf diesem Server merken',
        'mine.offer_text': 'Du bekommst einen Schlüssel, ohne E-Mail und ohne Passwort. Damit findest du deine Spiele '
            + 'auf all deinen Geräten und siehst, wie stark du spielst und mit wem. Gezählt wird von da an.',
        'mine.offer_warning': 'Wer den Schlüssel verliert, bekommt ihn nie zurück, auch nicht vom Betreiber. Ein '
            + 'Schlüssel, mit dem 30 Tage nach dem Erstellen noch kein Spiel beendet wurde, verfällt.',
        'mine.make': 'Schlüssel erstellen',
        'mine.made': 'Dein Schlüssel',
        'mine.made_text': 'Der Server zeigt ihn nur dieses eine Mal. Heb den Link gut auf, oder öffne ihn gleich auf '
            + 'deinem anderen Gerät: Verloren ist er für immer verloren.',
        'mine.secret': 'Wer ihn hat, sieht deine Spiele und kann sie löschen.',
        'mine.kept': 'Ich habe ihn aufgehoben',
        'mine.link': 'Link mit deinem Schlüssel',
        'mine.code': 'QR-Code mit deinem Schlüssel',
        'mine.key': 'Dein Schlüssel',
        'mine.rename': 'Umbenennen',
        'mine.carry': 'Auf ein anderes Gerät',
        'mine.carry_text': 'Öffne diesen Link auf dem anderen Gerät, oder lies den Code mit seiner Kamera.',
        'mine.export': 'Alles herunterladen',
        'mine.sign_out': 'Von diesem Gerät entfernen',
        'mine.sign_out_text': 'Dieses Gerät vergisst den Schlüssel. Hast du ihn nirgends sonst, kommst du nie wieder '
            + 'an deine Spiele.',
        'mine.delete': 'Alles löschen',
        'mine.delete_text': 'Deine Spiele, deine Stärke und der Schlüssel sind dann sofort und für immer weg. Den '
            + 'anderen bleiben ihre Ergebnisse; statt deines Namens steht dort „gelöscht“.',
        'mine.deleted': 'Alles ist gelöscht.',
        'mine.take': 'Den Schlüssel hier benutzen?',
        'mine.take_text': 'Der Schlüssel gehört {name}. Die Spiele auf diesem Gerät zählen dann für ihn. Nimm ihn '
            + 'nur, wenn es dein eigener ist.',
        'mine.take_other': 'Den Schlüssel, den dieses Gerät schon hat, vergisst es dabei.',
        'mine.take_yes': 'Ja, es ist meiner',
        'mine.unknown': 'Diesen Schlüssel gibt es nicht, oder zu ihm ist alles gelöscht.',
        'mine.busy': 'Gerade sind es zu viele Anfragen. Versuch es später noch einmal.'
    },
    en: {
        'mine.note': 'Stored on this device only.',
        'mine.nothing': 'No game finished yet.',
        'mine.rate': '{won} of {count} won · {rate}%',
        'mine.best': 'best time {time}',
        'mine.with': 'with {names}',
        'mine.won': 'won',
        'mine.lost': 'lost',
        'mine.over': 'finished',
        'mine.replay': 'Watch',
        'mine.gone': 'no longer kept',
        'mine.somebody': 'deleted',
        'mine.forget': 'Clear the list',
        'mine.forget_text': 'This clears the list; the server keeps the games.',
        'mine.keep': 'Keep it',
        'mine.strength': 'Rating {rating} ± {deviation}',
        'mine.strength_text': 'Ratings are by Glicko-2, with people and AIs on the same scale. Everybody starts at '
            + '1500, and each game makes the number more certain.',
        'mine.agents': 'AI: {agents}',
        'mine.companions': 'With whom',
        'mine.together': 'won together: {won} of {count}',
        'mine.against': 'won against each other: {won} of {count}',
        'mine.more': 'Older games',
        'mine.offer': 'Remember me on this server',
        'mine.offer_text': 'You get a key, with no e-mail and no password. With it you find your games on all your '
            + 'devices, and see how well you play, and with whom. Games count from then on.',
        'mine.offer_warning': 'A lost key cannot be had back, not even from the operator. A key with which no game '
            + 'was finished 30 days after it was made expires.',
        'mine.make': 'Make a key',
        'mine.made': 'Your key',
        'mine.made_text': 'The server shows it only this once. Keep the link safe, or open it on your other device '
            + 'now: once lost, it is lost for good.',
        'mine.secret': 'Whoever has it sees your games and can delete them.',
        'mine.kept': 'I have kept it',
        'mine.link': 'Link with your key',
        'mine.code': 'QR code with your key',
        'mine.key': 'Your key',
        'mine.rename': 'Rename',
        'mine.carry': 'To another device',
        'mine.carry_text': 'Open this link on the other device, or read the code with its camera.',
        'mine.export': 'Download everything',
        'mine.sign_out': 'Remove from this device',
        'mine.sign_out_text': 'This device forgets the key. If you have it nowhere else, you will never get at your '
            + 'games again.',
        'mine.delete': 'Delete everything',
        'mine.delete_text': 'Your games, your rating and the key are then gone at once and for good. Others keep '
            + 'their results; your name there becomes “deleted”.',
        'mine.deleted': 'Everything is deleted.',
        'mine.take': 'Use this key here?',
        'mine.take_text': 'The key belongs to {name}. Games on this device then count for it. Take it only if it is '
            + 'your own.',
        'mine.take_other': 'The key that this device has now is forgotten.',
        'mine.take_yes': 'Yes, it is mine',
        'mine.unknown': 'There is no such key, or everything behind it was deleted.',
        'mine.busy': 'Too many requests right now. Try again later.'
    }
});
