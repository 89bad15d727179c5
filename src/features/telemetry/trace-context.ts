/**
 * Ids of traces and spans, made from the ids of turns and ops: whoever knows one finds the same span, also in another
 * process and after a restart. A turn that another turn has started belongs to the trace of that one. Source: W3C Trace
 * Context, level 1.
 */
import { createHash } from 'node:crypto';
import type { OpId, TurnId } from '../../protocol/rpc/ids.ts';
import { telemetryLimits } from './limits.ts';

/** Where a span hangs: 32 and 16 hexadecimal digits, neither of them all zeros. */
export interface SpanContext {
	readonly traceId: string;
	readonly spanId: string;
}

const TRACEPARENT = /^00-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-[\da-f]{2}$/;

/** Returns undefined for text that is no `traceparent` of version 00. */
export function parseTraceparent(text: string): SpanContext | undefined {
	const { traceId = '', spanId = '' } = TRACEPARENT.exec(text)?.groups ?? {};
	return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : undefined;
}

export function formatTraceparent({ traceId, spanId }: SpanContext): string {
	return `00-${traceId}-${spanId}-01`;
}

/** Returns the id of the span of a turn, of an op, or of another part of a turn that has a name within it. */
export function toSpanId(name: string): string {
	return toHexDigest(`span ${name}`).slice(0, 16);
}

export class TurnContexts {
	/** Spans in which turns, and ops of no turn of ours, began that the user did not begin here. The oldest are forgotten first. */
	readonly #parents = new Map<TurnId | OpId, SpanContext>();

	/** The turn was started by that op of another turn. */
	startedBy(turnId: TurnId, parent: { readonly turnId: TurnId; readonly opId: OpId }): void {
		this.startedIn(turnId, this.ofOp(parent.turnId, parent.opId));
	}

	/** The turn or op was started in that span, which may be of another program. */
	startedIn(id: TurnId | OpId, parent: SpanContext): void {
		this.#parents.set(id, parent);
		for (const [oldest] of this.#parents) {
			if (this.#parents.size <= telemetryLimits.rememberedTurns) break;
			this.#parents.delete(oldest);
		}
	}

	parentOf(id: TurnId | OpId): SpanContext | undefined {
		return this.#parents.get(id);
	}

	/** Returns the span of the turn itself. */
	ofTurn(turnId: TurnId): SpanContext {
		const traceId = this.parentOf(turnId)?.traceId ?? toHexDigest(`trace ${turnId}`).slice(0, 32);
		return { traceId, spanId: toSpanId(turnId) };
	}

	ofOp(turnId: TurnId, opId: OpId): SpanContext {
		return { traceId: (this.parentOf(opId) ?? this.ofTurn(turnId)).traceId, spanId: toSpanId(opId) };
	}
}

function toHexDigest(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
