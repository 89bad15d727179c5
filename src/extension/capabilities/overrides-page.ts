/** Which capability is in force where several have one name, as a page of Markdown. */
import * as vscode from 'vscode';
import type { Place } from '../../capability-host/registry/capability-source.ts';
import type { Listed } from './catalog.ts';
import { inlineCode, plainText } from './markdown-text.ts';
import { sourceText } from './texts.ts';

export function overridesPage({ capabilities, executors }: Listed): string {
	const t = vscode.l10n.t;
	const head = [
		`# ${t('Effective Overrides')}`,
		t('What is in this project goes before what is yours, and that before what is built in.'),
	];
	const overriding = [
		...capabilities.map((each) => ({ ...each, title: `${each.manifest.type} ${each.manifest.name}` })),
		...executors.map((each) => ({ ...each, title: t('executor {0}', each.name) })),
	].filter(({ shadows }) => shadows.length > 0);
	if (overriding.length === 0) {
		return [...head, t('Nothing is overridden now.'), ''].join('\n\n');
	}
	const line = (label: string, { source, path }: Place) => `- **${label}**: ${sourceText(source)}, ${inlineCode(path)}`;
	const sections = overriding.flatMap((each) => [
		`## ${plainText(each.title)}`,
		[line(t('In force'), each), ...each.shadows.map((place) => line(t('Overridden'), place))].join('\n'),
	]);
	return [...head, ...sections, ''].join('\n\n');
}
