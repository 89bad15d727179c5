import assert from 'node:assert/strict';
import { hostileServer } from '../../support/mcp-scene.ts';
import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';
import { chatIn } from '../harness/chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const files = {
	'.mcp.json': JSON.stringify({
		mcpServers: {
			birds: hostileServer('good'),
			broken: hostileServer('dies-at-once'),
			keyed: hostileServer('good', undefined, { env: { TOKEN: '${input:token}' } }),
		},
	}),
	'notes.txt': 'one',
};

describe('MCP servers in the editor', () => {
	let workbench: Workbench;
	let views: CapabilityViews;
	before(async () => {
		({ workbench, views } = await openCapabilityViews('MCP', { workspace: files }));
		await workbench.page.setViewportSize({ width: 1_280, height: 1_600 });
	});
	after(() => workbench?.close());

	it('are listed with who names them, and none has started', async () => {
		await views.row('birds').filter({ hasText: 'not allowed yet · project' }).waitFor();
		await workbench.screenshot('mcp-1-listed');
	});

	it('start after the consent that the chat shows, list their tools, and are stopped', async () => {
		await views.press('birds', 'Start');
		const chat = chatIn(workbench);
		await chat.press('Start the MCP server birds', '3');
		await chat.confirmKept();
		await views.row('birds').filter({ hasText: 'running · 1 tool' }).getByText('echo', { exact: true }).waitFor();
		await workbench.screenshot('mcp-2-running');
		await views.press('birds', 'Stop');
		await views.row('birds').filter({ hasText: 'stopped · 1 tool' }).waitFor();
	});

	it('say why one failed, and show its log', async () => {
		await views.press('broken', 'Start');
		await chatIn(workbench).press('Start the MCP server broken', '1');
		await views.row('broken').filter({ hasText: 'failed' }).waitFor();
		await views.press('broken', 'Show Log');
		const editor = workbench.page.locator('.editor-instance');
		await editor.getByText('out of paper').first().waitFor();
		assert.equal(await workbench.page.locator('.tab.active').getByText('Prowess MCP Servers.log').count(), 1);
		await workbench.screenshot('mcp-3-log');
	});

	it('ask for an input of their entry that is not stored, and start with it', async () => {
		await views.press('keyed', 'Start');
		const box = workbench.page.locator('.quick-input-widget', { hasText: 'needs a value for mcp.keyed.token' });
		await box.locator('input').fill('a-token-of-nobody');
		await workbench.screenshot('mcp-4-input');
		await workbench.page.keyboard.press('Enter');
		await chatIn(workbench).press('Start the MCP server keyed', '1');
		await views.row('keyed').filter({ hasText: 'running · 1 tool' }).waitFor();
	});

	it('ask once more before a restart when the yes was for one start, in a chat that was hidden', async () => {
		const chat = chatIn(workbench);
		await workbench.runCommand('View: Hide Secondary Side Bar');
		await chat.input.waitFor({ state: 'hidden' });
		await views.press('keyed', 'Restart');
		await chat.press('Start the MCP server keyed', '1');
		await views.row('keyed').filter({ hasText: 'running · 1 tool' }).waitFor();
	});
});
