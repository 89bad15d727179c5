/** Resources and prompts of MCP servers that a message names: anywhere @server:address, and at its beginning /server:name. */
import type { ContextRef } from '../context.ts';

/** Resources of MCP servers that a message names in full, as `@server:address`. */
export interface NamedResource {
	readonly server: string;
	readonly uri: string;
}

const RESOURCE = /(?<=^|[\s(])@([A-Za-z0-9][\w.-]{0,63}):([^\s@]{1,2000})/g;
const MAX_NAMED_RESOURCES = 20;

/** Each once, without the end of the sentence. Words that merely look like one name a server that nobody has. */
export function namedResources(message: string): readonly NamedResource[] {
	const found = new Map<string, NamedResource>();
	for (const [, server = '', word = ''] of message.matchAll(RESOURCE)) {
		const uri = word.replace(/[.,;!?)]+$/, '');
		if (uri !== '' && found.size < MAX_NAMED_RESOURCES) found.set(`${server}:${uri}`, { server, uri });
	}
	return [...found.values()];
}

const NAMED_PROMPT = /^\s*\/([A-Za-z0-9][\w.-]{0,63}):([\w./:-]{1,200})(?=\s|$)/;
/** `name=value` or `name="some words"`. */
const ARGUMENT = /^\s+([A-Za-z_][\w.-]{0,199})=(?:"([^"]*)"|(\S+))(?=\s|$)/;
/** Most arguments that a prompt of a server may have. */
const MAX_ARGUMENTS = 10;

/** Returns true when the prompt may name offers: only then is it worth reading which servers exist. */
function mayNameOffers(prompt: string): boolean {
	return NAMED_PROMPT.test(prompt) || namedResources(prompt).length > 0;
}

/**
 * The message with what its words name besides what was chosen for it; a prompt that was chosen takes the values that follow its
 * name. `servers`: names of those that are configured; not asked for where the message names none.
 */
export async function withNamedOffers<M extends { readonly text: string; readonly context: readonly ContextRef[] }>(
	message: M,
	servers: () => Promise<readonly string[]>,
): Promise<M & { readonly context: ContextRef[] }> {
	const named = mayNameOffers(message.text) ? namedOffers(message.text, await servers()) : [];
	const added = named.filter((ref) => ref.kind === 'prompt' || !message.context.some((each) => isSameOffer(each, ref)));
	const kept = message.context.filter((ref) => !added.some((each) => isSameOffer(each, ref)));
	return { ...message, context: [...added, ...kept] };
}

function isSameOffer(one: ContextRef, other: ContextRef): boolean {
	return one.kind === 'prompt'
		? other.kind === 'prompt' && one.server === other.server && one.name === other.name
		: one.kind === 'resource' && other.kind === 'resource' && one.server === other.server && one.uri === other.uri;
}

/** Each once; it is read or taken later, through the broker. `servers`: names of those that are configured. */
function namedOffers(prompt: string, servers: readonly string[]): ContextRef[] {
	const resources = namedResources(prompt).filter(({ server }) => servers.includes(server));
	return [
		...namedPrompt(prompt, servers),
		...resources.map(({ server, uri }) => ({ kind: 'resource' as const, server, uri, name: '' })),
	];
}

function namedPrompt(prompt: string, servers: readonly string[]): ContextRef[] {
	const [whole = '', server = '', name = ''] = NAMED_PROMPT.exec(prompt) ?? [];
	if (!servers.includes(server)) {
		return [];
	}
	const given: Record<string, string> = {};
	let rest = prompt.slice(whole.length);
	for (let count = 0; count < MAX_ARGUMENTS; count++) {
		const [words = '', wanted, quoted, bare = ''] = ARGUMENT.exec(rest) ?? [];
		if (wanted === undefined) break;
		given[wanted] = quoted ?? bare;
		rest = rest.slice(words.length);
	}
	return [{ kind: 'prompt', server, name, arguments: given }];
}
