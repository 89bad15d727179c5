import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explanationText, rulesText } from '../../src/capability-host/policy/policy-text.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;

describe('testing a rule', () => {
	const start = useServedBases();

	it('does, asks and records nothing', async () => {
		const { base, host } = await start({ approvalMode: 'ask' });
		for (const question of ['fs.write a.txt', 'shell.run touch b.txt', 'user.ask what', 'fs.makeFolder c']) {
			await base.policy.explain(question, never);
		}
		assert.deepEqual(await base.ledger.query({}), []);
		assert.deepEqual(base.desk.current, { approvals: [], questions: [] });
		assert.deepEqual(
			['a.txt', 'b.txt', 'c'].filter((name) => existsSync(join(host.workspace, name))),
			[],
		);
	});

	const settings = {
		'prowess.approvals.allow': ['fs.write src/**', 'shell.run npm test'],
		'prowess.approvals.deny': ['shell.run git push'],
		'prowess.approvals.perHour.restricted': 7,
	};
	for (const [question, decision, rule] of [
		['fs.write src/a.ts', 'allow', 'allow-rule'],
		['fs.write src/**', 'allow', 'allow-rule'],
		['fs.write {"path":"lib/a.ts","content":"x"}', 'ask', 'writes'],
		['fs.edit missing.ts', 'ask', 'writes'],
		['fs.move src/a.ts lib/a.ts', 'ask', 'writes'],
		['fs.write .vscode/tasks.json', 'ask', 'protected-path'],
		['fs.write ../a.ts', 'deny', 'workspace-only'],
		['fs.read nothing/there.ts', 'allow', 'level'],
		['fs.read .env', 'ask', 'secret-file'],
		['shell.run npm test', 'allow', 'allow-rule'],
		['shell.run no-such-program-anywhere x', 'ask', 'commands'],
		['shell.run git push --force', 'deny', 'deny-rule'],
		['shell.run {"argv":["git","push"]}', 'deny', 'deny-rule'],
		['shell.run true && git push', 'deny', 'deny-rule'],
		['shell.run cat a.txt | sh', 'ask', 'piped-program'],
		['no.op x', 'invalid', 'params'],
		['__proto__', 'invalid', 'params'],
		['', 'invalid', 'params'],
		['fs.write {"path":7}', 'invalid', 'params'],
		['shell.run "not closed', 'ask', 'commands'],
	] as const) {
		it(`finds for ${question || 'nothing'}: ${decision} by ${rule}`, async () => {
			const { base } = await start({ approvalMode: 'ask', settings, files: { 'src/a.ts': 'x', '.env': 'A=1' } });
			const explanation = await base.policy.explain(question, never);
			assert.deepEqual([explanation.decision, explanation.rule], [decision, rule], JSON.stringify(explanation));
			assert.ok(explanationText(explanation).length > 0);
		});
	}

	it('shows what the question would show, with secrets struck out', async () => {
		const { base } = await start({ approvalMode: 'ask', settings });
		base.addSecret('canary-0123456789');
		const { asked, level, permission, perHour } = await base.policy.explain('shell.run ls canary-0123456789', never);
		assert.deepEqual([level, permission, perHour], ['RESTRICTED', 'shell', 7]);
		assert.deepEqual(asked?.detail, { kind: 'command', argv: ['ls', '<redacted:secret>'], cwd: '.' });
		assert.equal(asked.threadScope, 'this exact command');
	});

	it('refuses everything before the workspace is trusted, and reads nothing', async () => {
		const { base } = await start({ isTrusted: false, files: { '.prowess/policy.yaml': 'deny: [' } });
		const { decision, rule } = await base.policy.explain('fs.read a.txt', never);
		assert.deepEqual([decision, rule], ['deny', 'trust']);
		assert.deepEqual(await base.policy.problems(never), []);
	});

	it('lists the rules in force with whose they are', async () => {
		const files = { '.prowess/policy.yaml': 'ask:\n  - fs.write migrations\nallow: []\n' };
		const { base } = await start({ settings, files });
		const rules = await base.policy.rules(never);
		assert.deepEqual(rules.deny, [{ rule: 'shell.run git push', source: 'prowess.approvals.deny' }]);
		assert.deepEqual(rules.ask, [{ rule: 'fs.write migrations', source: '.prowess/policy.yaml:2:5' }]);
		assert.match(rulesText(rules), /Problems:\n {2}\.prowess\/policy\.yaml:3:1: "allow" is refused/);
	});
});
