/**
 * Tells the model the instructions in the workspace's files: those for the whole workspace with the first message, and
 * later those for files that are attached or worked on. Each file is told once in a thread.
 */
import { extname } from 'node:path';
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { ToldInstructions } from '../../protocol/thread/items.ts';
import { TOLD_RULES, toldSections } from '../history/told-sections.ts';
import { collectMessageRules } from '../history/messages.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { promptLimits } from './limits.ts';
import { type HostOpAsker, requestHostOp } from '../host/request-op.ts';
import { formatSection } from './notes.ts';

type InstructionsResult = OpResult<'workspace.instructions'>;

interface InstructionsDeps {
	readonly asker: HostOpAsker;
	/** Earlier messages of the thread. */
	readonly before: readonly ModelMessage[];
	/** Shows the user what was told. */
	readonly show: (told: ToldInstructions) => void;
}

/**
 * Warning before a section of a changed file: the section that the model read earlier stays in the conversation until
 * that is cut.
 */
const CHANGED = '[This file has changed since you read it here: only what follows holds, not what it said before.]\n';

export class ThreadInstructions {
	readonly #deps: InstructionsDeps;
	/** Sections by the paths of their files, as they were told last. */
	readonly #sections: ReadonlyMap<string, string>;
	readonly #told: Set<string>;
	/** Texts that were told, without the names of the files: a copy of a file says nothing new. */
	readonly #bodies: Set<string>;
	/** Folders, each with the endings of files in it, that were asked about: others like them have no others. */
	readonly #asked = new Set<string>();

	constructor(deps: InstructionsDeps) {
		this.#deps = deps;
		this.#sections = new Map(
			deps.before.flatMap((message) =>
				toldSections(collectMessageRules(message)).map(([path, told]) => [path, told.replace(CHANGED, '')] as const),
			),
		);
		this.#told = new Set(this.#sections.keys());
		this.#bodies = new Set([...this.#sections.values()].map(bodyOfSection));
	}

	/** For all of the workspace, and for these paths. To put after a message; empty when there are none. */
	async ofThread(paths: readonly string[], signal: AbortSignal): Promise<string> {
		paths.forEach((path) => this.#asked.add(createPathKindKey(path)));
		return this.#ask(paths, signal);
	}

	/** In a thread that was told before: those for these paths, and what is new, has changed or is gone since. */
	async since(paths: readonly string[], signal: AbortSignal): Promise<string> {
		paths.forEach((path) => this.#asked.add(createPathKindKey(path)));
		return this.#ask(paths, signal, true);
	}

	/** Returns the instructions for these paths alone that were not told yet; empty when none are left. */
	async followedBy(paths: readonly string[], signal: AbortSignal): Promise<string> {
		const others = paths.filter((path) => !this.#asked.has(createPathKindKey(path)));
		others.forEach((path) => this.#asked.add(createPathKindKey(path)));
		return others.length === 0 ? '' : this.#ask(others.slice(0, promptLimits.touchedPaths), signal);
	}

	async #ask(paths: readonly string[], signal: AbortSignal, isLater = false): Promise<string> {
		const told = [...this.#told].slice(-promptLimits.toldPaths);
		const { asker, show } = this.#deps;
		const asked = { touched: [...paths], told, ...(isLater ? { again: told } : {}) };
		const read = await requestHostOp('workspace.instructions', asked, asker, signal);
		if (!read.ok) {
			return '';
		}
		const changed = read.result.again.filter((file) => this.#sections.get(file.path) !== formatRulesSection(file));
		const gone = read.result.gone.filter((path) => this.#sections.get(path) !== goneSection(path));
		const toBody = (file: InstructionsResult['files'][number]) => bodyOfSection(formatRulesSection(file));
		const isNew = (file: InstructionsResult['files'][number]) =>
			file.appliesTo !== undefined || !this.#bodies.has(toBody(file));
		const files = [...changed, ...read.result.files.filter(isNew)];
		// A later message says what is new of them only, and what may have been planted meanwhile.
		const isNews = ({ path, reason }: InstructionsResult['left'][number]) =>
			reason === 'planted' && !this.#told.has(path);
		const left = isLater ? read.result.left.filter(isNews) : read.result.left;
		if (files.length + gone.length + left.length === 0) {
			return '';
		}
		// Files that could not be told count as told, because they could not be told the next time either.
		const untold = left.filter(({ reason }) => reason !== 'missing');
		[...files, ...untold].forEach(({ path }) => this.#told.add(path));
		files.forEach((file) => this.#bodies.add(toBody(file)));
		if (files.length + left.length > 0) {
			show({ files: files.map(({ path, omitted }) => ({ path, omitted })), left });
		}
		const offered = isLater ? [] : read.result.offered;
		return (
			formatInstructions({ files, offered }, (path) => this.#sections.has(path)) +
			gone.map((path) => `\n\n${goneSection(path)}`).join('')
		);
	}
}

function formatRulesSection(file: InstructionsResult['files'][number], isChanged = false): string {
	return formatSection(
		TOLD_RULES,
		`file=${JSON.stringify(file.path)}${file.appliesTo === undefined ? '' : ` for=${JSON.stringify(file.appliesTo.join(', '))}`}`,
		(isChanged ? CHANGED : '') +
			escapeHidden(file.text) +
			(file.omitted === 0 ? '' : `\n[${file.omitted} more characters; read the file]`),
	);
}

function bodyOfSection(section: string): string {
	return section.slice(section.indexOf('\n'));
}

function goneSection(path: string): string {
	return formatSection(TOLD_RULES, `file=${JSON.stringify(path)}`, 'This file is gone; what it said holds no longer.');
}

function formatInstructions(
	{ files, offered }: Pick<InstructionsResult, 'files' | 'offered'>,
	wasTold: (path: string) => boolean,
): string {
	const sections = files.map((file) => formatRulesSection(file, wasTold(file.path)));
	const others = offered.map(({ path, description }) => `- ${path}: ${escapeHidden(description)}`).join('\n');
	const offers = others === '' ? [] : [formatSection('more-instructions', 'read="when they fit"', others)];
	return [...sections, ...offers].map((each) => `\n\n${each}`).join('');
}

/** Instructions differ by folder, and rules by the ending of a file. */
function createPathKindKey(path: string): string {
	const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	return JSON.stringify([folder, extname(path)]);
}
