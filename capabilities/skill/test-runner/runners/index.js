/**
 * How each runner is called so that it names what failed, and how that is read. `own` starts it where no script does; `flags`
 * are what it needs beside that, and what a script of the project is given beside its own.
 */
import { readCargo } from './cargo.js';
import { readGo } from './go.js';
import { readJestJson } from './jest-json.js';
import { readMochaJson } from './mocha-json.js';
import { readPytest } from './pytest.js';
import { readTap } from './tap.js';

/** A runner of the project itself, without a download when it is not installed. */
const local = (...words) => ['npx', '--no-install', ...words];
const having = (filter, ...flags) => (filter === undefined ? [] : [...flags, filter]);

export const runners = {
	vitest: {
		own: local('vitest'),
		flags: (filter) => ['--run', '--reporter=json', ...having(filter, '-t')],
		read: readJestJson,
	},
	jest: { own: local('jest'), flags: (filter) => ['--json', ...having(filter, '-t')], read: readJestJson },
	mocha: {
		own: local('mocha'),
		flags: (filter) => ['--reporter', 'json', ...having(filter, '--fgrep')],
		read: readMochaJson,
	},
	node: {
		own: ['node', '--test'],
		flags: (filter) => ['--test-reporter=tap', ...having(filter, '--test-name-pattern')],
		read: readTap,
	},
	pytest: {
		own: ['python3', '-m', 'pytest'],
		flags: (filter) => [
			...['-q', '--tb=short', '-p', 'no:cacheprovider', '--continue-on-collection-errors'],
			...having(filter, '-k'),
		],
		read: readPytest,
	},
	cargo: { own: ['cargo', 'test'], flags: (filter) => ['--no-fail-fast', ...having(filter)], read: readCargo },
	go: { own: ['go', 'test'], flags: (filter) => ['-json', ...having(filter, '-run'), './...'], read: readGo },
	npm: { own: ['npm', 'test', '--silent'], flags: () => [], read: readTap },
};

/** `script` is what `npm test` runs, when that is how the project is tested. */
export function commandFor(name, filter, script) {
	const { own, flags } = runners[name];
	if (script === undefined || name === 'npm') {
		return [...own, ...flags(filter)];
	}
	// Node takes what follows the names of files for their arguments, so its flags go before them.
	const words = name === 'node' ? wordsOf(script) : undefined;
	return words === undefined
		? ['npm', 'test', '--silent', '--', ...flags(filter)]
		: words.toSpliced(words.indexOf('--test') + 1, 0, ...flags(filter));
}

/** Undefined for a script that is more than words, as only a shell reads it. */
function wordsOf(script) {
	const found = script.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
	const isPlain = found.join(' ') === script.trim().replaceAll(/\s+/g, ' ') && !/[$`\\<>(){}]|^\w+=/.test(script);
	return isPlain && found[0] === 'node' ? found.map((word) => word.replaceAll(/^['"]|['"]$/g, '')) : undefined;
}
