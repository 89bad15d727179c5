/**
 * Where kept approvals come from: the question, and when it was answered. Only told, never judged by: what is lost or damaged
 * here leaves each approval as it is.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { OpId, ThreadId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { ApprovalOrigin } from '../../../contract/approvals.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';

/** Kept approvals whose question is remembered; the oldest go first. */
const MAX_ORIGINS = 5_000;

/** Characters of the head of a question that is remembered. */
const MAX_ORIGIN_TITLE = 1_000;

const KeptOrigin = z.object({
	id: z.string().max(100),
	at: z.iso.datetime(),
	title: z.string().max(MAX_ORIGIN_TITLE),
	opId: OpId,
	threadId: ThreadId.nullable(),
});
const OriginsFile = z.object({ origins: z.array(KeptOrigin).max(MAX_ORIGINS) });
type OriginsFile = z.infer<typeof OriginsFile>;
type Origins = OriginsFile['origins'];

/** Id of what is kept: made of where and what, so that each process gives it the same. */
export function approvalId(...parts: readonly unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

export class ApprovalOrigins {
	readonly #file: SharedJson<OriginsFile>;
	readonly #log: Pick<LogPort, 'warn'>;

	constructor({ home, log }: { readonly home: string; readonly log: Pick<LogPort, 'warn'> }) {
		this.#file = new SharedJson({
			path: join(home, 'approval-origins.json'),
			schema: OriginsFile,
			empty: { origins: [] },
			consequence: text('approvals do not say where they came from'),
			misfit: 'where this approval came from cannot be kept',
		});
		this.#log = log;
	}

	/** Reads the origins, by the id of the approval. */
	async read(): Promise<ReadonlyMap<string, ApprovalOrigin>> {
		return new Map((await this.#read()).map(({ id, ...origin }) => [id, origin]));
	}

	/** Never rejects: that an approval is kept does not depend on it. */
	async note(id: string, origin: ApprovalOrigin): Promise<void> {
		const title = origin.title.slice(0, MAX_ORIGIN_TITLE);
		await this.#change((origins) => [...origins.filter((each) => each.id !== id), { ...origin, id, title }]);
	}

	/** For those that are revoked. Never rejects. */
	async forget(ids: readonly string[]): Promise<void> {
		await this.#change((origins) => {
			const left = origins.filter(({ id }) => !ids.includes(id));
			return left.length < origins.length ? left : origins;
		});
	}

	async #change(changed: (origins: Origins) => Origins): Promise<void> {
		try {
			// The write takes only a moment and must not be interrupted half way: it gets a signal that never aborts.
			const { signal } = new AbortController();
			await this.#file.change((file) => {
				const origins = changed(file.origins);
				return origins === file.origins ? file : { origins: origins.slice(-MAX_ORIGINS) };
			}, signal);
		} catch (error) {
			this.#log.warn('where an approval came from could not be written down', { error: toErrorMessage(error) });
		}
	}

	async #read(): Promise<Origins> {
		try {
			return (await this.#file.read()).origins;
		} catch (error) {
			this.#log.warn('where approvals came from cannot be read', { error: toErrorMessage(error) });
			return [];
		}
	}
}
