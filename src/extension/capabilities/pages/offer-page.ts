/**
 * Page of what a model is told about capabilities with the first message of a thread, each with the reason, and of the
 * prompt to try this with.
 */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { CapabilityOffer, OfferedCapability } from '../../../protocol/offer/capability-offer.ts';
import { listUntoldCapabilities, whyTold } from '../../../protocol/offer/why-told.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { type BuiltPage, toCodeValue, toWordsValue } from './built-page.ts';

/** `offer`: what such a thread would be told; `prompt`: as it is shown, also while it is typed. */
export function offerPage(offer: CapabilityOffer, prompt: string): BuiltPage {
	const t = vscode.l10n.t;
	const told = offer.capabilities.filter((each) => each.told !== 'left');
	const left = listUntoldCapabilities(offer.capabilities);
	const shown = left.slice(0, extensionLimits.leftCapabilities);
	const more = Math.ceil(offer.gap * 1_000) / 10;
	return {
		content: {
			title: t('What the Agent Knows'),
			kicker: '',
			summary: t(
				'The first message of a thread tells the model of {0} of {1} capabilities, in {2} of {3} tokens.',
				told.length,
				offer.capabilities.length,
				offer.tokens,
				offer.room,
			),
			blocks: [
				{
					kind: 'form',
					title: t('Prompt'),
					fields: [
						{
							name: PROMPT_FIELD,
							description: t('A thread that begins with this prompt, without files'),
							type: 'text',
							isRequired: false,
							hint: '',
							value: prompt,
						},
					],
					button: t('Show'),
				},
				...(more === 0
					? []
					: [createNoteBlock(t('No other choice is worth over {0} % more; the search was cut off.', more))]),
				createOfferTable(t('Capabilities the agent is told of'), told),
				...(left.length === 0 ? [] : [createOfferTable(t('Capabilities left out'), shown)]),
				...(left.length > shown.length ? [createNoteBlock(t('and {0} more', left.length - shown.length))] : []),
				...(left.length === 0
					? []
					: [createNoteBlock(t('The agent finds the others by their words, with capability_list.'))]),
			],
		},
		actions: [],
		submit: (values) =>
			Promise.resolve({
				command: 'prowess.explainCapabilities',
				on: { kind: 'prompt', prompt: values[PROMPT_FIELD] ?? '' },
			}),
	};
}

/** Name of its field. */
export const PROMPT_FIELD = 'prompt';

function createNoteBlock(text: string): PageBlock {
	return { kind: 'note', text };
}

function createOfferTable(title: string, rows: readonly OfferedCapability[]): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'table',
		title: `${title} (${rows.length})`,
		head: [t('Capability'), t('Text'), t('Tokens'), t('Why')],
		rows: rows.map((row) => [
			toCodeValue(`${row.type}/${row.name}`),
			toWordsValue({ whole: t('whole text'), short: t('beginning of the text'), left: t('none') }[row.told]),
			toWordsValue(row.tokens === undefined ? '' : String(row.tokens)),
			toWordsValue(
				whyTold(row, escapeToLine)
					.map((reason) => translateText(reason, (template) => t(template)))
					.join('; '),
			),
		]),
	};
}
