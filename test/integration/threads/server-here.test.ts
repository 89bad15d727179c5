/** A server that the developer has started on this machine, asked for by the agent, in trusted bases as windows have them. */
import assert from 'node:assert/strict';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { serverElsewhere } from '../../support/server-elsewhere.ts';
import { useServedBases } from '../approvals/served-base.ts';

describe('A server on this machine', () => {
	const start = useServedBases();
	let server: Awaited<ReturnType<typeof serverElsewhere>>;
	beforeEach(async () => {
		server = await serverElsewhere();
	});
	afterEach(() => server.close());

	async function windowOf(answer: ApprovalAnswer | undefined, settings: Record<string, unknown> = {}) {
		const asked: Approval[] = [];
		const served = await start({
			approvalMode: 'ask',
			settings,
			person: {
				isOnlyWay: true,
				approve: (approval) => {
					asked.push(approval);
					return Promise.resolve(answer);
				},
			},
		});
		const get = (host: string) => served.perform('http.get', { url: `http://${host}:${server.port}/x` });
		return { ...served, asked, get };
	}

	it('is not reached where the person says no, at the widest level and with a rule for every host', async () => {
		const settings = { 'prowess.approvals.allow': ['http.get *'], 'prowess.approvals.level': 'full' };
		const { get, asked } = await windowOf({ kind: 'deny' }, settings);
		assert.equal((await get('localhost')).status, 'denied');
		assert.equal(asked.length, 1);
	});

	it('is asked about by its port, and a rule for it is kept for the project', async () => {
		const { get, asked, perform } = await windowOf({ kind: 'project' });
		const first = await get('localhost');
		assert.ok(first.status === 'done', JSON.stringify(first));
		assert.equal((first.result as { body: string }).body, 'hello /x');
		const [question] = asked;
		assert.ok(question !== undefined);
		assert.equal(
			inEnglish(question.reason),
			`localhost:${server.port} is a server on this machine. Asking it needs your approval.`,
		);
		assert.equal(question.pattern, `http.get localhost:${server.port}`);
		assert.equal((await get('localhost')).status, 'done');
		assert.equal(asked.length, 1);
		// Another name of it, and another port, are other servers.
		await get('127.0.0.1');
		await perform('http.get', { url: `http://localhost:${server.port === 9 ? 10 : 9}/` });
		assert.equal(asked.length, 3);
	});
});
