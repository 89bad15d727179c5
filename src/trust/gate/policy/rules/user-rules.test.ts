import assert from 'node:assert/strict';
import { testHost } from '../../../../../test/support/host-ports.ts';
import { NO_STRICT_RULES } from './strict-rule.ts';
import { rulesInForce, rulesProblems, userStrictRules } from './user-rules.ts';

const written = (values: Readonly<Record<string, unknown>>) => testHost({ written: values }).ports.settings;

describe('Rules of the user', () => {
	for (const [what, values, fault] of [
		[
			'a list of refusals that is no list',
			{ 'prowess.approvals.deny': 'shell.run git push' },
			/^prowess\.approvals\.deny: /,
		],
		[
			'a list of questions that is no list',
			{ 'prowess.approvals.ask': { 'fs.write': 'a' } },
			/^prowess\.approvals\.ask: /,
		],
		['an entry that is no text', { 'prowess.approvals.deny': ['fs.read a', 7] }, /^prowess\.approvals\.deny\.1: /],
		['an entry that is no rule', { 'prowess.approvals.ask': ['push'] }, /^prowess\.approvals\.ask: "push" is no rule/],
		['a permission level that there is not', { 'prowess.approvals.level': 'Manual' }, /^prowess\.approvals\.level: /],
		[
			'a limit that is no number',
			{ 'prowess.approvals.perHour.restricted': '5' },
			/^prowess\.approvals\.perHour\.restricted: /,
		],
	] as const) {
		it(`make everything a question while there is ${what}`, () => {
			const { unreadable } = userStrictRules(written(values));
			assert.equal(unreadable.length, 1);
			assert.match(unreadable[0] ?? '', fault);
		});
	}

	it('count although their neighbour cannot be read', () => {
		const settings = written({ 'prowess.approvals.deny': [7, 'shell.run git push', 'nonsense'] });
		const { deny, unreadable } = userStrictRules(settings);
		assert.deepEqual(
			deny.map(({ text }) => text),
			['shell.run git push'],
		);
		assert.equal(unreadable.length, 2);
	});

	it('are not troubled by settings that hold nothing back', () => {
		const values = {
			'prowess.approvals.allow': 7,
			'prowess.chat.notify': 'yes',
			'prowess.approvals.timeoutMinutes': 0,
		};
		assert.deepEqual(userStrictRules(written(values)).unreadable, []);
	});

	for (const [rule, why] of [
		['user.ask x', /names no file, host or command; write "user\.ask \*"/],
		['fs.read /etc/passwd', /is not in the workspace/],
		['fs.* ../secrets', /is not in the workspace/],
		['shell.run git push && rm', /each command is judged by itself, without &&/],
	] as const) {
		it(`that can never match are named with where they are written: ${rule}`, () => {
			const [problem = '', ...others] = rulesProblems(written({ 'prowess.approvals.deny': [rule] }));
			assert.ok(problem.startsWith(`prowess.approvals.deny: "${rule}" can never match: `), problem);
			assert.match(problem, why);
			assert.deepEqual(others, []);
		});
	}

	it('that can match are not named', () => {
		const deny = [
			...['capability.start *', 'fs.* src/**', 'shell.run git push', '* example.org', 'secrets.read github'],
			...[
				'mcp.call docs/*',
				'mcp.read docs/*',
				'mcp.sample docs',
				'net.connect *.example.org',
				'web.search example.org',
			],
		];
		assert.deepEqual(rulesProblems(written({ 'prowess.approvals.deny': deny })), []);
	});

	it('that allow nothing are named with the reason', () => {
		const settings = written({
			'prowess.approvals.allow': ['fs.* out/**', 'npm', 'fs.writ src/**', 'shell.run "npm test', 'fs.write src/**'],
		});
		assert.deepEqual(rulesProblems(settings), [
			'prowess.approvals.allow: "fs.* out/**" is ignored: a rule that allows names one op, such as fs.write; only rules that deny or ask take fs.*',
			'prowess.approvals.allow: "npm" is ignored: expected an op and a pattern, such as "shell.run npm test"',
			'prowess.approvals.allow: "fs.writ src/**" is ignored: there is no op "fs.writ"; did you mean "fs.write"?',
			'prowess.approvals.allow: "shell.run "npm test" is ignored: a quote is not closed',
		]);
		assert.deepEqual(userStrictRules(settings).unreadable, []);
	});

	it('are listed with what is wrong about them, hooks included', () => {
		const values = { 'prowess.approvals.deny': 7, 'prowess.hooks': [{ when: 'befor', run: ['x'] }] };
		const workspace = { current: NO_STRICT_RULES, problems: ['policy.yaml:1:1: nonsense'] };
		const { problems } = rulesInForce(written(values), workspace, { current: [], problem: undefined });
		assert.deepEqual(
			problems.map((problem) => /^[\w.]+/.exec(problem)?.[0]),
			['prowess.approvals.deny', 'prowess.hooks', 'policy.yaml'],
		);
	});
});
