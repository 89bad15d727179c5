/** Lines about the work of a background host. */
import type { BackgroundState, EndedWork } from '../../protocol/background.ts';
import { visibleLine } from '../terminal/visible.ts';

export function endedLine({ kind, title, folder, state, why, threadId, at }: EndedWork): string {
	const because = why === undefined ? '' : ` (${why})`;
	return visibleLine(`${formatWorkTime(at)}  ${kind} "${title}" in ${folder}: ${state}, thread ${threadId}${because}`);
}

const WHY = {
	gone: 'the folder is gone',
	untrusted: 'is not trusted; trust it with "prowess run --trust"',
	failed: 'its process failed',
} as const;

export function waitingLine({ folder, why }: BackgroundState['waiting'][number]): string {
	return visibleLine(`${folder}: ${WHY[why]}`);
}

export function stateLines({ pid, version, startedAt, working, waiting, nextDue, ended }: BackgroundState): string {
	const lines = [
		`Running: process ${pid} since ${formatWorkTime(startedAt)}, version ${version}`,
		`Next run: ${nextDue === null ? 'none is scheduled' : formatWorkTime(nextDue)}`,
		...working.map((each) => `${each.folder}: worked on by process ${each.pid} since ${formatWorkTime(each.since)}`),
		...waiting.map(waitingLine),
		...ended.map(endedLine),
	];
	return lines.map((line) => `${visibleLine(line)}\n`).join('');
}

function formatWorkTime(at: number): string {
	return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(at);
}
