/** A skill that names tools: the host holds it against a server that asks for whatever it likes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { usageRequests } from '../../../src/protocol/turn/usage.ts';
import { emptyThread, useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const skill = (name: string, tools: string) =>
	`---\nname: ${name}\ndescription: Does ${name}.\n${tools}---\nDo ${name}.\n`;
const files = {
	'a.txt': 'old\n',
	'.claude/skills/forms/SKILL.md': skill('forms', 'required-tools: Edit\n'),
	'.claude/skills/tables/SKILL.md': skill('tables', 'metadata:\n  required-tools: Bash(touch *)\n'),
	'.claude/skills/words/SKILL.md': skill('words', ''),
	'.prowess/capabilities/skill/runs/capability.yaml': 'type: skill\nname: runs\ndescription: Runs\n',
	'.prowess/capabilities/skill/runs/index.js': 'exports.execute = () => 1;\n',
};

describe('A thread that follows a skill with tools of its own', function () {
	this.timeout(30_000);
	const serveBase = useServedBases();
	const serve = async (options: Parameters<typeof serveBase>[0] = {}) => {
		const { base, host, far, farWire, threadId, turnId } = await serveBase({ files, ...options });
		farWire.onRequest('thread/open', () => Promise.resolve(emptyThread(threadId)));
		const perform = async (op: string, params: unknown, thread: ThreadId = threadId) => {
			const asked = { opId: newId('op'), op, params, threadId: thread, turnId };
			const outcome = await far.call(brokerRequests.perform, asked, never);
			return outcome.status === 'done' ? 'done' : `${outcome.error.code} ${JSON.stringify(outcome.error)}`;
		};
		const start = (name: string) => perform('capability.start', { name });
		return { base, host, far, threadId, perform, start };
	};
	const edit = { path: 'a.txt', edits: [{ find: 'old', replace: 'new' }] };
	const touch = { argv: ['touch', 'run.txt'] };

	it('changes and runs nothing else, whoever asks in whichever turn, and each refusal is recorded', async () => {
		const { base, host, far, threadId, perform, start } = await serve();
		assert.equal(await start('forms'), 'done');
		for (const [op, params] of [
			['fs.write', { path: 'new.txt', content: 'x' }],
			['fs.delete', { path: 'a.txt' }],
			['fs.makeFolder', { path: 'b' }],
			['shell.run', touch],
			['http.get', { url: 'https://example.org/' }],
			['agent.spawn', { task: 'Write it' }],
		] as const) {
			assert.match(await perform(op, params), /^DENIED_BY_RULE .*"skill-tools"/, op);
		}
		assert.match(await start('runs'), /^DENIED_BY_RULE/);
		const asked = { opId: newId('op'), op: 'shell.run', params: touch, threadId, turnId: newId('trn') };
		assert.equal((await far.call(brokerRequests.perform, asked, never)).status, 'denied');
		assert.deepEqual(
			[existsSync(join(host.workspace, 'run.txt')), existsSync(join(host.workspace, 'b'))],
			[false, false],
		);
		assert.equal(await perform('fs.read', { path: 'a.txt' }), 'done');
		assert.equal(await perform('fs.edit', edit), 'done');
		const rows = await base.ledger.query({ threadId, kind: 'denial', limit: 50 });
		assert.equal(rows.filter(({ decision }) => decision?.includes('skill-tools')).length, 7);
	});

	it('follows another skill, which gives nothing back unless the user says so', async () => {
		const { perform, start } = await serve();
		await start('forms');
		assert.equal(await start('words'), 'done');
		assert.match(await perform('shell.run', touch), /^DENIED_BY_RULE/);
		assert.match(await start('tables'), /^DENIED_BY_RULE/);
		assert.match(await perform('shell.run', touch), /^DENIED_BY_RULE/);
	});

	it('asks the user about a skill that would give it tools back, also where its content was agreed to', async () => {
		const asked: string[] = [];
		const approve = ({ title, reason }: Approval) => {
			asked.push(`${title}: ${reason.template}`);
			return Promise.resolve({ kind: 'always' as const });
		};
		const { base, threadId, perform, start } = await serve({ approvalMode: 'ask', person: { approve } });
		await start('tables');
		base.beginThread(threadId, 'Now the forms');
		await start('forms');
		assert.equal(await start('tables'), 'done');
		assert.deepEqual(
			asked.map((each) => /tools that another skill/.test(each)),
			[false, false, true],
		);
		assert.equal(await perform('shell.run', touch), 'done');
		assert.match(await perform('fs.write', { path: 'new.txt', content: 'x' }), /^DENIED_BY_RULE/);
	});

	it('has the tools back with the next message of the user, and the server is told which there are', async () => {
		const { base, far, threadId, perform, start } = await serve();
		await start('forms');
		const told = async () =>
			(await far.call(usageRequests.begin, { threadId }, never)).skillTools?.map(({ skills }) => skills);
		for (const said of ['Use tabs', 'Continue.']) {
			base.beginThread(threadId, said, { isSteering: said !== 'Continue.' });
			assert.match(await perform('shell.run', touch), /^DENIED_BY_RULE/);
			assert.deepEqual(await told(), [['skill/forms']]);
		}
		base.beginThread(threadId, 'Now run it');
		assert.equal(await perform('shell.run', touch), 'done');
		assert.deepEqual(await told(), []);
	});

	it('leaves other threads as they are', async () => {
		const { base, perform, start } = await serve();
		await start('forms');
		const other = newId('thr');
		base.beginThread(other, 'Run it');
		assert.equal(await perform('shell.run', touch, other), 'done');
	});
});
