/** Which capability or executor is in force where several have one name. */
import * as vscode from 'vscode';
import type { Place } from '../../../catalog/registry/sources/capability-source.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { Listed } from '../catalog.ts';
import { sourceText } from '../texts/texts.ts';
import { type BuiltPage, code, line, words } from './built-page.ts';

export function overridesPage({ capabilities, executors }: Listed): BuiltPage {
	const t = vscode.l10n.t;
	const overriding = [
		...capabilities.map((each) => ({ ...each, title: `${each.manifest.type} ${each.manifest.name}` })),
		...executors.map((each) => ({ ...each, title: t('executor {0}', each.name) })),
	].filter(({ shadows }) => shadows.length > 0);
	const row = (label: string, { source, path }: Place) => [words(label), words(sourceText(source)), code(path)];
	return {
		content: {
			title: t('Effective Overrides'),
			kicker: '',
			summary: t('Project capabilities override yours, and yours override the built-in ones.'),
			blocks:
				overriding.length === 0
					? [{ kind: 'note', text: t('No capability is overridden.') }]
					: overriding.map((each): PageBlock => ({
							kind: 'table',
							title: line(each.title),
							head: [t('State'), t('Source'), t('Folder')],
							rows: [row(t('In effect'), each), ...each.shadows.map((place) => row(t('Overridden'), place))],
						})),
		},
		actions: [],
	};
}
