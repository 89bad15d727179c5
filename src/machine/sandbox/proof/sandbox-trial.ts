/** Tries out whether the sandbox of commands works here: once for each host, and again some time after it did not. */
import { existsSync } from 'node:fs';
import type { Text } from '../../../protocol/text/text.ts';
import { PROBE_RETRY_MS } from '../limits.ts';
import type { HeldSandbox } from '../open-sandbox.ts';
import type { SandboxFolders } from '../sandbox-folders.ts';
import { probeCommandSandbox } from './probe-command-sandbox.ts';

interface SandboxTrialDeps {
	readonly folders: SandboxFolders;
	/** Where bubblewrap may lie, best first. */
	candidates(): readonly string[];
	/** Time after which a trial that failed is repeated. Default: a minute. */
	readonly retryMs: number | undefined;
	/** Nobody learns what came of a trial before this has ended. */
	onFailed(why: Text): Promise<void>;
}

/** Result of a trial, and the candidates that were there. */
interface Tried {
	readonly candidates: string;
	readonly held: Promise<HeldSandbox | Text>;
	/** Time from which a failed trial is repeated: the system may let the sandbox work meanwhile. */
	until: number;
}

export class SandboxTrial {
	readonly #deps: SandboxTrialDeps;
	#tried: Tried | undefined;

	constructor(deps: SandboxTrialDeps) {
		this.#deps = deps;
	}

	/** Candidates that are there, best first. */
	candidates(): readonly string[] {
		return this.#deps.candidates().filter((path) => existsSync(path));
	}

	/** Resolves with the sandbox, or with the reason why none works. */
	run(): Promise<HeldSandbox | Text> {
		const candidates = this.candidates();
		const key = candidates.join('\0');
		if (this.#tried?.candidates === key && performance.now() < this.#tried.until) {
			return this.#tried.held;
		}
		const tried: Tried = { candidates: key, held: this.#tryOut(candidates), until: Infinity };
		this.#tried = tried;
		void tried.held.then((held) => {
			if (!('bubblewrap' in held)) tried.until = performance.now() + (this.#deps.retryMs ?? PROBE_RETRY_MS);
		});
		return tried.held;
	}

	/** Has the next call try again at once where the last trial failed. */
	async forgetFailure(): Promise<void> {
		if (this.#tried !== undefined && !('bubblewrap' in (await this.#tried.held))) this.#tried = undefined;
	}

	async #tryOut(candidates: readonly string[]): Promise<HeldSandbox | Text> {
		const held = await probeCommandSandbox(candidates, this.#deps.folders);
		if (!('bubblewrap' in held)) await this.#deps.onFailed(held);
		return held;
	}
}
