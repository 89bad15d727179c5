/**
 * Context windows as model servers run their models, by address and model. Each is asked once while this process runs, beside
 * the first answer of the model, when it is loaded; what it said last counts until then, also after a restart.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { modelLimits } from '../limits.ts';
import type { JsonObject } from '../providers/loose-json.ts';
import { type AskedServer, askWindow, type Window } from './ask-window.ts';
import { isServerProgram, programAnswering, type ModelServerProgram } from './server-program.ts';

type ModelAtServer = Pick<AskedServer, 'baseUrl' | 'modelId'>;

export interface SaidWindow extends ModelAtServer, Window {
	readonly saidBy: ModelServerProgram;
	/** Milliseconds since 1970. */
	readonly saidAt: number;
}

/**
 * Store that keeps windows beyond the end of this process. A kept `saidBy` may name a program that only a later version
 * knows.
 */
interface KeptWindows {
	all(): readonly (Omit<SaidWindow, 'saidBy'> & { readonly saidBy: string })[];
	keep(window: SaidWindow): void;
}

interface WindowsDeps {
	readonly kept: KeptWindows;
	readonly log: (message: string, facts: Readonly<Record<string, unknown>>) => void;
	/** For tests. */
	readonly now?: () => number;
}

/** First event of an answer, and who may have sent it. */
interface Answering {
	readonly server: AskedServer;
	readonly event: JsonObject;
	/** Program that the server's list of models shows; undefined: unknown. */
	readonly listedBy: ModelServerProgram | undefined;
	/** Window that the user has set, in tokens. */
	readonly wanted: number | undefined;
}

export class Windows {
	readonly #kept: KeptWindows;
	readonly #log: WindowsDeps['log'];
	readonly #now: () => number;
	#said: Map<string, SaidWindow> | undefined;
	#asked = new Set<string>();

	constructor({ kept, log, now = Date.now }: WindowsDeps) {
		this.#kept = kept;
		this.#log = log;
		this.#now = now;
	}

	/**
	 * Returns the window that the server told last, unless that is older than `windowAgeMs`. Does not ask the server.
	 */
	of(asked: ModelAtServer): SaidWindow | undefined {
		const said = this.#all().get(createWindowKey(asked));
		return said !== undefined && this.#now() - said.saidAt < modelLimits.windowAgeMs ? said : undefined;
	}

	/** All that count. */
	list(): readonly SaidWindow[] {
		return [...this.#all().values()].filter((said) => this.of(said) !== undefined);
	}

	/** Each server is asked again with its next answer. */
	forget(): void {
		this.#asked.clear();
	}

	/**
	 * Asks the server behind an answer that has just begun. Undefined: it was asked before, or is none that could be. Settles
	 * soon and never rejects; true: the user is to be told that the window is smaller than it could be.
	 */
	answering({ server, event, listedBy, wanted }: Answering, signal: AbortSignal): Promise<boolean> | undefined {
		const key = createWindowKey(server);
		if (this.#asked.has(key)) {
			return undefined;
		}
		this.#asked.add(key);
		const program = programAnswering(event) ?? listedBy;
		return program === undefined ? undefined : this.#ask(program, server, wanted, signal);
	}

	async #ask(
		program: ModelServerProgram,
		server: AskedServer,
		wanted: number | undefined,
		signal: AbortSignal,
	): Promise<boolean> {
		const { baseUrl, modelId } = server;
		try {
			const window = await askWindow(program, server, signal);
			if (window === undefined) {
				return false;
			}
			const before = this.of(server);
			const said = { baseUrl, modelId, ...window, saidBy: program, saidAt: this.#now() };
			this.#all().set(createWindowKey(server), said);
			this.#kept.keep(said);
			const isNew = before?.tokens !== said.tokens || before.most !== said.most;
			return isNew && program === 'ollama' && said.tokens < Math.min(said.most ?? 0, wanted ?? Infinity);
		} catch (error) {
			if (signal.aborted) {
				this.#asked.delete(createWindowKey(server));
			} else {
				this.#log('a model server was asked for a context window in vain', {
					baseUrl,
					modelId,
					error: toErrorMessage(error),
				});
			}
			return false;
		}
	}

	#all(): Map<string, SaidWindow> {
		return (this.#said ??= new Map(
			this.#kept
				.all()
				.flatMap(({ saidBy, ...said }) =>
					isServerProgram(saidBy) ? [[createWindowKey(said), { ...said, saidBy }]] : [],
				),
		));
	}
}

function createWindowKey({ baseUrl, modelId }: ModelAtServer): string {
	return JSON.stringify([baseUrl, modelId]);
}
