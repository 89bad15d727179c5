import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explanationText, rulesText } from '../../../src/trust/gate/policy/workspace/policy-text.ts';
import { useServedBases } from './served-base.ts';

/** Such a sandbox has a `/tmp` of its own. */
const hasOwnTemporary = existsSync('/usr/bin/bwrap');
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
		['shell.run cat a.txt | sh', 'ask', hasOwnTemporary ? 'commands' : 'piped-program'],
		['no.op x', 'invalid', 'op'],
		['__proto__', 'invalid', 'op'],
		['', 'invalid', 'op'],
		['fs.write {"path":7}', 'invalid', 'params'],
		['shell.run "not closed', 'invalid', 'params'],
		['shell.run ls > out.txt', 'ask', 'writes'],
		['shell.run no-such-program-anywhere > /tmp/x', 'ask', hasOwnTemporary ? 'commands' : 'beyond-sandbox'],
		[
			'shell.run {"argv":["no-such-program"],"needs":{"noSandbox":true},"redirects":[{"stream":"stdout","mode":"write","path":"/tmp/x"}]}',
			'ask',
			'beyond-sandbox',
		],
		['shell.run no-such-program-anywhere > /srv/x', 'ask', 'beyond-sandbox'],
		['shell.run ls > $OUT', 'invalid', 'params'],
		['shell.run echo $HOME', 'invalid', 'params'],
		['shell.run git show HEAD~1', 'ask', 'commands'],
		['shell.run', 'invalid', 'params'],
		['http.get https://example.org/a?b=c', 'ask', 'hosts'],
		['http.get example.org', 'invalid', 'preparation'],
		['net.connect registry.npmjs.org', 'ask', 'hosts'],
		['http.get http://localhost:8080/', 'ask', 'hosts'],
		['http.get http://10.0.0.1/', 'deny', 'hosts'],
		['http.get http://169.254.169.254/', 'deny', 'hosts'],
		['http.request {"method":"POST","url":"http://[fe80::1]/"}', 'deny', 'hosts'],
		['secrets.get GITHUB', 'deny', 'caller'],
		['capability.start no-such-capability', 'invalid', 'preparation'],
		['llm.chat hello', 'deny', 'caller'],
		['sql.execute data.db delete from a', 'ask', 'writes'],
		['crypto.hash abc', 'invalid', 'params'],
		['fs.write /etc/passwd', 'deny', 'workspace-only'],
	] as const) {
		it(`finds for ${question || 'nothing'}: ${decision} by ${rule}`, async () => {
			const { base } = await start({ approvalMode: 'ask', settings, files: { 'src/a.ts': 'x', '.env': 'A=1' } });
			const explanation = await base.policy.explain(question, never);
			assert.deepEqual([explanation.decision, explanation.rule], [decision, rule], JSON.stringify(explanation));
			assert.ok(explanationText(explanation).length > 0);
		});
	}

	for (const [question, reason] of [
		['editor.open a.ts', /^there is no op "editor\.open"; there are editor\.diagnostics, editor\.symbols,/],
		['crypto.hash abc', /Write its params as JSON after it: crypto\.hash \{"data": …/],
		['shell.run ls > $OUT', /variables and wildcards are not understood$/],
		['fs.write /etc/passwd', /"\/etc\/passwd" is outside the workspace/],
		['http.get http://10.0.0.1/', /add the host to the setting prowess\.http\.allowHosts/],
	] as const) {
		it(`says why, and what to do, for ${question}`, async () => {
			const { base } = await start({ approvalMode: 'ask' });
			assert.match((await base.policy.explain(question, never)).reason, reason);
		});
	}

	it('shows no content that nobody gave', async () => {
		const { base } = await start({ approvalMode: 'ask', files: { 'src/a.ts': 'x' } });
		const { asked, unprepared } = await base.policy.explain('fs.write src/a.ts', never);
		assert.deepEqual([asked?.detail, unprepared], [null, 'what would be written was not given']);
	});

	it('shows what the question would show, with secrets struck out', async () => {
		const { base } = await start({ approvalMode: 'ask', settings });
		base.addSecret('canary-0123456789');
		const { asked, level, permission, perHour } = await base.policy.explain('shell.run touch canary-0123456789', never);
		assert.deepEqual([level, permission, perHour], ['RESTRICTED', 'shell', 7]);
		const sandboxed = (await base.commandSandbox()).works;
		assert.deepEqual(asked?.detail, { kind: 'command', argv: ['touch', '<redacted:secret>'], cwd: '.', sandboxed });
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
