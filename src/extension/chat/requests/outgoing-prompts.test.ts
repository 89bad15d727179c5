import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { linkedPeers } from '../../../../test/support/linked-peers.ts';
import { outgoingMessage } from '../../../trust/record/redaction/outgoing-message.ts';
import { Redactor } from '../../../trust/record/redaction/redactor.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { createPromptRequests } from './outgoing-prompts.ts';

const { signal } = new AbortController();
const threadId = newId('thr');
const turnId = newId('trn');
const stored = 'stored/9f3a+b7!Zq2';
const alike = `ghp_${'a1B2c3'.repeat(6)}`;

const info: ThreadInfo = {
	id: threadId,
	title: 'One',
	modelId: null,
	mode: 'agent',
	workspace: null,
	running: false,
	createdAt: '2026-11-23T00:00:00.000Z',
	updatedAt: '2026-11-23T00:00:00.000Z',
};

/** The handlers in front of a server that takes every message, and what it was sent. */
function inFrontOfServer(missing?: string, onHooks: (signal: AbortSignal) => void = () => {}) {
	const { near, far } = linkedPeers();
	const sent: unknown[] = [];
	const begun: ThreadId[] = [];
	const take = async (params: unknown) => {
		sent.push(params);
		return { turnId };
	};
	far.serve({ prompt: threadRequests.prompt, rerun: threadRequests.rerun }, { prompt: take, rerun: take });
	far.serve({ update: threadRequests.update }, { update: async (params) => (sent.push(params), info) });
	const redactor = new Redactor();
	redactor.addSecret(stored);
	const requests = createPromptRequests({
		missingFolder: () => Promise.resolve(missing),
		keepMode: () => Promise.resolve(),
		beginThread: (id) => void begun.push(id),
		server: async () => near,
		hooked: async (_threadId, _text, within) => {
			onHooks(within);
			return [];
		},
		outgoingMessage: async (message, keepsLookalikes) => outgoingMessage(redactor, message, keepsLookalikes),
	});
	return { requests, sent, begun };
}

describe('A message on its way to the server', () => {
	it('is refused while a folder of the workspace is gone, and begins nothing', async () => {
		const { requests, sent, begun } = inFrontOfServer('/srv/moved');
		for (const refused of [
			requests.prompt({ threadId, text: 'hello', context: [] }, signal),
			requests.rerun({ threadId, turnId }, signal),
		]) {
			await assert.rejects(refused, { code: 'WORKSPACE_FOLDER_GONE', facts: { path: '/srv/moved' } });
		}
		assert.deepEqual([sent, begun], [[], []]);
	});

	it('lets the agent of its thread ask for ops, once it is not refused for its secrets', async () => {
		const { requests, sent, begun } = inFrontOfServer();
		await assert.rejects(requests.prompt({ threadId, text: stored, context: [] }, signal));
		await requests.update({ threadId, title: 'Two' }, signal);
		assert.deepEqual([begun, sent.length], [[], 1]);
		await requests.prompt({ threadId, text: 'hello', context: [] }, signal);
		await requests.rerun({ threadId, turnId }, signal);
		assert.deepEqual(begun, [threadId, threadId]);
	});

	it('is not sent when it is taken back during its hooks, which are ended', async () => {
		const taking = new AbortController();
		const given: boolean[] = [];
		const { requests, sent } = inFrontOfServer(undefined, (within) => {
			taking.abort();
			given.push(within.aborted);
		});
		await assert.rejects(requests.promptUnless({ threadId, text: 'hello', context: [] }, taking.signal, signal), {
			name: 'AbortError',
		});
		assert.deepEqual([sent, given], [[], [true]]);
	});

	it('goes on as it is when it contains no secret', async () => {
		const { requests, sent } = inFrontOfServer();
		await requests.prompt({ threadId, text: 'hello', context: [] }, signal);
		assert.deepEqual(sent, [{ threadId, text: 'hello', context: [] }]);
	});

	it('is given back with what was found when it contains secrets, and the server hears nothing of it', async () => {
		const { requests, sent } = inFrontOfServer();
		const text = `${stored} and ${alike}`;
		const refused = { code: 'SECRETS_IN_MESSAGE', facts: { known: 1, lookalikes: 1 } };
		await assert.rejects(requests.prompt({ threadId, text, context: [] }, signal), refused);
		await assert.rejects(requests.rerun({ threadId, turnId, text }, signal), refused);
		assert.deepEqual(sent, []);
	});

	it('is sent without what looks like a secret, in its selections and comments too, when the user says so', async () => {
		const { requests, sent } = inFrontOfServer();
		const ref = { kind: 'selection' as const, path: 'a.ts', startLine: 1, endLine: 1, text: `key ${alike}` };
		const comment = { ...ref, kind: 'comment' as const, name: 'c1', code: `const key = '${alike}';` };
		await requests.prompt({ threadId, text: `use ${alike}`, context: [ref, comment], secrets: 'remove' }, signal);
		const text = 'key <redacted:github>';
		const context = [
			{ ...ref, text },
			{ ...comment, text, code: "const key = '<redacted:github>';" },
		];
		assert.deepEqual(sent, [{ threadId, text: 'use <redacted:github>', context }]);
	});

	it('is sent as it was typed when the user says so, but never with a stored key in any encoding', async () => {
		const { requests, sent } = inFrontOfServer();
		const encoded = Buffer.from(stored).toString('base64');
		await requests.prompt({ threadId, text: `${alike} ${stored} ${encoded}`, context: [], secrets: 'keep' }, signal);
		await requests.rerun({ threadId, turnId, text: `${alike} ${stored}`, secrets: 'keep' }, signal);
		const texts = sent.map((params) => (params as { readonly text: string }).text);
		assert.deepEqual(texts, [`${alike} <redacted:secret> <redacted:secret>`, `${alike} <redacted:secret>`]);
	});

	it('has no secret in the title of its thread, without a question', async () => {
		const { requests, sent } = inFrontOfServer();
		await requests.update({ threadId, title: `About ${alike} and ${stored}` }, signal);
		await requests.update({ threadId, modelId: 'm' }, signal);
		assert.deepEqual(sent, [
			{ threadId, title: 'About <redacted:github> and <redacted:secret>' },
			{ threadId, modelId: 'm' },
		]);
	});

	it('is tried again as it was stored', async () => {
		const { requests, sent } = inFrontOfServer();
		await requests.rerun({ threadId, turnId }, signal);
		assert.deepEqual(sent, [{ threadId, turnId }]);
	});

	it('is refused when it is too long, before it is searched', async () => {
		const { requests } = inFrontOfServer();
		const text = 'a'.repeat(128_001);
		await assert.rejects(requests.prompt({ threadId, text, context: [] }, signal), { code: 'MESSAGE_TOO_LONG' });
	});
});
