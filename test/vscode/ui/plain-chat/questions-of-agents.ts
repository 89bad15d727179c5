import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { programs } from '../../../support/programs.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

/** Another agent that uses Prowess in the folder of the window, and cannot ask by itself. */
export function questionsOfAgents(plain: () => ScriptedChat): void {
	describe('A question of prowess mcp serve in the window', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let agent: Client;
		const title = 'Write of-an-agent.txt';
		const written = () => join(scripted.workbench.workspace, 'of-an-agent.txt');
		const write = async (content: string) =>
			JSON.stringify(await agent.callTool({ name: 'fs_write', arguments: { path: 'of-an-agent.txt', content } }));
		before(async () => {
			scripted = plain();
			const { workspace, home } = scripted.workbench;
			const own = join(home, '.prowess');
			mkdirSync(own, { recursive: true, mode: 0o700 });
			writeFileSync(join(own, 'trust.json'), JSON.stringify({ version: 1, folders: [realpathSync(workspace)] }));
			agent = new Client({ name: 'spec', version: '1' }, { capabilities: {} });
			await agent.connect(
				new StdioClientTransport({
					command: process.execPath,
					args: [programs.cli, 'mcp', 'serve', '--workspace', workspace],
					env: { PATH: process.env['PATH'] ?? '', HOME: home, PROWESS_HOME: own, LANG: 'C.UTF-8' },
					stderr: 'ignore',
				}),
			);
			await scripted.chat.focus();
		});
		after(async () => {
			await agent?.close();
		});

		it('says who asks, and is denied there', async () => {
			const { chat, workbench } = scripted;
			await chat.newThread();
			const call = write('no\n');
			const dock = await chat.asked(title);
			await dock.getByText('Another agent asks, which uses Prowess over MCP.').waitFor();
			assert.deepEqual(
				(await dock.getByRole('button').allInnerTexts()).filter((each) => /Why|Open diff|Always/.test(each)),
				[],
			);
			await workbench.screenshot('of-an-agent');
			await chat.press(title, '4');
			assert.match(await call, /DENIED_BY_USER/);
			assert.equal(existsSync(written()), false);
		});

		it('is allowed there, while another thread works', async () => {
			const { chat } = scripted;
			await scripted.begin('Wait', [{ then: 'stall' }]);
			const call = write('yes\n');
			await chat.asked(title);
			await chat.press(title, '1');
			assert.doesNotMatch(await call, /isError/);
			assert.equal(readFileSync(written(), 'utf8'), 'yes\n');
			await chat.view.getByRole('button', { name: 'Stop', exact: true }).click();
			await chat.rested();
		});
	});
}
