/** Rules of an organisation on the command line: shown, obeyed, and refused as a whole where they cannot be relied on. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpSite } from '../../support/http-site.ts';
import { commandLimitMs, User } from './cli-process.ts';

class Employee extends User {
	readonly system = { folder: join(this.root, 'etc-prowess'), owners: [process.getuid?.() ?? 0] };

	/** With `rules` as the file in the folder of the system. */
	constructor(rules: object | string, settings: object = {}) {
		super();
		mkdirSync(this.home);
		mkdirSync(this.system.folder, { mode: 0o755 });
		writeFileSync(join(this.home, 'trust.json'), JSON.stringify({ folders: [realpathSync(this.workspace)] }));
		this.sets(settings as Record<string, unknown>);
		writeFileSync(this.file, typeof rules === 'string' ? rules : JSON.stringify(rules), { mode: 0o644 });
	}

	get file(): string {
		return join(this.system.folder, 'organisation.json');
	}

	async does(...words: string[]) {
		return await this.runs(words, { system: this.system });
	}
}

const local = {
	'prowess.providers': [
		{ id: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', models: ['small', 'big'] },
	],
	'prowess.model': 'local/small',
};

describe('prowess under the rules of an organisation', function () {
	this.timeout(commandLimitMs);

	it('lists them with their place, and those of the user that are left', async () => {
		const rules = {
			organisation: 'Example',
			widestLevel: 'edit',
			hosts: ['api.example.org'],
			deny: ['shell.run npm publish'],
		};
		const user = new Employee(rules, { 'prowess.approvals.widestLevel': 'auto' });
		const { code, stdout } = await user.does('policy', 'show');
		assert.equal(code, 0);
		assert.match(stdout, /^Set by your organisation \(Example\), in .*organisation\.json:$/m);
		assert.match(stdout, /^ {2}Hosts: api\.example\.org$/m);
		assert.match(stdout, /^Widest permission level: Edit freely {4}\(Your organisation \(Example\)\)$/m);
		assert.match(stdout, /^ {2}shell\.run npm publish {4}\(your organisation \(Example\)\)$/m);
	});

	it('refuses what they refuse, and says whose rule it is', async () => {
		const user = new Employee(
			{ organisation: 'Example', hosts: ['api.example.org'], sandbox: 'required', deny: ['shell.run npm publish'] },
			{ 'prowess.approvals.allow': ['http.get *', 'shell.run *'] },
		);
		const test = async (...words: string[]) => (await user.does('policy', 'test', ...words)).stdout;
		assert.match(
			await test('http.get', 'https://evil.test/'),
			/REFUSED[^]*Your organisation \(Example\) does not allow the host evil\.test/,
		);
		assert.doesNotMatch(await test('http.get', 'https://api.example.org/'), /REFUSED/);
		assert.match(
			await test('shell.run', '--', 'npm', 'publish'),
			/The rule "shell\.run npm publish" of your organisation \(Example\)/,
		);
		assert.match(
			await test('shell.run', '{"argv":["npm","install"],"needs":{"noSandbox":true}}'),
			/REFUSED[^]*does not allow commands outside the sandbox/,
		);
	});

	it('asks no model and no provider that they leave out', async () => {
		const ofModel = await new Employee({ organisation: 'Example', models: ['openai-compatible/big'] }, local).does(
			'run',
			'x',
		);
		assert.match(ofModel.stderr, /does not allow the model local\/small\. \(DENIED_BY_ORGANISATION\)/);
		const ofProvider = await new Employee({ organisation: 'Example', providers: ['anthropic'] }, local).does(
			'run',
			'x',
		);
		assert.match(ofProvider.stderr, /does not allow the model local\/small\. \(DENIED_BY_ORGANISATION\)/);
		assert.deepEqual([ofModel.code, ofProvider.code], [1, 1]);
	});

	it('names them in the doctor', async () => {
		const { stdout } = await new Employee({ organisation: 'Example', export: 'denied' }).does('doctor');
		assert.match(stdout, /^ok +Organisation +rules of Example, in .*\n +Threads and the ledger cannot be exported$/m);
	});

	it('exports no records where they forbid it', async () => {
		const user = new Employee({ organisation: 'Example', export: 'denied' });
		for (const words of [
			['ledger', 'export'],
			['thread', 'export', 'thr_00000000-0000-7000-8000-000000000000'],
		]) {
			const { code, stdout, stderr } = await user.does(...words);
			assert.equal(code, 1, words.join(' '));
			assert.equal(stdout, '');
			assert.match(stderr, /Your organisation \(Example\) does not allow exports of records/);
		}
	});

	it('uses no MCP server that they do not name, and says so', async () => {
		const servers = { notes: { command: 'node', args: ['notes.mjs'] }, other: { command: 'node', args: ['x.mjs'] } };
		const user = new Employee(
			{ organisation: 'Example', mcpServers: [{ command: ['node', 'notes.mjs'] }] },
			{ 'prowess.mcp.servers': servers },
		);
		const { stdout, stderr } = await user.does('mcp', 'list');
		assert.match(stdout, /notes/);
		assert.match(
			`${stdout}${stderr}`,
			/"other" in prowess\.mcp\.servers is not used\. Your organisation \(Example\) does not allow this MCP server/,
		);
	});

	for (const [what, rules, why] of [
		['invalid JSON', '{"organisation": ', /organisation\.json: it is not valid JSON/],
		['an unknown key', '{"organisation": "Example", "modells": []}', /there is no "modells", did you mean "models"\?/],
	] as const) {
		it(`starts nothing with ${what}, and says why, where and what to do`, async () => {
			const user = new Employee(rules);
			for (const words of [
				['run', 'x', '--provider', 'tour'],
				['policy', 'show'],
				['doctor'],
				['mcp', 'list'],
				['thread', 'list'],
			]) {
				const { code, stdout, stderr } = await user.does(...words);
				assert.deepEqual([code, stdout], [1, ''], words.join(' '));
				assert.match(stderr, /ORGANISATION_RULES_REFUSED/);
				assert.match(stderr, why);
				assert.match(stderr, /prowess policy validate FILE/);
			}
		});
	}

	it('starts nothing where others could have written the file', async () => {
		const user = new Employee({ organisation: 'Example' });
		chmodSync(user.file, 0o666);
		const { code, stderr } = await user.does('policy', 'show');
		assert.equal(code, 1);
		assert.match(stderr, /organisation\.json: its group or others may write it/);
	});

	it('takes rules from an address only as the key of the system folder has signed them, and the last good ones when it is gone', async () => {
		const user = new Employee('{}');
		const { privateKey } = generateKeyPairSync('ed25519');
		const keyFile = join(user.root, 'key.pem');
		const rulesFile = join(user.root, 'rules.json');
		writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
		writeFileSync(rulesFile, JSON.stringify({ organisation: 'Example', widestLevel: 'ask' }));
		const signed = await user.does('policy', 'sign', rulesFile, '--key', keyFile, '--json');
		const { signaturePath, publicKey } = JSON.parse(signed.stdout) as { signaturePath: string; publicKey: string };
		const files = new Map([
			['/rules.json', readFileSync(rulesFile, 'utf8')],
			['/rules.json.sig', readFileSync(signaturePath, 'utf8')],
		]);
		const site = await httpSite(({ path }, response) => {
			response.statusCode = files.has(path) ? 200 : 404;
			response.end(files.get(path));
		});
		const show = async () => await user.does('policy', 'show');
		const address = `http://127.0.0.1:${site.port}/rules.json`;
		try {
			writeFileSync(user.file, JSON.stringify({ address, publicKey: Buffer.alloc(32).toString('base64') }));
			assert.match((await show()).stderr, /its signature is not valid\. \(ORGANISATION_RULES_REFUSED\)/);
			writeFileSync(user.file, JSON.stringify({ address, publicKey }));
			files.set('/rules.json', '{"organisation": "Example"}');
			assert.match((await show()).stderr, /its signature is not valid/);
			files.set('/rules.json', readFileSync(rulesFile, 'utf8'));
			assert.match((await show()).stdout, /Widest permission level: Ask first {4}\(Your organisation/);
		} finally {
			await site.close();
		}
		assert.match((await show()).stdout, /Widest permission level: Ask first {4}\(Your organisation/);
		// A copy that the user has changed is no copy.
		const kept = join(user.home, 'organisation-rules.json');
		writeFileSync(kept, readFileSync(kept, 'utf8').replace('\\"ask\\"', '\\"full\\"'));
		const changed = await show();
		assert.equal(changed.code, 1);
		assert.match(changed.stderr, /it cannot be read[^]*ORGANISATION_RULES_REFUSED/);
	});

	it('takes no rules that are older than those it has read at the address, from there or from the copy, and says so', async () => {
		const user = new Employee('{}');
		const { privateKey } = generateKeyPairSync('ed25519');
		const keyFile = join(user.root, 'key.pem');
		writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
		const signed = async (rules: object) => {
			const file = join(user.root, 'rules.json');
			writeFileSync(file, JSON.stringify({ organisation: 'Example', ...rules }));
			const { stdout } = await user.does('policy', 'sign', file, '--key', keyFile, '--json');
			const { publicKey } = JSON.parse(stdout) as { publicKey: string };
			return { publicKey, rules: readFileSync(file, 'utf8'), signature: readFileSync(`${file}.sig`, 'utf8') };
		};
		const without = await signed({ widestLevel: 'full' });
		const older = await signed({ version: 1, widestLevel: 'full' });
		const newer = await signed({ version: 2, widestLevel: 'ask' });
		let given = older;
		const site = await httpSite(({ path }, response) =>
			response.end(path.endsWith('.sig') ? given.signature : given.rules),
		);
		const address = `http://127.0.0.1:${site.port}/rules.json`;
		writeFileSync(user.file, JSON.stringify({ address, publicKey: newer.publicKey }));
		const kept = join(user.home, 'organisation-rules.json');
		/** Makes the copy hours old. */
		const age = () => writeFileSync(kept, readFileSync(kept, 'utf8').replace(/"readAt":\d+/, '"readAt":1'));
		const show = async () => await user.does('policy', 'show');
		try {
			assert.doesNotMatch((await show()).stdout, /Widest permission level: Ask first/);
			const rolledBack = readFileSync(kept, 'utf8');
			given = newer;
			age();
			assert.match(
				(await show()).stdout,
				/Version 2 of the rules[^]*Widest permission level: Ask first {4}\(Your organisation/,
			);
			for (const [each, version] of [
				[older, 1],
				[without, 0],
			] as const) {
				given = each;
				age();
				const { stdout } = await show();
				assert.match(stdout, /Widest permission level: Ask first {4}\(Your organisation/);
				assert.match(stdout, new RegExp(`it gives rules of version ${version}, and version 2 was read there before`));
			}
			writeFileSync(kept, rolledBack);
			const refused = await show();
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /version 2 was read there before\. \(ORGANISATION_RULES_REFUSED\)/);
			given = newer;
			assert.match((await show()).stdout, /Widest permission level: Ask first/);
		} finally {
			await site.close();
		}
		writeFileSync(kept, JSON.stringify({ address, readAt: Date.now(), ...older }));
		assert.match((await show()).stderr, /it cannot be read[^]*ORGANISATION_RULES_REFUSED/);
	});

	it('checks a file before it is put there', async () => {
		const user = new Employee({ organisation: 'Example', models: ['anthropic/*'] });
		const { code, stdout } = await user.does('policy', 'validate');
		assert.equal(code, 0);
		assert.match(stdout, /organisation\.json: valid, rules of Example\n {2}Models: anthropic\/\*\n$/);
		const bad = join(user.root, 'bad.json');
		writeFileSync(bad, '{"organisation": "Example", "widestLevel": "none"}');
		const refused = await user.does('policy', 'validate', bad);
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, /^[^\n]*bad\.json: widestLevel: [^\n]*\n$/);
		assert.doesNotMatch(refused.stderr, /nothing is started|administrators/);
	});
});
