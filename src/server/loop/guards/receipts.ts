/** Evidence of effects: those that the host has recorded in its ledger in this turn, and those of earlier messages. */
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { type OpName, opOfCall, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { toolCalls } from '../../history/repair.ts';
import type { ModelMessage } from '../../models/model-port.ts';
import type { Claim } from './claims.ts';

interface Effect {
	readonly op: OpName;
	/** Params as text: paths and commands are found in it. */
	readonly params: string;
}

/** Programs, and capabilities, may have done anything. */
const runsPrograms = ({ op }: Effect) => readOpEffect(op) === 'execute';
const isWriteEffect = ({ op }: Effect) => readOpEffect(op) === 'write';

export class Receipts {
	readonly #now: Effect[] = [];
	readonly #before: readonly Effect[];
	/** True when older messages are gone, so that the effects they told of are unknown. */
	readonly #isPastUnknown: boolean;

	constructor(before: readonly ModelMessage[], isPastUnknown = false) {
		this.#before = effectsIn(before);
		this.#isPastUnknown = isPastUnknown;
	}

	/** True when this loop has changed and run nothing. */
	get isEmpty(): boolean {
		return !this.#now.some((effect) => isWriteEffect(effect) || runsPrograms(effect));
	}

	/** Changes were read, so the thread may be about what others did. */
	get haveReadChanges(): boolean {
		return [...this.#before, ...this.#now].some(({ op }) => op === 'git.diff' || op === 'git.status');
	}

	/** `outcome` is undefined when the host could not say what became of it: then it may have had its effect. */
	note(op: OpName, params: unknown, outcome: OpOutcome | undefined): void {
		const isDone = outcome === undefined || (outcome.status === 'done' && outcome.receipt !== undefined);
		// A command that failed or took too long was run nevertheless.
		const wasRun = outcome !== undefined && ['failed', 'timeout', 'cancelled'].includes(outcome.status);
		if (isDone || (wasRun && readOpEffect(op) === 'execute')) {
			this.#now.push({ op, params: JSON.stringify(params) ?? '' });
		}
	}

	/** Claims that nothing recorded bears out. */
	unproven(claims: readonly Claim[]): Claim[] {
		return claims.filter((claim) => !isBorneOut(claim, this.#now) && !this.#wasBefore(claim));
	}

	/**
	 * Returns true when an earlier turn bears the claim out, or when the past is unknown. An edit must name one of the
	 * claim's files; a claim without files may speak of the thread as a whole.
	 */
	#wasBefore(claim: Claim): boolean {
		return this.#isPastUnknown || isBorneOut(claim, this.#before);
	}
}

function isBorneOut({ kind, paths }: Claim, effects: readonly Effect[]): boolean {
	if (effects.some((effect) => effect.op === 'capability.start')) {
		return true;
	}
	switch (kind) {
		case 'edit': {
			const names = paths.map((path) => path.split('/').at(-1)?.toLowerCase() ?? path);
			const isNamed = ({ params }: Effect) =>
				names.length === 0 || names.some((name) => params.toLowerCase().includes(name));
			return effects.some((effect) => runsPrograms(effect) || (isWriteEffect(effect) && isNamed(effect)));
		}
		case 'run':
		case 'test':
			return effects.some(runsPrograms);
		case 'commit':
			return effects.some(
				(effect) => runsPrograms(effect) && /\b(?:git|gh|glab|jj|hg|svn)\b|commit|push/u.test(effect.params),
			);
	}
}

function effectsIn(messages: readonly ModelMessage[]): Effect[] {
	return messages.flatMap((message, index) => {
		const next = messages[index + 1];
		if (message.role !== 'assistant' || next?.role !== 'tool') {
			return [];
		}
		return toolCalls(message.parts).flatMap(({ callId, tool, inputText }): Effect[] => {
			const op = opOfCall(tool, {});
			const result = next.results.find((each) => each.callId === callId);
			return op === undefined || result === undefined || result.isError ? [] : [{ op, params: inputText }];
		});
	});
}

function readOpEffect(op: OpName): OpDef['effect'] {
	const { effect }: OpDef = ops[op];
	return effect;
}
