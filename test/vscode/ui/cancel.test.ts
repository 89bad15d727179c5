import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { capabilityViewsIn } from '../harness/capability-views.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('A command that waits for a server that never answers', () => {
	let workbench: Workbench;
	let silent: Server;
	/** Requests that are open. */
	const open = new Set<string>();
	before(async () => {
		silent = createServer((request, response) => {
			open.add(request.url ?? '');
			response.on('close', () => open.delete(request.url ?? ''));
		}).listen(0, '127.0.0.1');
		await once(silent, 'listening');
		const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
		workbench = await openWorkbench({
			settings: { 'prowess.providers': [{ id: 'silent', kind: 'openai-compatible', baseUrl, models: [] }] },
		});
	});
	after(async () => {
		await workbench?.close();
		silent.closeAllConnections();
		silent.close();
	});

	it('is cancelled by its notification, and says nothing more', async () => {
		const { form, toast } = capabilityViewsIn(workbench);
		await workbench.runCommand('Prowess: Switch Model');
		const waiting = toast('Loading the models');
		await waiting.waitFor();
		await waiting.getByRole('button', { name: 'Cancel' }).click();
		await waiting.waitFor({ state: 'detached' });
		assert.equal(await form.isVisible(), false);
		assert.equal(await toast('The command failed').count(), 0);
	});
});
