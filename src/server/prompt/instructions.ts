/**
 * What the files of the workspace tell agents: with the first message those for all of it, and later those for what is
 * attached or worked on, each file once in a thread.
 */
import { extname } from 'node:path';
import { escapeHidden } from '../../base/hidden-characters.ts';
import type { OpResult } from '../../protocol/ops.ts';
import type { ToldInstructions } from '../../protocol/thread.ts';
import { rulesIn } from '../history/user-message.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { limits } from './limits.ts';
import { type Asker, perform } from './perform.ts';
import { section } from './section.ts';

type Found = OpResult<'workspace.instructions'>;

interface InstructionsDeps {
	readonly asker: Asker;
	/** What the thread has said before. */
	readonly before: readonly ModelMessage[];
	/** Shows the user what was told. */
	readonly show: (told: ToldInstructions) => void;
}

const NAME = 'workspace-instructions';

export class Instructions {
	readonly #deps: InstructionsDeps;
	readonly #told: Set<string>;
	/** Folders, each with the endings of files in it, that were asked about: others like them have no others. */
	readonly #asked = new Set<string>();

	constructor(deps: InstructionsDeps) {
		this.#deps = deps;
		this.#told = new Set(deps.before.flatMap((message) => toldIn(rulesIn(message))));
	}

	/** For all of the workspace, and for these paths. To put after a message; empty when there are none. */
	async ofThread(paths: readonly string[], signal: AbortSignal): Promise<string> {
		paths.forEach((path) => this.#asked.add(kindOf(path)));
		return this.#ask(paths, signal);
	}

	/** Those for these paths alone, which were not told yet. */
	async followedBy(paths: readonly string[], signal: AbortSignal): Promise<string> {
		const others = paths.filter((path) => !this.#asked.has(kindOf(path)));
		others.forEach((path) => this.#asked.add(kindOf(path)));
		return others.length === 0 ? '' : this.#ask(others.slice(0, limits.touchedPaths), signal);
	}

	async #ask(paths: readonly string[], signal: AbortSignal): Promise<string> {
		const told = [...this.#told].slice(-limits.toldPaths);
		const { asker, show } = this.#deps;
		const read = await perform('workspace.instructions', { touched: [...paths], told }, asker, signal);
		if (!read.ok || (read.result.files.length === 0 && read.result.left.length === 0)) {
			return '';
		}
		const { files, left } = read.result;
		// What could not be told is no other the next time.
		[...files, ...left].forEach(({ path }) => this.#told.add(path));
		show({ files: files.map(({ path, omitted }) => ({ path, omitted })), left });
		return inWords(read.result);
	}
}

function inWords({ files, offered }: Found): string {
	const sections = files.map((file) =>
		section(
			NAME,
			`file=${JSON.stringify(file.path)}${file.appliesTo === undefined ? '' : ` for=${JSON.stringify(file.appliesTo.join(', '))}`}`,
			escapeHidden(file.text) + (file.omitted === 0 ? '' : `\n[${file.omitted} more characters; read the file]`),
		),
	);
	const others = offered.map(({ path, description }) => `- ${path}: ${escapeHidden(description)}`).join('\n');
	const offers = others === '' ? [] : [section('more-instructions', 'read="when they fit"', others)];
	return [...sections, ...offers].map((each) => `\n\n${each}`).join('');
}

function toldIn(rules: string): string[] {
	return [...rules.matchAll(/^<workspace-instructions file=("(?:[^"\\]|\\.)*")/gm)].map(([, path = '""']) => {
		return JSON.parse(path) as string;
	});
}

/** Instructions differ by folder, and rules by the ending of a file. */
function kindOf(path: string): string {
	const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	return JSON.stringify([folder, extname(path)]);
}
