/** Resources and prompts as a server lists them: data of others, cut and without hidden characters. */
import { escapeHidden } from '../../../base/text/hidden-characters.ts';
import { isPlainData, nonEmptyText, textOrEmpty } from '../../../base/text/lenient.ts';
import { cutText } from '../../../base/text/one-line.ts';
import { type Text, text } from '../../../protocol/text/text.ts';
import { LISTED_DESCRIPTION_CHARS, LISTING_CHARS, OFFERS, PROMPT_ARGUMENTS, URI_CHARS } from '../limits.ts';
import { nameOddities } from '../tools.ts';

interface McpResource {
	readonly uri: string;
	readonly name: string;
	readonly description: string;
}

interface McpPrompt {
	readonly name: string;
	readonly description: string;
	readonly arguments: readonly { readonly name: string; readonly description: string; readonly isNeeded: boolean }[];
}

export interface McpOffers {
	readonly resources: readonly McpResource[];
	readonly templates: readonly McpResource[];
	readonly prompts: readonly McpPrompt[];
	/** Sentences on what was left out. */
	readonly problems: readonly Text[];
}

export const NO_OFFERS: McpOffers = { resources: [], templates: [], prompts: [], problems: [] };

interface ReadOffers<T> {
	readonly read: T[];
	readonly problems: readonly Text[];
}

/** Resources, or templates: the address of these is in the member `uriTemplate`. */
export function readResources(listed: readonly unknown[], member: 'uri' | 'uriTemplate'): ReadOffers<McpResource> {
	const read = new Map<string, McpResource>();
	const left: unknown[] = [];
	for (const entry of listed) {
		const { [member]: uri, name, title, description } = isPlainData(entry) ? entry : { [member]: entry };
		const isUsable = isPlainData(entry) && typeof uri === 'string' && uri !== '' && uri.length <= URI_CHARS;
		if (!isUsable || uri !== escapeHidden(uri) || read.size >= OFFERS) {
			left.push(uri);
		} else if (!read.has(uri)) {
			read.set(uri, { uri, name: cutOfferText(nonEmptyText(title) ?? name), description: cutOfferText(description) });
		}
	}
	const problems = nameOddities(left, (names) =>
		text('Resources left out, because their addresses cannot be used: {names}', { names }),
	);
	return { read: [...read.values()], problems };
}

export function readPrompts(listed: readonly unknown[]): ReadOffers<McpPrompt> {
	const read = new Map<string, McpPrompt>();
	const left: unknown[] = [];
	const lacking: unknown[] = [];
	for (const entry of listed) {
		const {
			name,
			description,
			arguments: wanted,
		} = isPlainData(entry) ? entry : ({ name: entry } as { [key: string]: unknown });
		const isUsable = isPlainData(entry) && typeof name === 'string' && /^[\w./:-]{1,200}$/.test(name);
		if (!isUsable || read.has(name) || read.size >= OFFERS) {
			left.push(name);
			continue;
		}
		const given: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
		const usable = given.filter(isArgument).slice(0, PROMPT_ARGUMENTS);
		if (usable.length < given.length || (wanted !== undefined && wanted !== null && !Array.isArray(wanted))) {
			lacking.push(name);
		}
		read.set(name, {
			name,
			description: cutOfferText(description),
			arguments: usable.map((each) => ({
				name: each.name,
				description: cutOfferText(each['description']),
				isNeeded: each['required'] === true,
			})),
		});
	}
	const problems = [
		...nameOddities(left, (names) =>
			text('Prompts left out, because their names cannot be used or are taken: {names}', { names }),
		),
		...nameOddities(lacking, (names) =>
			text('Prompts shown without arguments that cannot be read: {names}', { names }),
		),
	];
	return { read: [...read.values()], problems };
}

function isArgument(value: unknown): value is Readonly<Record<string, unknown>> & { readonly name: string } {
	return isPlainData(value) && typeof value['name'] === 'string' && value['name'] !== '';
}

/** Returns the resources that contain a word of the query, as many as one answer holds. An empty query matches all. */
export function listResources(
	resources: readonly McpResource[],
	query = '',
): { readonly listed: McpResource[]; readonly more: number } {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const found = resources.filter(({ uri, name, description }) => {
		const text = `${uri} ${name} ${description}`.toLowerCase();
		return words.length === 0 || words.some((word) => text.includes(word));
	});
	let chars = 0;
	const listed = found.filter(({ uri, name, description }) => {
		chars += uri.length + name.length + description.length;
		return chars <= LISTING_CHARS;
	});
	return { listed, more: found.length - listed.length };
}

function cutOfferText(text: unknown): string {
	return cutText(escapeHidden(textOrEmpty(text)).replaceAll(/\s+/g, ' ').trim(), LISTED_DESCRIPTION_CHARS);
}
