/** How each runner is called so that it names what failed, and how that is read. */
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
	vitest: { argv: (filter) => local('vitest', 'run', '--reporter=json', ...having(filter, '-t')), read: readJestJson },
	jest: { argv: (filter) => local('jest', '--json', ...having(filter, '-t')), read: readJestJson },
	mocha: { argv: (filter) => local('mocha', '--reporter', 'json', ...having(filter, '--fgrep')), read: readMochaJson },
	node: {
		argv: (filter) => ['node', '--test', '--test-reporter=tap', ...having(filter, '--test-name-pattern')],
		read: readTap,
	},
	pytest: {
		argv: (filter) => [
			'python3',
			'-m',
			'pytest',
			'-q',
			'--tb=short',
			'-p',
			'no:cacheprovider',
			'--continue-on-collection-errors',
			...having(filter, '-k'),
		],
		read: readPytest,
	},
	cargo: { argv: (filter) => ['cargo', 'test', '--no-fail-fast', ...having(filter)], read: readCargo },
	go: { argv: (filter) => ['go', 'test', '-json', ...having(filter, '-run'), './...'], read: readGo },
	npm: { argv: () => ['npm', 'test', '--silent'], read: readTap },
};
