/** End of a command, at the beginning of what the ledger keeps of its result. */

export type CommandEnding =
	| { readonly kind: 'exit'; readonly code: number }
	| { readonly kind: 'signal'; readonly signal: string }
	| { readonly kind: 'timeLimit' }
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
	return other === undefined ? undefined : { kind: other === 'stopped: ' ? 'timeLimit' : 'running' };
}
