/**
 * Connections that sandboxed commands try, each host an op of its own: judged by the same rules as any other, asked of the
 * person, and in the ledger. The op begins with the first connection and ends with the command.
 */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { CheckedAddresses } from '../../machine/http/resolve-host.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { newId, type OpId } from '../../protocol/rpc/ids.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { TargetUrl } from '../../machine/http/target-url.ts';
import type { Admission, HostGate, Traffic } from '../../machine/sandbox/network/command-network.ts';

/** A host that a command has asked its proxy for, while that is judged and for as long as it is connected. */
interface HostLink {
	readonly target: TargetUrl;
	connected(addresses: CheckedAddresses): void;
	/** Resolves when the command has ended. */
	readonly ended: Promise<Traffic>;
}

interface ConnectingCommand {
	/** Command as people read it. */
	readonly title: string;
	/** Hosts that were approved together with the command. */
	readonly approved: readonly string[];
	/** True when the command outlives the op that starts it. */
	isInBackground(): boolean;
}

export class CommandConnections {
	readonly #perform: PerformOp;
	readonly #links = new Map<OpId, HostLink>();

	constructor(perform: PerformOp) {
		this.#perform = perform;
	}

	/** Undefined for an op that somebody else asks for. */
	linkOf(opId: OpId): HostLink | undefined {
		return this.#links.get(opId);
	}

	/** Asks in the name of the caller of the command. While a person is asked, the command is shown as waiting. */
	gateFor(context: OpContext, command: ConnectingCommand): HostGate {
		const waits = new SharedWait(context);
		return {
			admit: async (target, signal) => {
				const wait = command.isInBackground() ? undefined : waits.join();
				try {
					return await this.#connect(target, context, command, (reason) => wait?.begin(reason), signal);
				} finally {
					wait?.end();
				}
			},
		};
	}

	async #connect(
		target: TargetUrl,
		{ opId: commandOp, caller }: OpContext,
		{ title, approved }: ConnectingCommand,
		onWaiting: (reason: string) => void,
		signal: AbortSignal,
	): Promise<Admission> {
		const opId = newId('op');
		const connected = Promise.withResolvers<CheckedAddresses>();
		const ended = Promise.withResolvers<Traffic>();
		// Only what is not yet connected ends with the signal: then the op is to say how much went.
		const asking = deriveSignal(signal);
		this.#links.set(opId, { target, connected: connected.resolve, ended: ended.promise });
		const outcome = this.#perform(
			{ opId, op: 'net.connect', params: { host: target.host, for: title } },
			{
				caller,
				isNewId: true,
				onProgress: (progress) => progress.kind === 'waiting' && onWaiting(progress.reason),
				...(approved.includes(target.host) ? { approvedWith: commandOp } : {}),
			},
			asking.signal,
		);
		void outcome.finally(() => this.#links.delete(opId));
		const admitted = connected.promise.then((addresses): Admission => ({
			kind: 'admitted',
			addresses,
			settle: ended.resolve,
		}));
		try {
			return await Promise.race([admitted, outcome.then(withoutConnection)]);
		} finally {
			asking.dispose();
		}
	}
}

function withoutConnection(outcome: OpOutcome): Admission {
	if (outcome.status === 'done') {
		return { kind: 'failed', why: 'nothing was connected' };
	}
	const { code, message } = outcome.error;
	const isRefused = outcome.status === 'denied' || code === 'HOST_REFUSED';
	return { kind: isRefused ? 'refused' : 'failed', why: message };
}

/** Several hosts may wait for a person at once; for the command that is one time of waiting. */
class SharedWait {
	readonly #context: OpContext;
	#waiting = 0;
	#over = () => {};

	constructor(context: OpContext) {
		this.#context = context;
	}

	/** `begin` counts once. */
	join(): { begin(reason: string): void; end(): void } {
		let hasBegun = false;
		return {
			begin: (reason) => {
				if (!hasBegun) {
					hasBegun = true;
					this.#begin(reason);
				}
			},
			end: () => {
				if (hasBegun && --this.#waiting === 0) this.#over();
			},
		};
	}

	#begin(reason: string): void {
		if (this.#waiting++ > 0) {
			return;
		}
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#over = resolve;
		void this.#context.waitForPerson(reason, () => promise);
	}
}
