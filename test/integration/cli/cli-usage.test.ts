import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess: what cannot be meant', function () {
	this.timeout(commandLimitMs);

	for (const [words, message] of [
		[['rnu', 'x'], /unknown command "rnu"; did you mean "run"\?\nSee: prowess --help\n/],
		[['ledger', 'lst'], /unknown command "ledger lst"; did you mean "list"\?\nSee: prowess ledger --help\n/],
		[['--hepl'], /unknown option "--hepl"; did you mean "--help"\?/],
		[['run', 'x', '--modle', 'm'], /unknown option "--modle"; did you mean "--model"\?/],
		[['run', 'x', '--toString'], /unknown option "--toString"/],
		[['run'], /run needs "<prompt>" \| -/],
		[['run', '  '], /the prompt is empty/],
		[['run', '-'], /the prompt is empty/],
		[['run', 'fix', 'it'], /unexpected "it" \(put the prompt in quotes\)/],
		[
			['run', 'x', '--approve', 'autp'],
			/--approve takes never, ask, edit, auto, full; got "autp"; did you mean "auto"\?/,
		],
		[['run', 'x', '--approve', 'ask'], /--approve ask needs a terminal/],
		[['run', 'x', '--model'], /--model needs a value/],
		[['run', 'x', '--json=yes'], /--json takes no value/],
		[['run', 'x', '--thread', '../x'], /--thread takes an id like "thr_…"/],
		[['run', 'x', '--trust', '--provider', 'opnai'], /did you mean "openai"\?/],
		[['run', 'x', '--trust', '--provider', 'openai-compatible'], /needs --base-url/],
		[['run', 'x', '--trust', '--base-url', 'file:///etc/passwd'], /--base-url takes an http\(s\) address/],
		[['run', 'x', '--trust', '--model', 'm'], /say which provider has it/],
		[['thread', 'show', 'x'], /expected a thread id/],
		[['ledger', 'list', '--limit', '0'], /--limit takes a number from 1 to/],
		[['ledger', 'show', 'x'], /expected an op id/],
		[['ledger', 'list', '--since', 'yesterday'], /--since takes a time in UTC like 2026-11-20/],
	] as const) {
		it(`refuses "${words.join(' ')}" with exit code 2 and says why`, async () => {
			const { code, stdout, stderr } = await new User().runs(words);
			assert.equal(code, 2, stderr);
			assert.match(stderr, message);
			assert.equal(stdout, '');
		});
	}

	it('refuses a home that depends on where it is started', async () => {
		const user = new User();
		const { code, stderr } = await user.runs(['ledger', 'list'], { env: { PROWESS_HOME: '.prowess' } });
		assert.equal(code, 2);
		assert.match(stderr, /PROWESS_HOME must be an absolute path/);
		assert.deepEqual(readdirSync(user.workspace), []);
	});

	it('refuses a Node that is too old, naming it and what to do, before it loads anything else', async () => {
		const user = new User();
		const old =
			"data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.1'}})";
		const { code, stderr } = await user.runsApart(['run', 'x'], { env: { NODE_OPTIONS: `--import=${old}` } });
		assert.equal(code, 2);
		assert.match(stderr, /^prowess needs Node\.js 22\.16 or newer, this is 20\.11\.1\. Install .*\n$/);
	});
});

describe('prowess: help and version', function () {
	this.timeout(commandLimitMs);

	it('knows its version', async () => {
		const { code, stdout } = await new User().runs(['--version']);
		assert.equal(code, 0);
		assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
	});

	for (const words of [
		[],
		['--help'],
		['help'],
		['ledger'],
		['ledger', '--help'],
		['run', '--help'],
		['thread', 'list', '-h'],
	]) {
		it(`helps with "${words.join(' ')}" and makes nothing`, async () => {
			const user = new User();
			const { code, stdout, stderr } = await user.runs(words);
			assert.equal(code, 0, stderr);
			assert.match(
				stdout,
				words.includes('run') ? /--approve never\|ask\|edit\|auto\|full/ : /prowess (run|ledger list|thread list)/,
			);
			assert.equal(existsSync(user.home), false);
		});
	}
});

describe('prowess: trust', function () {
	this.timeout(commandLimitMs);

	it('reads, starts and sends nothing in a folder that is not trusted, and says how to trust it', async () => {
		const user = new User();
		user.writes('.env', 'PROWESS_HOME=./evil\nOPENAI_API_KEY=sk-evil\n');
		user.writes('.prowess/settings.json', '{ this would be an error');
		const { code, stderr, stdout } = await user.runs(['run', 'x', '--provider', 'tour']);
		assert.equal(code, 1);
		assert.match(
			stderr,
			/is not trusted, so nothing in it is read, changed or run\. \(WORKSPACE_UNTRUSTED\)\n.*--trust/,
		);
		assert.equal(stdout, '');
		assert.deepEqual(readdirSync(user.home), []);
	});

	it('says the same in JSON, as the end of a turn that never began', async () => {
		const { code, stdout } = await new User().runs(['run', 'x', '--json']);
		assert.equal(code, 1);
		const end = JSON.parse(stdout) as Record<string, unknown>;
		assert.equal(end['type'], 'turn.end');
		assert.equal((end['error'] as { code: string }).code, 'WORKSPACE_UNTRUSTED');
	});

	it('trusts neither a folder inside a trusted one, nor one beside it, nor a link to elsewhere', async () => {
		const user = new User();
		mkdirSync(user.home, { recursive: true, mode: 0o700 });
		writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ folders: [user.workspace] }));
		mkdirSync(join(user.workspace, 'inside'));
		mkdirSync(`${user.workspace}-beside`);
		symlinkSync(`${user.workspace}-beside`, join(user.workspace, 'link'));
		for (const folder of ['inside', `${user.workspace}-beside`, 'link']) {
			const { code, stderr } = await user.runs(['run', 'x', '--provider', 'tour', '--workspace', folder]);
			assert.equal(code, 1);
			assert.match(stderr, /WORKSPACE_UNTRUSTED/);
		}
	});

	for (const [name, text, message] of [
		['trust.json', '{"folders": "all"}', /trust\.json: folders: expected a list of paths/],
		['trust.json', '[', /trust\.json:1:\d+: not valid JSON/],
		['settings.json', '{\n  "prowess.mode": "ask",\n  oops\n}', /settings\.json:3:3: not valid JSON/],
		['settings.json', '[]', /settings\.json: expected a JSON object/],
		['settings.json', '{"prowess.approvals.allow": "shell.run *"}', /settings\.json: prowess\.approvals\.allow: /],
		['settings.json', '{"prowess.providers": [{"id": "a", "kind": "b"}]}', /prowess\.providers\.0\.kind: /],
	] as const) {
		it(`stops at a wrong ${name} (${text.replaceAll('\n', ' ')}), names the place and leaves the file alone`, async () => {
			const user = new User();
			mkdirSync(user.home, { recursive: true, mode: 0o700 });
			writeFileSync(join(user.home, name), text);
			const { code, stderr } = await user.runs(['run', 'x', '--trust', '--provider', 'tour']);
			assert.equal(code, 1);
			assert.match(stderr, message);
			assert.equal(readFileSync(join(user.home, name), 'utf8'), text);
		});
	}

	it('makes a home that is for its user alone', async () => {
		const user = new User();
		await user.runs(['run', 'x']);
		assert.equal(statSync(user.home).mode & 0o777, 0o700);
	});
});
