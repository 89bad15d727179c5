/** A package of the marketplace as a page of Markdown, fetched and checked but not installed: what it asks for comes first. */
import * as vscode from 'vscode';
import type { MarketplaceDetails } from '../../protocol/marketplace.ts';
import { limits } from '../limits.ts';
import { foreignMarkdown, inlineCode, plainText, table } from './markdown-text.ts';

export function packagePage({
	listing,
	permissions,
	level,
	readme,
	files,
	contentHash,
	sha256,
}: MarketplaceDetails): string {
	const t = vscode.l10n.t;
	const facts = [
		`- **${t('Version')}**: ${plainText(listing.version)} (${listing.versions.map(plainText).join(', ')})`,
		`- **${t('Level')}**: ${level}`,
		`- **${t('Requested permissions')}**: ${permissions.length === 0 ? t('none') : permissions.map(inlineCode).join(', ')}`,
		`- **${t('Author')}**: ${listing.author === undefined ? t('not named') : plainText(listing.author)}`,
		`- **${t('Index')}**: ${plainText(listing.index)}, ${inlineCode(listing.location)}`,
		`- **${t('Signed by')}**: ${listing.signedBy === null ? t('nobody') : inlineCode(listing.signedBy)}`,
		`- **${t('Content')}**: sha256 ${inlineCode(contentHash)}`,
		`- **${t('Archive')}**: sha256 ${inlineCode(sha256)}`,
	];
	const shown = files.slice(0, limits.pageFiles).map(({ path, bytes }) => [inlineCode(path), String(bytes)]);
	return [
		`# ${plainText(listing.name)} (${plainText(listing.type)})`,
		plainText(listing.description),
		facts.join('\n'),
		`## ${t('Files')} (${files.length})`,
		table([t('File'), t('Bytes')], shown),
		...(readme === null ? [] : ['---', foreignMarkdown(readme)]),
		'',
	].join('\n\n');
}
