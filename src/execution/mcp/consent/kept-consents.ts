/** Servers that the user has agreed to until further notice, each with the tools that it had then. Shared by all hosts of the user. */
import { join } from 'node:path';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';
import { CONSENTS, MAX_SERVER_TOOLS } from '../limits.ts';

/** Hash of what the server says of each tool, by the name of the tool. */
export type PinnedTools = Readonly<Record<string, string>>;

const KeptMcpConsent = z.object({
	/** Hash of the launch that the user agreed to. */
	hash: z.string().max(100),
	server: z.string().max(100),
	/** Command line or address, cut. */
	address: z.string().max(1_000),
	/** ISO 8601, UTC. */
	at: z.iso.datetime(),
	/** Null: no tool has been seen yet. */
	tools: z.record(z.string().max(200), z.string().max(100)).nullable(),
});
export type KeptMcpConsent = z.infer<typeof KeptMcpConsent>;

const ConsentsFile = z.object({ consents: z.array(KeptMcpConsent).max(CONSENTS) });
type ConsentsFile = z.infer<typeof ConsentsFile>;

export const CONSENTS_FILE = 'mcp-consents.json';

export class KeptConsents {
	readonly #file: SharedJson<ConsentsFile>;

	constructor(home: string) {
		this.#file = new SharedJson({
			path: join(home, CONSENTS_FILE),
			schema: ConsentsFile,
			empty: { consents: [] },
			consequence: text('no MCP server is started without a question'),
			misfit: `more than ${CONSENTS} servers or ${MAX_SERVER_TOOLS} tools of one cannot be kept. Revoke some first`,
		});
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async all(): Promise<readonly KeptMcpConsent[]> {
		return (await this.#file.read()).consents;
	}

	async find(hash: string): Promise<KeptMcpConsent | undefined> {
		return (await this.all()).find((each) => each.hash === hash);
	}

	/** In the place of an earlier one of the same launch. */
	async put(consent: KeptMcpConsent, signal: AbortSignal): Promise<void> {
		await this.#file.change(
			({ consents }) => ({ consents: [...consents.filter(({ hash }) => hash !== consent.hash), consent] }),
			signal,
		);
	}

	/** Does nothing where that launch is not agreed to any more. */
	async pin(hash: string, tools: PinnedTools, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const isKept = file.consents.some((each) => each.hash === hash);
			const consents = file.consents.map((each) => (each.hash === hash ? { ...each, tools: { ...tools } } : each));
			return isKept ? { consents } : file;
		}, signal);
	}

	async remove(hashes: readonly string[], signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const left = file.consents.filter(({ hash }) => !hashes.includes(hash));
			return left.length < file.consents.length ? { consents: left } : file;
		}, signal);
	}
}
