/** Which capability is in force where several have one name, as a page of Markdown. */
import * as vscode from 'vscode';
import type { Capability } from '../../capability-host/registry/capability-source.ts';
import type { Listed } from './catalog.ts';
import { inlineCode, plainText, table } from './markdown-text.ts';
import { sourceText } from './texts.ts';

export function overridesPage({ overrides }: Listed): string {
	const t = vscode.l10n.t;
	const intro = t('What is in this project goes before what is yours, and that before what is built in.');
	if (overrides.length === 0) {
		return [`# ${t('Effective Overrides')}`, intro, t('Nothing is overridden now.'), ''].join('\n\n');
	}
	const place = ({ source, manifest, path }: Capability) =>
		`${sourceText(source)} ${plainText(manifest.version)}<br>${inlineCode(path)}`;
	const rows = overrides.map(({ effective, shadowed }) => [
		`${plainText(effective.manifest.type)} **${plainText(effective.manifest.name)}**`,
		place(effective),
		shadowed.map(place).join('<br>'),
	]);
	return [
		`# ${t('Effective Overrides')}`,
		intro,
		table([t('Capability'), t('In force'), t('Overridden')], rows),
		'',
	].join('\n\n');
}
