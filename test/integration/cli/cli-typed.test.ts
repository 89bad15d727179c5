/** Tests a person's typing while a turn runs, in a real terminal; `script` of util-linux makes one. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

const hasScript = (() => {
	try {
		return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
	} catch {
		return false;
	}
})();

/** Runs until the test lets it end. */
const untilToldToEnd = {
	toolCalls: [{ name: 'shell_run', input: { argv: ['sh', '-c', 'until [ -e go ]; do sleep 0.05; done'] } }],
};

(hasScript ? describe : describe.skip)('prowess run, while a turn runs in a terminal', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server.close();
	});

	async function begin(script: Script, { flags = ['--approve', 'full'], inBackground = false } = {}) {
		server = await startModelServer(script);
		const options = ['--trust', '--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const words = [process.execPath, programs.cli, 'run', 'go', ...options, ...flags];
		const line = words.map((word) => `'${word}'`).join(' ');
		const command = inBackground ? `set -m; ${line} & wait $!` : line;
		const child = spawn('script', ['-qefc', command, '/dev/null'], {
			cwd: user.workspace,
			env: {
				PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
				HOME: dirname(user.home),
				PROWESS_HOME: user.home,
				TMPDIR: user.root,
				SHELL: '/bin/sh',
			},
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		let shown = '';
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk.replaceAll('\r\n', '\n')));
		const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
		const shows = (text: string) => waitFor(`"${text}" in ${shown}`, () => shown.includes(text), commandLimitMs);
		return {
			shows,
			shown: () => shown,
			type: async (text: string, until: string) => {
				child.stdin.write(`${text}\n`);
				await shows(until);
			},
			letEnd: () => writeFileSync(join(user.workspace, 'go'), ''),
			ended,
			keys: (text: string) => child.stdin.write(text),
		};
	}

	/** Words of the user in the n-th request, from 0. */
	const said = (n: number) =>
		((server.requests[n]?.body['messages'] ?? []) as { readonly role: string; readonly content: string }[])
			.filter(({ role }) => role === 'user')
			.map(({ content }) => JSON.stringify(content));

	it('sends nothing that waits after a turn that failed, and says what it was', async () => {
		const terminal = await begin([untilToldToEnd, { error: 400, message: 'no more' }]);
		await server.request(1);
		await terminal.type('and then b', 'Waits for the turn to end (1)');
		terminal.letEnd();
		assert.equal(await terminal.ended, 1, terminal.shown());
		assert.match(terminal.shown(), /Not sent: and then b\n/);
		assert.equal(server.requests.length, 2);
	});

	it('takes no line that was typed before a question for its answer', async () => {
		const write = { name: 'fs_write', input: { path: 'a.txt', content: 'a\n' } };
		const terminal = await begin(
			[
				{ chunks: ['Begun', ' and', ' on', ' it'], delayMs: 500, toolCalls: [write] },
				{ text: 'Not written.' },
				{ text: 'Y?' },
			],
			{ flags: [] },
		);
		await terminal.shows('Begun');
		await terminal.type('y', 'Waits for the turn to end (1)');
		await terminal.shows('Allow? ');
		await terminal.type('n', 'Not written.');
		await terminal.ended;
		assert.match(said(2).at(-1) ?? '', /^"y"|\\ny"/);
	});

	it('tells the model of a capability that was enabled since the thread began', async () => {
		const folder = join(user.workspace, '.prowess/capabilities/skill/late');
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'capability.yaml'),
			'name: late\ntype: skill\nversion: 1.0.0\ndescription: Comes late\nlevel: MONITORED\npermissions: []\n',
		);
		writeFileSync(join(folder, 'index.js'), 'exports.execute = async () => 1;\n');
		mkdirSync(user.home, { recursive: true });
		const disabled = [realpathSync(folder)];
		writeFileSync(join(user.home, 'disabled-capabilities.json'), JSON.stringify({ disabled }));
		const terminal = await begin([untilToldToEnd, { text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
		await server.request(1);
		await terminal.type('and now', 'Waits for the turn to end (1)');
		await terminal.type('enable the skill late', 'Waits for the turn to end (2)');
		await terminal.type('and then', 'Waits for the turn to end (3)');
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.equal(server.requests.length, 4);
		assert.doesNotMatch(said(2).join(), /skill\/late/);
		assert.match(said(3).at(-1) ?? '', /\\nnew capabilities: skill\/late \(capability_detail tells/);
	});

	it('is not stopped by the system in the background, where it reads nothing', async () => {
		const terminal = await begin([untilToldToEnd, { text: 'The end.' }], { inBackground: true });
		await server.request(1);
		terminal.keys('hello\n');
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.match(terminal.shown(), /The end\./);
		assert.equal(server.requests.length, 2);
	});

	it('keeps a line until the turn ends, and sends it as the next message', async () => {
		const terminal = await begin([untilToldToEnd, { text: 'First.' }, { text: 'Second.' }]);
		await terminal.shows('/help lists what else you can do');
		await server.request(1);
		await terminal.type('and then b', 'Waits for the turn to end (1)');
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.match(terminal.shown(), /First\.\n[^]*Sending: and then b\n[^]*Second\.\n/);
		assert.doesNotMatch(said(1).join(), /and then b/);
		assert.match(said(2).at(-1) ?? '', /and then b/);
	});

	it('gives a line to the turn that runs with /now, without the keys in it', async () => {
		const terminal = await begin([untilToldToEnd, { text: 'Brief.' }]);
		await server.request(1);
		const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
		await terminal.type(`/now be brief, ${key}`, 'Sent: the agent reads it');
		assert.match(terminal.shown(), /1 key was removed from the prompt/);
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.equal(server.requests.length, 2);
		assert.match(said(1).at(-1) ?? '', /be brief/);
		assert.ok(!server.requests[1]?.text.includes(key));
	});

	it('stops the turn with /stop and sends the words, or what waits first', async () => {
		const terminal = await begin([untilToldToEnd, untilToldToEnd, { text: 'Third.' }]);
		await server.request(1);
		await terminal.type('/stop do b instead', 'Stopping, then sending.');
		await server.request(2);
		assert.match(said(1).at(-1) ?? '', /do b instead/);
		await terminal.type('or c', 'Waits for the turn to end (1)');
		await terminal.type('/stop', 'Sending: or c');
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.match(said(2).at(-1) ?? '', /or c/);
	});

	it('stops the turn and ends with /stop where nothing waits', async () => {
		const terminal = await begin([untilToldToEnd]);
		await server.request(1);
		await terminal.type('/stop', 'Stopping.');
		assert.equal(await terminal.ended, 130, terminal.shown());
	});

	it('waits no longer for a provider with /next, and asks one that is paused again with /again', async () => {
		const other = await startModelServer(() => ({ text: 'Other here.' }));
		try {
			mkdirSync(user.home, { recursive: true });
			const provider = { id: 'other', kind: 'openai-compatible', baseUrl: other.baseUrl, models: ['m'] };
			writeFileSync(
				join(user.home, 'settings.json'),
				JSON.stringify({
					'prowess.providers': [provider],
					'prowess.models.fallback': [{ provider: 'other', model: 'm' }],
					'prowess.models.pause': { faults: 1 },
				}),
			);
			const terminal = await begin([{ error: 429, message: 'slow down', headers: { 'retry-after': '50' } }]);
			await terminal.shows('Trying again in 50 s.');
			await terminal.type('/again nobody', 'nobody is not paused. These are: openai-compatible.');
			await terminal.type('/again openai-compatible', 'openai-compatible is asked again from now on.');
			await terminal.type('/again other', 'other is not paused. No provider is.');
			await terminal.type('/next', 'other/m answers now.');
			assert.equal(await terminal.ended, 0, terminal.shown());
			assert.match(terminal.shown(), /Other here\./);
			assert.equal(server.requests.length, 1);
		} finally {
			await other.close();
		}
	});

	it('lists, changes and removes what waits, and takes other words with a slash for messages', async () => {
		const terminal = await begin([untilToldToEnd, { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }]);
		await server.request(1);
		await terminal.type('one', 'to end (1)');
		await terminal.type('two', 'to end (2)');
		await terminal.type('/usr/bin is a folder', 'to end (3)');
		await terminal.type('/edit 1 ONE', '  1. ONE\n  2. two\n');
		await terminal.type('/drop 2', '  1. ONE\n  2. /usr/bin is a folder\n');
		await terminal.type('/drop 7', '/drop takes the number of a message that waits');
		await terminal.type('/help', '/edit N text   replaces');
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.deepEqual(
			[said(2).at(-1), said(3).at(-1)].map((each) => /ONE|\/usr\/bin is a folder/.exec(each ?? '')?.[0]),
			['ONE', '/usr/bin is a folder'],
		);
	});

	it('takes what is pasted at once for one message', async () => {
		const terminal = await begin([untilToldToEnd, { text: 'First.' }, { text: 'Second.' }]);
		await server.request(1);
		await terminal.type('first line\nsecond line', 'Waits for the turn to end (1)');
		terminal.letEnd();
		assert.equal(await terminal.ended, 0, terminal.shown());
		assert.match(said(2).at(-1) ?? '', /first line\\nsecond line/);
		assert.equal(server.requests.length, 3);
	});
});
