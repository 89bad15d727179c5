/** The built command line keeps what V8 compiles of it, and runs no code that is not of it. Built here, whatever else the run tests. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../support/temp-dir.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Bundle } from '../../../scripts/build/bundles.ts';
import { buildPrograms } from './built-programs.ts';
import { commandLimitMs, User } from './cli-process.ts';

/** Starts that add what they ran. */
const STARTS_THAT_ADD = 4;

describe('The compiled code of prowess', function () {
	this.timeout(2 * commandLimitMs);
	let place: string;
	let user: User;
	let model: ModelServer;

	before(async () => {
		// Words that are no command are looked for in the rest of the table, too.
		const isNeeded = ({ name, firstTurn = [] }: Bundle) =>
			firstTurn.includes('on the command line') || name === 'commands of teams';
		place = await buildPrograms(isNeeded);
		model = await startModelServer(() => ({ text: 'Done.' }));
	});
	after(() => model.close());
	beforeEach(() => {
		user = new User();
		mkdirSync(user.home);
	});

	const folder = () => join(user.home, 'cache/code');
	const program = () => join(place, 'dist/cli.mjs');

	async function works(...words: readonly string[]): Promise<void> {
		const given = words.length > 0 ? words : ['secrets', 'list'];
		// Unsets the cache folder of the test run, so that the program chooses where it keeps code.
		const result = await user.runsApart(given, { program: program(), env: { NODE_COMPILE_CACHE: '' } });
		assert.equal(result.code, 0, result.stderr);
	}

	/** Counts, for each program, the starts that have added to its kept code. */
	function kept(): Readonly<Record<string, number>> {
		// A file that is just written has the number of its process at the end, and is renamed at any moment.
		const isWhole = (name: string) => name.endsWith(`-${process.arch}`);
		const names = existsSync(folder()) ? readdirSync(folder()).filter(isWhole) : [];
		return Object.fromEntries(
			names.map((name) => [
				name.replace(/-v\d.*$/, ''),
				Number(readFileSync(join(folder(), name), 'latin1').split(' ')[1]),
			]),
		);
	}

	function fileOf(name: string): string {
		return join(folder(), readdirSync(folder()).find((file) => file.startsWith(name)) ?? assert.fail(name));
	}

	it('is made anew when the file is cut off', async () => {
		await works();
		await works();
		const file = fileOf('cli-secrets');
		truncateSync(file, statSync(file).size - 4096);
		await works();
		assert.deepEqual(kept(), { 'cli-secrets': 1 });
	});

	it('is made anew when a page of the file is empty', async () => {
		await works();
		await works();
		const file = fileOf('cli-secrets');
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0, 8192, 12_288));
		await works();
		assert.deepEqual(kept(), { 'cli-secrets': 1 });
	});

	it('is made anew when the program is another one', async () => {
		await works();
		await works();
		const other = join(place, 'dist/cli-program.js');
		const text = readFileSync(other, 'utf8');
		try {
			writeFileSync(other, `${text.slice(0, -64)}${'0'.repeat(64)}`);
			await works();
		} finally {
			writeFileSync(other, text);
		}
		assert.deepEqual(kept(), { 'cli-secrets': 1 });
	});

	it('is not kept of words that are no command', async () => {
		const { code } = await user.runsApart(['nonsense'], { program: program(), env: { NODE_COMPILE_CACHE: '' } });
		assert.deepEqual([code, kept()], [2, {}]);
	});

	it('is not kept before there is a home', async () => {
		const nobody = new User();
		await nobody.runsApart(['--help'], { program: program(), env: { NODE_COMPILE_CACHE: '' } });
		assert.equal(existsSync(nobody.home), false);
	});

	it('is kept where the environment says, if it does', async () => {
		const elsewhere = tempDir('elsewhere');
		const { code } = await user.runsApart(['secrets', 'list'], {
			program: program(),
			env: { NODE_COMPILE_CACHE: elsewhere },
		});
		assert.equal(code, 0);
		assert.deepEqual(kept(), {});
		assert.ok(readdirSync(elsewhere).some((name) => name.startsWith('cli-secrets-')));
	});

	it('is the business of its user alone, whatever the umask', async () => {
		const { code } = await user.runsApart(['secrets', 'list'], {
			program: program(),
			env: { NODE_COMPILE_CACHE: '' },
			through: ['sh', '-c', 'umask 000; exec "$0" "$@"'],
		});
		assert.equal(code, 0);
		const modes = [folder(), dirname(folder()), fileOf('cli-secrets')].map((path) => statSync(path).mode & 0o777);
		assert.deepEqual(modes, [0o700, 0o700, 0o600]);
	});

	it('is kept while a process is young, and once', async () => {
		const silent = await startModelServer([{ chunks: ['Begun'], then: 'stall' }]);
		try {
			const options = { program: program(), env: { NODE_COMPILE_CACHE: '' } };
			const running = user.promptsApart(silent.baseUrl, 'Go on.', [], options);
			await running.hasPrinted('Begun');
			await waitFor('the code of both programs', () => Object.keys(kept()).length === 2, commandLimitMs);
			assert.equal(running.child.exitCode, null);
			running.child.kill('SIGINT');
			await running.ended;
			assert.deepEqual(kept(), { 'cli-run': 1, server: 1 });
		} finally {
			await silent.close();
		}
	});

	it('is added to by the first starts of each program, and then stays as it is', async () => {
		const run = ['run', 'Hello', '--trust', '--provider', 'openai-compatible', '--base-url', model.baseUrl];
		for (let starts = 1; starts <= STARTS_THAT_ADD + 1; starts += 1) {
			await works(...run, '--model', 'm');
			const most = Math.min(starts, STARTS_THAT_ADD);
			assert.deepEqual(kept(), { 'cli-run': most, server: most });
		}
	});
});
