/**
 * Texts: the words of the application, in German and in English.
 */
const Texts = (() => {
    /** @typedef {'de' | 'en'} Language */

    /** @type {Record<Language, Record<string, string>>} */
    const _all = {
        de: {
            'title': 'tisch',
            'slogan': 'Ein Platz ist noch frei.',
            'loading': 'Einen Moment …',
            'login.name': 'Dein Name',
            'login.table': 'Tisch',
            'login.table_hint': 'Wer denselben Namen eingibt, sitzt am selben Tisch.',
            'login.game': 'Spiel',
            'login.games': 'Spiele',
            'login.alone': 'Allein gegen die KI',
            'login.alone_solo': 'Spielen',
            'login.friends': 'Mit Freunden',
            'login.solo': 'Für eine Person',
            'login.guest': 'Gast',
            'login.table_of': 'Tisch von {name}',
            'login.by_name': 'Tisch mit Namen öffnen oder finden',
            'login.invited_somewhere': 'Du bist an einen Tisch eingeladen.',
            'login.sit': 'Hinsetzen',
            'login.today': 'Spiel des Tages',
            'login.today_text': 'Alle spielen heute dasselbe Spiel: Wer macht am meisten daraus?',
            'login.open_tables': 'Offene Tische',
            'login.no_tables': 'Gerade ist kein Tisch für alle offen.',
            'login.join': 'Mitspielen',
            'login.watch': 'Zuschauen',
            'login.join_named': 'Am Tisch {table} mitspielen',
            'login.watch_named': 'Am Tisch {table} zuschauen',
            'login.free': '{count} frei',
            'login.full': 'voll',
            'login.running': 'läuft',
            'login.waiting': 'wartet',
            'login.invited': 'Du bist an den Tisch „{table}“ eingeladen.',
            'login.other_table': 'Lieber an einen anderen Tisch',
            'login.resume': 'Du sitzt schon in einem anderen Fenster am Tisch „{table}“.',
            'login.resume_later': 'Sobald am Tisch „{table}“ ein Platz frei ist, kannst du weiterspielen.',
            'login.resume_round': 'Am Tisch „{table}“ kannst du weiterspielen, sobald dein Platz frei ist oder die '
                + 'nächste Runde beginnt.',
            'login.resume_here': 'Hier weiterspielen',
            'login.other_game': 'Am Tisch „{table}“ wird {game} gespielt. Für {wanted} ist „{free}“ noch frei.',
            'login.need_name': 'Sag uns, wie du heißt.',
            'login.need_table': 'Gib dem Tisch einen Namen.',
            'login.table_default': 'Stube',
            'missing.title': 'Hier ist nichts.',
            'missing.text': 'Diese Seite gibt es nicht. Vielleicht ist die Adresse unvollständig oder veraltet.',
            'missing.home': 'Zum Eingang',
            'offline.possible': 'Ohne ihn siehst du deine Spiele und Bestzeiten; sobald er wieder da ist, geht es von '
                + 'selbst weiter.',
            'offline.retry': 'Noch einmal versuchen',
            'mine.title': 'Meine Spiele',
            'calling.title': 'Soll tisch dich rufen?',
            'calling.text': 'Die anderen haben auf dich gewartet. Eine Mitteilung kann dir sagen, wenn du dran bist.',
            'calling.yes': 'Ja, ruf mich',
            'calling.no': 'Nein',
            'settings': 'Einstellungen',
            'seating': 'Am Tisch',
            'settings.language': 'Sprache',
            'settings.language.auto': 'auto',
            'settings.language.de': 'Deutsch',
            'settings.language.en': 'English',
            'settings.theme': 'Licht',
            'settings.theme.auto': 'auto',
            'settings.theme.bright': 'hell',
            'settings.theme.dark': 'dunkel',
            'settings.deck': 'Kartenfarben',
            'settings.deck.four-colour': 'vier Farben',
            'settings.deck.two-colour': 'zwei Farben',
            'settings.deck.colour-safe': 'farbsicher',
            'settings.volume': 'Lautstärke',
            'settings.muted': 'Ton aus',
            'settings.motion': 'Bewegung',
            'settings.motion.auto': 'auto',
            'settings.motion.full': 'lebendig',
            'settings.motion.reduced': 'ruhig',
            'close': 'Schließen',
            'lobby.seats': 'Plätze',
            'lobby.host': 'Gastgeber',
            'lobby.you': 'du',
            'lobby.ai': 'KI',
            'lobby.cut': 'Verbindung weg',
            'lobby.away': 'gerade weg',
            'lobby.swap_hint': 'Tippe zwei Plätze an, um sie zu tauschen.',
            'lobby.swap_second': 'Mit wem soll {name} tauschen?',
            'lobby.seat': 'Platz {number}:',
            'lobby.invite': 'Freunde einladen',
            'lobby.link': 'Einladungslink',
            'lobby.copy': 'Kopieren',
            'lobby.copied': 'Der Link ist kopiert.',
            'lobby.share': 'Teilen',
            'lobby.qr': 'QR-Code',
            'lobby.qr_alt': 'QR-Code des Einladungslinks',
            'lobby.share_text': 'Spiel mit mir {game} am Tisch „{table}“!',
            'lobby.options': 'Spieloptionen',
            'lobby.private': 'Nur mit Einladung',
            'lobby.access_private': 'Nur wer den Link hat, kommt herein. Der Tisch steht in keiner Liste.',
            'lobby.access_open': 'Der Tisch steht in der Liste, und alle dürfen herein.',
            'lobby.remove': '{name} entfernen',
            'lobby.pass_on': '{name} zum Gastgeber machen',
            'remove.title': '{name} vom Tisch entfernen?',
            'remove.private': 'Der alte Link gilt dann nicht mehr; es gibt einen neuen.',
            'remove.open': 'Mit diesem Namen oder aus diesem Netz kommt niemand zurück. Ganz sicher ist nur ein Tisch '
                + 'mit Einladung.',
            'remove.go': 'Entfernen',
            'remove.stay': 'Doch nicht',
            'rules.title': 'Die Regeln in Kürze',
            'rules.keys': 'Tasten',
            'rules.tips': 'Tipps zeigen',
            'rules.tour': 'Kurze Lernrunde',
            'lobby.preset': 'Schwierigkeit',
            'lobby.preset_own': 'eigene Einstellungen',
            'lobby.agent': 'Stärke der KI',
            'lobby.turn_limit': 'Bedenkzeit',
            'lobby.watch_delay': 'Zuschauer sehen alles',
            'lobby.at_once': 'sofort',
            'lobby.later': '{count|eine Sekunde|# Sekunden} später',
            'lobby.minutes': '{count|eine Minute|# Minuten} später',
            'lobby.open_hands': 'Zuschauer sehen alle Karten',
            'lobby.open_hands_help': 'Wer aus dem Netz eines Mitspielers kommt, darf dann nicht zuschauen.',
            'lobby.free_chat': 'Eigene Worte erlauben',
            'lobby.free_chat_help': 'Sonst gibt es nur die fertigen Zurufe.',
            'lobby.unlimited': 'unbegrenzt',
            'lobby.seconds': '{count} s',
            'lobby.start': 'Spiel beginnen',
            'lobby.waiting': 'Warten auf {name} …',
            'lobby.waiting_anybody': 'Warten auf Mitspieler …',
            'lobby.challenge': 'für alle dasselbe Spiel',
            'lobby.spectating': 'Du schaust zu.',
            'lobby.spectators': 'Zuschauer: {count}',
            'lobby.leave': 'Tisch verlassen',
            'lobby.replay': 'Letztes Spiel ansehen',
            'lobby.yes': 'ja',
            'lobby.no': 'nein',
            'leave.title': 'Den Tisch verlassen?',
            'leave.running': 'Eine KI spielt dann für dich weiter.',
            'leave.lobby': 'Dein Platz wird frei.',
            'leave.watching': 'Du schaust dann nicht mehr zu.',
            'leave.stay': 'Bleiben',
            'leave.go': 'Verlassen',
            'cut.held': 'Verbindung weg – dein Platz ist noch {seconds} s reserviert.',
            'cut.trying': 'Verbindung weg – wir versuchen es weiter.',
            'cut.back': 'Wieder da.',
            'cut.unsent': 'Die Verbindung ist weg, das ist nicht angekommen. Versuch es noch einmal, sobald sie wieder '
                + 'da ist.',
            'cut.unsure': 'Die Verbindung ist weg, dein letzter Zug ist vielleicht nicht angekommen. Schau nach, '
                + 'sobald sie wieder da ist.',
            'replaced.title': 'Du spielst in einem anderen Fenster.',
            'replaced.text': 'Dieses Fenster ruht, solange du dort spielst.',
            'replaced.take_over': 'Hier weiterspielen',
            'replaced.leave': 'Zum Eingang',
            'gone': 'Der Platz gehört dir nicht mehr.',
            'unreachable': 'Der Server ist nicht zu erreichen.',
            'announcement.said': 'Der Betreiber sagt: {text}',
            'announcement.maintenance': 'Der Server wird gleich gewartet: Laufende Spiele gehen zu Ende, neue beginnen '
                + 'erst danach.',
            'announcement.open': 'Die Wartung ist vorbei, es kann weitergehen.',
            'joined': '{name} setzt sich.',
            'left': '{name} ist gegangen.',
            'host.own': 'Du bist jetzt Gastgeber.',
            'host.other': '{name} ist jetzt Gastgeber.',
            'away': 'Die KI spielt für dich, weil du nicht da warst.',
            'away.return': 'Ich bin wieder da',
            'your_turn': 'Du bist am Zug.',
            'chat': 'Zuruf',
            'chat.hello': 'Hallo!',
            'chat.well_played': 'Gut gespielt!',
            'chat.thanks': 'Danke!',
            'chat.sorry': 'Tut mir leid!',
            'chat.hurry': 'Nur keine Eile … doch!',
            'chat.wow': 'Wow!',
            'chat.oops': 'Hoppla!',
            'chat.one_more': 'Noch eine!',
            'chat.goodbye': 'Tschüss!',
            'chat.says': '{name}: {phrase}',
            'error.unknown': 'Etwas ging schief ({code}).',
            'error.name': 'Ein Name hat höchstens 24 Zeichen, alle sichtbar.',
            'error.100': 'Ein Fehler auf dem Server; dieser Tisch ist geschlossen.',
            'error.101': 'Der Server hat das nicht verstanden.',
            'error.104': 'Wer zuschaut, kann nicht mitspielen.',
            'error.105': 'Der Server hat gerade zu viel zu tun. Versuch es gleich noch einmal.',
            'error.105.too_many_tables': 'Aus deinem Netz sind schon zu viele Tische offen. Setz dich an einen davon.',
            'error.106': 'Der Server macht eine Pause; es geht gleich weiter.',
            'error.107': 'Der Server wird gewartet: gerade keine neuen Tische und Spiele.',
            'error.200': 'Dein Platz wurde aufgegeben, oder der Tisch ist geschlossen.',
            'error.201': 'Deinen Platz gibt es nicht mehr.',
            'error.202': 'Diesen Tisch gibt es nicht.',
            'error.203': 'Der Tisch ist voll.',
            'error.204': 'An diesem Tisch heißt schon jemand so oder zum Verwechseln ähnlich.',
            'error.205': 'Du sitzt schon an diesem Tisch.',
            'error.206': 'Diese Einladung ist ungültig oder abgelaufen.',
            'error.207': 'Der Gastgeber hat dich von diesem Tisch entfernt.',
            'error.208': 'Dein Platz ist in dieser Runde besetzt; ab der nächsten bekommst du einen anderen.',
            'error.209': 'Dieser Server hat ein Passwort. Lass dich einladen oder melde dich auf der Startseite an.',
            'error.210': 'Dein Netz ist auf diesem Server gesperrt.',
            'error.211': 'Der Betreiber des Servers hat den Tisch geschlossen.',
            'error.300': 'Das geht gerade nicht.',
            'error.300.Another open table has this name.': 'Ein anderer offener Tisch heißt schon so.',
            'error.300.Nobody may watch a challenge.': 'Bei einer Herausforderung schaut niemand zu.',
            'error.300.There is no such challenge.': 'Diese Herausforderung gibt es nicht, oder sie ist zu alt.',
            'error.301': 'Danach hat niemand gefragt.',
            'error.304': 'Du bist nicht am Zug.',
            'error.309': 'Die Zeit ist um; der sicherste Zug wurde gemacht.',
            'error.310': 'Das hat sich inzwischen erledigt.',
            'error.311': 'Das waren viele Tipps auf einmal. In ein paar Sekunden gibt es wieder einen.',
            'error.400': 'Das Spiel läuft schon.',
            'error.401': 'Das darf nur der Gastgeber.',
            'error.table_files': 'Der Tisch konnte nicht geladen werden. Bist du online?'
        },
        en: {
            'title': 'tisch',
            'slogan': 'There is a seat left for you.',
            'loading': 'One moment …',
            'login.name': 'Your name',
            'login.table': 'Table',
            'login.table_hint': 'Those who enter the same name sit together.',
            'login.game': 'Game',
            'login.games': 'Games',
            'login.alone': 'Alone against the AI',
            'login.alone_solo': 'Play',
            'login.friends': 'With friends',
            'login.solo': 'For one player',
            'login.guest': 'Guest',
            'login.table_of': '{name}’s table',
            'login.by_name': 'Open or find a table by its name',
            'login.invited_somewhere': 'You are invited to a table.',
            'login.sit': 'Sit down',
            'login.today': 'Game of the day',
            'login.today_text': 'Everyone plays the same game today: who makes the most of it?',
            'login.open_tables': 'Open tables',
            'login.no_tables': 'No table is open to everyone right now.',
            'login.join': 'Join',
            'login.watch': 'Watch',
            'login.join_named': 'Join the table {table}',
            'login.watch_named': 'Watch the table {table}',
            'login.free': '{count} free',
            'login.full': 'full',
            'login.running': 'playing',
            'login.waiting': 'waiting',
            'login.invited': 'You are invited to the table “{table}”.',
            'login.other_table': 'Go to another table',
            'login.resume': 'You are already at the table “{table}” in another window.',
            'login.resume_later': 'You can play on as soon as a seat is free at the table “{table}”.',
            'login.resume_round': 'You can play on at the table “{table}” as soon as your seat is free or the next '
                + 'round begins.',
            'login.resume_here': 'Continue here',
            'login.other_game': '{game} is being played at the table “{table}”. For {wanted}, “{free}” is still free.',
            'login.need_name': 'Tell us your name.',
            'login.need_table': 'Give the table a name.',
            'login.table_default': 'Parlour',
            'missing.title': 'There is nothing here.',
            'missing.text': 'This page does not exist. Perhaps the address is incomplete or out of date.',
            'missing.home': 'Back to the entrance',
            'offline.possible': 'Without it you see your games and best times; once it is back, everything continues '
                + 'by itself.',
            'offline.retry': 'Try again',
            'mine.title': 'My games',
            'calling.title': 'Should tisch call you?',
            'calling.text': 'The others waited for you. A notification can tell you when it is your turn.',
            'calling.yes': 'Yes, call me',
            'calling.no': 'No',
            'settings': 'Settings',
            'seating': 'At the table',
            'settings.language': 'Language',
            'settings.language.auto': 'auto',
            'settings.language.de': 'Deutsch',
            'settings.language.en': 'English',
            'settings.theme': 'Theme',
            'settings.theme.auto': 'auto',
            'settings.theme.bright': 'light',
            'settings.theme.dark': 'dark',
            'settings.deck': 'Card colours',
            'settings.deck.four-colour': 'four colours',
            'settings.deck.two-colour': 'two colours',
            'settings.deck.colour-safe': 'colour-safe',
            'settings.volume': 'Volume',
            'settings.muted': 'Mute',
            'settings.motion': 'Motion',
            'settings.motion.auto': 'auto',
            'settings.motion.full': 'lively',
            'settings.motion.reduced': 'calm',
            'close': 'Close',
            'lobby.seats': 'Seats',
            'lobby.host': 'host',
            'lobby.you': 'you',
            'lobby.ai': 'AI',
            'lobby.cut': 'connection lost',
            'lobby.away': 'away',
            'lobby.swap_hint': 'Tap two seats to swap them.',
            'lobby.swap_second': 'Who should {name} swap with?',
            'lobby.seat': 'Seat {number}:',
            'lobby.invite': 'Invite friends',
            'lobby.link': 'Invitation link',
            'lobby.copy': 'Copy',
            'lobby.copied': 'Link copied.',
            'lobby.share': 'Share',
            'lobby.qr': 'QR code',
            'lobby.qr_alt': 'QR code of the invitation link',
            'lobby.share_text': 'Play {game} with me at the table “{table}”!',
            'lobby.options': 'Game options',
            'lobby.private': 'By invitation only',
            'lobby.access_private': 'Only those with the link can come in. The table is not listed.',
            'lobby.access_open': 'The table is listed, and everyone may come in.',
            'lobby.remove': 'Remove {name}',
            'lobby.pass_on': 'Make {name} the host',
            'remove.title': 'Remove {name} from the table?',
            'remove.private': 'The old link will no longer work; there is a new one.',
            'remove.open': 'Nobody comes back with this name or from this network. Only a table by invitation is fully '
                + 'safe.',
            'remove.go': 'Remove',
            'remove.stay': 'Cancel',
            'rules.title': 'The rules in brief',
            'rules.keys': 'Keys',
            'rules.tips': 'Show tips',
            'rules.tour': 'Short first game',
            'lobby.preset': 'Difficulty',
            'lobby.preset_own': 'custom settings',
            'lobby.agent': 'Strength of the AI',
            'lobby.turn_limit': 'Time per move',
            'lobby.watch_delay': 'Spectators see everything',
            'lobby.at_once': 'at once',
            'lobby.later': '{count|a second|# seconds} later',
            'lobby.minutes': '{count|a minute|# minutes} later',
            'lobby.open_hands': 'Spectators see all hands',
            'lobby.open_hands_help': 'Nobody may then watch from the network of a player.',
            'lobby.free_chat': 'Allow people’s own words',
            'lobby.free_chat_help': 'Otherwise there are only the phrases.',
            'lobby.unlimited': 'unlimited',
            'lobby.seconds': '{count} s',
            'lobby.start': 'Start the game',
            'lobby.waiting': 'Waiting for {name} …',
            'lobby.waiting_anybody': 'Waiting for players …',
            'lobby.challenge': 'the same game for everyone',
            'lobby.spectating': 'You are watching.',
            'lobby.spectators': 'Watching: {count}',
            'lobby.leave': 'Leave the table',
            'lobby.replay': 'Watch the last game',
            'lobby.yes': 'yes',
            'lobby.no': 'no',
            'leave.title': 'Leave the table?',
            'leave.running': 'An AI will play on for you.',
            'leave.lobby': 'Your seat will be free.',
            'leave.watching': 'You will stop watching.',
            'leave.stay': 'Stay',
            'leave.go': 'Leave',
            'cut.held': 'Connection lost – your seat is held for {seconds} s.',
            'cut.trying': 'Connection lost – we keep trying.',
            'cut.back': 'Back again.',
            'cut.unsent': 'The connection is lost, and that did not arrive. Try again once it is back.',
            'cut.unsure': 'The connection is lost, and your last move may not have arrived. Check once it is back.',
            'replaced.title': 'You are playing in another window.',
            'replaced.text': 'This window rests while you play there.',
            'replaced.take_over': 'Continue here',
            'replaced.leave': 'Back to the entrance',
            'gone': 'The seat is no longer yours.',
            'unreachable': 'The server cannot be reached.',
            'announcement.said': 'The operator says: {text}',
            'announcement.maintenance': 'The server is about to be maintained: running games go on to their end, '
                + 'new ones begin afterwards.',
            'announcement.open': 'The maintenance is over.',
            'joined': '{name} sits down.',
            'left': '{name} has left.',
            'host.own': 'You are the host now.',
            'host.other': '{name} is the host now.',
            'away': 'The AI is playing for you because you were away.',
            'away.return': 'I am back',
            'your_turn': 'It is your turn.',
            'chat': 'Say something',
            'chat.hello': 'Hello!',
            'chat.well_played': 'Well played!',
            'chat.thanks': 'Thanks!',
            'chat.sorry': 'Sorry!',
            'chat.hurry': 'No hurry … well, maybe!',
            'chat.wow': 'Wow!',
            'chat.oops': 'Oops!',
            'chat.one_more': 'One more!',
            'chat.goodbye': 'Goodbye!',
            'chat.says': '{name}: {phrase}',
            'error.unknown': 'Something went wrong ({code}).',
            'error.name': 'A name has at most 24 characters, all visible.',
            'error.100': 'The server had an error; this table is closed.',
            'error.101': 'The server did not understand that.',
            'error.104': 'Spectators cannot play.',
            'error.105': 'The server is busy right now. Try again in a moment.',
            'error.105.too_many_tables': 'Too many tables are already open from your network. Join one of them.',
            'error.106': 'The server is taking a break; it will be back in a moment.',
            'error.107': 'The server is being maintained: no new tables or games right now.',
            'error.200': 'Your seat was given up, or the table was closed.',
            'error.201': 'Your seat no longer exists.',
            'error.202': 'There is no such table.',
            'error.203': 'The table is full.',
            'error.204': 'Somebody at this table already has this or a very similar name.',
            'error.205': 'You are already at this table.',
            'error.206': 'This invitation is invalid or has expired.',
            'error.207': 'The host has removed you from this table.',
            'error.208': 'Your seat is taken in this round; from the next one you can have another.',
            'error.209': 'This server has a password. Ask for an invitation or log in on the start page.',
            'error.210': 'Your network is banned from this server.',
            'error.211': 'The operator of the server has closed the table.',
            'error.300': 'That is not possible now.',
            'error.300.Another open table has this name.': 'Another open table already has this name.',
            'error.300.Nobody may watch a challenge.': 'Nobody can watch a challenge.',
            'error.300.There is no such challenge.': 'This challenge does not exist, or it is too old.',
            'error.301': 'Nobody asked for that.',
            'error.304': 'It is not your turn.',
            'error.309': 'Time is up; the safest move was made.',
            'error.310': 'That has been settled in the meantime.',
            'error.311': 'That was a lot of hints at once. You can have another one in a few seconds.',
            'error.400': 'The game has already started.',
            'error.401': 'Only the host may do that.',
            'error.table_files': 'The table could not be loaded. Are you online?'
        }
    };

    /**
     * A placeholder, as in the Python module `tisch.language`: `{name}`; or `{name|one|other}` or
     * `{name|none|one|other}`, a number with what it counts, in which `#` is the number.
     */
    const _PLACEHOLDER = /\{(\w+)((?:\|[^{}|]*){2,3})?\}/g;

    /** The numbers that count as one, also as a loss. */
    const _ONE = ['1', '-1', '−1'];

    /** @type {Language} */
    let _language = 'de';

    /**
     * Choose the language.
     *
     * @param {'auto' | Language} wanted - The language; `auto` is the browser's.
     */
    function choose(wanted) {
        const own = window.navigator.languages.map(tag => tag.slice(0, 2)).find(tag => tag === 'de' || tag === 'en');
        _language = wanted === 'auto' ? /** @type {Language} */ (own ?? 'en') : wanted;
        document.documentElement.lang = _language;
    }

    /**
     * Find a text.
     *
     * @param {string} key - Its key.
     * @param {{[key: string]: string | number}} [values] - The values of the placeholders in braces.
     * @returns {string} The text; a key that is not there is given back as it is.
     */
    function get(key, values = {}) {
        return fill(_all[_language][key] ?? key, values);
    }

    /**
     * Fill in a text.
     *
     * @param {string} text - The text.
     * @param {{[key: string]: string | number}} values - The values of the placeholders in braces.
     * @returns {string} The text with the values.
     */
    function fill(text, values) {
        return text.replace(_PLACEHOLDER, (_, name, forms = '') => {
            const value = String(values[name] ?? '');
            return forms === '' ? value : _form(forms, value).split('#').join(value);
        });
    }

    /**
     * @param {string} forms - The forms of a placeholder, each after a bar.
     * @param {string} number - A number.
     * @returns {string} The form that fits it.
     */
    function _form(forms, number) {
        const [other = '', one = '', none = other] = forms.slice(1).split('|').reverse();
        return number === '0' ? none : _ONE.includes(number) ? one : other;
    }

    /**
     * @param {string} text - A text.
     * @returns {string[]} The names of its placeholders.
     */
    function names(text) {
        return [...text.matchAll(_PLACEHOLDER)].map(([, name]) => name ?? '');
    }

    /**
     * Is there such a text?
     *
     * @param {string} key - Its key.
     * @returns {boolean} Whether there is.
     */
    function has(key) {
        return key in _all[_language];
    }

    /**
     * Add the texts of a part that is loaded later.
     *
     * @param {Record<Language, Record<string, string>>} texts - The texts by language.
     */
    function add(texts) {
        Object.assign(_all.de, texts.de);
        Object.assign(_all.en, texts.en);
    }

    return {
        choose,
        get,
        fill,
        names,
        has,
        add,
        /**
         * All texts, for the tests.
         *
         * @returns {Record<Language, Record<string, string>>} The texts by language.
         */
        get all() {
            return _all;
        },
        /**
         * The current language.
         *
         * @returns {Language} The language.
         */
        get language() {
            return _language;
        }
    };
})();
