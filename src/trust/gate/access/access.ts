/**
 * Principals and their rights: in whose name a thread works, and what the user has denied to them. A sub-agent may also no more
 * than those that it works for.
 */
import {
	type AccessOfThread,
	ClientPrincipal,
	type ClientRight,
	describeThrough,
	type Principal,
	PRINCIPAL_NAMES,
	Right,
	RIGHT_NAMES,
} from '../../../protocol/approvals/access.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import type { Lineage } from '../../../contract/lineage.ts';
import type { SettingsPort } from '../../../contract/ports/ports.ts';

interface AccessDeps {
	readonly settings: Pick<SettingsPort, 'current'>;
	/** Principal of the host itself. */
	readonly host: Extract<Principal, 'editor' | 'cli'>;
	readonly agents: Pick<Lineage, 'parentOf' | 'rootOf'>;
}

/** Origin of the work in a thread. */
export interface ThreadBeginning {
	/** In whose name; absent: the user of this host. */
	readonly by?: Principal | undefined;
	/** Name of the device that a client has it from. */
	readonly device?: string | undefined;
	/** The schedule or the step of a goal that had it begin; absent: a message. */
	readonly cause?: string | undefined;
}

export class Access {
	readonly #deps: AccessDeps;
	/** Threads in which another one than the host's user spoke last, or that work for more than a message. */
	readonly #begun = new Map<ThreadId, ThreadBeginning>();

	constructor(deps: AccessDeps) {
		this.#deps = deps;
	}

	/** Somebody says something in this thread. */
	began(threadId: ThreadId, beginning: ThreadBeginning = {}): void {
		if (beginning.by === undefined && beginning.cause === undefined) {
			this.#begun.delete(threadId);
		} else {
			this.#begun.set(threadId, beginning);
		}
	}

	forget(threadId: ThreadId): void {
		this.#begun.delete(threadId);
	}

	of(threadId: ThreadId): AccessOfThread {
		const { agents, settings, host } = this.#deps;
		const deny = settings.current['prowess.access.deny'];
		const isAgent = agents.parentOf(threadId) !== undefined;
		const ofRoot = this.#begun.get(agents.rootOf(threadId))?.by ?? host;
		const denied = new Set<Right | ClientRight>([...(deny[ofRoot] ?? []), ...(isAgent ? (deny.agent ?? []) : [])]);
		return { principal: isAgent ? 'agent' : ofRoot, denied: Right.options.filter((right) => denied.has(right)) };
	}

	/** Returns the causes of ops in this thread besides a message of the user, in the words of the ledger. */
	causesOf(threadId: ThreadId): readonly string[] {
		const { agents } = this.#deps;
		const parent = agents.parentOf(threadId);
		const { by, device, cause } = this.#begun.get(agents.rootOf(threadId)) ?? {};
		const client = ClientPrincipal.safeParse(by);
		return [
			...(cause === undefined ? [] : [`for ${cause}`]),
			...(client.success ? [`prompted through ${describeThrough({ through: client.data, device })}`] : []),
			...(parent === undefined ? [] : [`by a sub-agent of ${parent}`]),
		];
	}

	/** Checks a right of the user of this host, outside of any thread. Throws ACCESS_DENIED. */
	checkOwn(right: Right): void {
		const { settings, host } = this.#deps;
		if (settings.current['prowess.access.deny'][host]?.includes(right) === true) {
			throw accessDenied(host, right, null);
		}
	}

	/** Throws ACCESS_DENIED. */
	check(right: Right, threadId: ThreadId): AccessOfThread {
		const access = this.of(threadId);
		if (access.denied.includes(right)) {
			throw accessDenied(access.principal, right, threadId);
		}
		return access;
	}
}

export function accessDenied(
	principal: Principal,
	right: Right | ClientRight,
	threadId: ThreadId | null,
): ProwessError {
	const said = text('You do not let {principal} {right}: see prowess.access.deny.', {
		principal: PRINCIPAL_NAMES[principal],
		right: RIGHT_NAMES[right],
	});
	return new ProwessError('ACCESS_DENIED', `${right} is denied to ${principal}: ${inEnglish(said)}`, {
		user: principal,
		channel: threadId ?? principal,
		reason: 'insufficient permissions',
		right,
		said,
	});
}
