/** The tab *Jobs*: prompts that `prowess serve` works on, what needs the user first, and what can be done with each. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { cutText, escapeToLine } from '../../base/text/one-line.ts';
import { waitOrAborted, withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { JobRecord, JobState, WorkPort } from '../../contract/ports/work-port.ts';
import { readBackgroundState } from '../../features/background/attach.ts';
import { addHomeJob, changeHomeJobs, HomeJobsView, isJobFolder, listHomeJobs } from '../../features/work/home-jobs.ts';
import { isTeamJoined } from '../../features/work/open-local-work.ts';
import { pickChosenLabels, retriedJob, toJobThreadId } from '../../features/work/prompt-job.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { BackgroundState } from '../../protocol/background.ts';
import { JobAsks, type JobAnswer, PromptResult, PromptWish } from '../../protocol/jobs.ts';
import type { PageBlock, PageRow, RowAction } from '../../protocol/pages/capability-page.ts';
import { escapeToLines } from '../capabilities/pages/built-page.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform } from '../notices/notices.ts';
import { formatScheduleTime } from './add-schedule.ts';
import { showGuide, wakeBackground } from './background-state.ts';
import { type BuiltAutomationTab, OfferedActs, showThreadInChat } from './built-tab.ts';

interface JobSources {
	readonly home: string;
	readonly extensionUri: vscode.Uri;
}

type RedactingBase = Pick<TrustedBase, 'redact'>;

/** Groups of the page, in their order. */
const GROUPS = ['needsYou', 'working', 'waiting', 'ended'] as const;
type JobGroup = (typeof GROUPS)[number];

const GROUP_OF: { readonly [S in JobState]: JobGroup } = {
	parked: 'needsYou',
	working: 'working',
	waiting: 'waiting',
	done: 'ended',
	failed: 'ended',
	cancelled: 'ended',
};

export async function jobsTab({ home, extensionUri }: JobSources, base: RedactingBase): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const showGuideOn = {
		action: 'showBackground',
		label: t('Work in the Background…'),
		act: () => showGuide(extensionUri, 'background.md'),
	} as const;
	const summary = t('Prompts that "prowess serve" works on, each in a worktree, also while no window is open.');
	if (isTeamJoined(home)) {
		const text = t('This home has joined a team. Run "prowess work list" in a terminal to see its jobs.');
		return { summary, blocks: [{ kind: 'note', text }], actions: [showGuideOn], rowActions: offered.all };
	}
	const now = await readJobs(home, () => listHomeJobs(home));
	const { jobs, background } = now;
	const asking = jobs.filter(({ question }) => question !== undefined);
	const asked = asking.slice(0, extensionLimits.jobQuestions);
	const left = asking.length - asked.length;
	const parts = { home, base, offered, background, asked };
	const groups = GROUPS.map((group) => ({
		title: describeGroup(group),
		// The newest first, but those that wait in their order.
		rows: (group === 'waiting' ? jobs : jobs.toReversed())
			.filter(({ state }) => GROUP_OF[state] === group)
			.slice(0, extensionLimits.viewRows)
			.map((job) => jobRow(job, parts)),
	}));
	return {
		summary,
		blocks: [
			...(background === undefined
				? [{ kind: 'note', text: t('Nothing works on jobs now. Run "prowess serve" in a terminal.') } as const]
				: []),
			...asked.flatMap(questionBlocks),
			...(left === 0
				? []
				: [{ kind: 'note', text: t('Questions that follow once these are answered: {0}', left) } as const]),
			{
				kind: 'rows',
				groups: groups.filter(({ rows }) => rows.length > 0),
				none: t('There are no jobs.'),
			},
		],
		actions: [{ action: 'addJob', label: t('Add Job…'), act: () => askAndAddJob(home, base) }, showGuideOn],
		rowActions: offered.all,
		async changed(signal) {
			const view = new HomeJobsView(home);
			try {
				do {
					await waitOrAborted(extensionLimits.homeLookMs, signal);
				} while (!signal.aborted && isDeepStrictEqual(await readJobs(home, () => view.list()).catch(() => now), now));
			} finally {
				view.dispose();
			}
		},
	};
}

/** Number of jobs that wait for an answer of the user. */
export function countParkedJobs(home: string): number {
	const jobs = isTeamJoined(home) ? [] : listHomeJobs(home);
	return jobs.filter(({ state }) => state === 'parked').length;
}

interface SeenJobs {
	readonly jobs: readonly JobRecord[];
	/** Folders that `prowess serve` may not work in; undefined: none runs, or it does not answer. */
	readonly background: BackgroundState['waiting'] | undefined;
}

async function readJobs(home: string, list: () => readonly JobRecord[]): Promise<SeenJobs> {
	const background = await readBackgroundState(home).catch(() => undefined);
	return { jobs: list(), background: background?.waiting };
}

interface JobParts {
	readonly home: string;
	readonly base: RedactingBase;
	readonly offered: OfferedActs;
	readonly background: SeenJobs['background'];
	/** Jobs whose question is in sight: no other can be answered. */
	readonly asked: readonly JobRecord[];
}

function jobRow(job: JobRecord, { background, ...parts }: JobParts): PageRow {
	const { t } = vscode.l10n;
	const wish = PromptWish.safeParse(job.payload).data;
	const labels = pickChosenLabels(job.labels);
	const why = job.state === 'waiting' ? background?.find(({ folder }) => folder === wish?.folder)?.why : undefined;
	return {
		id: job.id,
		icon: 'server-process',
		what: readJobTitle(job),
		state: why === undefined ? describeJob(job) : describeObstacle(why),
		isBad: job.state === 'parked' || job.state === 'failed' || why !== undefined,
		notes: [
			...(wish === undefined ? [] : [escapeToLine(wish.folder)]),
			...(labels.length === 0 ? [] : [t('for workers with {0}', labels.join(', '))]),
			...(job.attempts > 1 ? [t('attempt {0}', job.attempts)] : []),
			t('added {0}', formatScheduleTime(job.createdAt)),
		],
		actions: jobActs(job, wish, parts),
	};
}

function readJobTitle({ payload, key }: JobRecord): string {
	const [first = ''] = (PromptWish.safeParse(payload).data?.prompt ?? key).split('\n');
	return escapeToLine(cutText(first, extensionLimits.jobTitleChars));
}

function describeJob({ state, reason, result }: JobRecord): string {
	const { t } = vscode.l10n;
	switch (state) {
		case 'waiting':
			return t('Waiting');
		case 'working':
			return t('In progress');
		case 'parked':
			return t('Needs you');
		case 'cancelled':
			return t('Cancelled');
		case 'failed':
			// Reasons that are ours have a translation; others stay as they are.
			return reason === undefined ? t('Not done') : `${t('Not done')}: ${escapeToLine(t(reason))}`;
		case 'done':
			return describeResult(PromptResult.safeParse(result).data);
		default:
			return state satisfies never;
	}
}

function describeResult(result: PromptResult | undefined): string {
	const { t } = vscode.l10n;
	if (result === undefined) return t('Done');
	const { changed, added, removed, worktree, onlyRead } = result;
	if (changed === 0)
		return onlyRead ? t('Done. Without a sandbox it could only read.') : t('Done. No file was changed.');
	const files = changed === 1 ? t('1 changed file') : t('{0} changed files', changed);
	return `${t('Done')}: ${files}, +${added} -${removed}, ${t('in the worktree {0}', escapeToLine(worktree))}`;
}

function describeObstacle(why: BackgroundState['waiting'][number]['why']): string {
	const { t } = vscode.l10n;
	switch (why) {
		case 'gone':
			return t('Its folder is gone.');
		case 'untrusted':
			return t('Not trusted yet. Run "prowess capability list --trust" in its folder.');
		case 'failed':
			return t('The background host could not work there.');
		default:
			return why satisfies never;
	}
}

function describeGroup(group: JobGroup): string {
	const { t } = vscode.l10n;
	switch (group) {
		case 'needsYou':
			return t('Needs You');
		case 'working':
			return t('At Work');
		case 'waiting':
			return t('Waiting');
		case 'ended':
			return t('Ended');
		default:
			return group satisfies never;
	}
}

/** All that a yes would allow, or the question in its own words. */
function questionBlocks(job: JobRecord): readonly PageBlock[] {
	const { t } = vscode.l10n;
	const asks = JobAsks.safeParse(job.question?.asks).data;
	if (job.question === undefined) return [];
	if (asks === undefined) {
		return [{ kind: 'note', text: t('"{0}" asks what this version cannot show.', readJobTitle(job)) }];
	}
	const lines = [asks.shown.trimEnd()];
	if (asks.kind === 'words')
		asks.options.forEach((option, index) => lines.push(`  ${index + 1}. ${escapeToLine(option)}`));
	else if (asks.yes === 'thread') lines.push(t('Yes allows in this thread: {0}', asks.scope));
	return [
		{ kind: 'code', title: t('"{0}" asks', readJobTitle(job)), text: escapeToLines(lines.join('\n')), language: '' },
	];
}

/** The first act is what one usually wants. */
function jobActs(
	job: JobRecord,
	wish: PromptWish | undefined,
	{ home, base, offered, asked }: Omit<JobParts, 'background'>,
) {
	const { t } = vscode.l10n;
	const { id, state, attempts, question } = job;
	const acts: RowAction[] = [];
	const asks = JobAsks.safeParse(question?.asks).data;
	const changeJob = (what: (port: WorkPort, signal: AbortSignal) => Promise<boolean>, late: string) => async () => {
		const isChanged = await withJobLimit((signal) => changeHomeJobs(home, (port) => what(port, signal)));
		if (isChanged) await wakeBackground(home);
		else inform(late);
		await showJobsAgain();
	};
	if (question !== undefined && asks !== undefined && asked.includes(job)) {
		// A press on what was drawn before answers no question that has come since.
		const on = `${id} ${question.id}`;
		const sendAnswer = (isYes: boolean, words: string) => {
			const line = asks.kind === 'words' ? escapeToLine(asks.shown) : asks.title;
			const said = { questionId: question.id, digest: asks.digest, isYes, words: base.redact(words), asked: line };
			return changeJob(
				(port, signal) => port.answer(id, question.id, said satisfies JobAnswer, signal),
				t('This question was answered already, or its job was cancelled.'),
			)();
		};
		const answerInWords = async (prompt: string) => {
			const words = await vscode.window.showInputBox({ title: readJobTitle(job), prompt, ignoreFocusOut: true });
			if (words === undefined || (asks.kind === 'words' && words.trim() === '')) return;
			await sendAnswer(false, asks.kind === 'words' ? (asks.options[Number(words) - 1] ?? words) : words);
		};
		if (asks.kind === 'words') {
			acts.push(offered.offer('accept', t('Answer…'), on, () => answerInWords(t('Your answer, or the number of one'))));
		} else {
			const label = asks.yes === 'thread' ? t('Allow in This Thread') : t('Allow Once');
			if (asks.yes !== null) acts.push(offered.offer('accept', label, on, () => sendAnswer(true, '')));
			acts.push(
				offered.offer('reject', t('Deny…'), on, () =>
					answerInWords(t('Why not? The agent reads it. You can leave it empty.')),
				),
			);
		}
	}
	// Steps of a script stand in the ledger, and in no thread that one can open.
	const isHere = () =>
		wish !== undefined &&
		wish.script === undefined &&
		vscode.workspace.workspaceFolders?.some(({ uri }) => isJobFolder(wish.folder, uri.fsPath)) === true;
	if ((attempts > 0 || state === 'parked') && isHere()) {
		acts.push(offered.offer('showThread', t('Open Thread'), id, () => showThreadInChat(toJobThreadId(job))));
	}
	if (GROUP_OF[state] !== 'ended') {
		const cancel = changeJob((port, signal) => port.cancel(id, signal), t('This job has ended already.'));
		acts.push(offered.offer('cancel', t('Cancel Job'), id, cancel));
	} else if (state !== 'done') {
		const retry = changeJob(async (port, signal) => (await port.enqueue([retriedJob(job)], signal)).length > 0, '');
		acts.push(offered.offer('retry', t('Run Again'), id, retry));
	}
	return acts;
}

async function askAndAddJob(home: string, base: RedactingBase): Promise<void> {
	const { t } = vscode.l10n;
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	if (folder?.scheme !== 'file') {
		inform(t('Open a folder first: a job belongs to one.'));
		return;
	}
	const prompt = await vscode.window.showInputBox({
		title: t('Add Job'),
		prompt: t('What is the agent to do in the background, in a worktree of {0}?', folder.fsPath),
		ignoreFocusOut: true,
	});
	if (prompt === undefined || prompt.trim() === '') return;
	const wish = { prompt: base.redact(prompt), folder: folder.fsPath };
	await withJobLimit((signal) => addHomeJob(home, wish, signal));
	await wakeBackground(home);
	await showJobsAgain();
}

async function withJobLimit<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	return await withTimeLimit({ what: 'reading or changing the jobs', timeoutMs: extensionLimits.changeHomeMs }, work);
}

async function showJobsAgain(): Promise<void> {
	await vscode.commands.executeCommand('prowess.showAutomation', 'jobs');
}
