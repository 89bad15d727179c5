/** Each rule of an organisation in a line for a person. */
import { LEVEL_WORDS } from '../../protocol/ops/permission-level.ts';
import type { OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import { type Text, text } from '../../protocol/text/text.ts';

export function rulesInWords(rules: OrganisationRules): Text[] {
	const {
		models,
		providers,
		version,
		mcpServers,
		marketplaces,
		publishers,
		revoked,
		hosts,
		deny,
		ask,
		quotas,
		ledger,
	} = rules;
	const listItems = (all: readonly string[]) => (all.length === 0 ? '–' : all.join(', '));
	const servers = mcpServers?.map((server) => ('url' in server ? server.url : server.command.join(' ')));
	const lines: readonly (Text | undefined)[] = [
		rules.contact && text('Contact: {contact}', { contact: rules.contact }),
		version && text('Version {n} of the rules', { n: version }),
		rules.validUntil && text('Valid until {date}', { date: rules.validUntil }),
		providers && text('Providers: {list}', { list: listItems(providers) }),
		models && text('Models: {list}', { list: listItems(models) }),
		rules.widestLevel && text('Widest permission level: {level}', { level: LEVEL_WORDS[rules.widestLevel].name }),
		rules.sandbox && text('Commands, MCP servers and hooks run in a sandbox only'),
		hosts && text('Hosts: {list}', { list: listItems(hosts) }),
		servers && text('MCP servers: {list}', { list: listItems(servers) }),
		marketplaces && text('Marketplaces: {list}', { list: listItems(marketplaces) }),
		publishers && text('Keys of publishers: {list}', { list: listItems(publishers) }),
		revoked && text('Revoked: {list}', { list: listItems(revoked) }),
		deny && text('Refused: {list}', { list: listItems(deny) }),
		ask && text('Asked every time: {list}', { list: listItems(ask) }),
		quotas &&
			text('Quotas: {list}', { list: listItems(Object.entries(quotas).map(([name, most]) => `${name} ${most}`)) }),
		ledger?.anchor && text('Anchors of the ledger: {place}', { place: ledger.anchor }),
		ledger?.leastDays && text('Rows of the ledger are kept for at least {n} days', { n: ledger.leastDays }),
		ledger?.mostDays && text('Rows of the ledger are kept for at most {n} days', { n: ledger.mostDays }),
		rules.export && text('Threads and the ledger cannot be exported'),
	].map((line) => (typeof line === 'object' ? line : undefined));
	return lines.filter((line) => line !== undefined);
}
