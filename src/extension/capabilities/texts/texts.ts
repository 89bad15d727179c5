/** Words and icons of sources, types and states, translated. */
import * as vscode from 'vscode';
import type { CapabilityLocation, CapabilityOrigin } from '../../../catalog/registry/sources/capability-source.ts';
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';
import { type ManifestProblem, problemInWords } from '../../../protocol/manifest/problem.ts';
import { type PluginPart, PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import type { InstallScope } from '../../../protocol/capability/marketplace.ts';
import { pickText } from './value-texts.ts';

/** Says what is wrong with a manifest, and where, in the language of the editor. */
export function problemLine(problem: ManifestProblem): string {
	return problemInWords(problem, (template) => vscode.l10n.t(template));
}

export function describeSource(source: CapabilityOrigin): string {
	switch (source) {
		case 'built-in':
			return vscode.l10n.t('built in');
		case 'global':
			return vscode.l10n.t('yours');
		case 'project':
			return vscode.l10n.t('this project');
		default:
			return source satisfies never;
	}
}

export function describeScope(scope: InstallScope): string {
	return describeSource(scope);
}

export function overrideText(overrides: readonly CapabilityLocation[]): string {
	return vscode.l10n.t('overrides {0}', overrides.map(({ source }) => describeSource(source)).join(', '));
}

/** Type of what is installed or offered, as a word. */
export function typeText(type: string): string {
	return type === PLUGINS_FOLDER ? vscode.l10n.t('plugin') : type;
}

/** Several of a type, as a heading. */
export function pluralOfType(type: string): string {
	switch (type) {
		case 'skill':
			return vscode.l10n.t('Skills');
		case 'power':
			return vscode.l10n.t('Powers');
		case 'talent':
			return vscode.l10n.t('Talents');
		case PLUGINS_FOLDER:
			return vscode.l10n.t('Plugins');
		default:
			return type;
	}
}

/** On the capabilities of a type, for whoever sees the word for the first time. */
export function sentenceOfType(type: string): string {
	switch (type) {
		case 'skill':
			return vscode.l10n.t('Each skill does one task.');
		case 'power':
			return vscode.l10n.t('Each power does a larger job in several steps.');
		case 'talent':
			return vscode.l10n.t('Each talent knows a subject and advises.');
		case PLUGINS_FOLDER:
			return vscode.l10n.t('Each plugin brings several parts: skills, agents, hooks or MCP servers.');
		default:
			return vscode.l10n.t('Capabilities of a type that an executor of yours or of the project runs.');
	}
}

export function iconOfType(type: string): string {
	const icons = new Map([
		['skill', 'tools'],
		['power', 'zap'],
		['talent', 'mortar-board'],
		[PLUGINS_FOLDER, 'extensions'],
	]);
	return icons.get(type) ?? 'package';
}

export function statusText(status: ExecutionStatus): string {
	switch (status) {
		case 'starting':
			return vscode.l10n.t('starting');
		case 'running':
			return vscode.l10n.t('running');
		case 'completed':
			return vscode.l10n.t('completed');
		case 'failed':
			return vscode.l10n.t('failed');
		case 'timeout':
			return vscode.l10n.t('ended by its time limit');
		case 'stopping':
			return vscode.l10n.t('stopping');
		case 'stopped':
			return vscode.l10n.t('stopped');
		default:
			return status satisfies never;
	}
}

/** In the language of the window what comes with Prowess says; as its author wrote it what others say. */
export function translateDescription(source: CapabilityOrigin, text: string): string {
	return source === 'built-in' ? vscode.l10n.t(text) : text;
}

/** Describes the parts of a plugin for a question or a page; parts that run on this machine come first. */
export function partTexts(parts: readonly PluginPart[], notTaken: readonly string[]): string[] {
	const t = vscode.l10n.t;
	const filterPartsByKind = (kind: PluginPart['kind']) => parts.filter((part) => part.kind === kind);
	const describePartNames = (label: string, kind: PluginPart['kind']) =>
		filterPartsByKind(kind).length === 0
			? []
			: [
					`${label}: ${filterPartsByKind(kind)
						.map(({ name }) => pickText(name))
						.join(', ')}`,
				];
	return [
		...filterPartsByKind('hook').map(({ name, says }) => t('Hook on {0} runs: {1}', pickText(name), pickText(says))),
		...filterPartsByKind('server').map(({ name, says, runs }) =>
			runs
				? t('MCP server {0} runs: {1}', pickText(name), pickText(says))
				: t('MCP server {0} connects to: {1}', pickText(name), pickText(says)),
		),
		...describePartNames(t('Skills'), 'skill'),
		...describePartNames(t('Commands'), 'command'),
		...describePartNames(t('Agents'), 'agent'),
		...(notTaken.length === 0 ? [] : [`${t('Not taken')}: ${notTaken.join(', ')}`]),
	];
}
