/**
 * Keeps the grants of the person for one thread, until the thread or the host ends. A grant reaches no further than its
 * scope and the rules.
 */
import { v7 } from 'uuid';
import { Emitter } from '../../../../base/emitter.ts';
import type { ThreadId, TurnId } from '../../../../protocol/rpc/ids.ts';
import type { OpDef } from '../../../../protocol/ops/define-op.ts';
import type { ApprovalOrigin } from '../../../../contract/approvals.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { formatLabel, type ReadText, type Receiver } from '../../../../contract/labels.ts';
import type { Flow } from '../gate-decision.ts';
import { computeThreadScope } from './thread-scope.ts';

type GrantableOpDef = Pick<OpDef, 'risk' | 'effect'>;

/** Grant from a single answer for a thread. */
export interface ThreadGrant {
	readonly id: string;
	readonly threadId: ThreadId;
	readonly covers:
		| { readonly kind: 'fileChanges' | 'exact' }
		| { readonly kind: 'rule'; readonly rule: string }
		/** Sending to these receivers after these texts, both in words. */
		| { readonly kind: 'flow'; readonly texts: string; readonly receivers: string }
		| { readonly kind: 'turn'; readonly turnId: TurnId };
	readonly origin: ApprovalOrigin | null;
}

interface Granted extends ThreadGrant {
	readonly keys: ReadonlySet<string>;
}

const FILE_CHANGES = 'file changes';

export class ThreadGrants {
	readonly #threads = new Map<ThreadId, Granted[]>();
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	/** Adds a grant with the scope that `threadScopeText` described to the person. */
	add(
		threadId: ThreadId,
		op: string,
		def: GrantableOpDef,
		targets: readonly OpTarget[],
		origin: ApprovalOrigin | null = null,
	): void {
		const keys = new Set(targets.map((target) => createGrantKey(op, def, target)));
		const covers = { kind: [...keys].every((key) => key === FILE_CHANGES) ? 'fileChanges' : 'exact' } as const;
		this.#keep({ id: v7(), threadId, covers, origin, keys });
	}

	has(threadId: ThreadId | null, op: string, def: GrantableOpDef, target: OpTarget): boolean {
		return threadId !== null && this.#of(threadId).some(({ keys }) => keys.has(createGrantKey(op, def, target)));
	}

	/** Sending to each of the receivers after each of the texts; nothing where there is no pair. */
	addFlow(threadId: ThreadId, { texts, receivers }: Flow, origin: ApprovalOrigin | null = null): void {
		const keys = new Set(texts.flatMap((each) => receivers.map((receiver) => createFlowKey(each, receiver))));
		if (keys.size === 0) return;
		const names = { texts: texts.map(formatLabel).join(', '), receivers: receivers.map(({ name }) => name).join(', ') };
		this.#keep({ id: v7(), threadId, covers: { kind: 'flow', ...names }, origin, keys });
	}

	hasFlow(threadId: ThreadId | null, read: ReadText, receiver: Receiver): boolean {
		return threadId !== null && this.#of(threadId).some(({ keys }) => keys.has(createFlowKey(read, receiver)));
	}

	/** All that the level Auto allows, for one turn: as `TURN_SCOPE` has said it. */
	addTurn(threadId: ThreadId, turnId: TurnId, origin: ApprovalOrigin | null = null): void {
		this.#keep({ id: v7(), threadId, covers: { kind: 'turn', turnId }, origin, keys: new Set() });
	}

	hasTurn(threadId: ThreadId, turnId: TurnId): boolean {
		return this.#of(threadId).some(({ covers }) => covers.kind === 'turn' && covers.turnId === turnId);
	}

	endTurn(turnId: TurnId): void {
		this.#drop(({ covers }) => covers.kind === 'turn' && covers.turnId === turnId);
	}

	/** No turn goes on: the server that ran them is gone. */
	endTurns(): void {
		this.#drop(({ covers }) => covers.kind === 'turn');
	}

	/** A rule that is saved, for the time until the settings are read again. */
	addRule(threadId: ThreadId, rule: string, origin: ApprovalOrigin | null = null): void {
		this.#keep({ id: v7(), threadId, covers: { kind: 'rule', rule }, origin, keys: new Set() });
	}

	rulesOf(threadId: ThreadId | null): readonly string[] {
		return threadId === null
			? []
			: this.#of(threadId).flatMap(({ covers }) => (covers.kind === 'rule' ? [covers.rule] : []));
	}

	/** All of them, by thread, in the order in which they were given. */
	list(): readonly ThreadGrant[] {
		return [...this.#threads.values()].flat();
	}

	/** Does nothing where there is no such grant. */
	revoke(id: string): void {
		this.#drop((grant) => grant.id === id);
	}

	forgetRule(rule: string): void {
		this.#drop(({ covers }) => covers.kind === 'rule' && covers.rule === rule);
	}

	forget(threadId: ThreadId): void {
		this.#drop((grant) => grant.threadId === threadId);
	}

	#of(threadId: ThreadId): readonly Granted[] {
		return this.#threads.get(threadId) ?? [];
	}

	#keep(grant: Granted): void {
		this.#threads.set(grant.threadId, [...this.#of(grant.threadId), grant]);
		this.#changed.fire();
	}

	#drop(isMeant: (grant: ThreadGrant) => boolean): void {
		let isAny = false;
		for (const [threadId, grants] of this.#threads) {
			const left = grants.filter((grant) => !isMeant(grant));
			isAny ||= left.length < grants.length;
			if (left.length === 0) {
				this.#threads.delete(threadId);
			} else {
				this.#threads.set(threadId, left);
			}
		}
		if (isAny) {
			this.#changed.fire();
		}
	}
}

function createFlowKey(read: ReadText, { name }: Receiver): string {
	return JSON.stringify(['flow', formatLabel(read), read.secrecy, name]);
}

function createGrantKey(op: string, def: GrantableOpDef, target: OpTarget): string {
	if (computeThreadScope(def, target) === 'fileChanges') {
		return FILE_CHANGES;
	}
	return JSON.stringify([op, target.kind, ...listTargetParts(target)]);
}

function listTargetParts(target: OpTarget): readonly unknown[] {
	switch (target.kind) {
		case 'command':
			// The feeding command is part of the act: the command may do anything with its input.
			return [target.argv, target.cwd, target.fedBy, target.isSandboxed, target.streams];
		case 'host':
			return [target.host, target.isHere];
		case 'secret':
			return [target.name, target.host];
		case 'mcp':
			return [target.server, target.tool];
		case 'capability':
			return [target.type, target.name];
		case 'file':
		case 'database':
			return [target.absolutePath, target.access];
		case 'beyond':
			return [target.path, target.access];
	}
}
