import assert from 'node:assert/strict';
import type { ServerContext } from '@modelcontextprotocol/server';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { OpProgress } from '../../../protocol/turn/broker.ts';
import { ClientProgress } from './client-progress.ts';

const opId = newId('op');
const prints = (chunk: string): OpProgress => ({ opId, kind: 'output', chunk });
const runs: OpProgress = { opId, kind: 'running' };

describe('Progress of a call for an MCP client', () => {
	function start(_meta: ServerContext['mcpReq']['_meta'] = { progressToken: 'token' }) {
		const told: unknown[] = [];
		const heard = Promise.withResolvers<void>();
		const notify: ServerContext['mcpReq']['notify'] = async ({ params }) => {
			told.push(params?.['message']);
			if (params?.['message'] === 'last') heard.resolve();
		};
		const progress = new ClientProgress({ _meta, notify }, (words) => words.replace('secret', '***'));
		return { told, progress, heard: heard.promise };
	}

	it('ends with what was printed last, however soon it came after the rest', async () => {
		const { told, progress, heard } = start();
		progress.tell(runs);
		for (const chunk of ['first', 'second', 'last']) progress.tell(prints(chunk));
		assert.deepEqual(told, ['Runs.']);
		await heard;
		assert.deepEqual(told, ['Runs.', 'last']);
	});

	it('tells a state at once, and nothing older behind it', async () => {
		const { told, progress, heard } = start();
		progress.tell(runs);
		progress.tell(prints('older'));
		progress.tell({ opId, kind: 'hooks' });
		progress.tell(prints('last'));
		await heard;
		assert.deepEqual(told, ['Runs.', 'Waits for hooks.', 'last']);
	});

	it('tells nothing to who did not ask for it, nothing after the end, and no secret', () => {
		const unasked = start({});
		unasked.progress.tell(runs);
		assert.deepEqual(unasked.told, []);
		const over = start();
		over.progress.tell(prints('the secret'));
		over.progress.end();
		over.progress.tell(runs);
		assert.deepEqual(over.told, ['the ***']);
	});
});
