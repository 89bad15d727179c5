/** Which capability is in force where several have one name, as a page of Markdown. */
import * as vscode from 'vscode';
import type { Place } from '../../capability-host/registry/capability-source.ts';
import type { Listed } from './catalog.ts';
import { inlineCode, plainText, table } from './markdown-text.ts';
import { sourceText } from './texts.ts';

export function overridesPage({ capabilities, executors }: Listed): string {
	const t = vscode.l10n.t;
	const head = [
		`# ${t('Effective Overrides')}`,
		t('What is in this project goes before what is yours, and that before what is built in.'),
	];
	const rows = [
		...capabilities.map((each) => ({ ...each, what: `${each.manifest.type} **${plainText(each.manifest.name)}**` })),
		...executors.map((each) => ({ ...each, what: `${t('executor')} **${plainText(each.name)}**` })),
	].filter(({ shadows }) => shadows.length > 0);
	if (rows.length === 0) {
		return [...head, t('Nothing is overridden now.'), ''].join('\n\n');
	}
	const place = ({ source, path }: Place) => `${sourceText(source)}: ${inlineCode(path)}`;
	const cells = rows.map((row) => [row.what, place(row), row.shadows.map(place).join(', ')]);
	return [...head, table([t('Name'), t('In force'), t('Overridden')], cells), ''].join('\n\n');
}
