/** `prowess policy`: what the gate would say, without doing, asking or recording anything. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess policy', function () {
	this.timeout(commandLimitMs);

	function trusting(settings: object = {}): User {
		const user = new User();
		mkdirSync(user.home);
		writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ folders: [realpathSync(user.workspace)] }));
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		return user;
	}

	it('reads nothing of a folder that is not trusted', async () => {
		const { code, stderr } = await new User().runs(['policy', 'show']);
		assert.equal(code, 1);
		assert.match(stderr, /WORKSPACE_UNTRUSTED/);
		assert.match(stderr, /run again with --trust/);
	});

	it('does what that message says', async () => {
		const user = new User();
		assert.equal((await user.runs(['policy', 'show', '--trust'])).code, 0);
		assert.equal((await user.runs(['policy', 'test', 'fs.list'])).code, 0);
	});

	it('says which rule refuses a command, and runs none', async () => {
		const user = trusting({ 'prowess.approvals.deny': ['shell.run touch'] });
		const { code, stdout } = await user.runs([
			'policy',
			'test',
			'shell.run',
			'--',
			'env',
			'touch',
			'--no-create',
			'a b',
		]);
		assert.equal(code, 0);
		assert.match(stdout, /^Decision +REFUSED$/m);
		assert.match(stdout, /The rule "shell\.run touch" of prowess\.approvals\.deny/);
		assert.equal(existsSync(join(user.workspace, 'a b')), false);
	});

	for (const command of [['run', 'hello', '--provider', 'tour'], ['policy', 'show'], ['doctor']]) {
		it(`stops \`prowess ${command[0]}\` when what was meant to be refused cannot be read, and says where`, async () => {
			const user = trusting({ 'prowess.approvals.deny': ['shell.run git push', 7], 'prowess.hooks': 'guard' });
			const { code, stdout, stderr } = await user.runs(command);
			assert.equal(code, 1);
			assert.equal(stdout, '');
			assert.match(stderr, /settings\.json: prowess\.approvals\.deny\.1: .*; prowess\.hooks: /);
		});
	}

	for (const [what, settings, why] of [
		['a deny rule that is none', { 'prowess.approvals.deny': ['nonsense'] }, /"nonsense" is no rule/],
		['a deny rule for no op', { 'prowess.approvals.deny': ['fs.wirte x'] }, /there is no op "fs\.wirte"/],
		['an ask rule with an open quote', { 'prowess.approvals.ask': ['shell.run "a'] }, /a quote is not closed/],
		[
			'a hook for no op',
			{ 'prowess.hooks': [{ when: 'before', ops: 'fs.no', run: ['x'] }] },
			/there is no op "fs\.no"/,
		],
	] as const) {
		it(`stops \`prowess run\` with ${what}, and says where`, async () => {
			const { code, stdout, stderr } = await trusting(settings).runs(['run', 'hello', '--provider', 'tour']);
			assert.deepEqual([code, stdout], [1, '']);
			assert.match(stderr, why);
			assert.match(stderr, /settings\.json: prowess\.(?:approvals|hooks)/);
		});
	}

	it('takes params as JSON and answers in JSON', async () => {
		const user = trusting();
		const { stdout } = await user.runs(['policy', 'test', 'fs.write', '{"path":"a","content":"x"}', '--json']);
		assert.equal((JSON.parse(stdout) as { decision: string }).decision, 'ask');
		assert.equal(existsSync(join(user.workspace, 'a')), false);
	});

	it('names rules that can never match, of the settings and of the workspace, with why', async () => {
		const user = trusting({ 'prowess.approvals.deny': ['shell.run npm test && git push', 'fs.write /etc/hosts'] });
		user.writes('.prowess/policy.yaml', 'deny:\n  - user.ask src/**\n');
		const { code, stdout } = await user.runs(['policy', 'show']);
		assert.equal(code, 0);
		const problems = stdout.slice(stdout.indexOf('Problems:'));
		assert.match(
			problems,
			/"shell\.run npm test && git push" can never match: each command is judged by itself, without &&/,
		);
		assert.match(problems, /"fs\.write \/etc\/hosts" can never match: its path is not in the workspace/);
		assert.match(
			problems,
			/policy\.yaml:2:\d+: "user\.ask src\/\*\*" can never match: user\.ask names no file, host or command/,
		);
	});

	it('says that a policy names no permission level, where, and that everything is asked', async () => {
		const user = trusting();
		user.writes('.prowess/policy.yaml', 'widestLevel: Auto\n');
		const { code, stdout } = await user.runs(['policy', 'show']);
		assert.equal(code, 0);
		assert.match(stdout, /\.prowess\/policy\.yaml:1:1: "widestLevel" names no permission level; /);
		const tested = await user.runs(['policy', 'test', 'fs.write', 'a.txt']);
		assert.match(
			tested.stdout,
			/Everything needs your approval while this cannot be read: [^]*names no permission level/,
		);
	});

	it('lists the rules in force and what is wrong with them', async () => {
		const user = trusting({ 'prowess.approvals.level': 'full' });
		user.writes('.prowess/policy.yaml', 'deny:\n  - shell.run git push\nallow: [shell.run *]\n');
		const { stdout } = await user.runs(['policy', 'show']);
		assert.match(stdout, /^Permission level of new threads: Full$/m);
		assert.match(stdout, /shell\.run git push {4}\(\.prowess\/policy\.yaml:2:5\)/);
		assert.match(stdout, /policy\.yaml:3:1: "allow" is refused/);
	});
});

describe('prowess ledger redact-preview', function () {
	this.timeout(commandLimitMs);

	it('says what would be struck out of standard input, with the patterns of the settings, and shows no value', async () => {
		const user = new User();
		mkdirSync(user.home);
		const patterns = [
			{ name: 'ticket', pattern: String.raw`TCK-\d{6}` },
			{ name: 'bad', pattern: '(a+)+b' },
		];
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.redaction.patterns': patterns }));
		const { code, stdout } = await user.runs(['ledger', 'redact-preview'], { input: 'x TCK-123456\n' });
		assert.equal(code, 0);
		assert.match(stdout, /line 1: ticket \(10 characters\)/);
		assert.match(stdout, /"bad" is not used/);
		assert.doesNotMatch(stdout, /123456/);
	});

	it('refuses an empty text', async () => {
		const { code, stderr } = await new User().runs(['ledger', 'redact-preview'], { input: '' });
		assert.equal(code, 2);
		assert.match(stderr, /redact-preview: the text is empty\nSee: prowess ledger redact-preview --help/);
	});
});
