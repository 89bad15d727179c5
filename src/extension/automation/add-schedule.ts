/** Asks for a schedule: when, what, and how far a run may go, step by step. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { describePolling } from '../../protocol/schedule/watch-condition.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { extensionLimits } from '../editor/limits.ts';
import { confirmLoss, inform } from '../notices/notices.ts';

export type HostSchedules = TrustedBase['schedules'];
export type ScheduleSnapshot = ReturnType<HostSchedules['list']>[number];

export async function askAndAddSchedule(
	schedules: Pick<HostSchedules, 'add'>,
	tab: 'schedules' | 'watches',
): Promise<void> {
	const { t } = vscode.l10n;
	const isWatch = tab === 'watches';
	const title = isWatch ? t('Add Watch') : t('Add Schedule');
	const words = await vscode.window.showInputBox({
		title,
		prompt: isWatch
			? t('On what condition? For example "when src/api changes" or "when `npm test` succeeds"')
			: t('When? For example "every weekday at 9", "in 20 minutes" or "when src/api changes"'),
		ignoreFocusOut: true,
	});
	if (!words) return;
	const prompt = isWatch
		? t('What is the agent to do? Without an answer you are only told.')
		: t('What is the agent to do?');
	const typed = await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
	const isOnlyTold = typed === '' && isWatch;
	const text = isOnlyTold ? words : typed;
	const way = isOnlyTold ? ONLY_TOLD : text && (await pickWayToRun(title));
	if (!text || !way) return;
	const { kind, mode, asks } = way;
	const added = await addAgreedSchedule(schedules, { kind, words, text, mode, asks });
	if (added === undefined) return;
	const { nextDue, watch } = added;
	if (watch !== undefined) {
		const polled = translateText(describePolling(watch.condition), (template) => t(template));
		inform(t('Waits until {0}. Polls without you: {1}', formatScheduleTime(watch.endsAt), polled));
		return;
	}
	inform(
		nextDue === null
			? t('The schedule was added.')
			: t('The schedule was added. It runs next on {0}.', formatScheduleTime(nextDue)),
	);
}

/** Asks first where the command of a condition may do more than read. Undefined: the user does not want that. */
async function addAgreedSchedule(
	schedules: Pick<HostSchedules, 'add'>,
	wanted: Parameters<HostSchedules['add']>[0],
): Promise<ScheduleSnapshot | undefined> {
	const { t } = vscode.l10n;
	const limit = { what: 'adding a schedule', timeoutMs: extensionLimits.addScheduleMs };
	try {
		return await withTimeLimit(limit, (signal) => schedules.add(wanted, signal));
	} catch (error) {
		if (!isProwessError(error) || error.facts['isAgreeable'] !== true) {
			throw error;
		}
	}
	const question = t('Run this command with each poll? It may do more than read.');
	return (await confirmLoss(question, [wanted.words], t('Run with Each Poll')))
		? await withTimeLimit(limit, (signal) => schedules.add({ ...wanted, isAgreed: true }, signal))
		: undefined;
}

async function pickWayToRun(title: string): Promise<WayToRun['way'] | undefined> {
	const placeHolder = vscode.l10n.t('How far may a run go?');
	return (await vscode.window.showQuickPick(waysToRun(), { title, placeHolder, ignoreFocusOut: true }))?.way;
}

interface WayToRun extends vscode.QuickPickItem {
	readonly way: Pick<ScheduleSnapshot, 'kind' | 'asks'> & { readonly mode: Mode };
}

const ONLY_TOLD: WayToRun['way'] = { kind: 'reminder', mode: 'ask', asks: 'refuse' };

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
			way: ONLY_TOLD,
		},
	];
}

export function formatScheduleTime(ms: number): string {
	return new Date(ms).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
