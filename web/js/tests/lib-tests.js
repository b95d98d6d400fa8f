/**
 * Tests of Lib.
 */
Suite.test('text only becomes text', () => {
    const made = Lib.element('p', {text: '<b>bold</b>'}, '<i>');
    Suite.equal(made.childElementCount, 0);
    Suite.equal(made.textContent, '<b>bold</b><i>');
});

Suite.test('attributes that are false or null are left out, and true has no value', () => {
    const made = Lib.element('input', {disabled: false, hidden: true, id: null, maxlength: 24});
    Suite.equal(made.getAttributeNames(), ['hidden', 'maxlength']);
    Suite.equal([made.getAttribute('hidden'), made.maxLength], ['', 24]);
});

Suite.test('an element that must be there is missed loudly', () => {
    let message = '';
    try {
        Lib.byId('nowhere');
    }
    catch (error) {
        message = String(error);
    }
    Suite.equal(message, 'Error: The page has no element nowhere.');
});

Suite.test('the same words are announced twice', () => {
    const announcer = Lib.byId('announcer');
    const before = announcer.childElementCount;
    Lib.announce('Ben');
    Lib.announce('Ben');
    Suite.equal(announcer.childElementCount, before + 2);
});

Suite.test('numbers have a true minus sign, and names a letter that stands for them', () => {
    Suite.equal([Lib.number(-35), Lib.number(0), Lib.number(135)], ['−35', '0', '135']);
    Suite.equal([Lib.initial('ben'), Lib.initial('😀 Kim'), Lib.initial('')], ['B', '😀', '']);
});
