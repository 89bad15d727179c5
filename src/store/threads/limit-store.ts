/** Limits that were learned from refusals, by address and model: small, and written when a request was too long after all. */
import type { Database } from '../database.ts';

interface LimitRow {
	readonly address: string;
	readonly model: string;
	readonly tokens: number;
	readonly known: string;
	readonly learned_at: number;
}

interface StoredLimit {
	readonly baseUrl: string;
	readonly modelId: string;
	/** Tokens that messages may take. */
	readonly tokens: number;
	/** Text that stands for what was known of the model then. */
	readonly known: string;
	/** Milliseconds since 1970. */
	readonly learnedAt: number;
}

export class LimitStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	all(): StoredLimit[] {
		return this.#db
			.all<LimitRow>('SELECT address, model, tokens, known, learned_at FROM model_limits')
			.map(({ address, model, tokens, known, learned_at }) => ({
				baseUrl: address,
				modelId: model,
				tokens,
				known,
				learnedAt: learned_at,
			}));
	}

	/** In place of what was kept of this model at this address. */
	keep({ baseUrl, modelId, tokens, known, learnedAt }: StoredLimit): void {
		this.#db.transaction('process', () => {
			this.#db.run(
				'INSERT OR REPLACE INTO model_limits (address, model, tokens, known, learned_at) VALUES (?, ?, ?, ?, ?)',
				...[baseUrl, modelId, tokens, known, learnedAt],
			);
		});
	}
}
