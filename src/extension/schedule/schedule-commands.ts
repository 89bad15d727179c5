/** Commands for schedules: what is to run, when, and how far a run may go is asked step by step. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { ScheduleCommandId } from '../editor/command-table.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { describePolling } from '../../protocol/schedule/watch-condition.ts';
import { extensionLimits } from '../editor/limits.ts';
import { confirmLoss, inform } from '../notices/notices.ts';
import { backgroundItem, showBackgroundGuide } from './background-item.ts';

type ScheduleCommands = { readonly [C in ScheduleCommandId]: () => Promise<void> };
type HostSchedules = TrustedBase['schedules'];
type ScheduleSnapshot = ReturnType<HostSchedules['list']>[number];
type WatchSnapshot = NonNullable<ScheduleSnapshot['watch']>;

interface ScheduleCommandPorts {
	readonly home: string;
	readonly extensionUri: vscode.Uri;
	base(): Promise<TrustedBase>;
}

export function createScheduleCommands({ base, home, extensionUri }: ScheduleCommandPorts): ScheduleCommands {
	return {
		'prowess.addSchedule': async () => {
			const { t } = vscode.l10n;
			const title = t('Add Schedule');
			const words = await vscode.window.showInputBox({
				title,
				prompt: t('When? For example "every weekday at 9", "in 20 minutes" or "when src/api changes"'),
				ignoreFocusOut: true,
			});
			const text =
				words &&
				(await vscode.window.showInputBox({ title, prompt: t('What is the agent to do?'), ignoreFocusOut: true }));
			const how =
				text && (await vscode.window.showQuickPick(waysToRun(), { title, placeHolder: t('How far may a run go?') }));
			if (!words || !text || !how) return;
			const { kind, mode, asks } = how.way;
			const { schedules } = await base();
			const { nextDue, watch } = await withTimeLimit(
				{ what: 'adding a schedule', timeoutMs: extensionLimits.addScheduleMs },
				(signal) => schedules.add({ kind, words, text, mode, asks }, signal),
			);
			if (watch !== undefined) {
				const polled = describePolling(watch.condition);
				inform(t('Waits until {0}. Polls without you: {1}', formatScheduleTime(watch.endsAt), polled));
				return;
			}
			inform(
				nextDue === null
					? t('The schedule was added.')
					: t('The schedule was added. It runs next on {0}.', formatScheduleTime(nextDue)),
			);
		},
		'prowess.showSchedules': async () => {
			const { t } = vscode.l10n;
			const { schedules } = await base();
			const all = schedules.list();
			if (all.length === 0) {
				const add = t('Add Schedule');
				if ((await inform(t('Nothing is scheduled.'), add)) === add) {
					await vscode.commands.executeCommand('prowess.addSchedule');
				}
				return;
			}
			const background = await backgroundItem(home, formatScheduleTime);
			const rows = [...all.map((each) => toScheduleItem(each, schedules)), background];
			const picked = await vscode.window.showQuickPick(rows, { title: t('Schedules') });
			if (picked === background) {
				await showBackgroundGuide(extensionUri);
			}
			const act =
				picked &&
				'schedule' in picked &&
				(await vscode.window.showQuickPick(listScheduleActs(picked.schedule), { title: picked.label }));
			if (act) {
				await act.act(schedules);
			}
		},
	};
}

interface WayToRun extends vscode.QuickPickItem {
	readonly way: Pick<ScheduleSnapshot, 'kind' | 'asks'> & { readonly mode: Mode };
}

function waysToRun(): readonly WayToRun[] {
	const { t } = vscode.l10n;
	return [
		{
			label: t('Only read'),
			detail: t('What would change something is refused.'),
			way: { kind: 'prompt', mode: 'ask', asks: 'refuse' },
		},
		{
			label: t('Work, and ask me'),
			detail: t('Your rules count. What needs your approval waits for you.'),
			way: { kind: 'prompt', mode: 'agent', asks: 'wait' },
		},
		{
			label: t('Work, and ask nobody'),
			detail: t('Your rules count. What needs your approval is refused.'),
			way: { kind: 'prompt', mode: 'agent', asks: 'refuse' },
		},
		{
			label: t('Only remind me'),
			detail: t('The text is shown; no model is asked.'),
			way: { kind: 'reminder', mode: 'ask', asks: 'refuse' },
		},
	];
}

interface ScheduleItem extends vscode.QuickPickItem {
	readonly schedule: ScheduleSnapshot;
}

function toScheduleItem(schedule: ScheduleSnapshot, register: HostSchedules): ScheduleItem {
	const { t } = vscode.l10n;
	const { text, words, nextDue, isPaused, lastRun, folder, watch } = schedule;
	const next = isPaused
		? t('paused')
		: nextDue === null
			? watch === undefined
				? t('no further run')
				: watch.held < watch.most
					? t('over: it did not happen in time')
					: t('over: it happened')
			: watch === undefined
				? t('next: {0}', formatScheduleTime(nextDue))
				: t('next poll: {0}', formatScheduleTime(nextDue));
	const waits = watch === undefined ? [] : listWatchFacts(watch);
	const last =
		lastRun === undefined
			? t('not run yet')
			: t('last: {0}, {1}, by {2}', formatScheduleTime(lastRun.due), lastRun.state, ownerIn(register, lastRun));
	const elsewhere = register.isHere(schedule) ? [] : [t('not by this window, but where {0} is open', folder)];
	return { label: text, description: words, detail: [next, ...waits, ...elsewhere, last].join(' · '), schedule };
}

function listWatchFacts({ condition, polls, lastPoll, seen, problem, endsAt }: WatchSnapshot): readonly string[] {
	const { t } = vscode.l10n;
	const found = problem ?? seen?.result ?? t('nothing yet');
	return [
		t('polls: {0}', describePolling(condition)),
		...(lastPoll === null ? [] : [t('poll {0}, {1}: {2}', polls, formatScheduleTime(lastPoll), found)]),
		t('until {0}', formatScheduleTime(endsAt)),
	];
}

function ownerIn(register: HostSchedules, run: NonNullable<ScheduleSnapshot['lastRun']>): string {
	const { t } = vscode.l10n;
	const { kind, pid, isThis } = register.ownerOf(run);
	return isThis
		? t('this window')
		: kind === 'editor'
			? t('another window (process {0})', pid)
			: t('the command line or the background (process {0})', pid);
}

interface ActItem extends vscode.QuickPickItem {
	act(schedules: HostSchedules): Promise<unknown>;
}

function listScheduleActs({ id, text, isPaused, lastRun, kind }: ScheduleSnapshot): readonly ActItem[] {
	const { t } = vscode.l10n;
	return [
		{ label: t('Run Now'), act: (schedules) => schedules.runNow(id) },
		isPaused
			? { label: t('Resume'), act: (schedules) => schedules.resume(id) }
			: { label: t('Pause'), act: (schedules) => schedules.pause(id) },
		...(lastRun === undefined || kind === 'reminder'
			? []
			: [
					{
						label: t('Open the Thread of the Last Run'),
						act: () => Promise.resolve(vscode.commands.executeCommand('prowess.openThread', lastRun.threadId)),
					},
				]),
		{
			label: t('Delete…'),
			async act(schedules) {
				if (await confirmLoss(t('Delete this schedule?'), [text], t('Delete'))) {
					await schedules.delete(id);
				}
			},
		},
	];
}

export function formatScheduleTime(ms: number): string {
	return new Date(ms).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
