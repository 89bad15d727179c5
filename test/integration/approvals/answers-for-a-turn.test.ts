/** The answer "for this turn" in a host, with the real ledger, files and gate: how far it reaches, and how it ends. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { turnNotifications } from '../../../src/protocol/thread/thread-requests.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const writing = (path: string) => ({ path, content: 'new\n' });

describe('An answer for a turn', () => {
	const start = useServedBases();

	/** Allows the first question for the turn, denies all others. */
	async function begin() {
		const asked: Approval[] = [];
		const approve = async (approval: Approval): Promise<ApprovalAnswer> => {
			asked.push(approval);
			return asked.length === 1 ? { kind: 'turn' } : { kind: 'deny' };
		};
		const served = await start({ approvalMode: 'ask', person: { approve } });
		const { perform, host } = served;
		assert.equal((await perform('fs.write', writing('a.txt'))).status, 'done');
		const at = (path: string) => join(host.workspace, path);
		const isThere = (path: string) => existsSync(at(path));
		const answersKept = async () =>
			(await served.base.approvals.list(never)).approvals.map(({ what }) => inEnglish(what));
		return { ...served, asked, at, isThere, answersKept };
	}

	it('covers nothing of what a person is asked about at every level, and is not offered for it', async () => {
		const { perform, asked, isThere, at } = await begin();
		writeFileSync(at('id_rsa'), 'a key\n');
		mkdirSync(at('src'));
		writeFileSync(at('src/a.ts'), 'text\n');
		const always: readonly (readonly [op: string, params: unknown])[] = [
			['fs.write', writing('.env')],
			['fs.write', writing('.vscode/tasks.json')],
			['fs.write', writing('AGENTS.md')],
			['fs.read', { path: 'id_rsa' }],
			['fs.delete', { path: 'src', recursive: true }],
			['shell.run', { argv: ['rm', '-rf', 'src'] }],
			['http.get', { url: 'https://example.org/' }],
			['plan.write', { plan: 'Do it.' }],
		];
		for (const [index, [op, params]] of always.entries()) {
			const what = `${op} ${JSON.stringify(params)}`;
			assert.equal((await perform(op, params)).status, 'denied', what);
			assert.equal(asked.length, index + 2, what);
			assert.deepEqual([asked.at(-1)?.turnScope, asked.at(-1)?.isPartOfAll], [undefined, false], what);
		}
		assert.deepEqual(['.env', '.vscode/tasks.json', 'AGENTS.md', 'src/a.ts'].filter(isThere), ['src/a.ts']);
	});

	it('does nothing in another thread', async () => {
		const { performFor, isThere } = await begin();
		assert.equal((await performFor(newId('thr'), 'fs.write', writing('b.txt'))).status, 'denied');
		assert.equal(isThere('b.txt'), false);
	});

	it('ends with its turn, and with the connection of the server that ran it', async () => {
		for (const how of ['turn', 'connection'] as const) {
			const { perform, far, turnId, connection, answersKept, asked } = await begin();
			if (how === 'turn') {
				far.notify(turnNotifications.ended, { turnId, outcome: 'done' });
			} else {
				connection.dispose();
			}
			await waitFor('the answer to end', async () => (await answersKept()).length === 0);
			if (how === 'turn') {
				assert.equal((await perform('fs.write', writing('b.txt'))).status, 'denied');
				assert.equal(asked.length, 2);
			}
		}
	});

	it('lets the rest of the turn pass, names itself in each row, and is revoked on the page of approvals', async () => {
		const { perform, asked, base, threadId, answersKept } = await begin();
		assert.equal((await perform('fs.write', writing('b.txt'))).status, 'done');
		assert.equal(asked.length, 1);
		const rows = await base.ledger.query({ threadId, limit: 20 });
		const decisions = rows
			.filter(({ op, kind }) => op === 'fs.write' && kind === 'intent')
			.map(({ decision }) => decision ?? '');
		assert.ok(decisions.some((each) => each.startsWith('allow (turn-grant): The user allowed it for this turn.')));
		assert.ok(
			decisions.some((each) => each.startsWith('approved by the user for the turn: file changes and commands')),
		);
		assert.match((await answersKept()).join(), /as at the level Auto, until the turn ends/);
		const [kept] = (await base.approvals.list(never)).approvals;
		assert.ok(kept !== undefined);
		await base.approvals.revoke(kept.id, never);
		assert.equal((await perform('fs.write', writing('c.txt'))).status, 'denied');
	});
});
