import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JobOutcome, TakenJob, WorkPort } from '../../../../src/contract/ports/work-port.ts';
import { openLocalWork, teamRecordPath } from '../../../../src/features/work/open-local-work.ts';
import { PROMPT_KIND, toFolderLabel, toJobThreadId } from '../../../../src/features/work/prompt-job.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { type CapabilityViews, capabilityViewsIn } from '../../harness/capability-views.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';

const failOn = (error: unknown) => assert.fail(String(error));

export function jobs(take: TakeWindow): void {
	describe('Jobs in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let views: CapabilityViews;
		let home: string;
		/** Worker that takes jobs in the place of "prowess serve", and how it goes on with each. */
		let worker: WorkPort;
		let carryOut: (job: TakenJob) => Promise<JobOutcome>;
		const page = () => pageFrameIn(scripted.workbench.page);
		const row = (text: string) => page().locator('.page-row').filter({ hasText: text });
		const press = (text: string, name: string) => row(text).getByRole('button', { name, exact: true }).click();

		before(async () => {
			scripted = await take();
			views = capabilityViewsIn(scripted.workbench);
			home = join(scripted.workbench.home, '.prowess');
		});
		after(async () => {
			await worker?.dispose();
			for (const left of ['work.db', 'work.db-wal', 'work.db-shm', 'team']) {
				rmSync(join(home, left), { force: true, recursive: true });
			}
			await scripted?.close();
		});

		async function add(prompt: string): Promise<void> {
			await page().getByRole('button', { name: 'Add Job…' }).click();
			await views.answer(prompt);
			await row(prompt).filter({ hasText: 'Waiting' }).waitFor();
		}

		it('say that the terminal shows them while the home has joined a team', async () => {
			mkdirSync(dirname(teamRecordPath(home)), { recursive: true });
			writeFileSync(teamRecordPath(home), '{}');
			const shown = await views.automation('Jobs');
			await shown.getByText('This home has joined a team.').waitFor();
			assert.equal(await shown.getByRole('button', { name: 'Add Job…' }).count(), 0);
			rmSync(dirname(teamRecordPath(home)), { recursive: true });
		});

		it('wait, with a note that nothing works on them, and are cancelled and run again', async () => {
			const shown = await views.automation('Goals').then(() => views.automation('Jobs'));
			await shown.getByText('There are no jobs.').waitFor();
			await shown.getByText('Nothing works on jobs now. Run "prowess serve" in a terminal.').waitFor();
			await add('Rename the parser');
			await press('Rename the parser', 'Cancel Job');
			await row('Rename the parser').filter({ hasText: 'Cancelled' }).waitFor();
			await press('Rename the parser', 'Run Again');
			await row('Rename the parser').filter({ hasText: 'Waiting' }).waitFor();
		});

		it('ask, all in sight, and go on with the answer, which the agent gets', async () => {
			const { workbench } = scripted;
			const answers: unknown[] = [];
			const asks = { kind: 'approval', digest: 'd', title: 'Write n.txt', yes: 'once', scope: '' } as const;
			carryOut = async (job) => {
				const { answer } = job;
				if (answer === undefined) {
					const shown = 'Write n.txt\n+two \u202e hidden';
					return { state: 'parked', question: { id: 'q', asks: { ...asks, shown } } };
				}
				answers.push(answer);
				const files = [{ path: 'n.txt', kind: 'added' }];
				const of = { threadId: toJobThreadId(job), worktree: 'job-1', branch: null, files };
				return { state: 'done', result: { ...of, changed: 1, added: 1, removed: 0, onlyRead: false } };
			};
			worker = openLocalWork(home, failOn);
			const labels = [toFolderLabel(realpathSync.native(workbench.workspace))];
			const offer = { kinds: [PROMPT_KIND], labels, mostAtOnce: 1, mostOfGroup: 1 };
			worker.take(offer, async (job) => await carryOut(job));
			await row('Rename the parser').filter({ hasText: 'Needs you' }).waitFor();
			await page().getByRole('heading', { name: '"Rename the parser" asks' }).waitFor();
			await page().getByText('+two \\u{202e} hidden').waitFor();
			await page()
				.getByRole('tab', { name: /^Jobs.*1/ })
				.waitFor();
			await workbench.screenshot('jobs-1-asks');
			await press('Rename the parser', 'Deny…');
			await views.answer('Write m.txt');
			await row('Rename the parser')
				.filter({ hasText: 'Done: 1 changed file, +1 -0, in the worktree job-1' })
				.waitFor();
			await workbench.screenshot('jobs-2-done');
			const said = { questionId: 'q', digest: 'd', isYes: false, words: 'Write m.txt', asked: 'Write n.txt' };
			assert.deepEqual(answers, [said]);
		});

		it('ask no more at once than one can read, and the others next', async () => {
			const asks = { kind: 'words', digest: 'd', shown: 'Which one?', options: [] };
			carryOut = async ({ answer }) =>
				answer === undefined
					? { state: 'parked', question: { id: 'q', asks } }
					: { state: 'failed', reason: 'its turn was stopped' };
			const folder = realpathSync.native(scripted.workbench.workspace);
			const labels = [toFolderLabel(folder)];
			const wanted = Array.from({ length: 21 }, (_, index) => `Ask ${String(index + 1).padStart(2, '0')}`);
			const jobs = wanted.map((prompt, index) => ({
				kind: PROMPT_KIND,
				key: `asks-${index}`,
				labels,
				payload: { prompt, folder },
			}));
			await worker.enqueue(jobs, new AbortController().signal);
			await page().getByText('Questions that follow once these are answered: 1').waitFor();
			await row('Ask 21').filter({ hasText: 'Needs you' }).waitFor();
			assert.equal(await row('Ask 21').getByRole('button', { name: 'Answer…' }).count(), 0);
			await press('Ask 01', 'Answer…');
			await views.answer('This one');
			await page().getByRole('heading', { name: '"Ask 21" asks' }).waitFor();
			await row('Ask 21').getByRole('button', { name: 'Answer…' }).waitFor();
		});

		it('that failed say why', async () => {
			carryOut = async () => ({ state: 'failed', reason: 'its turn was stopped' });
			await page().getByRole('button', { name: 'Add Job…' }).click();
			await views.answer('Fail at this');
			await row('Fail at this').filter({ hasText: 'Not done: its turn was stopped' }).waitFor();
		});
	});
}
