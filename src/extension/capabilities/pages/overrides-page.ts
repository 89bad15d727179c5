/** Which capability or executor is in force where several have one name. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { CapabilityLocation } from '../../../catalog/registry/sources/capability-source.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { CatalogList } from '../catalog.ts';
import { describeSource } from '../texts/texts.ts';
import { type BuiltPage, toCodeValue, toWordsValue } from './built-page.ts';

export function overridesPage({ capabilities, executors }: CatalogList): BuiltPage {
	const t = vscode.l10n.t;
	const overriding = [
		...capabilities.map((each) => ({ ...each, title: `${each.manifest.type} ${each.manifest.name}` })),
		...executors.map((each) => ({ ...each, title: t('executor {0}', each.name) })),
	].filter(({ overrides }) => overrides.length > 0);
	const createPlaceRow = (label: string, { source, path }: CapabilityLocation) => [
		toWordsValue(label),
		toWordsValue(describeSource(source)),
		toCodeValue(path),
	];
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
							title: escapeToLine(each.title),
							head: [t('State'), t('Source'), t('Folder')],
							rows: [
								createPlaceRow(t('In effect'), each),
								...each.overrides.map((place) => createPlaceRow(t('Overridden'), place)),
							],
						})),
		},
		actions: [],
	};
}
