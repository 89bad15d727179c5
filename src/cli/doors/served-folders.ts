/** Hosts of `prowess web`: one for each folder that a browser shows, composed when the first page wants it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { FolderOfPages } from '../../host/doors/web/browser-connection.ts';
import { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { type CliHost, openHost } from '../ports/cli-host.ts';

interface ComposedFolder {
	readonly host: CliHost;
	readonly folder: FolderOfPages;
}

export class ServedFolders {
	readonly #invocation: Invocation;
	readonly #context: CommandContext;
	readonly #list: () => readonly string[];
	readonly #open = new Map<string, Promise<ComposedFolder>>();
	readonly #closing = new Set<Promise<void>>();
	#isClosed = false;

	/** `list`: real paths of folders that are trusted and there, as they are now. */
	constructor(invocation: Invocation, context: CommandContext, list: () => readonly string[]) {
		this.#invocation = invocation;
		this.#context = context;
		this.#list = list;
	}

	list(): readonly { readonly id: string; readonly name: string }[] {
		return this.#list().map((path) => ({ id: createFolderId(path), name: basename(path) }));
	}

	async open(id: string): Promise<FolderOfPages> {
		const path = this.#list().find((each) => createFolderId(each) === id);
		if (path === undefined || this.#isClosed) throw new Error(`no folder ${id} is served`);
		let opening = this.#open.get(path);
		if (opening === undefined) {
			opening = this.#compose(path);
			this.#open.set(path, opening);
			opening.catch(() => this.#open.delete(path));
		}
		return (await opening).folder;
	}

	/** Ends all of them, with what runs in them. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const path of [...this.#open.keys()]) this.#let(path);
		await Promise.all(this.#closing);
	}

	async #compose(path: string): Promise<ComposedFolder> {
		const { values } = this.#invocation;
		const widest = values['level'] === undefined ? undefined : PermissionLevel.parse(values['level']);
		// Keeps a question open while no browser is there to answer it.
		const behind = { client: { principal: 'web' } } as const;
		const options = { workspace: path, approvalMode: 'ask', behind } as const;
		const host = await openHost(this.#invocation, this.#context, options);
		try {
			const base = await host.trustedBase();
			const server = await host.server(this.#context.signal);
			server.gone.addEventListener('abort', () => this.#let(path), { once: true });
			const { clients, choice, settings } = host;
			const mode = settings.current['prowess.mode'];
			const modelId = choice.modelId ?? null;
			const folder = { path, base, server, modelId, mode, clients, widest, left: new Map<string, never>() };
			return { host, folder };
		} catch (error) {
			await host.close();
			throw error;
		}
	}

	/** Lets the host of a folder go; the next page composes another one. */
	#let(path: string): void {
		const opening = this.#open.get(path);
		this.#open.delete(path);
		if (opening === undefined) return;
		const closing: Promise<void> = opening
			.then(({ host }) => host.close())
			.catch(() => {})
			.finally(() => this.#closing.delete(closing));
		this.#closing.add(closing);
	}
}

/** Holds nothing of the path, which would stand in the history of the browser. */
function createFolderId(path: string): string {
	return createHash('sha256').update(path).digest('hex').slice(0, 12);
}
