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
