// How the JavaScript of web/ must look. Types and undefined names are left to the TypeScript compiler, which sees all files.
const js = require('@eslint/js');
const jsdoc = require('eslint-plugin-jsdoc');

module.exports = [
    {ignores: ['node_modules/', 'eslint.config.js']},
    js.configs.recommended,
    jsdoc.configs['flat/recommended-typescript-flavor-error'],
    {
        files: ['**/*.js'],
        languageOptions: {ecmaVersion: 2022, sourceType: 'script'},
        linterOptions: {reportUnusedDisableDirectives: 'error'},
        settings: {jsdoc: {mode: 'typescript'}},
        rules: {
            // Each file makes one global name, which other files use.
            'no-undef': 'off',
            'no-unused-vars': ['error', {vars: 'local', argsIgnorePattern: '^_'}],
            'curly': ['error', 'all'],
            'brace-style': 'off',
            'eqeqeq': 'error',
            'no-var': 'error',
            'prefer-const': 'error',
            'no-shadow': 'error',
            'no-implicit-coercion': 'error',
            'no-else-return': 'error',
            'no-param-reassign': 'error',
            'no-console': ['error', {allow: ['error']}],
            'no-eval': 'error',
            'no-implied-eval': 'error',
            'no-restricted-properties': ['error',
                {property: 'innerHTML', message: 'Text only by textContent.'},
                {property: 'outerHTML', message: 'Text only by textContent.'},
                {property: 'insertAdjacentHTML', message: 'Text only by textContent.'}],
            'camelcase': ['error', {properties: 'never', ignoreDestructuring: true, allow: ['_\\d$']}],
            'max-lines': ['error', 600],
            'max-len': ['error', {code: 120}],
            'quotes': ['error', 'single', {avoidEscape: true}],
            'semi': ['error', 'always'],
            'indent': ['error', 4, {SwitchCase: 1}],
            'no-multiple-empty-lines': ['error', {max: 1}],
            'no-trailing-spaces': 'error',
            'eol-last': 'error',
            'jsdoc/require-jsdoc': ['error', {
                require: {FunctionDeclaration: true, MethodDefinition: true},
                checkGetters: true
            }],
            'jsdoc/require-param': ['error', {checkDestructured: false}],
            'jsdoc/check-param-names': ['error', {checkDestructured: false}],
            'jsdoc/tag-lines': 'off',
            'jsdoc/require-property-description': 'off',
            'jsdoc/reject-any-type': 'off',
            'jsdoc/require-returns': ['error', {checkGetters: false}],
            'jsdoc/require-returns-description': 'off',
            'jsdoc/require-param-description': 'off'
        }
    }
];
