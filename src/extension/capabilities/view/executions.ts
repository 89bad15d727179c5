/** The runs of this window as they are shown: what the manager knows of them, and how far they say they are. */
import type { Disposable } from '../../../base/disposable.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { CapabilityManager } from '../../../execution/runs/capability-manager.ts';
import { type ExecutionInfo, isLive } from '../../../execution/runs/execution.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';

export interface ShownExecution {
	readonly info: ExecutionInfo;
	/** Last progress that the execution reported. */
	readonly progress: { readonly message: string; readonly fraction?: number } | undefined;
	/** Milliseconds since it was started, up to its end. */
	readonly elapsedMs: number;
	/** Undefined while it runs. */
	readonly result: CapabilityExecutionResult | undefined;
	/** The last of what it has printed. */
	readonly output: string;
}

type Manager = Pick<CapabilityManager, 'list' | 'output' | 'onDidStart' | 'onDidEnd' | 'onDidClose' | 'onDidProgress'>;

export class ShownExecutions {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #progress = new Map<string, { readonly message: string; readonly fraction?: number }>();
	readonly #ends = new Map<string, { readonly at: number; readonly result: CapabilityExecutionResult }>();
	#manager: Manager | undefined;

	/** From now on; dispose ends it. */
	follow(manager: Manager): Disposable {
		this.#manager = manager;
		const store = new DisposableStore();
		store.add(manager.onDidStart(() => this.#changed.fire()));
		store.add(
			manager.onDidProgress(({ executionId, ...progress }) => {
				this.#progress.set(executionId, progress);
				this.#changed.fire();
			}),
		);
		store.add(
			manager.onDidEnd((result) => {
				this.#ends.set(result.executionId, { at: Date.now(), result });
				this.#forgetOthers(manager);
				this.#changed.fire();
			}),
		);
		store.add(
			manager.onDidClose(({ leftovers }) => {
				if (leftovers.length > 0) this.#changed.fire();
			}),
		);
		return store;
	}

	/** Newest first. */
	get all(): ShownExecution[] {
		const manager = this.#manager;
		return manager === undefined
			? []
			: manager
					.list()
					.map((info) => this.#shown(info, manager))
					.toReversed();
	}

	get live(): ShownExecution[] {
		return this.all.filter(({ info }) => isLive(info.status));
	}

	find(executionId: string): ShownExecution | undefined {
		const manager = this.#manager;
		const info = manager?.list().find((each) => each.executionId === executionId);
		return manager === undefined || info === undefined ? undefined : this.#shown(info, manager);
	}

	#shown(info: ExecutionInfo, manager: Manager): ShownExecution {
		const end = this.#ends.get(info.executionId);
		return {
			info,
			progress: this.#progress.get(info.executionId),
			elapsedMs: Math.max(0, (end?.at ?? Date.now()) - Date.parse(info.startedAt)),
			result: end?.result,
			get output() {
				return manager.output(info.executionId);
			},
		};
	}

	/** The manager lets go of the oldest. */
	#forgetOthers(manager: Manager): void {
		const known = new Set(manager.list().map(({ executionId }) => executionId));
		for (const kept of [this.#progress, this.#ends]) {
			for (const id of [...kept.keys()].filter((each) => !known.has(each))) {
				kept.delete(id);
			}
		}
	}
}
