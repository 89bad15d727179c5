/** A trial of a command at the terminal: its key, and what came of it. */
import type { Approval, ShownTrial } from '../../protocol/approvals/approvals.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';

const SIGNS = { created: '+', modified: '~', deleted: '-' } as const;

/** Choices that a trial adds, each with its key. */
export function trialChoices({ trial }: Approval): readonly (readonly [key: string, meaning: string])[] {
	if (trial?.state === 'offered') {
		return [['f', 'try it first, on a copy of the workspace and without the network']];
	}
	return trial?.state === 'ended' && trial.lost === undefined ? [['k', 'keep what it changed on the copy']] : [];
}

export function isTryFirst(line: string, { trial }: Approval): boolean {
	return trial?.state === 'offered' && line.trim().toLowerCase() === 'f';
}

export function trialText(trial: ShownTrial | undefined): string {
	switch (trial?.state) {
		case undefined:
		case 'offered':
		case 'running':
			return '';
		case 'failed':
			return `It could not be tried. ${visibleLine(inEnglish(trial.why))}\n`;
		case 'ended': {
			const { exitCode, signal, timedOut, output, changed, changedBeyond, lost } = trial;
			const end = timedOut ? 'it was stopped at its time limit' : `it ended with ${signal ?? `exit code ${exitCode}`}`;
			return [
				...(output === '' ? [] : [escapeUnseen(output).trimEnd()]),
				`Tried on a copy: ${end}.`,
				...changed.map(({ path, kind }) => `${SIGNS[kind]} ${visibleLine(path)}`),
				...(changedBeyond === 0 ? [] : [`and ${changedBeyond} more`]),
				...(lost === undefined ? [] : [visibleLine(inEnglish(lost))]),
			]
				.map((line) => `${line}\n`)
				.join('');
		}
	}
}
