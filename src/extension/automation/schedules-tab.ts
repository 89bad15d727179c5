/** The tabs *Schedules* and *Watches*: what runs at a time or once something happens, and what became of the last run. */
import * as vscode from 'vscode';
import { escapeToLine } from '../../base/text/one-line.ts';
import type { PageRow } from '../../protocol/pages/capability-page.ts';
import { describePolling, describeWatchEnd } from '../../protocol/schedule/watch-condition.ts';
import { readPollWords } from '../../protocol/schedule/poll-words.ts';
import { translateText } from '../../protocol/text/text.ts';
import { confirmLoss } from '../notices/notices.ts';
import { explainError } from '../notices/user-message.ts';
import { askAndAddSchedule, formatScheduleTime, type HostSchedules, type ScheduleSnapshot } from './add-schedule.ts';
import { readBackgroundNote, showGuide } from './background-state.ts';
import { type BuiltAutomationTab, OfferedActs, showThreadInChat } from './built-tab.ts';

type WatchSnapshot = NonNullable<ScheduleSnapshot['watch']>;

interface SchedulePorts {
	readonly home: string;
	readonly extensionUri: vscode.Uri;
}

export async function schedulesTab(
	{ home, extensionUri }: SchedulePorts,
	register: HostSchedules,
	tab: 'schedules' | 'watches',
): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const isMeant = ({ watch }: ScheduleSnapshot) => (watch !== undefined) === (tab === 'watches');
	const rows = register
		.list()
		.filter(isMeant)
		.map((each) => scheduleRow(each, register, offered));
	const background = await readBackgroundNote(home, formatScheduleTime);
	const isWatches = tab === 'watches';
	return {
		summary: isWatches
			? t('Work that waits until something happens: a file changes, tests pass, a branch moves.')
			: t('Work and reminders at set times. Each run has a thread of its own.'),
		blocks: [
			{ kind: 'note', text: background },
			{
				kind: 'rows',
				groups: [{ title: '', rows }],
				none: isWatches
					? t('Nothing is watched. Add one, or tell the agent: "when src/api changes, run the tests".')
					: t('Nothing is scheduled. Add one, or tell the agent: "every weekday at 9, list the open TODOs".'),
			},
		],
		actions: [
			{
				action: 'addSchedule',
				label: isWatches ? t('Add Watch…') : t('Add Schedule…'),
				act: () => askAndAddSchedule(register, tab),
			},
			{
				action: 'showBackground',
				label: t('Work in the Background…'),
				act: () => showGuide(extensionUri, 'background.md'),
			},
		],
		rowActions: offered.all,
	};
}

function scheduleRow(schedule: ScheduleSnapshot, register: HostSchedules, offered: OfferedActs): PageRow {
	const { t } = vscode.l10n;
	const { id, kind, text, words, isPaused, nextDue, lastRun, folder, watch } = schedule;
	const isReminder = kind === 'reminder';
	return {
		id,
		icon: isReminder ? 'bell' : watch === undefined ? 'calendar' : 'eye',
		what: escapeToLine(text),
		state: describeNext(schedule),
		isBad: watch?.problem !== undefined || lastRun?.state === 'failed',
		notes: [
			escapeToLine(words),
			...(watch === undefined ? [] : listWatchFacts(watch)),
			...(register.isHere(schedule) ? [] : [t('not by this window, but where {0} is open', escapeToLine(folder))]),
			...(lastRun === undefined
				? [t('not run yet')]
				: [
						t(
							'last: {0}, {1}, by {2}',
							formatScheduleTime(lastRun.due),
							describeRunState(lastRun.state),
							ownerIn(register, lastRun),
						),
					]),
		],
		actions: [
			offered.offer('run', t('Run Now'), id, () => register.runNow(id)),
			...(isPaused ? [offered.offer('resume', t('Resume'), id, () => register.resume(id))] : []),
			// A schedule that is over cannot be paused.
			...(isPaused || nextDue === null ? [] : [offered.offer('pause', t('Pause'), id, () => register.pause(id))]),
			...(lastRun === undefined || isReminder
				? []
				: [offered.offer('showThread', t('Open Thread'), id, () => showThreadInChat(lastRun.threadId))]),
			offered.offer('delete', t('Delete…'), id, async () => {
				if (await confirmLoss(t('Delete this schedule?'), [text], t('Delete'))) {
					await register.delete(id);
				}
			}),
		],
	};
}

function describeNext({ isPaused, nextDue, watch }: ScheduleSnapshot): string {
	const { t } = vscode.l10n;
	if (isPaused) {
		return t('Paused');
	}
	if (nextDue === null) {
		return watch === undefined
			? t('no further run')
			: translateText(describeWatchEnd(watch), (template) => t(template));
	}
	const at = formatScheduleTime(nextDue);
	return watch === undefined ? t('next: {0}', at) : t('next poll: {0}', at);
}

function listWatchFacts({ condition, polls, lastPoll, seen, problem, endsAt }: WatchSnapshot): readonly string[] {
	const { t } = vscode.l10n;
	const result = seen && translateText(readPollWords(seen.result), (template) => t(template));
	const found = problem === undefined ? (result ?? t('nothing yet')) : explainError(problem);
	return [
		t('polls: {0}', escapeToLine(translateText(describePolling(condition), (template) => t(template)))),
		...(lastPoll === null ? [] : [t('poll {0}, {1}: {2}', polls, formatScheduleTime(lastPoll), escapeToLine(found))]),
		t('until {0}', formatScheduleTime(endsAt)),
	];
}

function describeRunState(state: NonNullable<ScheduleSnapshot['lastRun']>['state']): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'claimed':
		case 'started':
			return t('In progress');
		case 'done':
			return t('Done');
		case 'failed':
			return t('Failed');
		case 'stopped':
			return t('Stopped');
		case 'interrupted':
			return t('Interrupted');
		case 'skipped':
			return t('Skipped');
		case 'expired':
			return t('Expired');
		default:
			return state satisfies never;
	}
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
