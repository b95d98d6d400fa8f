/**
 * LoadingView: says that something is under way.
 *
 * @type {View}
 */
const LoadingView = (() => ({
    name: 'loading-view',
    create() {
        return Lib.element('section', {'aria-busy': 'true'},
            Lib.element('div', {class: 'spinner', 'aria-hidden': 'true'}),
            Lib.element('p', {text: Texts.get('loading'), role: 'status'}));
    },
    render() {
        // Nothing in it changes.
    }
}))();
