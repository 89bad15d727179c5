/**
 * Fits the input of a call to the op's own schema, also where the whole is laid out in another way, such as a command
 * as a line. The model is told with the result what was read differently, so that its next call is right.
 */
import { posix } from 'node:path';
import { isPlainData } from '../../../base/text/lenient.ts';
import { listToolFlags, type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { JsonSchema } from '../../../protocol/op-table/op-tool.ts';
import { opInputs } from '../../../protocol/op-table/op-inputs.ts';
import { listChainCommands, type SimpleCommand } from '../../../protocol/ops/commands/command-chain.ts';
import { shellLineHint } from '../../../protocol/ops/commands/shell-line.ts';
import { commandsToRun } from '../../../protocol/ops/commands/commands-of-line.ts';
import { isPatch, readPatchedFile } from './edits-of-patch.ts';
import { fitToSchema, fromText, type CallInput, noteDeviation, withOwnNames } from './fit-to-schema.ts';
import { lineOfWords } from '../../../protocol/ops/commands/shell-words.ts';

interface Mended {
	readonly value: unknown;
	/** Deviations from the written input, each as a phrase. */
	readonly notes: readonly string[];
	/** Why it cannot be run here, though it may fit. */
	readonly refused?: string;
}

export function mendInput(op: OpName, input: CallInput, platform: NodeJS.Platform): Mended {
	const notes: string[] = [];
	const schema = opInputs[op];
	const named = withOwnNames(unwrapInput(input, schema, notes), schema, notes);
	const shape = SHAPES[op];
	const shaped = shape === undefined ? named : shape(named, notes, platform);
	if (typeof shaped === 'string') {
		return { value: input, notes: [], refused: shaped };
	}
	return { value: fitToSchema(withoutUnset(shaped, op, schema, notes), schema, notes), notes };
}

/** Names under which some models give the whole input as one parameter. */
const INPUT_WRAPPERS: ReadonlySet<string> = new Set(['input', 'params', 'parameters', 'arguments', 'args', 'kwargs']);

function unwrapInput(input: CallInput, { properties = {} }: JsonSchema, notes: string[]): CallInput {
	const [[name, value] = ['', undefined], ...others] = Object.entries(input);
	const isWrapper = others.length === 0 && INPUT_WRAPPERS.has(name) && !Object.hasOwn(properties, name);
	const inner = isWrapper ? fromText(value) : undefined;
	return isPlainData(inner) ? noteDeviation(inner, `what is in "${name}" as the input`, notes) : input;
}

/** Names of what some models say about a call to whoever reads it. */
const CALL_COMMENTS: ReadonlySet<string> = new Set([
	'explanation',
	'description',
	'reason',
	'reasoning',
	'thought',
	'purpose',
]);

/**
 * Without the flags that only say which op is meant, and without what some models fill in and leave empty. Anything else
 * that the op does not know is named to them.
 */
function withoutUnset(input: CallInput, op: OpName, { properties = {} }: JsonSchema, notes: string[]): CallInput {
	const flags = listToolFlags(op);
	const isEmpty = (value: unknown) => value === null || value === '' || value === false;
	const entries = Object.entries(input).filter(([name, value]) => {
		if (Object.hasOwn(properties, name)) return true;
		const isComment = typeof value === 'string' && CALL_COMMENTS.has(name);
		if (isComment && value !== '') notes.push(`the input without "${name}"`);
		return !(isComment || flags.includes(name) || isEmpty(value));
	});
	return Object.fromEntries(entries);
}

/** A text: why it cannot be what is meant. */
type Shape = (input: CallInput, notes: string[], platform: NodeJS.Platform) => CallInput | string;

/** Whole inputs that are laid out in another way. */
const SHAPES: Partial<Record<OpName, Shape>> = {
	'fs.read': (input, notes) => {
		const [name = '', last] = Object.entries(input).find(([each]) => /^(?:end_?line|line_?end)$/i.test(each)) ?? [];
		const first = Number(input['offset'] ?? 1);
		const lines = Number(last) - first + 1;
		if (Object.hasOwn(input, 'limit') || !Number.isInteger(lines) || lines < 1) {
			return input;
		}
		const { [name]: _, ...others } = input;
		return { ...others, limit: noteDeviation(lines, `"${name}" as "limit"`, notes) };
	},
	'fs.edit': (input, notes) => {
		const patch = [input['patch'], input['diff'], input['input'], input['edits']].find(isPatch);
		if (patch !== undefined) {
			return editsOfPatch(input['path'], patch, notes);
		}
		if (Object.hasOwn(input, 'edits')) {
			const edits = fromText(input['edits']);
			if (edits !== input['edits']) {
				notes.push('the JSON text in "edits"');
			}
			const list: readonly unknown[] = Array.isArray(edits)
				? edits
				: noteDeviation([edits], 'one edit as a list of edits', notes);
			return { ...input, edits: list.map((edit) => withEditNames(edit, notes)) };
		}
		const { path, ...edit } = input;
		const { find, replace, all, ...others } = withEditNames(edit, notes);
		if (find === undefined || replace === undefined) {
			return input;
		}
		notes.push('one edit as a list of edits');
		return { ...others, path, edits: [{ find, replace, ...(all === undefined ? {} : { all }) }] };
	},
	'search.text': (input, notes) => {
		const { include } = input;
		return Array.isArray(include)
			? { ...input, include: noteDeviation(include.join(','), 'the globs of "include" as one text', notes) }
			: input;
	},
	'shell.run': (input, notes, platform) => {
		const line = findCommandLine(input);
		if (line === undefined) {
			return input;
		}
		const read = commandsToRun(line, platform);
		if (read === undefined) {
			return line.trim() === '' ? 'argv: the command is empty' : `argv: ${shellLineHint(line)}`;
		}
		if (platform === 'win32' && listChainCommands(read).some(setsVariable)) {
			return `argv: ${NO_ENV}`;
		}
		const [program = ''] = read.argv;
		const isShell = program === 'sh' || program === 'bash';
		notes.push(isShell ? `the line as a command of ${program}` : 'the line as a list of words');
		const { cwd, ...commands } = read;
		const { chain: _, redirects: __, patterns: ___, ...others } = input;
		return { ...others, ...commands, ...(cwd === undefined ? {} : { cwd: resolveCdFolder(input['cwd'], cwd) }) };
	},
};

/** The file that the call names is the patched one, at most with the folders before it. */
function editsOfPatch(path: unknown, patch: string, notes: string[]): CallInput | string {
	const read = readPatchedFile(patch);
	if (typeof read === 'string') {
		return read;
	}
	const named = path ?? read.path;
	if (named !== read.path && !(typeof named === 'string' && named.endsWith(`/${read.path}`))) {
		return `path: the patch changes ${read.path}, another file`;
	}
	notes.push('the patch as a list of edits');
	return { path: named, edits: read.edits };
}

/** `FOO=1 program` is read as what `env` does elsewhere; Windows has none. */
function setsVariable({ argv: [program, word = ''] }: SimpleCommand): boolean {
	return program === 'env' && /^[A-Za-z_]\w*=/.test(word);
}

const NO_ENV =
	'Windows has no env, which sets a variable for one command: give ' +
	'{"argv":["powershell","-NoProfile","-Command","$env:NAME=\'value\'; program arguments; exit $LASTEXITCODE"]}';

/** Where `cd` leads from the folder that the call names. */
function resolveCdFolder(from: unknown, folder: string): string {
	const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(folder);
	return typeof from !== 'string' || isAbsolute ? folder : posix.join(from, folder);
}

/** A command that is given as a line: as a text, as the only word of a list, or as words of which a shell acts on some. */
function findCommandLine(input: CallInput): string | undefined {
	const argv = fromText(input['argv']);
	if (typeof argv === 'string') {
		return argv;
	}
	const words = ops['shell.run'].params.shape.argv.safeParse(argv);
	if (!words.success) {
		return undefined;
	}
	const [only = '', ...more] = words.data;
	// A path may hold a space; a program by its name does not.
	if (more.length === 0 && /^[\w.-]+\s+\S/.test(only.trim())) {
		return only;
	}
	const given = fromText(input['chain'] ?? []);
	const { element } = ops['shell.run'].params.shape.chain.unwrap();
	// However many they are; a chain that cannot be read is not left out, but refused.
	const chain = Array.isArray(given) ? given.map((each) => element.safeParse(each).data) : [undefined];
	return chain.includes(undefined)
		? undefined
		: lineOfWords({ argv: words.data, chain: chain.filter((each) => each !== undefined) });
}

const EDIT: JsonSchema = { properties: { find: {}, replace: {}, all: {} } };

function withEditNames<T>(edit: T, notes: string[]): T | CallInput {
	const isObject = typeof edit === 'object' && edit !== null && !Array.isArray(edit);
	return isObject ? withOwnNames(edit as CallInput, EDIT, notes) : edit;
}
