/**
 * Runs the effect under its time limit. The run ends in any case: an effect that does not stop is left behind and
 * reported as in doubt.
 */
import { TimeoutError } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Redactor } from '../record/redaction/redactor.ts';
import type { BrokerCall } from './call.ts';
import { EFFECT_STOP_GRACE_MS } from './limits.ts';
import { asProwessError, type OpContext, type Prepared } from '../../contract/ops/op-implementation.ts';
import type { PersonWaits } from './person/person-waits.ts';

export type EffectEnd =
	| { readonly status: 'done'; readonly result: unknown }
	| { readonly status: 'failed' | 'cancelled' | 'timeout'; readonly error: ProwessError };

export async function runEffect(
	prepared: Prepared<unknown>,
	call: BrokerCall,
	redactor: Redactor,
	isAllowed: OpContext['isAllowed'],
	waits: PersonWaits,
	signal: AbortSignal,
): Promise<EffectEnd> {
	const { opId, op } = call.asked;
	if (signal.aborted) {
		return stoppedEnd(op, signal);
	}
	const output = redactor.stream();
	let isOver = false;
	const sendOutput = (chunk: string) => {
		if (chunk !== '') {
			call.origin.onProgress({ opId, kind: 'output', chunk });
		}
	};
	const emit = (chunk: string) => {
		if (!isOver) {
			sendOutput(output.push(chunk));
		}
	};
	const waitForPerson: OpContext['waitForPerson'] = async (reason, wait) => {
		try {
			return await waits.during(reason, wait);
		} finally {
			if (!isOver) {
				call.origin.onProgress({ opId, kind: 'running' });
			}
		}
	};
	const context: OpContext = {
		opId,
		caller: call.origin.caller,
		...(call.origin.isOurs && { isOurs: true }),
		limitMs: call.ownLimitMs,
		signal,
		emit,
		showSteps: (steps) => call.origin.onProgress({ opId, kind: 'steps', steps: [...steps] }),
		isAllowed,
		waitForPerson,
		readThread: () => call.origin.readThread?.(signal) ?? Promise.resolve([]),
	};
	const stopped = startStopGrace(signal);
	try {
		const running = Promise.resolve().then(() => prepared.run(context));
		const end = await Promise.race([
			running.then(
				// A result that comes while it is being stopped is still the truth.
				(result): EffectEnd => ({ status: 'done', result }),
				(error: unknown): EffectEnd =>
					signal.aborted ? stoppedEnd(op, signal) : { status: 'failed', error: asProwessError(error, op) },
			),
			stopped.promise.then((): EffectEnd => inDoubt(stoppedEnd(op, signal))),
		]);
		return end;
	} finally {
		isOver = true;
		stopped.dispose();
		sendOutput(output.end());
	}
}

/** Returns the end of an op that its caller or the clock stopped. */
export function stoppedEnd(op: string, signal: AbortSignal): Exclude<EffectEnd, { status: 'done' }> {
	const { reason } = signal;
	if (reason instanceof TimeoutError) {
		const message = `${op} took longer than ${reason.timeoutMs} ms`;
		const facts = { timeoutMs: reason.timeoutMs, seconds: reason.timeoutMs / 1000 };
		return { status: 'timeout', error: new ProwessError('TIMEOUT', message, facts) };
	}
	return { status: 'cancelled', error: new ProwessError('CANCELLED', `${op} was stopped`, {}, reason) };
}

function inDoubt(end: Exclude<EffectEnd, { status: 'done' }>): EffectEnd {
	const { code, message, facts } = end.error;
	return {
		...end,
		error: new ProwessError(
			code,
			`${message}. It did not stop within ${EFFECT_STOP_GRACE_MS} ms and may still take effect`,
			{
				...facts,
				inDoubt: true,
			},
		),
	};
}

function startStopGrace(signal: AbortSignal): { readonly promise: Promise<void>; dispose(): void } {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let start = () => {};
	const promise = new Promise<void>((resolve) => {
		start = () => {
			timer = setTimeout(resolve, EFFECT_STOP_GRACE_MS);
		};
	});
	if (signal.aborted) {
		start();
	} else {
		signal.addEventListener('abort', start, { once: true });
	}
	return {
		promise,
		dispose() {
			clearTimeout(timer);
			signal.removeEventListener('abort', start);
		},
	};
}
