/** Contents of a cassette, a line for each thing that a reader may not want to hand on. */
import { cutText } from '../../base/text/one-line.ts';
import type { Cassette } from './cassette.ts';
import { methods, OP_METHODS } from './methods.ts';
import { describeRequest } from './replay-cassette.ts';

export interface CassetteOutline {
	readonly at: string;
	/** Version of Prowess that recorded it. */
	readonly version: string;
	readonly threads: readonly string[];
	readonly turns: readonly string[];
	/** `whole`, `full` where it has reached its bound, `cut` where its process was killed. */
	readonly end: 'whole' | 'full' | 'cut';
	readonly requests: number;
	readonly ops: number;
	readonly ledgerRows: number;
	/** Steps, from 1, in which a model was asked. */
	readonly asking: readonly number[];
	/** Prompts, requests to models, and ops with their params, in their order. */
	readonly lines: readonly string[];
}

const OUTLINE_CHARS = 160;

export function outlineCassette({ head, steps, end }: Cassette): CassetteOutline {
	const [threads, turns] = [new Set<string>(), new Set<string>()];
	const prompts = new Set<number>();
	const lines: string[] = [];
	const asking: number[] = [];
	let ops = 0;
	for (const [at, step] of steps.entries()) {
		if (step.k === 'call' && step.method === methods.prompt) {
			const { threadId, text } = step.params as { readonly threadId: string; readonly text: string };
			threads.add(threadId);
			prompts.add(step.n);
			lines.push(toLine('prompt', text));
		} else if (step.k === 'answer' && prompts.has(step.n) && 'result' in step) {
			turns.add((step.result as { readonly turnId: string }).turnId);
		} else if (step.k === 'asked' && step.method === methods.asked) {
			asking.push(at + 1);
			lines.push(`step ${at + 1}: ${describeRequest(step.method, step.params)}`);
		} else if (step.k === 'asked' && OP_METHODS.has(step.method)) {
			ops += 1;
			lines.push(toLine(describeRequest(step.method, step.params), JSON.stringify(readParams(step.params))));
		}
	}
	return {
		at: head.at,
		version: head.version,
		threads: [...threads],
		turns: [...turns],
		end: end?.end ?? 'cut',
		requests: asking.length,
		asking,
		ops,
		ledgerRows: end?.rows.length ?? 0,
		lines,
	};
}

function readParams(asked: unknown): unknown {
	return (asked as { readonly params?: unknown }).params ?? {};
}

function toLine(what: string, words: string): string {
	return cutText(`${what}: ${words.replaceAll(/\s+/g, ' ')}`, OUTLINE_CHARS);
}
