/** `prowess secrets set`, `remove` and `list`: the real CLI and the file it keeps. */
import assert from 'node:assert/strict';
import {
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { type CliResult, commandLimitMs, User } from './cli-process.ts';

/** Looks like no key of a known family: it is recognised because it was registered, not by its form. */
const canary = 'Canary/7f3a+x9!qZ2mW8vB4nK6tY1rL5pD0sE?&u';

describe('prowess secrets', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let file: string;
	let server: ModelServer | undefined;
	beforeEach(() => {
		user = new User();
		file = join(user.home, 'secrets.json');
	});
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});
	const set = (name: string, input: string) => user.runs(['secrets', 'set', name], { input });
	const stored = () => (JSON.parse(readFileSync(file, 'utf8')) as { secrets: Record<string, string> }).secrets;
	const shows = ({ stdout, stderr }: CliResult, text: string) => stdout.includes(text) || stderr.includes(text);

	it('takes no value from the command line, and does not repeat one', async () => {
		const result = await user.runs(['secrets', 'set', 'github', canary]);
		assert.equal(result.code, 2);
		assert.match(result.stderr, /the value is typed or piped/);
		assert.equal(shows(result, canary), false);
		assert.equal(existsSync(file), false);
	});

	for (const [what, name, input, why] of [
		['an empty value', 'github', '', /the value of github is empty/],
		['a value of blanks', 'github', ' \n', /is empty/],
		['a value that is no text', 'github', 'a\0b', /is no text/],
		['a value that is too long', 'github', 'x'.repeat(65_537), /longer than 65536 bytes/],
		['a name with a slash', 'a/b', 'value-of-it', /a name takes letters/],
		['a name that no object may have', '__proto__', 'value-of-it', /a name takes letters/],
	] as const) {
		it(`refuses ${what}, and keeps nothing`, async () => {
			const { code, stderr } = await set(name, input);
			assert.equal(code, 2, stderr);
			assert.match(stderr, why);
			assert.equal(existsSync(file), false);
		});
	}

	it('refuses a file that others can read, wherever a secret is needed, and says what to do', async () => {
		assert.equal((await set('github', canary)).code, 0);
		chmodSync(file, 0o640);
		user.writes('note.txt', 'x');
		for (const words of [
			['secrets', 'list'],
			['secrets', 'set', 'npm'],
			['secrets', 'remove', 'github'],
			['capability', 'run', 'todo-report', '--trust'],
		]) {
			const { code, stderr } = await user.runs(words, { input: 'value-of-npm' });
			assert.equal(code, 1, words.join(' '));
			assert.match(stderr, /secrets\.json: other users can reach it \(mode 640\).*chmod 600 ".*secrets\.json"/, stderr);
		}
		assert.deepEqual(stored(), { github: canary });
		chmodSync(file, 0o600);
		assert.equal((await user.runs(['secrets', 'list'])).code, 0);
	});

	it('refuses a home that others can write into', async () => {
		assert.equal((await set('github', canary)).code, 0);
		chmodSync(user.home, 0o770);
		const { code, stderr } = await user.runs(['secrets', 'list']);
		chmodSync(user.home, 0o700);
		assert.equal(code, 1);
		assert.match(stderr, /mode 770.*chmod 700/);
	});

	it('refuses a file of another user', async function () {
		if (process.getuid?.() !== 0) {
			this.skip();
		}
		assert.equal((await set('github', canary)).code, 0);
		chownSync(file, 12_345, 12_345);
		const { code, stderr } = await user.runs(['secrets', 'list']);
		assert.equal(code, 1);
		assert.match(stderr, /it belongs to another user/);
	});

	it('neither reads nor writes through a link', async () => {
		const elsewhere = join(user.root, 'elsewhere.json');
		writeFileSync(elsewhere, '{"secrets":{}}', { mode: 0o600 });
		mkdirSync(user.home, { mode: 0o700 });
		symlinkSync(elsewhere, file);
		for (const { code, stderr } of [await set('github', canary), await user.runs(['secrets', 'list'])]) {
			assert.equal(code, 1);
			assert.match(stderr, /secrets\.json: it is a link/);
		}
		assert.equal(lstatSync(file).isSymbolicLink(), true);
		assert.equal(readFileSync(elsewhere, 'utf8'), '{"secrets":{}}');
	});

	it('leaves a damaged file as it is, and repeats nothing of it', async () => {
		mkdirSync(user.home, { mode: 0o700 });
		for (const [text, why] of [
			[`{"secrets": {"github": "${canary}`, /secrets\.json:1:\d+: not valid JSON/],
			[`{"secrets": {"github": ["${canary}"]}}`, /expected texts by name/],
			[`["${canary}"]`, /expected a JSON object/],
		] as const) {
			writeFileSync(file, text, { mode: 0o600 });
			for (const result of [await set('npm', 'value-of-npm'), await user.runs(['secrets', 'list'])]) {
				assert.equal(result.code, 1);
				assert.match(result.stderr, why);
				assert.equal(shows(result, canary), false);
			}
			assert.equal(readFileSync(file, 'utf8'), text);
		}
	});

	it('says so when there is nothing to remove', async () => {
		const { code, stderr } = await user.runs(['secrets', 'remove', 'github']);
		assert.equal(code, 1);
		assert.match(stderr, /There is no secret named "github"\. \(SECRET_NOT_FOUND\)\n.*prowess secrets set/);
		assert.equal(existsSync(file), false);
	});

	it('loses none when several are set at once', async () => {
		const names = ['one', 'two', 'three', 'four'];
		const results = await Promise.all(
			names.map((name) => user.runsApart(['secrets', 'set', name], { input: `value-of-${name}` })),
		);
		assert.deepEqual(
			results.map(({ code }) => code),
			[0, 0, 0, 0],
			results.map(({ stderr }) => stderr).join(''),
		);
		assert.deepEqual(stored(), Object.fromEntries(names.map((name) => [name, `value-of-${name}`])));
		assert.deepEqual(
			readdirSync(user.home).filter((name) => name.endsWith('.tmp')),
			[],
		);
	});

	it('keeps a value without its last line break for the user alone, replaces and removes it, and never shows it', async () => {
		const first = await set('github', `${canary}\n`);
		assert.equal(first.code, 0, first.stderr);
		assert.match(first.stderr, /^Stored the secret github in .*secrets\.json\. Only you can read the file\.\n$/);
		assert.deepEqual(stored(), { github: canary });
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.equal(statSync(user.home).mode & 0o777, 0o700);
		for (const [value, isTold] of [
			['password', true],
			['11111111', true],
			['correct-horse-7', false],
		] as const) {
			const { stderr } = await set('github', value);
			assert.equal(/may also occur in other texts/.test(stderr), isTold, `${value}: ${stderr}`);
		}
		const short = await set('GITHUB', 'short');
		assert.match(short.stderr, /^Replaced the secret/);
		assert.match(short.stderr, /shorter than 8 characters/);
		assert.deepEqual(stored(), { GITHUB: 'short' });
		const overruled = await user.runsApart(['secrets', 'set', 'npm'], {
			input: 'two\nlines of it\r\n',
			env: { PROWESS_SECRET_NPM: canary },
		});
		assert.match(overruled.stderr, /PROWESS_SECRET_NPM in the environment overrides it/);
		assert.equal(stored()['npm'], 'two\nlines of it');
		assert.equal(
			[first, short, overruled].some((result) => shows(result, canary)),
			false,
		);
		assert.equal((await user.runs(['secrets', 'remove', 'github'])).code, 0);
		assert.deepEqual(Object.keys(stored()), ['npm']);
	});

	it('lists the names of what the environment and the file have, sorted, each once, and no value', async () => {
		assert.equal((await set('github', 'value-of-the-file')).code, 0);
		assert.equal((await set('npm', 'value-of-npm')).code, 0);
		const env = { PROWESS_SECRET_GITHUB: canary, prowess_secret_Api: canary, PROWESS_SECRET_EMPTY: '' };
		const result = await user.runsApart(['secrets', 'list', '--verbose'], { env });
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(
			result.stdout.split('\n').map((line) => line.split(/ +/)),
			[['API', 'environment'], ['GITHUB', 'environment'], ['npm', file], ['']],
		);
		assert.equal(
			['value-of', canary].some((text) => shows(result, text)),
			false,
		);
		assert.deepEqual(JSON.parse((await user.runsApart(['secrets', 'list', '--json'], { env })).stdout), [
			{ name: 'API', from: 'environment' },
			{ name: 'GITHUB', from: 'environment' },
			{ name: 'npm', from: file },
		]);
	});

	it('says how to give one where there is none', async () => {
		const { code, stdout, stderr } = await user.runs(['secrets', 'list']);
		assert.deepEqual([code, stdout], [0, '']);
		assert.match(stderr, /prowess secrets set github.*PROWESS_SECRET_GITHUB/);
	});

	it('strikes what is stored out of all that a command prints, even when it prints the file itself', async () => {
		assert.equal((await set('github', canary)).code, 0);
		user.writes(
			'thief.cjs',
			`const text = require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8');
			console.log(text, Buffer.from(JSON.parse(text).secrets.github).toString('base64'), 'printed');`,
		);
		server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'thief.cjs'], needs: { noSandbox: true } } }] },
			{ text: 'Done.' },
		]);
		const result = await user.prompts(server.baseUrl, 'x', ['--approve', 'full', '--json', '--verbose']).ended;
		assert.equal(result.code, 0, result.stderr);
		assert.match(server.requests[1]?.text ?? '', /printed/);
		const files = readdirSync(user.home, { withFileTypes: true, recursive: true })
			.filter((entry) => entry.isFile() && entry.name !== 'secrets.json')
			.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString('latin1')]);
		const places = [
			['standard output', result.stdout],
			['standard error', result.stderr],
			...server.requests.map(({ text }) => ['a request', text]),
			...files,
		];
		const found = places.filter(([, text = '']) =>
			[canary, Buffer.from(canary).toString('base64')].some((value) => text.includes(value)),
		);
		assert.deepEqual(
			found.map(([place]) => place),
			[],
		);
	});
});
