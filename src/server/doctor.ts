/** What the server can say about its own health. */
import { isUnencrypted } from '../protocol/base-url.ts';
import type { WorkspaceInfo } from '../protocol/server.ts';
import type { Settings } from '../protocol/settings/settings.ts';
import type { LearnedLimit } from './history/learned-limits.ts';
import { type CountedWindow, windowWords } from './models/windows/counted-window.ts';
import type { Database } from '../store/database.ts';
import { schemaVersion } from '../store/migrate.ts';

interface Check {
	readonly name: string;
	readonly ok: boolean;
	readonly detail: string;
}

interface Known {
	readonly putAside: string | undefined;
	readonly workspace: WorkspaceInfo;
	readonly settings: Settings;
	/** Providers that have just failed too often, with the seconds until they are asked again. */
	readonly passedOver: readonly { readonly provider: string; readonly seconds: number }[];
	/** Parts of requests that models have refused since the server began. */
	readonly refused: readonly { readonly modelId: string; readonly names: readonly string[] }[];
	/** Context windows as they count now. */
	readonly windows: readonly { readonly modelId: string; readonly window: CountedWindow }[];
	/** What models have refused to take more of. */
	readonly learned: readonly LearnedLimit[];
}

export function checkServer(
	db: Database,
	{ putAside, workspace, settings, passedOver, refused, windows, learned }: Known,
): Check[] {
	const providers = settings['prowess.providers'].map(({ id }) => id);
	const plain = settings['prowess.providers'].flatMap(({ baseUrl = '' }) =>
		URL.canParse(baseUrl) && isUnencrypted(new URL(baseUrl)) ? [new URL(baseUrl).host] : [],
	);
	const resting = passedOver.map(({ provider, seconds }) => `${provider} (${seconds} s)`).join(', ');
	const without = refused.map(({ modelId, names }) => `${modelId}: ${names.join(', ')}`).join('; ');
	return [
		{ name: 'Runtime', ok: true, detail: `Node ${process.versions.node}, process ${process.pid}` },
		{
			name: 'Threads',
			ok: putAside === undefined,
			detail:
				putAside === undefined
					? `${db.path}, schema ${schemaVersion(db)}`
					: `the damaged file was put aside as ${putAside}`,
		},
		{
			name: 'Workspace',
			ok: workspace.trusted,
			detail: workspace.trusted ? 'trusted' : 'not trusted: nothing is read or sent',
		},
		{
			name: 'Providers',
			// Without one there is still the tour.
			ok: resting === '',
			detail:
				(providers.join(', ') || 'none connected: the editor’s own models or the tour are used') +
				(plain.length === 0 ? '' : `; your key and your code travel unencrypted to ${plain.join(', ')}`) +
				(resting === '' ? '' : `; passed over because they failed often: ${resting}`) +
				(without === '' ? '' : `; left out because models refused it: ${without}`),
		},
		...(windows.length + learned.length === 0
			? []
			: [
					{
						name: 'Windows',
						ok: true,
						detail: [
							...windows.map(({ modelId, window }) => `${modelId}: ${windowWords(window)}`),
							...learned.map(learnedWords),
						].join('; '),
					},
				]),
	];
}

function learnedWords({ modelId, baseUrl, tokens, learnedAt }: LearnedLimit): string {
	const where = baseUrl === '' ? '' : ` at ${baseUrl}`;
	const day = new Date(learnedAt).toISOString().slice(0, 10);
	return `${modelId}${where} gets about ${tokens.toLocaleString('en-US')} tokens of messages, because it refused more on ${day}`;
}
