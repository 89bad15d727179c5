/** Resources and prompts as a server lists them: data of others, cut and without hidden characters. */
import { escapeHidden } from '../../../base/text/hidden-characters.ts';
import { cutText } from '../../../base/text/one-line.ts';
import { LISTED_DESCRIPTION_CHARS, LISTING_CHARS, OFFERS, PROMPT_ARGUMENTS, URI_CHARS } from '../limits.ts';

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
}

interface ListedOffer {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
}

export function readResources(listed: readonly (ListedOffer & { readonly uri: string })[]): McpResource[] {
	return listed
		.filter(({ uri }) => uri.length <= URI_CHARS && uri === escapeHidden(uri))
		.slice(0, OFFERS)
		.map(({ uri, ...said }) => ({
			uri,
			name: cutOfferText(said.title ?? said.name),
			description: cutOfferText(said.description),
		}));
}

export function readPrompts(
	listed: readonly (ListedOffer & {
		readonly arguments?:
			readonly { name: string; description?: string | undefined; required?: boolean | undefined }[] | undefined;
	})[],
): McpPrompt[] {
	return listed
		.filter(({ name }) => /^[\w./:-]{1,200}$/.test(name))
		.slice(0, OFFERS)
		.map(({ name, description, arguments: wanted = [] }) => ({
			name,
			description: cutOfferText(description),
			arguments: wanted.slice(0, PROMPT_ARGUMENTS).map((each) => ({
				name: each.name,
				description: cutOfferText(each.description),
				isNeeded: each.required === true,
			})),
		}));
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

function cutOfferText(text = ''): string {
	return cutText(escapeHidden(text).replaceAll(/\s+/g, ' ').trim(), LISTED_DESCRIPTION_CHARS);
}
