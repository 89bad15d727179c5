/** Resources of MCP servers that run, for suggestions after `@`, and their prompts, for those after `/`. */
import type { TrustedBase } from '../../../host/trusted-base.ts';
import { toMatchable } from './match.ts';
import type { NamedSuggestion, MentionSuggestion } from './suggestion.ts';

type McpServerOffers = Awaited<ReturnType<TrustedBase['mcp']['offers']>>;

/** Below every file that fits as well. */
const RESOURCE_BONUS = -15;
const NAME_CHARACTERS = 200;

export function resourceSuggestions(offers: McpServerOffers): NamedSuggestion[] {
	return offers.flatMap(({ server, resources }) =>
		resources.map(({ uri, name, description }) => ({
			...toMatchable(`${server} ${name} ${uri}`.replaceAll('/', ' ')),
			bonus: RESOURCE_BONUS,
			suggestion: {
				ref: { kind: 'resource', server, uri, name: name.slice(0, NAME_CHARACTERS) } as const,
				label: `${server} ${name}`,
				detail: [uri, description].filter((part) => part !== '').join(' · '),
			},
		})),
	);
}

/** Returns the prompts whose name, or `server:name`, begins with the query. */
export function promptSuggestions(offers: McpServerOffers, query: string): MentionSuggestion[] {
	const wanted = query.toLowerCase();
	return offers.flatMap(({ server, prompts }) =>
		prompts
			.filter(({ name }) => [`${server}:${name}`, name].some((each) => each.toLowerCase().startsWith(wanted)))
			.map(({ name, description, arguments: wants }) => {
				const hint = wants.map((each) => (each.isNeeded ? `<${each.name}>` : `[${each.name}]`)).join(' ');
				return {
					ref: { kind: 'prompt', server, name } as const,
					label: `/${server}:${name}`,
					detail: [hint, description].filter((part) => part !== '').join(' · '),
				};
			}),
	);
}
