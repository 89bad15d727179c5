/** Writes the ledger rows of an op, and the outcome that points at them. Everything that leaves here is redacted. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { cutText } from '../../base/text/one-line.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { isProwessError, type ProwessError } from '../../protocol/errors/errors.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import type { ResultMedia } from '../../protocol/ops/images.ts';
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import type { LedgerPort, NewEntry } from '../record/ledger/ledger.ts';
import { MAX_ROW_ERROR_CHARS } from '../record/store/limits.ts';
import type { Redactor } from '../record/redaction/redactor.ts';
import type { BrokerCall } from './call.ts';
import { decisionText } from '../../contract/decision.ts';
import type { OpWork } from '../../contract/ops/perform-op.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Before the effect. Rejects with LEDGER_UNWRITABLE, and then there is none. */
export async function recordIntent(ledger: LedgerPort, call: BrokerCall, durable: boolean): Promise<void> {
	const { poll } = call.origin;
	if (poll !== undefined) {
		const entry = createCallEntry(call, 'note', { output: null, status: null, durationMs: null });
		const about = aboutPoll(call);
		if (!poll.recorded.has(about)) {
			const input = `Poll ${poll.number}, and each further one that is the same: ${entry.input}`;
			poll.recorded.set(about, await ledger.append({ ...entry, opId: null, input }, durable));
		}
		return;
	}
	await ledger.append(createCallEntry(call, 'intent', { output: null, status: null, durationMs: null }), durable);
}

function aboutPoll({ paramsHash, decision }: BrokerCall): string {
	return `${paramsHash} ${decisionText(decision)}`;
}

export async function recordDone(
	ledger: LedgerPort,
	redactor: Redactor,
	call: BrokerCall,
	work: OpWork,
	result: unknown,
	durationMs: number,
): Promise<OpOutcome> {
	const { opId, op } = call.asked;
	const clean = redactResult(redactor, work.def, result);
	try {
		// The result of a poll is recorded by the schedule.
		const receipt =
			call.origin.poll?.recorded.get(aboutPoll(call)) ??
			(await ledger.append(
				createCallEntry(call, 'outcome', { output: summarizeResult(work, clean), status: 'done', durationMs }),
				false,
			));
		const { simulation } = call;
		return {
			status: 'done',
			opId,
			result: clean,
			durationMs,
			receipt,
			...(simulation === undefined ? {} : { simulation }),
			...(call.outside.length === 0 ? {} : { outside: call.outside.map((label) => redactor.redact(label)) }),
		};
	} catch (error) {
		const why = toErrorMessage(error);
		const message = `${op} took effect, but its outcome could not be recorded: ${why}. Do not repeat it`;
		return {
			status: 'failed',
			opId,
			error: { code: 'LEDGER_UNWRITABLE', message: redactor.redact(message), facts: { tookEffect: true, done: op } },
			durationMs,
		};
	}
}

/** Pictures and sounds go on as they are: their bytes are no text, and what is in them nobody can clean. */
function redactResult(redactor: Redactor, def: OpDef, result: unknown): unknown {
	const told = def.withoutSecret === undefined ? result : def.withoutSecret(result);
	if ((def.media?.(told) ?? []).length === 0) {
		return redactor.redactDeep(told);
	}
	const { image, media, ...rest } = told as { readonly image?: unknown; readonly media?: readonly ResultMedia[] };
	return {
		...(redactor.redactDeep(rest) as object),
		...(image === undefined ? {} : { image }),
		...(media === undefined ? {} : { media: media.map((each) => ({ ...each, name: redactor.redact(each.name) })) }),
	};
}

export async function recordNotDone(
	ledger: LedgerPort,
	redactor: Redactor,
	call: BrokerCall,
	end: { readonly status: 'failed' | 'denied' | 'cancelled' | 'timeout'; readonly error: ProwessError },
	durationMs: number,
): Promise<OpOutcome> {
	const { status, error } = end;
	const message = redactor.redact(error.message);
	const outcome = {
		status,
		opId: call.asked.opId,
		error: {
			code: error.code,
			// Messages of internal errors were not written for a reader and may have any length (S0-09).
			message: error.code === 'INTERNAL' ? cutText(message, MAX_ROW_ERROR_CHARS) : message,
			facts: redactor.redactDeep(error.facts) as Record<string, unknown>,
		},
		durationMs,
	};
	if (call.origin.poll !== undefined) {
		return outcome;
	}
	const kind = status === 'denied' ? 'denial' : 'outcome';
	try {
		const receipt = await ledger.append(
			createCallEntry(call, kind, { output: `${error.code}: ${error.message}`, status, durationMs }),
			false,
		);
		return { ...outcome, receipt };
	} catch (failure) {
		// Report the original failure; the missing receipt shows that it could not be recorded.
		return isProwessError(failure) ? outcome : { ...outcome, error: { ...outcome.error, facts: { unrecorded: true } } };
	}
}

function createCallEntry(
	call: BrokerCall,
	kind: LedgerRow['kind'],
	rest: Pick<NewEntry, 'output' | 'status' | 'durationMs'>,
): NewEntry {
	return {
		kind,
		opId: call.asked.opId,
		op: call.asked.op,
		trigger: call.trigger,
		threadId: call.threadId,
		risk: call.risk,
		assessed: call.assessed,
		decision: decisionText(call.decision),
		paramsHash: call.paramsHash,
		input: inEnglish(call.title),
		...rest,
	};
}

function summarizeResult(work: OpWork, result: unknown): string {
	try {
		return work.def.record?.(result) ?? work.def.present(result);
	} catch {
		// A result that cannot be presented is our bug, but the effect took place and is recorded.
		return '(not presentable)';
	}
}
