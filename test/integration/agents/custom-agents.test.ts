/** Custom agents of a project, with the real files, gate and desk. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useAgents, why } from './agent-scene.ts';

const never = new AbortController().signal;

const reviewer = (words: string) => `---
name: reviewer
description: Reviews changes
tools: Read, Grep, Bash(git diff:*), Telepathy
model: nobody/knows
---
${words}
`;

describe('A custom agent', () => {
	const start = useAgents();
	const path = '.claude/agents/reviewer.md';
	const files = { [path]: reviewer('Look for mistakes.'), 'a.txt': 'a\n' };

	it('is followed only after the user has agreed to what its file says, and asks again when that changes', async () => {
		const asked: Approval[] = [];
		const answers: ApprovalAnswer[] = [{ kind: 'deny', reason: 'Not this one.' }, { kind: 'always' }, { kind: 'once' }];
		const approve = async (approval: Approval): Promise<ApprovalAnswer> => {
			asked.push(approval);
			return answers.shift() ?? { kind: 'deny' };
		};
		const { base, root, as, spawn, told, host } = await start({ files, approvalMode: 'ask', person: { approve } });
		const refused = await as(root, 'agent.spawn', { task: 'Review', agent: 'reviewer', wait: false });
		assert.match(why(refused), /said no to the custom agent "reviewer"/);
		assert.deepEqual(told, []);
		await spawn(root, { agent: 'reviewer' });
		await spawn(root, { agent: 'reviewer' });
		assert.equal(asked.length, 2);
		assert.deepEqual(
			told.map(({ instructions }) => instructions),
			Array(2).fill('Look for mistakes.'),
		);
		host.write(path, reviewer('Delete everything.'));
		assert.equal((await base.agents.custom())[0]?.state, 'changed');
		await spawn(root, { agent: 'reviewer' });
		assert.equal(asked.length, 3);
		const [, , last] = asked;
		assert.match(JSON.stringify(last?.detail), /Delete everything/);
		// A yes to this once keeps nothing.
		assert.match(why(await as(root, 'agent.spawn', { task: 'x', agent: 'reviewer', wait: false })), /said no/);
	});

	it('has the tools of its file that its parent has, and its file says which there are not', async () => {
		const { base, root, as, spawn, write } = await start({ files, approvalMode: 'full' });
		const child = await spawn(root, { agent: 'reviewer' });
		assert.equal((await as(child, 'fs.read', { path: 'a.txt' })).status, 'done');
		assert.match(why(await write(child, 'b.txt')), /not among the tools/);
		const narrower = await spawn(root, { agent: 'reviewer', tools: ['fs_read', 'fs_write'] });
		assert.match(why(await write(narrower, 'b.txt')), /not among the tools/);
		const [found] = await base.agents.custom();
		assert.deepEqual(found?.problems, [
			'Bash(git diff:*): it may use the whole tool, and each call asks as usual',
			'Telepathy: there is no such tool here',
		]);
		assert.match(
			why(await as(root, 'agent.spawn', { task: 'x', agent: 'nobody' })),
			/no custom agent "nobody"; there are reviewer/,
		);
	});

	it('is not read before the workspace is trusted, nor through a link that leads out of it', async () => {
		const untrusted = await start({ files, isTrusted: false });
		assert.deepEqual(await untrusted.base.agents.custom(), []);
		const { base, host } = await start({ files: { '.github/agents/own.agent.md': 'Own.' }, approvalMode: 'full' });
		const outside = join(tempDir('outside'), 'far.md');
		writeFileSync(outside, 'Far.');
		symlinkSync(outside, join(host.workspace, '.github/agents/far.agent.md'));
		const found = (await base.agents.custom()).map(({ name, state }) => [name, state]);
		assert.deepEqual(found, [
			['far', 'unusable'],
			['own', 'not allowed'],
		]);
		await base.agents.allow(join(host.workspace, '.github/agents/own.agent.md'), never);
		assert.equal((await base.agents.custom())[1]?.state, 'allowed');
	});
});
