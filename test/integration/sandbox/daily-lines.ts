/**
 * Command lines as agents write them day by day, as a text and as a list of their words: each read as the server reads a
 * call, run by the host, and compared with what `bash` makes of the line.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OP_NAMES, ops } from '../../../src/protocol/op-table/ops.ts';
import { readCall } from '../../../src/server/loop/calls/read-call.ts';
import type { End, OrdinaryCommands } from './ordinary-commands.ts';

interface DailyLine {
	readonly line: string;
	/** Words of the line, as a model that splits the line gives them; undefined where its words cannot be told. */
	readonly words: readonly string[] | undefined;
}

export interface DailyEnd {
	/** Command as given: a line or its words. */
	readonly given: string | readonly string[];
	readonly read: string;
	readonly outside: Verdict;
	/** `kept`: the sandbox says what it kept the command from. */
	readonly inside: Verdict;
	readonly ends: { readonly bash: End; readonly outside: End; readonly inside: End };
}

type Verdict = 'same' | 'kept' | 'other';

/** `kind`: the first word of the heading above it. */
export function readDailyLines(): readonly (DailyLine & { readonly kind: string })[] {
	const text = readFileSync(join(import.meta.dirname, '../../fixtures/commands/daily.txt'), 'utf8');
	return text
		.split(/^# (?=\w+: )/m)
		.filter((section) => section !== '')
		.flatMap((section) => {
			const [heading = '', ...lines] = section.split('\n');
			const [kind = ''] = heading.split(':');
			return lines
				.filter((line) => line !== '')
				.map((each) => {
					const line = each.replaceAll('⏎', '\n');
					return { kind, line, words: wordsOf(line) };
				});
		});
}

/** Grammar that is more than words and what stands between them. */
const NOT_WORDS = /\n|<<|<\(|^\s*[({]|\$\(\(|`.* .*`|\$\([^)]* |\b(?:do|then|while|for)\b|[^ ];|\s#\s|["'][^"' ]*\$\(/;

function wordsOf(line: string): readonly string[] | undefined {
	if (NOT_WORDS.test(line)) {
		return undefined;
	}
	const words = line.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g) ?? [];
	const [program] = words;
	// Without its quotes the word means something else, and nobody can tell.
	const isDoubtful =
		words.some((word) => /^['"][^\s]*[*?$~{]/.test(word)) && (program === 'echo' || /^\w+=/.test(program ?? ''));
	// In quotes `$5` is an argument of the script for bash, and five dollars for whoever writes it.
	const isAmount = words.some((word) => /^"[^"]*\$\d/.test(word));
	return isDoubtful || isAmount
		? undefined
		: words.map((word) =>
				word.replaceAll(
					/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
					(_, single?: string, double?: string, one?: string) =>
						single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? one ?? '',
				),
			);
}

export async function runDaily(commands: OrdinaryCommands, { line, words }: DailyLine): Promise<readonly DailyEnd[]> {
	const bash = commands.endOfBash(line);
	const runs = [];
	for (const given of words === undefined ? [line] : [line, words]) {
		const { argv, redirects, patterns, chain, cwd } = commandsOf(given);
		const asked = { argv, redirects, patterns, chain, cwd };
		const outside = await commands.end({ ...asked, isOutside: true });
		const inside = await commands.end(asked);
		runs.push({ given, read: JSON.stringify(asked), outside, inside });
	}
	// After the others: what was one second for both was one for all.
	const isSteady = printed(bash) === printed(commands.endOfBash(line));
	return runs.map(({ outside, inside, ...run }) => ({
		...run,
		outside: isSame(bash, outside, isSteady) ? 'same' : 'other',
		inside: isSame(bash, inside, isSteady) ? 'same' : inside.kept.length > 0 ? 'kept' : 'other',
		ends: { bash, outside, inside },
	}));
}

function commandsOf(given: string | readonly string[]) {
	const call = readCall(
		{ kind: 'toolCall', callId: 'call_1', tool: 'shell_run', inputText: JSON.stringify({ command: given }) },
		{ ops: new Set(OP_NAMES), declarations: [], refusal: () => '' },
	);
	if (call.kind !== 'op') {
		throw new Error(`${JSON.stringify(given)} is no call: ${call.kind === 'bad' ? call.message : call.kind}`);
	}
	return ops['shell.run'].params.parse(call.params);
}

/** `isSteady`: it prints no time and no name that is made up anew. */
function isSame(bash: End, end: End, isSteady: boolean): boolean {
	return (
		bash.code === end.code &&
		bash.files === end.files &&
		bash.texts === end.texts &&
		(!isSteady || printed(bash) === printed(end))
	);
}

/** In the order of its lines, and without what tells one run from another that does the same. */
function printed({ output }: End): string {
	return (
		output
			.replaceAll(/^(?:ba)?sh: (?:line )?\d+: /gm, '')
			// A program that is started by its path names itself by it.
			.replaceAll(/(?:\/[\w.-]+)+\/(\w+): /g, '$1: ')
			// Times, which are now and then the same twice.
			.replaceAll(/\b\d+m\d+\.\d+s\b/g, '#')
			// Names of commits.
			.replaceAll(/\b[\da-f]{7,40}\b/g, '#')
			.trim()
			.split('\n')
			.toSorted()
			.join('\n')
	);
}

/**
 * Lists commands that ended differently from `bash` outside the sandbox, yet with code 0, so that nothing tells of it.
 */
export function silentlyOther(ends: readonly DailyEnd[]): readonly string[] {
	return ends
		.filter(({ outside, ends: { outside: end } }) => outside === 'other' && end.code === 0)
		.map(({ given, read }) => `${JSON.stringify(given)} as ${read}`);
}
