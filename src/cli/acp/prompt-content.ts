/** From the content blocks of a prompt to a message with its references and pictures; commands that begin with a slash. Pure. */
import { type AvailableCommand, type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import { inEnglish } from '../../protocol/text/text.ts';
import { slashCommands } from '../../protocol/thread/message/slash-commands.ts';
import { type ContextRef, MAX_PASTED_CHARS } from '../../protocol/thread/context.ts';
import { type SessionFolder, toPathInFolder } from './session-folder.ts';

interface PromptContent {
	readonly text: string;
	readonly context: readonly ContextRef[];
	readonly images: readonly { readonly name?: string; readonly data: string }[];
}

/** Most references of a message. */
const MAX_LINKED_FILES = 100;

/** Throws a RequestError for a block that no message takes. */
export function readPromptContent(blocks: readonly ContentBlock[], folder: SessionFolder): PromptContent {
	const words: string[] = [];
	const context: ContextRef[] = [];
	const images: { data: string; name?: string }[] = [];
	for (const block of blocks) {
		switch (block.type) {
			case 'text':
				words.push(block.text);
				break;
			case 'image':
				images.push({ data: block.data });
				break;
			case 'resource_link':
				linkTo(block, folder, words, context);
				break;
			case 'resource':
				embedResource(block.resource, folder, words, context);
				break;
			default:
				throw RequestError.invalidParams({ type: block.type }, 'this content is not supported; see promptCapabilities');
		}
	}
	if (context.length > MAX_LINKED_FILES) {
		throw RequestError.invalidParams(
			{ limit: MAX_LINKED_FILES },
			`a prompt has at most ${MAX_LINKED_FILES} references`,
		);
	}
	const text = words.join('').trim();
	if (text === '' && images.length + context.length === 0) {
		throw RequestError.invalidParams(undefined, 'the prompt is empty');
	}
	return { text: text === '' ? 'See what is attached.' : text, context, images };
}

type Link = Extract<ContentBlock, { type: 'resource_link' }>;
type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

/** A file of the workspace becomes a reference, which the broker reads; anything else stays words, and is not opened. */
function linkTo({ uri, name }: Link, folder: SessionFolder, words: string[], context: ContextRef[]): void {
	const path = pathInFolder(uri, folder);
	if (path === undefined) {
		words.push(` [${name}](${uri}) `);
		return;
	}
	words.push(`@${path}`);
	context.push({ kind: 'file', path });
}

function embedResource(resource: Resource, folder: SessionFolder, words: string[], context: ContextRef[]): void {
	if (!('text' in resource) || typeof resource.text !== 'string') {
		throw RequestError.invalidParams({ uri: resource.uri }, 'a resource without text is not supported');
	}
	const { uri, text } = resource;
	if (text.length > MAX_PASTED_CHARS) {
		const message = `a resource has at most ${MAX_PASTED_CHARS} characters`;
		throw RequestError.invalidParams({ uri, length: text.length, limit: MAX_PASTED_CHARS }, message);
	}
	const path = pathInFolder(uri, folder);
	const lines = Math.max(1, text.split('\n').length);
	words.push(path === undefined ? ` [${uri}] ` : `@${path}`);
	context.push(
		path === undefined
			? { kind: 'pasted', text: `${uri}\n${text}`.slice(0, MAX_PASTED_CHARS) }
			: { kind: 'selection', path, startLine: 1, endLine: lines, text },
	);
}

/** Path in the workspace; undefined for every other address. The broker judges what lies there. */
function pathInFolder(uri: string, folder: SessionFolder): string | undefined {
	if (!URL.canParse(uri)) {
		return undefined;
	}
	const url = new URL(uri);
	if (url.protocol !== 'file:' || (url.host !== '' && url.host !== 'localhost')) {
		return undefined;
	}
	let path: string;
	try {
		path = decodeURIComponent(url.pathname);
	} catch {
		return undefined;
	}
	const inFolder = toPathInFolder(folder, path);
	return inFolder !== undefined && inFolder.length < 4_096 ? inFolder : undefined;
}

/** Commands of the chat that are a prompt. */
export function availableCommands(): AvailableCommand[] {
	return slashCommands
		.filter(({ prompt }) => prompt !== undefined)
		.map(({ name, description }) => ({ name, description: inEnglish(description), input: { hint: 'more words' } }));
}

/** The prompt that a command stands for; any other text as it is. */
export function expandCommand(text: string): string {
	const [, name, rest = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
	const prompt = slashCommands.find((each) => each.name === name)?.prompt;
	return prompt === undefined ? text : prompt.replace('$1', () => rest).trim();
}
