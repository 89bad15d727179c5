/** The form in front of a run: the inputs of a capability, or of one of its tools, with what was typed the last time. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { FormField } from '../../../protocol/pages/capability-page.ts';
import type { CapabilityInput } from '../../../protocol/capability/manifest.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import type { CapabilityParams } from '../commands/kept-params.ts';
import type { RunNode } from '../commands/run-capability.ts';
import { isTypedByLines, type ParamProblem, readParam, textOfParam, withItemType } from '../texts/param-text.ts';
import { translateDescription } from '../texts/texts.ts';
import { type BuiltPage } from './built-page.ts';
import { type FieldPorts, namingNothing, pickFor } from './run-fields.ts';

interface RunToCome {
	readonly capability: Capability;
	/** Absent: the capability itself. */
	readonly tool?: { readonly name: string; readonly description: string } | undefined;
	readonly inputs: readonly CapabilityInput[];
	/** Params of the last run. */
	readonly kept: CapabilityParams;
	/** Texts that were typed and not sent, which come first. */
	readonly typed: CapabilityParams;
	readonly ports: FieldPorts;
	/** Names of the secrets that are stored. */
	readonly secrets: readonly string[];
}

export function runPage({ capability, tool, inputs, kept, typed, ports, secrets }: RunToCome): BuiltPage {
	const { type, name, version, description } = capability.manifest;
	return {
		content: {
			title: vscode.l10n.t('Run {0}', escapeToLine(name)),
			kicker: escapeToLine([`${type} ${version}`, ...(tool === undefined ? [] : [tool.name])].join(' · ')),
			summary: escapeToLine(translateDescription(capability.source, tool?.description ?? description)),
			blocks: [
				{
					kind: 'form',
					title: vscode.l10n.t('Inputs'),
					fields: inputs.map((input) => {
						const own = { ...input, description: translateDescription(capability.source, input.description ?? '') };
						const field = createRunField(own, kept[input.name] ?? input.default, secrets);
						const text = typed[input.name];
						return typeof text === 'string' ? { ...field, value: text } : field;
					}),
					button: vscode.l10n.t('Run'),
				},
			],
		},
		actions: [],
		async submit(values) {
			const read = inputs.map((input) => {
				const typed = readParam(withItemType(input), values[input.name] ?? '');
				return [input.name, typed] as const;
			});
			const problems = [
				...read.flatMap(([input, typed]) =>
					'problem' in typed ? [[input, sentences[typed.problem](typed.detail)] as const] : [],
				),
				...(await namingNothing(inputs, new Map(read), ports)),
			];
			if (problems.length > 0) {
				return { problems: Object.fromEntries(problems) };
			}
			const given = read.flatMap(([input, typed]) =>
				'value' in typed && typed.value !== undefined ? [[input, typed.value] as const] : [],
			);
			const on: RunNode = {
				kind: 'capability',
				capability,
				answers: { tool: tool?.name, params: Object.fromEntries(given) },
			};
			return { command: 'prowess.runCapability', on };
		},
		pick: (name) =>
			pickFor(
				inputs.find((input) => input.name === name),
				ports,
			),
	};
}

function createRunField(given: CapabilityInput, value: unknown, secrets: readonly string[]): FormField {
	const input = withItemType(given);
	const { name, description = '', type, items, format } = input;
	const choices = format === 'secret' ? [...secrets] : input.choices;
	// Left out, it is its default: which of the two that is, is chosen.
	const isChosen = type === 'boolean' || input.choices !== undefined;
	const isRequired = input.required || (isChosen && input.default !== undefined);
	return {
		name,
		description: escapeToLine(description),
		...(choices === undefined
			? { type: format ?? fieldTypes[type](items) }
			: { type: format ?? ('choice' as const), choices }),
		...(type === 'array' && isTypedByLines(items) ? { entries: items } : {}),
		isRequired,
		hint: describeInputFormat(input),
		value: textOfParam(value ?? (type === 'boolean' && isRequired ? false : undefined), input),
	};
}

const fieldTypes: { readonly [T in CapabilityInput['type']]: (items: CapabilityInput['items']) => FormField['type'] } =
	{
		string: () => 'text',
		number: () => 'number',
		boolean: () => 'yesNo',
		array: (items) => (isTypedByLines(items) ? 'lines' : 'code'),
		object: () => 'code',
	};

function describeInputFormat({ type, items, format }: CapabilityInput): string {
	if (format === 'file') {
		return vscode.l10n.t('A file of the workspace');
	}
	switch (type) {
		case 'array':
			return isTypedByLines(items)
				? vscode.l10n.t('One entry per line')
				: vscode.l10n.t('A JSON list, for example ["a", "b"]');
		case 'object':
			return vscode.l10n.t('A JSON object, for example {"a": 1}');
		case 'number':
			return vscode.l10n.t('A number');
		default:
			return '';
	}
}

const sentences: { readonly [P in ParamProblem]: (detail: string) => string } = {
	missing: () => vscode.l10n.t('Required.'),
	notNumber: () => vscode.l10n.t('Enter a number, for example 12 or 0.5.'),
	notNumbers: (detail) =>
		vscode.l10n.t('"{0}" is not a number. Enter one per line, for example 12 or 0.5.', escapeToLine(detail)),
	notJson: (detail) => vscode.l10n.t('Not valid JSON: {0}', escapeToLine(detail)),
	notArray: () => vscode.l10n.t('Enter a JSON list, for example ["a", "b"].'),
	notObject: () => vscode.l10n.t('Enter a JSON object, for example {"a": 1}.'),
};
