/** The answer "for this turn" in a host, with the real ledger, files and gate: how far it reaches, and how it ends. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { newId } from '../../../src/protocol/ids.ts';
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
		const isThere = (path: string) => existsSync(join(host.workspace, path));
		const answersKept = async () =>
			(await served.base.approvals.list(never)).approvals.map(({ what }) => inEnglish(what));
		return { ...served, asked, isThere, answersKept };
	}

	it('is not taken where it is not offered: for what only a person may allow each time', async () => {
		const { perform, asked, isThere } = await begin();
		assert.equal((await perform('fs.write', writing('.vscode/tasks.json'))).status, 'denied');
		assert.equal(asked.at(-1)?.turnScope, undefined);
		assert.equal(isThere('.vscode/tasks.json'), false);
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
