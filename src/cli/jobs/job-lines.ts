/** Jobs in the terminal. Words of others do nothing to it: in a team, another machine has written all of a job. */
import { cutText } from '../../base/text/one-line.ts';
import type { JobRecord } from '../../contract/ports/work-port.ts';
import { JobAsks, PromptResult, PromptWish } from '../../protocol/jobs.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { workLimits } from './limits.ts';
import { pickChosenLabels, toJobThreadId } from '../../features/work/prompt-job.ts';

const JOB_STATE_WORDS: { readonly [S in JobRecord['state']]: string } = {
	waiting: 'waits',
	working: 'is worked on',
	parked: 'waits for your answer',
	done: 'done',
	failed: 'failed',
	cancelled: 'cancelled',
};

/** A job in two lines: what it is, and how it stands. */
export function jobLines(job: JobRecord): string {
	const wish = PromptWish.safeParse(job.payload).data;
	const [first = ''] = (wish?.prompt ?? job.key).split('\n');
	const title = cutText(first, workLimits.titleChars);
	const labels = pickChosenLabels(job.labels);
	const parts = [
		JOB_STATE_WORDS[job.state],
		...(job.attempts > 1 ? [`attempt ${job.attempts}`] : []),
		...(labels.length === 0 ? [] : [`for workers with ${labels.join(', ')}`]),
		...(job.priority === 0 ? [] : [`priority ${job.priority}`]),
		...(job.reason === undefined ? [] : [job.reason]),
		...(job.group === undefined ? [] : [`added by ${job.group} ${describeAge(Date.now() - job.createdAt)} ago`]),
		...(wish === undefined ? [] : [wish.folder]),
	];
	return `${visibleLine(`${job.id}  ${title}`)}\n    ${visibleLine(parts.join(', '))}\n`;
}

/** Whole minutes, hours or days. Clocks of two machines may differ: nothing is younger than now. */
export function describeAge(ms: number): string {
	const minutes = Math.max(0, Math.floor(ms / 60_000));
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** The same with the question, or the result, and what to do next. */
export function jobDetails(job: JobRecord): string {
	const begun = job.attempts > 0 || job.state === 'parked' ? [`Thread: ${toJobThreadId(job)}`] : [];
	const lines = [...begun, ...questionLines(job), ...resultLines(PromptResult.safeParse(job.result).data)];
	return `${jobLines(job)}${lines.map((line) => `${line}\n`).join('')}`;
}

function questionLines({ id: named, question }: JobRecord): string[] {
	const id = visibleLine(named);
	const asks = JobAsks.safeParse(question?.asks).data;
	switch (asks?.kind) {
		case undefined:
			return question === undefined ? [] : ['It asks what this version cannot show. Cancel it, or use a newer one.'];
		case 'approval': {
			const reach = asks.yes === 'thread' ? `\nYes allows in this thread: ${visibleLine(asks.scope)}` : '';
			const how =
				asks.yes === null
					? `It cannot be allowed from here: answer "no", or do it yourself. prowess work answer ${id} no`
					: `Answer with: prowess work answer ${id} yes, or no "<reason>"`;
			return [`It asks:\n${escapeUnseen(asks.shown).trimEnd()}${reach}`, how];
		}
		case 'words': {
			const options = asks.options.map((option, index) => `\n  ${index + 1}. ${visibleLine(option)}`).join('');
			return [
				`The agent or a capability asks, in its own words:\n${escapeUnseen(asks.shown).replaceAll(/^/gm, '  > ')}${options}`,
				`Answer with: prowess work answer ${id} "<number or text>"`,
			];
		}
	}
}

function resultLines(result: PromptResult | undefined): string[] {
	if (result === undefined) return [];
	const { changed, added, removed, branch, files, onlyRead } = result;
	const worktree = visibleLine(result.worktree);
	if (changed === 0) {
		return [onlyRead ? 'It could only read: this machine has no sandbox. See: prowess doctor' : 'No file was changed.'];
	}
	const more = changed > files.length ? [`  and ${changed - files.length} more`] : [];
	return [
		`${changed === 1 ? '1 file' : `${changed} files`} changed, +${added} -${removed}, in the worktree ${worktree}${branch === null ? '' : `, branch ${visibleLine(branch)}`}`,
		...files.map(({ path, kind }) => `  ${visibleLine(path)} (${kind})`),
		...more,
		`Look at it and bring it home, in its folder: prowess worktree show ${worktree} --diff, prowess worktree apply ${worktree}`,
	];
}
