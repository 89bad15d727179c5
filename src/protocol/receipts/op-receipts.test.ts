import assert from 'node:assert/strict';
import { type EffectReceipt, hasPassed, mayHaveEdited, type RanReceipt } from './effect-receipt.ts';
import { ReceiptBook, receiptsOfOp } from './op-receipts.ts';

const ended = (exitCode: number | null, more: object = {}) => ({
	status: 'done' as const,
	result: {
		commandId: 'cmd_1',
		running: false,
		exitCode,
		signal: null,
		timedOut: false,
		output: '',
		omitted: 0,
		...more,
	},
});
const runs = (params: object, outcome: Parameters<typeof receiptsOfOp>[0]['outcome'] = ended(0)) =>
	receiptsOfOp({ op: 'shell.run', params, outcome });
const line = (text: string) => ({ argv: ['sh', '-c', text] });
const acts = (receipts: readonly EffectReceipt[]) =>
	receipts.flatMap((each) => (each.kind === 'ran' ? [`${each.act} ${each.exitCode ?? each.end}`] : []));

describe('Receipts of an op', () => {
	it('are only those of its failure when it was denied', () => {
		const denied = { status: 'denied', error: { code: 'DENIED_BY_USER' } } as const;
		for (const [op, params] of [
			['fs.write', { path: 'a.ts' }],
			['shell.run', { argv: ['npm', 'test'] }],
			['mcp.call', { server: 'slack', tool: 'post_message' }],
		] as const) {
			const receipts = receiptsOfOp({ op, params, outcome: denied });
			assert.deepEqual(receipts, [{ kind: 'failed', op, code: 'DENIED_BY_USER' }]);
		}
	});

	it('are in doubt when nobody can say what became of it', () => {
		const [edit] = receiptsOfOp({ op: 'fs.edit', params: { path: 'a.ts' }, outcome: undefined });
		assert.deepEqual(edit, { kind: 'edited', op: 'fs.edit', paths: ['a.ts'], isInDoubt: true });
		const [run] = receiptsOfOp({ op: 'shell.run', params: { argv: ['npm', 'test'] }, outcome: undefined });
		assert.equal(run?.kind === 'ran' && run.end === 'unknown' && run.isInDoubt, true);
	});

	it('show a command that took too long as run, and as failed', () => {
		const receipts = runs({ argv: ['make'] }, { status: 'timeout', error: { code: 'TIMEOUT' } });
		assert.deepEqual(
			receipts.map(({ kind }) => kind),
			['ran', 'failed'],
		);
	});

	it('tell a tool that looks from one that sends', () => {
		const kindOf = (tool: string) =>
			receiptsOfOp({ op: 'mcp.call', params: { server: 's', tool }, outcome: { status: 'done', result: {} } })[0]?.kind;
		assert.deepEqual(
			['get_issue', 'slack_list_channels', 'listFiles', 'searchCode'].map(kindOf),
			Array(4).fill('read'),
		);
		assert.deepEqual(['post_message', 'create_issue', 'getaway', 'send'].map(kindOf), Array(4).fill('sent'));
	});
});

describe('Receipts of a command', () => {
	it('name its act', () => {
		const table: Readonly<Record<string, readonly string[]>> = {
			read: [
				'ls -la',
				'git status',
				'git log -3',
				'git branch',
				'cat a.ts',
				'rg foo',
				'find . -name a',
				'sed -n 1,5p a',
				'npm ls',
				'node --version',
				'gh pr view 3',
				'curl -s https://a.org',
				'docker ps',
				'kubectl get pods',
				'git push --dry-run',
			],
			files: ['rm -rf dist', 'mv a b', 'mkdir -p src/x', 'touch a'],
			test: [
				'npm test',
				'npm run test:unit',
				'npx vitest run',
				'python -m pytest -q',
				'uv run pytest',
				'cargo test',
				'go test ./...',
				'node --test',
				'make test',
				'env CI=1 npx jest',
				'timeout 60 npm t',
				'bundle exec rspec',
				'./gradlew test',
				'yarn jest',
				'npm run check',
			],
			build: ['npm run build', 'tsc -b', 'cargo build', 'make', 'docker build .', 'mvn package'],
			lint: [
				'npx eslint .',
				'npx tsc --noEmit',
				'npm run lint',
				'ruff check',
				'prettier --check .',
				'cargo clippy',
				'mypy src',
			],
			install: [
				'npm i',
				'npm install left-pad',
				'pip install x',
				'yarn',
				'uv pip install x',
				'apt-get install -y jq',
				'cargo add serde',
				'poetry add x',
			],
			commit: ['git commit -m x', 'git merge main', 'git -c user.name=a commit -m x'],
			push: ['git push origin main', 'gh pr create -f', 'npm publish', "curl -X POST https://a.org -d '{}'"],
			other: [
				'node build.js',
				'./deploy.sh',
				'python fix.py',
				'git checkout -b x',
				'git branch x',
				'sed -i s/a/b/ a',
				'npx eslint --fix .',
				'prettier --write .',
				'find . -delete',
				'npm start',
				'docker compose up -d',
				'black .',
				'frobnicate',
			],
		};
		const wrong = Object.entries(table).flatMap(([act, lines]) =>
			lines
				.filter((each) => acts(runs(line(each)))[0] !== `${act} 0`)
				.map((each) => `${each}: ${String(acts(runs(line(each)))[0])}`),
		);
		assert.deepEqual(wrong, []);
	});

	it('carry the end of each command of a chain, and leave out what was passed over', () => {
		const params = {
			argv: ['git', 'add', '.'],
			chain: [
				{ join: '&&', argv: ['git', 'commit'] },
				{ join: '&&', argv: ['git', 'push'] },
			],
		};
		const ends = [
			{ program: 'git', exitCode: 0 },
			{ program: 'git', exitCode: 1 },
		];
		assert.deepEqual(acts(runs(params, ended(1, { ends }))), ['other 0', 'commit 1']);
	});

	it('know of a script in a shell the last end only, or all where each is needed', () => {
		assert.deepEqual(acts(runs(line('npm test; echo ok'))), ['test unknown', 'read 0']);
		assert.deepEqual(acts(runs(line('npm run build && npm test'))), ['build 0', 'test 0']);
		assert.deepEqual(acts(runs(line('npm test | tail -5'))), ['test unknown', 'read 0']);
	});

	it('show that tests pass by the exit code, or by the closing line where another command hides it', () => {
		const passed = (text: string, exitCode: number, output = '') =>
			runs(line(text), ended(exitCode, { output })).some((each) => each.kind === 'ran' && hasPassed(each));
		assert.equal(passed('npm test', 0), true);
		assert.equal(passed('npm test', 1), false);
		assert.equal(passed('npm test | tail -5', 0, '  3 passing (1s)\n'), true);
		assert.equal(passed('npm test | tail -5', 0, '  3 passing (1s)\n  1 failing\n'), false);
		assert.equal(passed('npm test | tail -5', 0, ''), false);
	});

	it('name the files that it changed, as the sweep found them or else as its words say', () => {
		const changed = [
			{ path: 'a.ts', kind: 'modified' },
			{ path: 'b.ts', kind: 'created' },
			{ path: 'c.ts', kind: 'deleted' },
		];
		const swept = runs(line('./gen.sh > log.txt'), ended(0, { changed })).filter(({ kind }) => kind !== 'ran');
		assert.deepEqual(
			swept.map((each) => ('paths' in each ? [each.kind, ...each.paths] : each)),
			[
				['created', 'b.ts'],
				['edited', 'a.ts'],
				['deleted', 'c.ts'],
			],
		);
		const paths = (text: string) =>
			runs({ ...line(text), cwd: 'sub' }).flatMap((each) =>
				'paths' in each ? [`${each.kind} ${each.paths.join(' ')}`] : [],
			);
		assert.deepEqual(paths('echo a > b.txt'), ['edited sub/b.txt']);
		assert.deepEqual(paths('mkdir x && rm y'), ['created sub/x', 'deleted sub/y']);
	});

	it('of one that reads never stand for an edit; those of an unknown program may', () => {
		assert.equal(runs(line('ls; cat a; git diff')).some(mayHaveEdited), false);
		assert.equal(runs(line('./migrate')).some(mayHaveEdited), true);
	});

	it('of one in the background come with its end', () => {
		const book = new ReceiptBook();
		book.note({ op: 'shell.run', params: { argv: ['npm', 'test'] }, outcome: ended(null, { running: true }) });
		book.note({ op: 'shell.output', params: { commandId: 'cmd_1' }, outcome: ended(null, { running: true }) });
		const [last] = book.note({ op: 'shell.output', params: { commandId: 'cmd_1' }, outcome: ended(0) });
		assert.deepEqual(
			book.list.map(({ kind }) => kind),
			['ran', 'read', 'ran'],
		);
		assert.equal(hasPassed(last as RanReceipt), true);
	});
});

describe('The closing line of a test run', () => {
	const reporters: Readonly<Record<string, string>> = {
		mocha: '  12 passing (3s)\n  2 pending\n  1 failing\n',
		jest: 'Test Suites: 1 failed, 3 passed, 4 total\nTests:       1 failed, 2 skipped, 12 passed, 15 total\nTime: 3 s\n',
		vitest: ' Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 12 passed | 2 skipped (15)\n',
		pytest: '==== 1 failed, 12 passed, 2 skipped in 0.31s ====\n',
		cargo:
			'test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n',
		go: `${'--- PASS: TestA (0.00s)\n'.repeat(12)}--- FAIL: TestB (0.00s)\n--- SKIP: TestC\n--- SKIP: TestD\nFAIL\n`,
		dotnet: 'Failed!  - Failed:     1, Passed:    12, Skipped:     2, Total:    15, Duration: 30 ms\n',
		maven:
			'Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s\nTests run: 15, Failures: 0, Errors: 1, Skipped: 2\n',
		gradle: '15 tests completed, 1 failed, 2 skipped\n',
		junit:
			'[        12 tests successful      ]\n[         1 tests failed          ]\n[         2 tests skipped         ]\n',
		rspec: '15 examples, 1 failure, 2 pending\n',
		phpunit: 'Tests: 15, Assertions: 30, Failures: 1, Skipped: 2.\n',
		unittest: 'Ran 15 tests in 0.1s\n\nFAILED (failures=1, skipped=2)\n',
		node: '# tests 15\n# pass 12\n# fail 1\n# skipped 2\n',
		spec: 'ℹ tests 15\nℹ pass 12\nℹ fail 1\nℹ skipped 2\n',
		playwright: '  1 failed\n  2 skipped\n  12 passed (3s)\n',
		bun: ' 12 pass\n 2 skip\n 1 fail\n',
		minitest: '15 runs, 30 assertions, 1 failures, 0 errors, 2 skips\n',
	};
	for (const [name, output] of Object.entries(reporters)) {
		it(`of ${name} is read`, () => {
			const [ran] = runs({ argv: ['npm', 'test'] }, ended(1, { output: `lots of words\n${output}` }));
			assert.deepEqual(ran?.kind === 'ran' && ran.tests, { passed: 12, failed: 1, skipped: 2 });
		});
	}

	it('is none where nobody closed', () => {
		for (const output of ['', 'ok', 'Compiled 3 files in 2s', 'passed 3 of them along', 'Tests: none']) {
			const [ran] = runs({ argv: ['npm', 'test'] }, ended(0, { output }));
			assert.equal(ran?.kind === 'ran' ? ran.tests : 'none', undefined, output);
		}
	});
});
