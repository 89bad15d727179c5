/** End of a command, at the beginning of what the ledger keeps of its result. Without zod, for the ledger's worker. */
import type { OverTime } from './over-time.ts';

export type CommandEnding =
	| { readonly kind: 'exit'; readonly code: number }
	| { readonly kind: 'signal'; readonly signal: string }
	/** `overTime`: absent in rows of older versions. */
	| { readonly kind: 'timeLimit'; readonly overTime?: OverTime }
	| { readonly kind: 'running' };

/** Beginnings of what is kept of a command that failed, as patterns of SQL; those of `NOT_FAILED` aside. */
export const FAILED_ENDINGS = ['[exit code %', '[ended by %', '[stopped: %'] as const;
export const NOT_FAILED = '[exit code 0%';

/** Undefined when the text is not of a command. */
export function commandEnding(recorded: string): CommandEnding | undefined {
	const [, code, signal, other] =
		/^\[(?:exit code (\d+)|ended by (\w+)\]|(stopped: |still running ))/.exec(recorded) ?? [];
	if (code !== undefined) {
		return { kind: 'exit', code: Number(code) };
	}
	if (signal !== undefined) {
		return { kind: 'signal', signal };
	}
	if (other !== 'stopped: ') {
		return other === undefined ? undefined : { kind: 'running' };
	}
	const [, program, seconds] = /^\[stopped: (.+?) reached the time limit of ([\d.]+) s; /.exec(recorded) ?? [];
	return program === undefined
		? { kind: 'timeLimit' }
		: { kind: 'timeLimit', overTime: { program, limitMs: Number(seconds) * 1_000 } };
}
