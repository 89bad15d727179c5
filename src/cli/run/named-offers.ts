/** What of MCP servers the words of a prompt name: resources with @server:address, and at its beginning a prompt with /server:name. */
import type { ContextRef } from '../../protocol/thread/context.ts';
import { namedResources } from '../../protocol/thread/named-resources.ts';

const PROMPT = /^\s*\/([A-Za-z0-9][\w.-]{0,63}):([\w./:-]{1,200})(?=\s|$)/;
/** `name=value` or `name="some words"`. */
const ARGUMENT = /^\s+([A-Za-z_][\w.-]{0,199})=(?:"([^"]*)"|(\S+))(?=\s|$)/;
/** As many as a prompt of a server may have. */
const MAX_ARGUMENTS = 10;

/** Whether there may be any: only then it is worth reading which servers there are. */
export function mayNameOffers(prompt: string): boolean {
	return PROMPT.test(prompt) || namedResources(prompt).length > 0;
}

/** Each once; it is read or taken later, through the broker. `servers`: names of those that are configured. */
export function namedOffers(prompt: string, servers: readonly string[]): ContextRef[] {
	const resources = namedResources(prompt).filter(({ server }) => servers.includes(server));
	return [
		...namedPrompt(prompt, servers),
		...resources.map(({ server, uri }) => ({ kind: 'resource' as const, server, uri, name: '' })),
	];
}

function namedPrompt(prompt: string, servers: readonly string[]): ContextRef[] {
	const [whole = '', server = '', name = ''] = PROMPT.exec(prompt) ?? [];
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
