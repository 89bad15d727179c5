/** Call of an MCP client as the user's collector is told of it: below the span that the client names in `_meta`. */
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { OpId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { OpOutcome, OpProgress } from '../../../protocol/turn/broker.ts';
import type { TrustedBase } from '../../trusted-base.ts';

interface CallTold {
	readonly opId: OpId;
	readonly turnId: TurnId;
	readonly tool: string;
	readonly input: unknown;
	readonly def: OpDef;
	/** `_meta` of the request. Source: trace context in MCP (SEP-414). */
	readonly meta: Readonly<Record<string, unknown>> | undefined;
}

export class TracedCall {
	readonly #telemetry: TrustedBase['telemetry'];
	readonly #call: CallTold;
	readonly #at = new Date().toISOString();
	#waitingSince: number | undefined;
	#waitedMs: number | undefined;

	constructor(telemetry: TrustedBase['telemetry'], call: CallTold) {
		this.#telemetry = telemetry;
		this.#call = call;
		telemetry.startedIn(call.opId, call.meta?.['traceparent']);
	}

	noteProgress({ kind }: OpProgress): void {
		this.#endWaiting();
		if (kind === 'waiting') this.#waitingSince = performance.now();
	}

	tellEnd(outcome: OpOutcome): void {
		if (!this.#telemetry.isOn) return;
		this.#endWaiting();
		const { opId, turnId, tool, input, def } = this.#call;
		const { status, durationMs } = outcome;
		this.#telemetry.endedCall({
			turnId,
			item: {
				at: this.#at,
				kind: 'tool',
				text: '',
				opId,
				tool,
				input,
				status,
				durationMs,
				...(this.#waitedMs !== undefined && { waitedMs: this.#waitedMs }),
				...(outcome.status === 'done' ? { output: def.present(outcome.result) } : { error: outcome.error.code }),
			},
		});
	}

	#endWaiting(): void {
		if (this.#waitingSince === undefined) return;
		this.#waitedMs = (this.#waitedMs ?? 0) + performance.now() - this.#waitingSince;
		this.#waitingSince = undefined;
	}
}
