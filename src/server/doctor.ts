/** Checks the server's own health for `doctor`. */
import { isUnencrypted } from '../protocol/base-url.ts';
import type { WorkspaceInfo } from '../protocol/server.ts';
import type { Settings } from '../protocol/settings/settings.ts';
import type { LearnedLimit } from './history/learned-limits.ts';
import { type CountedWindow, windowWords } from './models/windows/counted-window.ts';
import type { Database } from '../store/database.ts';
import { schemaVersion } from '../store/migrate.ts';
import { joinTexts, type Text, text } from '../protocol/text/text.ts';

interface ServerCheck {
	readonly name: Text;
	readonly ok: boolean;
	readonly detail: Text;
}

interface KnownServerState {
	readonly putAside: string | undefined;
	readonly workspace: WorkspaceInfo;
	readonly settings: Settings;
	/** Providers that have just failed too often, with the seconds until they are asked again. */
	readonly passedOver: readonly { readonly provider: string; readonly seconds: number }[];
	/** Parts of requests that models have refused since the server began. */
	readonly refused: readonly { readonly modelId: string; readonly names: readonly string[] }[];
	/** Context windows as they count now. */
	readonly windows: readonly { readonly modelId: string; readonly window: CountedWindow }[];
	/** Token limits learned from models that refused larger requests. */
	readonly learned: readonly LearnedLimit[];
}

export function checkServerHealth(
	db: Database,
	{ putAside, workspace, settings, passedOver, refused, windows, learned }: KnownServerState,
): ServerCheck[] {
	const providers = settings['prowess.providers'].map(({ id }) => id);
	const plain = settings['prowess.providers'].flatMap(({ baseUrl = '' }) =>
		URL.canParse(baseUrl) && isUnencrypted(new URL(baseUrl)) ? [new URL(baseUrl).host] : [],
	);
	const resting = passedOver.map(({ provider, seconds }) => `${provider} (${seconds} s)`).join(', ');
	const without = refused.map(({ modelId, names }) => `${modelId}: ${names.join(', ')}`).join('; ');
	return [
		{
			name: text('Runtime'),
			ok: true,
			detail: text('Node {version}, process {pid}', { version: process.versions.node, pid: String(process.pid) }),
		},
		{
			name: text('Threads'),
			ok: putAside === undefined,
			detail:
				putAside === undefined
					? text('{path}, schema {version}', { path: db.path, version: schemaVersion(db) })
					: text('The damaged file was moved aside as {path}', { path: putAside }),
		},
		{
			name: text('Workspace'),
			ok: workspace.trusted,
			detail: workspace.trusted ? text('trusted') : text('not trusted: nothing is read or sent'),
		},
		{
			name: text('Providers'),
			// Without one there is still the tour.
			ok: resting === '',
			detail: joinTexts(
				providers.length === 0
					? text('None connected: the editor’s own models or the tour are used.')
					: `${providers.join(', ')}.`,
				...(plain.length === 0
					? []
					: [text('Your key and your code travel unencrypted to {hosts}.', { hosts: plain.join(', ') })]),
				...(resting === '' ? [] : [text('Passed over because they failed often: {names}.', { names: resting })]),
				...(without === '' ? [] : [text('Left out because models refused it: {names}.', { names: without })]),
			),
		},
		...(windows.length + learned.length === 0
			? []
			: [
					{
						name: text('Context windows'),
						ok: true,
						detail: joinTexts(
							...windows.map(({ modelId, window }) => `${modelId}: ${windowWords(window)}.`),
							...learned.map(learnedWords),
						),
					},
				]),
	];
}

function learnedWords({ modelId, baseUrl, tokens, learnedAt }: LearnedLimit): Text {
	const day = new Date(learnedAt).toISOString().slice(0, 10);
	return text('{model} gets about {tokens} tokens of messages, because it refused more on {day}.', {
		model: baseUrl === '' ? modelId : `${modelId} (${baseUrl})`,
		tokens: tokens.toLocaleString('en-US'),
		day,
	});
}
