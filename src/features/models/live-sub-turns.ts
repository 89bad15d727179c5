/**
 * Sub-turns, and other requests to models, that the server answers for this host now. Their effects come back here under
 * the id this host gave them. Only that id tells whose rights they have, and only while their op runs.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { brokerNotifications, type OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type OpId, type SubTurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { subTurnHostRequests, subTurnNotifications, type SubTurnProgress } from '../../protocol/turn/sub-turn.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { CapabilityManager } from '../../execution/runs/capability-manager.ts';
import type { AskServer } from './ask-server.ts';
import type { ModelSpending, Reservation } from './model-budget.ts';
import { PersonCounter } from './person-counter.ts';
import { RequestSteps } from './request-steps.ts';
import type { ExecutionCaller } from './tools-of.ts';

/** State of one request to the server that is under way. */
interface LiveSubTurn {
	readonly server: Peer;
	/** With the ops that are its tools; undefined: it has no effects. */
	readonly caller: ExecutionCaller | undefined;
	readonly context: OpContext;
	readonly waits: PersonCounter;
	spent: ModelSpending;
	/** Requests to models, for those who follow the capability. */
	readonly requests: RequestSteps;
}

export interface LiveSubTurnDeps {
	readonly askServer: AskServer;
	/** They are made after this. */
	readonly capabilities: () => Pick<CapabilityManager, 'noteStep'>;
	readonly perform: PerformOp;
	/** Sub-turns of the worktrees inside of this host: their effects come back through this one. */
	beside?(): readonly LiveSubTurns[];
}

export class LiveSubTurns {
	readonly #deps: LiveSubTurnDeps;
	readonly #live = new Map<SubTurnId, LiveSubTurn>();

	constructor(deps: LiveSubTurnDeps) {
		this.#deps = deps;
	}

	/** Keeps a request alive to the end of `ask`: what it spent is settled, and what it has under way is stopped, however it ends. */
	async during<T>(
		reserved: Reservation,
		caller: ExecutionCaller | undefined,
		context: OpContext,
		ask: (subTurnId: SubTurnId, server: Peer, signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		const subTurnId = newId('sub');
		const own = deriveSignal(context.signal);
		const live: { current?: LiveSubTurn } = {};
		try {
			return await this.#deps.askServer((server) => {
				live.current = {
					server,
					caller,
					context: { ...context, signal: own.signal },
					waits: new PersonCounter(context),
					spent: { calls: 0, tokens: 0 },
					requests: new RequestSteps((request, state) => {
						if (caller === undefined) return;
						this.#deps.capabilities().noteStep(caller.executionId, `${subTurnId} ${request}`, state);
					}),
				};
				this.#live.set(subTurnId, live.current);
				return ask(subTurnId, server, own.signal);
			}, own.signal);
		} finally {
			this.#live.delete(subTurnId);
			live.current?.requests.end(own.signal.aborted ? 'cancelled' : 'failed');
			own.abort(new ProwessError('CANCELLED', 'its sub-turn has ended'));
			own.dispose();
			reserved.settle(live.current?.spent ?? { calls: 0, tokens: 0 });
		}
	}

	/** Effects and news of the sub-turns that were given to this server. */
	serve(server: Peer): Disposable {
		const served = new DisposableStore();
		served.add(
			server.serve(subTurnHostRequests, {
				perform: ({ subTurnId, ...asked }, signal) =>
					this.#ownerOf(subTurnId).#perform(server, subTurnId, asked, signal),
			}),
		);
		served.add(
			server.on(subTurnNotifications, {
				progress: (progress) => this.#ownerOf(progress.subTurnId).#hear(server, progress),
			}),
		);
		return served;
	}

	/** Returns the capability that a sub-turn runs for now, as the ledger names it; undefined: none, or an MCP server asks. */
	capabilityOf(subTurnId: SubTurnId): string | undefined {
		const caller = this.#ownerOf(subTurnId).#live.get(subTurnId)?.context.caller;
		return caller?.kind === 'execution' ? caller.capability : undefined;
	}

	#ownerOf(subTurnId: SubTurnId): LiveSubTurns {
		return this.#deps.beside?.().find((each) => each.#live.has(subTurnId)) ?? this;
	}

	/**
	 * Performs an op with the rights of the execution that the sub-turn belongs to, and with no others. Rejects with
	 * INVALID_STATE when no such sub-turn of this server may act.
	 */
	async #perform(
		server: Peer,
		subTurnId: SubTurnId,
		asked: { readonly opId: OpId; readonly op: string; readonly params: unknown },
		signal: AbortSignal,
	): Promise<OpOutcome> {
		const live = this.#live.get(subTurnId);
		if (live?.caller === undefined || live.server !== server) {
			throw new ProwessError('INVALID_STATE', `there is no sub-turn ${subTurnId} that may act`, { subTurnId });
		}
		const either = deriveSignal(live.context.signal);
		const stopEither = () => either.abort(signal.reason);
		signal.addEventListener('abort', stopEither, { once: true });
		if (signal.aborted) stopEither();
		try {
			return await this.#deps.perform(
				asked,
				{
					caller: live.caller,
					onProgress: (progress) => {
						live.waits.note(asked.opId, progress.kind === 'waiting' ? progress.reason : undefined);
						server.notify(brokerNotifications.progress, progress);
					},
				},
				either.signal,
			);
		} finally {
			live.waits.note(asked.opId, undefined);
			signal.removeEventListener('abort', stopEither);
			either.dispose();
		}
	}

	#hear(server: Peer, progress: SubTurnProgress): void {
		const live = this.#live.get(progress.subTurnId);
		if (live === undefined || live.server !== server) return;
		switch (progress.kind) {
			case 'request':
				live.requests.begin(progress.model);
				break;
			case 'text':
				live.requests.add(progress.text);
				live.context.emit(progress.text);
				break;
			case 'tool':
				live.context.emit(`\n[${progress.title}]\n`);
				break;
			case 'usage':
				live.spent = { calls: progress.calls, tokens: progress.tokens };
				live.requests.end('done');
		}
	}
}
