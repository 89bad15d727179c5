/** Several calls of one answer that need the user, in the real editor: one list, one answer for what it shows. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

const write = (path: string) => ({ name: 'fs_write', input: { path, content: `${path}\n` } });
const remove = { name: 'shell_run', input: { argv: ['rm', '-rf', 'left.txt'] } };
const script = (...toolCalls: readonly { name: string; input: unknown }[]) => [
	{ toolCalls: [...toolCalls] },
	{ text: 'That was it.' },
];

export function severalApprovals(plain: () => ScriptedChat): void {
	describe('Several approvals of one answer', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		const file = (path: string) => join(workbench.workspace, path);
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
		});

		async function list(count: number) {
			await chat.view.getByRole('heading', { name: `${count} actions wait for your answer` }).waitFor();
			await chat.view.locator('.dock[data-settled=true]').waitFor();
		}

		it('are denied together by Escape in the empty input, and the turn goes on', async () => {
			await scripted.begin('Write two files', script(write('left.txt'), write('right.txt')));
			await list(2);
			await chat.input.press('Escape');
			await chat.rested();
			assert.deepEqual(await chat.transcript(), [
				'user: Write two files',
				'tool denied: Write left.txt',
				'tool denied: Write right.txt',
				'text: That was it.',
			]);
			assert.deepEqual([existsSync(file('left.txt')), existsSync(file('right.txt'))], [false, false]);
		});

		it('are allowed with one press but for the dangerous one, which the editor shows first', async () => {
			await scripted.begin('Write and clean up', script(write('left.txt'), write('right.txt'), remove));
			await list(3);
			await workbench.screenshot('several-1-list');
			await chat.view.getByRole('button', { name: 'Allow 2 of 3 shown' }).click();
			const dock = await chat.asked('Run rm -rf left.txt');
			await workbench.screenshot('several-2-dangerous');
			assert.equal(await dock.locator('.risk').innerText(), 'Dangerous');
			assert.ok(existsSync(file('left.txt')));
			await chat.press('Run rm -rf left.txt', '4');
			await chat.rested();
			assert.deepEqual(await chat.transcript(), [
				'user: Write and clean up',
				'tool done: Write left.txt',
				'tool done: Write right.txt',
				'tool denied: Run rm -rf left.txt',
				'text: That was it.',
			]);
			assert.equal(readFileSync(file('right.txt'), 'utf8'), 'right.txt\n');
		});

		it('ask by itself, with its reason, about each file that others run or read at their start', async () => {
			const test = { name: 'shell_run', input: { argv: ['npm', 'test'] } };
			await scripted.begin('Set it up', script(write('.env'), write('.vscode/tasks.json'), test));
			await list(3);
			await workbench.screenshot('several-3-protected');
			const row = (title: string) => chat.view.getByRole('listitem', { name: title });
			await row('Write .env').getByText('".env" is read by shells or command-line tools when they start.').waitFor();
			await row('Write .vscode/tasks.json').getByText('which can run programs it names.').waitFor();
			await chat.input.press('Enter');
			await chat.view.getByRole('button', { name: 'Allow 1 of 3 shown' }).click();
			await list(2);
			await chat.input.press('Enter');
			await row('Write .vscode/tasks.json').getByRole('button', { name: 'Deny: ' }).click();
			await chat.press('Write .env', '1');
			await chat.rested();
			assert.deepEqual(await chat.transcript(), [
				'user: Set it up',
				'tool done: Write .env',
				'tool denied: Write .vscode/tasks.json',
				'tool done: Run npm test',
				'text: That was it.',
			]);
			assert.deepEqual([existsSync(file('.env')), existsSync(file('.vscode/tasks.json'))], [true, false]);
		});
	});
}
