/**
 * Describes an act of the ledger in words, the same for the page and the command line. Text that others have written
 * stays as it was recorded.
 */
import { assertNever } from '../../../base/assert-never.ts';
import { whoDecided } from '../../../contract/decision.ts';
import type { LedgerRow, RecordedAct } from '../../../protocol/approvals/ledger.ts';
import { type CommandEnding, commandEnding } from '../../../protocol/ops/commands/command-end.ts';
import { type Text, text } from '../../../protocol/text/text.ts';

export interface ActInWords {
	/** The op, or `writer:number` of a row without one. */
	readonly id: string;
	/** When it was begun. */
	readonly at: string;
	/** Line that the person saw, such as `Run npm test`. */
	readonly what: string;
	/** Doer of the act: `agent`, `user`, `host`, or a capability as `skill/greet`. */
	readonly doer: string;
	/** Tool of the capability that wanted the act; null where it runs as a whole. */
	readonly tool: string | null;
	readonly end: ActEndKind;
	readonly result: Text;
	readonly decidedBy: Text;
	readonly threadId: string | null;
}

type ActEndKind = 'done' | 'failed' | 'denied' | 'stopped' | 'open' | 'note';

export function describeLedgerAct({ first, last }: RecordedAct): ActInWords {
	const { at, trigger, decision, threadId } = first;
	return {
		id: resolveActId(first),
		at,
		what: sayWhat(first),
		doer: parseDoer(trigger),
		tool: /^[^:]+\/[^:]+:([^:]+):[^:]+ \(/.exec(trigger)?.[1] ?? null,
		...describeActEnd(first, last),
		decidedBy: whoDecided(trigger, decision),
		threadId,
	};
}

/** A note about an execution or the ledger says in its decision what was noticed; one of an act repeats there only who allowed it. */
function sayWhat({ kind, input, decision }: LedgerRow): string {
	const saysMore = kind === 'note' && decision !== '' && !/^(?:allow|ask|deny) \(/.test(decision);
	return saysMore ? `${input}: ${decision}` : input;
}

/** Returns the id by which the act is found again. */
function resolveActId({ opId, writer, seq }: LedgerRow): string {
	return opId ?? `${writer}:${seq}`;
}

function parseDoer(trigger: string): string {
	return /^[^:]+/.exec(trigger)?.[0] ?? trigger;
}

function describeActEnd(first: LedgerRow, last: LedgerRow | null): Pick<ActInWords, 'end' | 'result'> {
	const row = last ?? first;
	switch (row.status) {
		case 'done': {
			const ending = row.op === 'shell.run' ? commandEnding(row.output ?? '') : undefined;
			return ending === undefined ? { end: 'done', result: text('Done') } : commandEnd(ending);
		}
		case 'failed':
			return { end: 'failed', result: text('Failed') };
		case 'timeout':
			return { end: 'failed', result: text('Time limit reached') };
		case 'denied':
			return { end: 'denied', result: text('Denied') };
		case 'cancelled':
			return { end: 'stopped', result: text('Stopped') };
		default:
			return row.kind === 'intent'
				? { end: 'open', result: text('No result recorded') }
				: { end: 'note', result: text('Recorded') };
	}
}

function commandEnd(ending: CommandEnding): Pick<ActInWords, 'end' | 'result'> {
	switch (ending.kind) {
		case 'exit':
			return ending.code === 0
				? { end: 'done', result: text('Done') }
				: { end: 'failed', result: text('Exit code {code}', { code: ending.code }) };
		case 'signal':
			return { end: 'failed', result: text('Ended by {signal}', { signal: ending.signal }) };
		case 'timeLimit':
			return {
				end: 'failed',
				result:
					ending.overTime === undefined
						? text('Time limit reached')
						: text('{program} reached the time limit of {seconds} s', {
								program: ending.overTime.program,
								seconds: ending.overTime.limitMs / 1_000,
							}),
			};
		case 'running':
			return { end: 'done', result: text('Started') };
		default:
			return assertNever(ending);
	}
}
