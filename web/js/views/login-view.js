/**
 * LoginView.
 *
 * @type {View}
 */
const LoginView = (() => ({
    name: 'login-view',
    isScaled: false,
    create() {
        return Lib.element('section');
    },
    render() {
    }
}))();
