/** What the person allowed for one thread, until the thread or the host ends: as far as its scope reaches, and rules. */
import type { ThreadId } from '../../../protocol/ids.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { Target } from '../../contract/target.ts';
import { threadScopeOf } from './thread-scope.ts';

type Judged = Pick<OpDef, 'risk' | 'effect'>;

interface Granted {
	readonly keys: Set<string>;
	readonly rules: Set<string>;
}

export class ThreadGrants {
	readonly #threads = new Map<ThreadId, Granted>();

	/** As `threadScopeText` has said it. */
	add(threadId: ThreadId, op: string, def: Judged, targets: readonly Target[]): void {
		for (const target of targets) {
			this.#of(threadId).keys.add(keyOf(op, def, target));
		}
	}

	has(threadId: ThreadId | null, op: string, def: Judged, target: Target): boolean {
		return threadId !== null && this.#threads.get(threadId)?.keys.has(keyOf(op, def, target)) === true;
	}

	/** A rule that is saved, for the time until the settings are read again. */
	addRule(threadId: ThreadId, rule: string): void {
		this.#of(threadId).rules.add(rule);
	}

	rulesOf(threadId: ThreadId | null): readonly string[] {
		return threadId === null ? [] : [...(this.#threads.get(threadId)?.rules ?? [])];
	}

	forgetRule(rule: string): void {
		for (const { rules } of this.#threads.values()) {
			rules.delete(rule);
		}
	}

	forget(threadId: ThreadId): void {
		this.#threads.delete(threadId);
	}

	#of(threadId: ThreadId): Granted {
		const granted = this.#threads.get(threadId) ?? { keys: new Set(), rules: new Set() };
		this.#threads.set(threadId, granted);
		return granted;
	}
}

function keyOf(op: string, def: Judged, target: Target): string {
	if (threadScopeOf(def, target) === 'fileChanges') {
		return 'file changes';
	}
	return JSON.stringify([op, target.kind, ...partsOf(target)]);
}

function partsOf(target: Target): readonly unknown[] {
	switch (target.kind) {
		case 'command':
			// What feeds it is part of it: it may do anything with what it reads.
			return [target.argv, target.cwd, target.fedBy, target.isSandboxed];
		case 'host':
			return [target.host];
		case 'secret':
			return [target.name, target.host];
		case 'file':
		case 'database':
			return [target.absolutePath, target.access];
		case 'beyond':
			return [target.path, target.access];
	}
}
