/** Context windows of models, as they were said, by address and model: small, and written when a model server has said it. */
import type { Database } from '../database.ts';

interface WindowRow {
	readonly address: string;
	readonly model: string;
	readonly said_by: string;
	readonly tokens: number;
	readonly most: number | null;
	readonly said_at: number;
}

/** In tokens. */
interface StoredWindow {
	readonly baseUrl: string;
	readonly modelId: string;
	readonly saidBy: string;
	readonly tokens: number;
	/** Largest that the model takes. */
	readonly most?: number | undefined;
	/** Milliseconds since 1970. */
	readonly saidAt: number;
}

export class WindowStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	all(): StoredWindow[] {
		return this.#db
			.all<WindowRow>('SELECT address, model, said_by, tokens, most, said_at FROM model_windows')
			.map(({ address, model, said_by, tokens, most, said_at }) => ({
				baseUrl: address,
				modelId: model,
				saidBy: said_by,
				tokens,
				most: most ?? undefined,
				saidAt: said_at,
			}));
	}

	/** In place of what was kept of this model at this address. */
	keep({ baseUrl, modelId, saidBy, tokens, most, saidAt }: StoredWindow): void {
		this.#db.transaction('process', () => {
			this.#db.run(
				'INSERT OR REPLACE INTO model_windows (address, model, said_by, tokens, most, said_at) VALUES (?, ?, ?, ?, ?, ?)',
				...[baseUrl, modelId, saidBy, tokens, most ?? null, saidAt],
			);
		});
	}
}
