/** The walkthrough, in a window where nobody has opened the ledger yet. */
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';

export function walkthrough(take: TakeWindow): void {
	describe('The walkthrough', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take();
		});
		after(() => scripted?.close());

		it('ticks what was done before it was opened, and nothing else', async () => {
			const { workbench, chat } = scripted;
			await chat.focus();
			await scripted.begin('Say hello', [{ text: 'Hello.' }]);
			await chat.rested();
			await workbench.runCommand('Prowess: Open Walkthrough');
			await ticked('Connect a model').waitFor();
			await ticked('Describe a task').waitFor();
			await open('Review the ledger').waitFor();
			await workbench.screenshot('walkthrough-1-before');
		});

		it('ticks what is done while it is open', async () => {
			const { workbench } = scripted;
			await workbench.runCommand('Prowess: Show Ledger');
			// The page takes the focus once it is drawn, which would close a palette that is opened before.
			await pageFrameIn(workbench.page).getByRole('heading', { name: 'Ledger' }).waitFor();
			await workbench.runCommand('Prowess: Open Walkthrough');
			await ticked('Review the ledger').waitFor();
			await workbench.screenshot('walkthrough-2-during');
		});

		const step = (title: string, checkbox: 'checked' | 'unchecked') =>
			scripted.workbench.page
				.locator('.getting-started-step', { hasText: title })
				.filter({ has: scripted.workbench.page.locator(`.codicon-getting-started-step-${checkbox}`) });
		const ticked = (title: string) => step(title, 'checked');
		const open = (title: string) => step(title, 'unchecked');
	});
}
