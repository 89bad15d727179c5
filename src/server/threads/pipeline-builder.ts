/** Puts together what the stages of each turn use. A server that lacks one of these parts does not start, and says which. */
import type { ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { ImageStore } from '../../store/threads/image-store.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import type { TurnDeps } from '../turn/turn.ts';
import { otherThreads } from './past/other-threads.ts';
import { Threads } from './threads.ts';

/** Parts of the pipeline, in the order in which a missing one is named. */
interface Parts {
	/** Threads with their turns and leases. */
	session_store: ThreadStore;
	/** Host with its gate: the one way to an effect. */
	security: TurnDeps['host'];
	/** Pictures that the messages of threads name. */
	conversation_store: ImageStore;
	provider_registry: TurnDeps['models'];
	token_budgets: TurnDeps['budgets'];
	settings: TurnDeps['settings'];
	workspace: TurnDeps['workspace'];
	closing: TurnDeps['closing'];
	log: TurnDeps['log'];
}

const PIPELINE_PART_ORDER = [
	'session_store',
	'security',
	'conversation_store',
	'provider_registry',
	'token_budgets',
	'settings',
	'workspace',
	'closing',
	'log',
] as const satisfies readonly (keyof Parts)[];

/** A part of the pipeline was not given: a mistake of the composition, not of a user. */
export class MissingDependency extends Error {
	override readonly name = 'MissingDependency';
	readonly dependency: keyof Parts;

	constructor(dependency: keyof Parts) {
		super(`the pipeline lacks ${dependency}`);
		this.dependency = dependency;
	}
}

export class PipelineBuilder {
	readonly #parts: Partial<Parts> = {};

	with<K extends keyof Parts>(name: K, part: Parts[K]): this {
		this.#parts[name] = part;
		return this;
	}

	/** `send` hears of each change of a thread. Throws MissingDependency for the first part in order that is not there. */
	build(host: Pick<TurnDeps, 'hasEditor' | 'wait' | 'overrules'>, send: (update: ThreadUpdate) => void): Threads {
		const parts = this.#whole();
		return new Threads(
			parts.session_store,
			parts.conversation_store,
			{
				...host,
				host: parts.security,
				models: parts.provider_registry,
				budgets: parts.token_budgets,
				settings: parts.settings,
				workspace: parts.workspace,
				threads: otherThreads(parts.session_store),
				closing: parts.closing,
				log: parts.log,
			},
			send,
		);
	}

	#whole(): Parts {
		const missing = PIPELINE_PART_ORDER.find((name) => this.#parts[name] === undefined);
		if (missing !== undefined) {
			throw new MissingDependency(missing);
		}
		return this.#parts as Parts;
	}
}
