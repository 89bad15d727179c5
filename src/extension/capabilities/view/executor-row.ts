/** Row of an executor: the types it runs, and whether it is used. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { errorsInWords } from '../../../catalog/registry/items.ts';
import type { ListedExecutor } from '../catalog.ts';
import { translatePortText } from '../pages/permission-texts.ts';
import { overrideText, describeSource, problemLine } from '../texts/texts.ts';
import { createActionFactory, type BuiltRow } from './built-tab.ts';

export function executorRow(item: ListedExecutor): BuiltRow {
	const t = vscode.l10n.t;
	const { name, path, source, types, runs, manifest, overrides, overriddenBy, problems, isEnabled, own } = item;
	const on = { kind: 'executor', item };
	const isUsed = manifest !== undefined && overriddenBy === undefined && isEnabled;
	const isByPort = manifest?.channel === 'loopback';
	const act = createActionFactory(on);
	const warnings = manifest === undefined ? [] : problems;
	return {
		id: `executor.${path}`,
		name: escapeToLine(name),
		icon: manifest === undefined ? 'error' : isUsed ? 'server-process' : 'circle-slash',
		isBusy: false,
		isQuiet: !isUsed,
		description: isByPort ? translatePortText() : '',
		facts: [
			...(isEnabled ? [] : [t('disabled')]),
			describeSource(source),
			...(manifest === undefined ? [] : [typesText(types, runs), escapeToLine(manifest.version)]),
			...(overrides.length === 0 ? [] : [overrideText(overrides)]),
			...(overriddenBy === undefined ? [] : [t('overridden')]),
			...(isByPort ? [t('provided by a port')] : []),
		],
		marks: [
			...(manifest === undefined
				? [{ kind: 'error' as const, text: escapeToLine(errorsInWords(item, problemLine)) }]
				: []),
			...warnings.map((problem) => ({ kind: 'warning' as const, text: escapeToLine(problemLine(problem)) })),
		],
		parts: [],
		// Ours has no manifest to open.
		opens: own === undefined ? { command: 'prowess.openManifest', on, label: t('Open Manifest') } : undefined,
		buttons:
			own !== undefined || isEnabled ? [] : [act('prowess.enableCapability', t('Enable'), 'circle-large-outline')],
		menu: own !== undefined || !isEnabled ? [] : [act('prowess.disableCapability', t('Disable'), 'circle-slash')],
	};
}

/** Lists the types of an executor; types that a later registered executor runs instead are in parentheses. */
function typesText(types: readonly string[], runs: readonly string[]): string {
	return types.map((type) => (runs.includes(type) ? type : `(${type})`)).join(', ');
}
