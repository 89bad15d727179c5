/** The user's message as the model reads it: the text, what was added to it with @, and once per thread the capabilities. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { OpError } from '../../protocol/turn/broker.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { createExcerpt } from '../history/excerpt.ts';
import type { OtherThreads } from '../history/stored-texts.ts';
import { promptLimits } from './limits.ts';
import type { OpeningMessage } from '../../protocol/offer/capability-values.ts';
import { mostValuable } from '../../protocol/offer/capability-values.ts';
import { capabilityRoom, createOffer } from './offered-capabilities.ts';
import { type HostOpAsker, requestHostOp, requestHostOpWithin } from '../host/request-op.ts';
import { formatSection } from './notes.ts';

/** Content of the references that were added to a message. A reference that cannot be read says why. */
interface ReadContext {
	/** To put after the user's; empty when nothing was added. */
	readonly text: string;
	/** Pictures from files and from MCP servers; pictures that the user attached are in the message already. */
	readonly pictures: readonly { readonly data: string; readonly name: string }[];
	/** Pictures that could not be taken: for the user. */
	readonly refused: readonly OpError[];
}

interface ContextAsker extends HostOpAsker {
	readonly threads: OtherThreads;
	/** Text of the message. */
	readonly said: string;
}

interface ReadRef {
	readonly text: string;
	readonly pictures?: readonly { readonly data: string; readonly name: string }[];
	readonly refused?: OpError;
}

export async function readContext(
	refs: readonly ContextRef[],
	{ threads, said, ...asker }: ContextAsker,
	signal: AbortSignal,
): Promise<ReadContext> {
	const read = await Promise.all(refs.map((ref) => readRef(ref, { threads, said }, asker, signal)));
	return {
		text: read
			.filter(({ text }) => text !== '')
			.map(({ text }) => `\n\n${text}`)
			.join(''),
		pictures: read.flatMap(({ pictures = [] }) => pictures),
		refused: read.flatMap(({ refused }) => refused ?? []),
	};
}

/** Returns the list of capabilities that can be run, for the first message of a thread; empty without any. */
export async function readCapabilities(
	asker: HostOpAsker,
	beginning: OpeningMessage & { readonly freeTokens: number },
	contextWindow: number,
	signal: AbortSignal,
): Promise<string> {
	const room = Math.min(capabilityRoom(contextWindow), beginning.freeTokens);
	if (room < promptLimits.leastLineTokens) return '';
	const count = Math.min(promptLimits.weighedCapabilities, Math.ceil(room / promptLimits.leastLineTokens));
	const best = {
		text: beginning.text.slice(0, promptLimits.beginningChars),
		paths: beginning.paths.slice(0, promptLimits.toldPaths),
		count,
	};
	const params = { withinMs: promptLimits.offeredCapabilitiesMs, best };
	const listed = await requestHostOpWithin(promptLimits.offeringMs, 'capability.list', params, asker, signal);
	if (!listed.ok) return '';
	const { capabilities, total = capabilities.length, isComplete: areAll } = listed.result;
	const { values } = listed.result;
	// A host that values none has sent all.
	const chosen = values === undefined ? mostValuable(capabilities, best, count) : { best: capabilities, values };
	const { text } = createOffer({ capabilities: chosen.best, values: chosen.values, total, areAll }, room);
	return text === undefined ? '' : `\n\n${text}`;
}

async function readRef(
	ref: ContextRef,
	{ threads, said }: Pick<ContextAsker, 'threads' | 'said'>,
	asker: HostOpAsker,
	signal: AbortSignal,
): Promise<ReadRef> {
	switch (ref.kind) {
		case 'file':
			return readFileRef(ref.path, asker, signal);
		case 'folder':
			return {
				text: formatContextSection(
					'folder',
					`path="${ref.path}"`,
					await requestHostOp('fs.list', { path: ref.path }, asker, signal),
				),
			};
		case 'selection':
			return {
				text: formatContextSection('selection', `path="${ref.path}" lines="${ref.startLine}-${ref.endLine}"`, {
					text: escapeHidden(ref.text),
				}),
			};
		case 'active':
			// A line of the environment.
			return { text: '' };
		case 'image':
			return { text: '' };
		case 'changes': {
			const parts = await Promise.all(
				[false, true].map((staged) => requestHostOp('git.diff', { staged }, asker, signal)),
			);
			const [unstaged = '', staged = ''] = parts.map(({ text }) => text);
			return { text: formatContextSection('changes', '', { text: `Not staged:\n${unstaged}\n\nStaged:\n${staged}` }) };
		}
		case 'codebase': {
			const query = said.trim().slice(0, promptLimits.codeQueryChars);
			const found = await requestHostOp('search.code', { query: query === '' ? '.' : query }, asker, signal);
			return { text: formatContextSection('codebase', '', found) };
		}
		case 'commit': {
			const about = `hash="${ref.hash}"`;
			return {
				text: formatContextSection(
					'commit',
					about,
					await requestHostOp('git.diff', { commit: ref.hash }, asker, signal),
				),
			};
		}
		case 'symbol': {
			const { path, startLine, endLine } = ref;
			const lines = {
				path,
				offset: startLine,
				limit: Math.min(promptLimits.symbolLines, Math.max(1, endLine - startLine + 1)),
			};
			const about = `path="${path}" lines="${startLine}-${endLine}"`;
			return { text: formatContextSection('symbol', about, await requestHostOp('fs.read', lines, asker, signal)) };
		}
		case 'thread': {
			const about = `title="${ref.title.replaceAll('"', "'")}"`;
			return {
				text: formatContextSection('thread', about, { text: threads.saidIn(ref.threadId) ?? 'This thread is gone.' }),
			};
		}
		case 'capability': {
			const { type, name } = ref;
			const detail = await requestHostOp('capability.detail', { type, name }, asker, signal);
			return { text: formatContextSection('capability', `wanted="${type}/${name}"`, detail) };
		}
		case 'resource': {
			const { server, uri } = ref;
			const read = await requestHostOp('mcp.read', { server, uri }, asker, signal);
			const about = `server="${server}" uri="${escapeAttribute(uri)}"`;
			return { text: formatContextSection('resource', about, read), ...pickPictures(read) };
		}
		case 'prompt': {
			const { server, name, arguments: given = {} } = ref;
			const read = await requestHostOp('mcp.prompt', { server, name, arguments: given }, asker, signal);
			const wanted = `wanted="${server}/${escapeAttribute(name)}"`;
			return { text: formatContextSection('prompt', wanted, read), ...pickPictures(read) };
		}
		case 'page': {
			// Without characters that could end the attribute.
			const url = new URL(ref.url).href;
			return {
				text: formatContextSection('web-page', `url="${url}"`, await requestHostOp('http.get', { url }, asker, signal)),
			};
		}
		case 'pasted':
			return {
				text: formatContextSection('pasted', ref.name === undefined ? '' : `name="${escapeAttribute(ref.name)}"`, {
					text: escapeHidden(ref.text),
				}),
			};
		case 'hook': {
			const about = `by="${escapeHidden(ref.by).replaceAll('"', "'")}"`;
			return { text: formatContextSection('hook', about, { text: escapeHidden(ref.text) }) };
		}
		case 'terminal':
			return { text: formatContextSection('terminal', '', { text: escapeHidden(ref.text) }) };
		case 'test':
			return { text: formatContextSection('test-failure', '', { text: escapeHidden(`${ref.name}\n${ref.text}`) }) };
		case 'comment': {
			const about = `name="${ref.name}" path="${escapeAttribute(ref.path)}" lines="${ref.startLine}-${ref.endLine}"`;
			const lines = createExcerpt(ref.code, promptLimits.commentedChars).text;
			return { text: formatContextSection('comment', about, { text: escapeHidden(`${lines}\n---\n${ref.text}`) }) };
		}
		case 'problems': {
			const params = ref.path === undefined ? {} : { path: ref.path };
			const about = ref.path === undefined ? '' : `path="${ref.path}"`;
			return {
				text: formatContextSection('problems', about, await requestHostOp('editor.diagnostics', params, asker, signal)),
			};
		}
	}
}

async function readFileRef(path: string, asker: HostOpAsker, signal: AbortSignal): Promise<ReadRef> {
	const read = await requestHostOp('fs.read', { path }, asker, signal);
	const text = formatContextSection('file', `path="${path}"`, read);
	if (!read.ok) {
		return isOfImages(read.error) ? { text, refused: read.error } : { text };
	}
	const { image } = read.result;
	return image === undefined ? { text } : { text, pictures: [{ data: image.data, name: path }] };
}

/** Pictures of a resource, or of a prompt's messages. */
function pickPictures(
	read: Awaited<ReturnType<typeof requestHostOp<'mcp.read' | 'mcp.prompt'>>>,
): Pick<ReadRef, 'pictures'> {
	const media = read.ok ? (read.result.media ?? []) : [];
	return media.length === 0 ? {} : { pictures: media.map(({ data, name }) => ({ data, name })) };
}

function isOfImages(error: OpError | undefined): error is OpError {
	return error?.code === 'IMAGE_TOO_LARGE' || error?.code === 'NOT_AN_IMAGE';
}

function formatContextSection(name: string, about: string, { text }: { readonly text: string }): string {
	return formatSection(name, about, createExcerpt(text, promptLimits.contextRefChars).text);
}

/** Without characters that could end it. */
function escapeAttribute(text: string): string {
	return escapeHidden(text).replaceAll(/["<>\n]/g, '_');
}

/** Returns the paths of a message's references, for the instructions that go with the message. */
export function listRefPaths(refs: readonly ContextRef[]): string[] {
	return refs.flatMap((ref) => ('path' in ref && ref.path !== undefined ? [ref.path] : []));
}
