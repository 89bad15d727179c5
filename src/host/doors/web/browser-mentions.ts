/**
 * Suggestions after `@` in a browser: files and folders of the folder that is served, its uncommitted changes, threads,
 * capabilities, and a web address by itself. The host reads names alone; what is chosen goes through the gate when the turn starts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { itemsWhile } from '../../../catalog/registry/sources/while-off.ts';
import { KeptValue } from '../../../machine/mentions/kept-value.ts';
import { toMatchable } from '../../../machine/mentions/match.ts';
import { type NamedCandidate, PathIndex } from '../../../machine/mentions/path-index.ts';
import { parsePath } from '../../../machine/paths/names/path-segments.ts';
import { isSecretName } from '../../../machine/paths/names/secret-names.ts';
import { walkEntries } from '../../../machine/search/walk.ts';
import type { viewRequests } from '../../../protocol/pages/chat-view.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../../protocol/rpc/message.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { type Text, text } from '../../../protocol/text/text.ts';
import { ContextRef } from '../../../protocol/thread/context.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import type { TrustedBase } from '../../trusted-base.ts';
import { mentionLimits } from '../limits.ts';

type Suggestions = ResultOf<(typeof viewRequests)['complete']>;
type Suggestion = Suggestions['items'][number];

interface FoundByName extends NamedCandidate {
	readonly suggestion: Suggestion;
}

interface MentionSources {
	/** Real path of the folder. */
	readonly path: string;
	readonly base: Pick<TrustedBase, 'registry' | 'enabledCapabilities'>;
	readonly server: { readonly peer: Peer };
	/** Thread on the screen, which is not suggested to itself. */
	shown(): ThreadId | null;
	say(words: Text): string;
}

/** Names are found by something that was typed of them. */
const LEAST_NAME_QUERY = 2;
/** Below each file that fits as well. */
const NAME_BONUS = -15;
const CHANGES_BONUS = 35;

/** Names of the folder of each host, for all its pages. */
const keptPaths = new WeakMap<object, KeptValue<PathIndex>>();

export class BrowserMentions {
	readonly #sources: MentionSources;
	readonly #paths: KeptValue<PathIndex>;

	constructor(sources: MentionSources) {
		this.#sources = sources;
		this.#paths = keptPaths.get(sources.base) ?? keepPaths(sources);
	}

	async complete(query: string, signal: AbortSignal): Promise<Suggestions> {
		// Symbols and prompts of MCP servers are the editor's.
		if (query.startsWith('#') || query.startsWith('/')) return { items: [], isCut: false };
		const { say } = this.#sources;
		const address = ContextRef.safeParse({ kind: 'page', url: query });
		if (address.success) {
			const detail = say(text('The text of this web page'));
			return { items: [{ ref: address.data, label: query, detail }], isCut: false };
		}
		const [paths, named] = await Promise.all([this.#paths.get(signal), this.#named(query, signal)]);
		const found = paths.rank(query, { named, open: new Set() }, mentionLimits.most + 1);
		const items = found
			.slice(0, mentionLimits.most)
			.map((each) => ('suggestion' in each ? each.suggestion : ofPath(each)));
		return { items, isCut: found.length > mentionLimits.most };
	}

	async #named(query: string, signal: AbortSignal): Promise<FoundByName[]> {
		const { say } = this.#sources;
		const detail = say(text('Uncommitted changes, as a diff'));
		const changes = { ref: { kind: 'changes' }, label: say(text('changes')), detail } as const;
		const named = [{ ...toMatchable('changes'), bonus: CHANGES_BONUS, suggestion: changes }];
		if (query.length < LEAST_NAME_QUERY) return named;
		const byName = await Promise.all([this.#threads(signal), this.#capabilities()]);
		return [...named, ...byName.flat()];
	}

	async #threads(signal: AbortSignal): Promise<FoundByName[]> {
		const { server, path, shown, say } = this.#sources;
		const { threads } = await server.peer.call(threadRequests.list, { limit: mentionLimits.threads }, signal);
		const ofFolder = threads.filter(
			({ id, title, workspace }) => id !== shown() && title !== '' && (workspace === null || workspace === path),
		);
		return ofFolder.map(({ id, title }) => {
			const ref = { kind: 'thread', threadId: id, title: title.slice(0, 200) } as const;
			const suggestion = { ref, label: title, detail: say(text('thread')) };
			return { ...toMatchable(title.replaceAll('/', ' ')), bonus: NAME_BONUS, suggestion };
		});
	}

	async #capabilities(): Promise<FoundByName[]> {
		const { base } = this.#sources;
		const [state, isOff] = await Promise.all([base.registry.state(), base.enabledCapabilities.disabled()]);
		return itemsWhile(state.capabilities, isOff).flatMap(({ manifest, isOff: isDisabled }) => {
			if (manifest === undefined || isDisabled) return [];
			const { type, name, description } = manifest;
			const suggestion = { ref: { kind: 'capability', type, name } as const, label: name, detail: description };
			return [{ ...toMatchable(name.replaceAll('/', ' ')), bonus: NAME_BONUS, suggestion }];
		});
	}
}

function keepPaths({ base, path }: MentionSources): KeptValue<PathIndex> {
	const paths = new KeptValue({
		make: async () => await PathIndex.of(await listMentionable(path)),
		freshMs: mentionLimits.freshMs,
		patienceMs: mentionLimits.patienceMs,
		now: () => performance.now(),
	});
	keptPaths.set(base, paths);
	return paths;
}

function ofPath({ kind, path }: { readonly kind: 'file' | 'folder'; readonly path: string }): Suggestion {
	const end = path.lastIndexOf('/');
	const name = path.slice(end + 1);
	return { ref: { kind, path }, label: kind === 'folder' ? `${name}/` : name, detail: path.slice(0, Math.max(0, end)) };
}

/** Files that are neither ignored nor secret, in slices: pages of other browsers share the loop. Links are not followed. */
async function listMentionable(root: string): Promise<readonly string[]> {
	const names: string[] = [];
	const until = performance.now() + mentionLimits.listMs;
	let seen = 0;
	for (const { kind, segments } of walkEntries(root)) {
		seen += 1;
		if (seen % mentionLimits.entriesInTurn === 0) await nextTurn();
		if (seen > mentionLimits.entries || performance.now() > until) break;
		const path = segments.join('/');
		if (kind === 'file' && !isSecretName(segments) && isPlainPath(path)) names.push(path);
	}
	return names;
}

/** False for a name that the gate refuses, such as one that shows as another. */
function isPlainPath(path: string): boolean {
	try {
		parsePath(path, process.platform);
		return true;
	} catch {
		return false;
	}
}
