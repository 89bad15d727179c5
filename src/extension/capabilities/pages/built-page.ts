/** A page as it was made: what is shown, and what it may ask for in return. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type {
	PageAction,
	PageBlock,
	PageContent,
	PageFact,
	PageValue,
} from '../../../protocol/pages/capability-page.ts';
import { extensionLimits } from '../../editor/limits.ts';
import type { Remedy } from '../../notices/user-message.ts';
import { sizeText } from '../../../base/text/measures.ts';

export type OfferedAction = {
	readonly action: PageAction;
	readonly label: string;
	/** Only of a switch: its state. */
	readonly isOn?: boolean;
} & (
	| {
			/** Run with what the page is about. */
			readonly command: Remedy['command'];
			readonly on: unknown;
	  }
	| {
			/** Done in place of a command, where nothing else leads to it. */
			readonly act: () => Promise<unknown>;
	  }
);

/** Value undefined: the user picked none. `choices`: what the field can be chosen from now. */
export interface PickedFieldValue {
	readonly value: string | undefined;
	readonly choices: readonly string[];
}

type Submitted =
	| { readonly command: Remedy['command']; readonly on: unknown }
	| { readonly problems: Readonly<Record<string, string>> };

export interface BuiltPage {
	readonly content: Omit<PageContent, 'actions'>;
	readonly actions: readonly OfferedAction[];
	/** Actions of rows, by their ids. */
	readonly rowActions?: ReadonlyMap<string, OfferedAction>;
	/** Reads what was typed into its form: what to run with it, or a sentence for each field that cannot be read. */
	readonly submit?: (values: Readonly<Record<string, string>>) => Promise<Submitted>;
	/** Has the user pick what one of its fields is to hold. */
	readonly pick?: (field: string) => Promise<PickedFieldValue>;
	/** Resolves once what the page tells has changed elsewhere; it is then made again. */
	readonly changed?: (signal: AbortSignal) => Promise<void>;
	/** Files of the workspace that the page names can be opened. */
	readonly opensWorkspaceFiles?: true;
	/** The files that it may open: in `folder`, by their relative paths. */
	readonly files?: { readonly folder: string; readonly paths: ReadonlySet<string> };
}

/** Lines that others have written, as `escapeToLine`. */
export function escapeToLines(text: string): string {
	return escapeInvisible(text, 'lines');
}

export function toWordsValue(text: string): PageValue {
	return { text: escapeToLine(text), isCode: false };
}

export function toCodeValue(text: string): PageValue {
	return { text: escapeToLine(text), isCode: true };
}

export function createFact(label: string, text: string): PageFact {
	return { label, value: toWordsValue(text), canCopy: false };
}

/** Makes a fact that can be copied because it is needed elsewhere, such as a path or a hash. */
export function codeFact(label: string, text: string): PageFact {
	return { label, value: toCodeValue(text), canCopy: true };
}

export function filesBlock(
	files: readonly { readonly path: string; readonly bytes: number }[],
	canOpen: boolean,
): PageBlock {
	const left = files.length - extensionLimits.pageFiles;
	return {
		kind: 'files',
		title: `${vscode.l10n.t('Files')} (${files.length})`,
		rows: files.slice(0, extensionLimits.pageFiles).map(({ path, bytes }) => ({
			path: escapeToLine(path),
			size: sizeText(bytes),
			canOpen: canOpen && escapeToLine(path) === path,
		})),
		...(left > 0 ? { more: vscode.l10n.t('and {0} more', left) } : {}),
	};
}

/** Markdown of others, without the front matter that a SKILL.md begins with. */
export function readmeBlock(text: string): PageBlock {
	const markdown = text.replaceAll('\r\n', '\n').replace(/^\uFEFF?(?:---\n[\s\S]*?\n---(?:\n|$))?/, '');
	const isCut = markdown.length > extensionLimits.readmeCharacters;
	return {
		kind: 'readme',
		title: vscode.l10n.t('README'),
		markdown: escapeToLines(markdown.slice(0, extensionLimits.readmeCharacters)),
		...(isCut ? { more: vscode.l10n.t('Shortened. Open the file to read the rest.') } : {}),
	};
}
