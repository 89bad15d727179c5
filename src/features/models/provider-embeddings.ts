/**
 * Embeddings by a provider's model that the user has named: the host's side. Secrets are redacted before a text is
 * sent. Callers that may not send are refused, and the ledger records each request before it is sent.
 */
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { EMBEDDED_AT_ONCE, embeddingRequests } from '../../protocol/turn/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { SettingsPort } from '../../contract/ports/ports.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { type AskServer, askServer } from './ask-server.ts';
import { EMBEDDED_CHARS } from './limits.ts';

interface EmbeddingDeps {
	readonly server: () => Promise<Peer>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Pick<Redactor, 'redact'>;
	/** Throws ACCESS_DENIED. Null: the user of this host, outside of any thread. */
	checkSend(threadId: ThreadId | null): void;
}

/** Embeddings of one feature, by the model that a setting of its own names. */
export interface EmbeddingPort {
	/** `provider/model` as the user has set it; empty: none. */
	model(): string;
	/** Returns one vector for each text. Rejects when the request is denied or fails. */
	embed(
		asked: { readonly model: string; readonly texts: readonly string[]; readonly threadId: ThreadId | null },
		signal: AbortSignal,
	): Promise<readonly Int8Array[]>;
}

interface AskedEmbeddings {
	/** `provider/model`. */
	readonly model: string;
	/** Setting in which the user has named it. */
	readonly setting: string;
	/** At most EMBEDDED_AT_ONCE. */
	readonly texts: readonly string[];
	readonly threadId: ThreadId | null;
}

/** Steps of a coordinate: a byte each. */
const QUANTIZATION_STEPS = 127;

export class ProviderEmbeddings {
	readonly #deps: EmbeddingDeps;
	readonly #ask: AskServer;

	constructor(deps: EmbeddingDeps) {
		this.#deps = deps;
		this.#ask = askServer(deps.server);
	}

	/** `setting` names the model; empty: none. */
	chosenBy(
		setting: 'prowess.memory.embeddings' | 'prowess.search.codeIndexEmbeddings',
		settings: Pick<SettingsPort, 'current'>,
	): EmbeddingPort {
		return {
			model: () => settings.current[setting],
			embed: (asked, signal) => this.embed({ ...asked, setting }, signal),
		};
	}

	/**
	 * Returns one vector for each text, in the order of the texts. Rejects when the request is denied or over a quota,
	 * or the provider does not answer.
	 */
	async embed(
		{ model, setting, texts, threadId }: AskedEmbeddings,
		signal: AbortSignal,
	): Promise<readonly Int8Array[]> {
		const { ledger, redactor, checkSend } = this.#deps;
		checkSend(threadId);
		const sent = texts.slice(0, EMBEDDED_AT_ONCE).map((text) => redactor.redact(text).slice(0, EMBEDDED_CHARS));
		const chars = sent.reduce((sum, { length }) => sum + length, 0);
		await ledger.append(
			{
				kind: 'note',
				opId: newId('op'),
				op: 'model.embed',
				trigger: threadId === null ? 'user' : `agent:${threadId}`,
				threadId,
				risk: 'CONTROLLED',
				assessed: null,
				decision: `allow (user): ${setting}`,
				paramsHash: null,
				input: `Send ${sent.length} texts (${chars} characters) to ${model} for embeddings`,
				output: null,
				status: null,
				durationMs: null,
			},
			true,
		);
		const { vectors } = await this.#ask(
			(server) => server.call(embeddingRequests.embed, { model, texts: sent, threadId }, signal),
			signal,
		);
		return vectors.map(quantizeVector);
	}
}

function quantizeVector(vector: readonly number[]): Int8Array {
	const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
	return Int8Array.from(vector, (value) => Math.round((value / largest) * QUANTIZATION_STEPS));
}
