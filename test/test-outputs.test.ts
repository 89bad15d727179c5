/** Checks the results that test-runner reads from the real output of the runners it knows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Failure {
	readonly name: string;
	readonly file: string | null;
	readonly line: number | null;
	readonly message: string;
}
interface Runner {
	read(output: string): { readonly passed: number; readonly failures: Failure[] };
}

const folder = join(import.meta.dirname, '../capabilities/skill/test-runner');
const output = (name: string) =>
	readFileSync(join(import.meta.dirname, 'fixtures/test-outputs', `${name}.txt`), 'utf8');

describe('The outputs of test runners', () => {
	let runners: Readonly<Record<string, Runner>>;
	let detect: (path: string, host: unknown) => Promise<{ readonly name: string } | undefined>;
	let ofPackage: (text: string) => { name: string; script: string } | undefined;
	let commandFor: (name: string, filter: string | undefined, script: string | undefined) => string[];
	before(async () => {
		({ runners, commandFor } = (await import(join(folder, 'runners/index.js'))) as {
			runners: typeof runners;
			commandFor: typeof commandFor;
		});
		({ ofPackage, detect } = (await import(join(folder, 'detect.js'))) as {
			ofPackage: typeof ofPackage;
			detect: typeof detect;
		});
	});
	const read = (runner: string, name = runner) => {
		const { passed, failures } = runners[runner]?.read(output(name)) ?? { passed: -1, failures: [] };
		return [
			passed,
			...failures.map(({ name: test, file, line, message }) => [test, file, line, message.split('\n')[0]]),
		];
	};
	const below = (path: string) => `/home/me/project/${path}`;

	it('have nothing in them when a runner died', () => {
		for (const [name, runner] of Object.entries(runners)) {
			assert.deepEqual(runner.read('Segmentation fault\n'), { passed: 0, failures: [] }, name);
		}
	});

	it('of node name the line that failed, and neither suites nor what was skipped', () => {
		assert.deepEqual(read('node'), [
			1,
			['is wrong', below('test/sum.test.js'), 6, 'Expected values to be strictly equal:'],
			['throws', below('test/sum.test.js'), 10, "it's bad"],
		]);
	});

	it('of pytest name the line in the test’s own file, and files that cannot be imported', () => {
		assert.deepEqual(read('pytest'), [
			2,
			['TestSum::test_wrong', 'tests/test_sum.py', 5, 'AssertionError: helper says no'],
			['test_even[1]', 'tests/test_sum.py', 15, 'assert (1 % 2) == 0'],
			['test_name[a b]', 'tests/test_sum.py', 20, "AssertionError: assert 'a b' == ''"],
			[
				'tests/test_broken.py',
				'tests/test_broken.py',
				1,
				"ModuleNotFoundError: No module named 'nothing_of_that_name'",
			],
		]);
	});

	it('of cargo name the panic, or what does not compile', () => {
		assert.deepEqual(read('cargo'), [
			1,
			['tests::is_wrong', 'src/lib.rs', 10, 'assertion `left == right` failed: sums'],
			['tests::panics', 'src/lib.rs', 13, 'no'],
		]);
		assert.deepEqual(read('cargo', 'cargo-build'), [0, ['build', 'src/lib.rs', 15, 'mismatched types']]);
	});

	it('of go name the innermost test', () => {
		assert.deepEqual(read('go'), [1, ['example.org/sum.TestWrong/small', 'sum_test.go', 12, 'got 2,']]);
	});

	it('of jest and vitest name the line of the project, and files that cannot be run', () => {
		assert.deepEqual(read('vitest', 'jest'), [
			2,
			['sum is wrong', below('src/a.test.ts'), 8, 'AssertionError: expected 2 to be 3'],
			[below('src/b.test.ts'), below('src/b.test.ts'), 3, 'SyntaxError: Unexpected token'],
		]);
	});

	for (const [script, runner] of [
		['', undefined],
		['echo "Error: no test specified" && exit 1', undefined],
		['tsc && mocha', 'npm'],
		['vitest run --coverage', 'vitest'],
		['node_modules/.bin/jest', 'jest'],
		['mocha --recursive', 'mocha'],
		['node --import tsx --test', 'node'],
		['ava', 'npm'],
	] as const) {
		it(`take the script ${JSON.stringify(script)} for ${runner ?? 'none'}`, () => {
			assert.equal(ofPackage(JSON.stringify({ scripts: { test: script } }))?.name, runner);
		});
	}

	for (const [runner, script, command] of [
		['mocha', undefined, 'npx --no-install mocha --reporter json --fgrep sum'],
		['mocha', 'mocha --require ts-node/register', 'npm test --silent -- --reporter json --fgrep sum'],
		['vitest', 'vitest --config a.ts', 'npm test --silent -- --run --reporter=json -t sum'],
		[
			'node',
			"node --import tsx --test 'src/**/*.test.ts'",
			'node --import tsx --test --test-reporter=tap --test-name-pattern sum src/**/*.test.ts',
		],
		['node', 'A=1 node --test', 'npm test --silent -- --test-reporter=tap --test-name-pattern sum'],
		['npm', 'ava', 'npm test --silent'],
		['pytest', undefined, 'python3 -m pytest -q --tb=short -p no:cacheprovider --continue-on-collection-errors -k sum'],
	] as const) {
		it(`are had with the project’s own flags: ${script ?? runner}`, () => {
			assert.equal(commandFor(runner, 'sum', script).join(' '), command);
		});
	}

	it('of node say why a file could not be loaded', () => {
		assert.deepEqual(read('node', 'node-load'), [
			0,
			[
				'test/b.test.mjs',
				below('test/b.test.mjs'),
				1,
				`Error [ERR_MODULE_NOT_FOUND]: Cannot find module '${below('test/nope.js')}' imported from ${below('test/b.test.mjs')}`,
			],
		]);
	});

	it('take a package.json that is no JSON for none', () => assert.equal(ofPackage('{'), undefined));

	it('are of the runner that the files of the project tell, and of none where none does', async () => {
		const nameFor = async (...files: readonly string[]) => {
			const read = ({ path }: { readonly path: string }) =>
				files.some((file) => path === `sub/${file}`)
					? Promise.resolve({ text: '{}' })
					: Promise.reject(Object.assign(new Error('missing'), { code: 'NOT_FOUND' }));
			return (await detect('sub', { fs: { read } }))?.name;
		};
		const found = await Promise.all(
			[['Cargo.toml'], ['go.mod'], ['pytest.ini'], ['pyproject.toml'], ['package.json', 'go.mod'], ['README.md']].map(
				(files) => nameFor(...files),
			),
		);
		assert.deepEqual(found, ['cargo', 'go', 'pytest', 'pytest', 'go', undefined]);
	});
});
