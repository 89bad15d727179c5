import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { processTree, waitUntilGone } from '../../../support/processes.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { Chat } from '../../harness/chat.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';
import { pageFrameIn, type Workbench } from '../../harness/workbench.ts';

const wrong = 'quantity > quantityDiscount.from';
const right = 'quantity >= quantityDiscount.from';
const edit = {
	name: 'fs_edit',
	input: { path: 'src/cart.ts', edits: [{ find: wrong, replace: right }] },
};
const writeFile = "require('node:fs').writeFileSync('made.txt', 'by the command')";

export function turn(take: TakeWindow): void {
	describe('A turn', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		before(async () => {
			scripted = await take();
			({ workbench, chat } = scripted);
		});
		after(() => scripted?.close());

		const fileText = (path: string) => readFileSync(join(workbench.workspace, path), 'utf8');

		it('streams, reads without a question, and edits and runs only after a yes', async () => {
			await scripted.begin('Mend the discount', [
				{
					chunks: ['I ', 'look ', 'at ', 'the ', 'cart.'],
					delayMs: 250,
					toolCalls: [{ name: 'fs_read', input: { path: 'src/cart.ts' } }],
				},
				{ text: 'The comparison is wrong.', toolCalls: [edit] },
				{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', writeFile] } }] },
				{ chunks: ['The discount now ', 'begins **at** ten pieces.'], delayMs: 50 },
			]);
			await chat.view.locator('article.assistant[aria-busy="true"]', { hasText: 'I look' }).waitFor();
			await workbench.screenshot('turn-1-streaming');

			const question = await chat.asked('Edit src/cart.ts');
			// The file is named above; the diff begins with what changes.
			assert.match(await question.locator('.diff-line').first().innerText(), /^@@ -12,7 \+12,7 @@/);
			assert.equal(await question.locator('.diff-line.removed').innerText(), `-\tconst isDiscounted = ${wrong};`);
			assert.equal(await question.locator('.diff-line.added').innerText(), `+\tconst isDiscounted = ${right};`);
			assert.deepEqual(
				await Promise.all(['removed', 'added'].map((kind) => isInSight(question.locator(`.diff-line.${kind}`)))),
				[true, true],
			);
			assert.ok(fileText('src/cart.ts').includes(wrong));
			await workbench.screenshot('turn-2-edit-asked');
			await chat.press('Edit src/cart.ts', '1');

			const command = `Run node -e ${JSON.stringify(writeFile)}`;
			const ran = await chat.asked(command);
			const line = ran.locator('.command-line code');
			assert.equal(await line.textContent(), `$ node -e '${writeFile.replaceAll("'", String.raw`'\''`)}'`);
			assert.equal(await isInSight(line), true);
			assert.deepEqual(
				await Promise.all([/Allow once/, /^4?Deny$/].map((name) => isInSight(ran.getByRole('button', { name })))),
				[true, true],
			);
			assert.ok(fileText('src/cart.ts').includes(right));
			assert.equal(existsSync(join(workbench.workspace, 'made.txt')), false);
			await workbench.screenshot('turn-3-command-asked');
			await chat.press(command, '1');

			await chat.rested();
			assert.deepEqual(await chat.transcript(), [
				'user: Mend the discount',
				'text: I look at the cart.',
				'tool done: Read src/cart.ts',
				'text: The comparison is wrong.',
				'tool done: Edit src/cart.ts',
				`tool done: ${command}`,
				'text: The discount now begins at ten pieces.',
			]);
			assert.equal(fileText('made.txt'), 'by the command');
			assert.equal(scripted.requests().length, 4);
			await workbench.screenshot('turn-4-done');
		});

		it('says what is recorded of it: verified on a click, and open from each card in the ledger', async () => {
			await chat.view.getByRole('button', { name: '3 recorded' }).click();
			await chat.view.getByText('Recorded: 3, chain intact.').waitFor();
			await workbench.screenshot('turn-recorded');
			await chat.view.getByRole('button', { name: /Edit src\/ ?cart\.ts/ }).click();
			await chat.view.getByRole('button', { name: 'Recorded', exact: true }).click();
			const ledger = pageFrameIn(workbench.page);
			const row = ledger.locator('tbody tr');
			await row.getByText('You, once').waitFor();
			assert.equal(await row.count(), 1);
			assert.match(await row.innerText(), /Edit src\/cart\.ts\s+Done/);
			await ledger.getByRole('button', { name: 'Clear filters' }).click();
			await ledger.locator('tbody tr').nth(2).waitFor();
			assert.match(
				await ledger.getByRole('table').innerText(),
				/Run node [^]*Edit src\/cart\.ts[^]*Read src\/cart\.ts/,
			);
			await workbench.screenshot('turn-ledger');
			await ledger.getByRole('button', { name: 'Mend the discount' }).first().click();
			await workbench.runCommand('View: Close Editor');
		});

		it('shows its changed files with the native diff, and Undo brings the text back', async () => {
			const strip = chat.view.getByRole('region', { name: 'Changed files' });
			await chat.unfold(strip);
			await strip.getByRole('button', { name: /modified src\/cart\.ts/ }).click();
			const diff = workbench.page.locator('.monaco-diff-editor');
			await diff.locator('.editor.original .view-line', { hasText: wrong }).waitFor();
			await diff.locator('.editor.modified .view-line', { hasText: right }).waitFor();
			await workbench.screenshot('turn-5-diff');

			await strip.getByRole('button', { name: 'Undo src/cart.ts' }).click();
			// The strip also lists the file that the command made by itself.
			await strip.getByRole('button', { name: 'Undo made.txt' }).click();
			await strip.waitFor({ state: 'detached' });
			// The strip follows the text in the editor, which is saved later.
			await waitFor('the file as it was', () => fileText('src/cart.ts').includes(wrong));
			assert.equal(existsSync(join(workbench.workspace, 'made.txt')), false);
			await workbench.screenshot('turn-6-undone');
		});

		it('that is refused with a reason tells the model why and leaves the file as it was', async () => {
			const before = fileText('src/cart.ts');
			await scripted.begin('Mend it again', [{ toolCalls: [edit] }, { text: 'Then I ask first.' }]);
			const question = await chat.asked('Edit src/cart.ts');
			await question.getByRole('button', { name: 'More' }).click();
			await question.getByRole('button', { name: 'Deny with a reason…' }).click();
			await question.getByLabel('Reason (the agent reads it)').fill('Ask the shop first, please');
			await workbench.screenshot('turn-7-deny-reason');
			await question.getByRole('button', { name: 'Deny', exact: true }).click();
			await chat.rested();
			assert.deepEqual(await chat.transcript(), [
				'user: Mend it again',
				'tool denied: Edit src/cart.ts',
				'text: Then I ask first.',
			]);
			assert.match(toldIn(scripted.requests()[1]), /Ask the shop first, please/);
			const card = chat.view.locator('.item.tool.denied').last();
			await card.getByRole('button', { name: /Edit src\/ ?cart\.ts/ }).click();
			await card.getByText('You denied this: Ask the shop first, please.').waitFor();
			assert.equal(await card.getByText('DENIED_BY_USER').count(), 0);
			assert.equal(fileText('src/cart.ts'), before);
			await workbench.screenshot('turn-8-denied');
		});

		it('that is stopped ends its command, which is deaf to polite requests', async () => {
			const deaf =
				"process.on('SIGTERM', () => {}); require('node:fs').writeFileSync('runs.txt', ''); setInterval(() => {}, 1000)";
			await scripted.begin('Run it', [{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', deaf] } }] }]);
			await chat.press(`Run node -e ${JSON.stringify(deaf)}`, '1');
			await waitFor('the command', () => existsSync(join(workbench.workspace, 'runs.txt')));
			// With the sandbox that it runs in; in there it has another number.
			const pids = processTree(workbench.serverPid).flatMap(({ pid, commandLine }) =>
				commandLine.includes('runs.txt') ? [pid] : [],
			);
			assert.ok(pids.length > 0);
			await chat.view.getByRole('button', { name: 'Stop', exact: true }).click();
			await waitUntilGone(pids);
			await chat.rested();
			assert.match((await chat.transcript())[1] ?? '', /^tool cancelled: Run node/);
			assert.equal(scripted.requests().length, 1);
			await workbench.screenshot('turn-9-stopped');
		});
	});
}

/** Returns true when the line is visible without scrolling. */
function isInSight(line: Locator): Promise<boolean> {
	return line.evaluate((element) => {
		const { top, bottom } = element.getBoundingClientRect();
		const boxes = ['pre', '.dock-scroll', '.dock', 'body'].flatMap(
			(box) => element.closest(box)?.getBoundingClientRect() ?? [],
		);
		return boxes.every((box) => top >= box.top && bottom <= box.bottom);
	});
}
