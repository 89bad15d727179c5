/** One file to be shown, named by its path: the op that a model would have called for it. */
import { newId } from '../../protocol/ids.ts';
import { ops, toolName } from '../../protocol/ops.ts';
import { limits } from '../prompt/limits.ts';
import type { AssistantPart } from '../models/model-port.ts';
import { hostOfTurn, type OpHost } from '../host/op-host.ts';
import { readCalls } from '../loop/read-call.ts';
import { runCalls } from '../loop/run-calls.ts';
import { toolSplit } from '../pipeline/tool-split.ts';
import { excerpt } from '../history/excerpt.ts';
import type { FastPath } from './fast-path.ts';
import { writeAnswer } from './write-answer.ts';

const REQUEST = /^(?:show|read|open)(?: me)?(?: the)?(?: file)? (?:`([^`\n]+)`|"([^"\n]+)"|(\S+?))\.?$/i;
/** No address, pattern, line number or list of files. */
const NOT_ONE_PATH = /[*?{}<>|:;,`"']|^@|[/\\]$/;

export const readFile: FastPath<string> = {
	name: 'read-file',
	match(text) {
		const found = REQUEST.exec(text.trim());
		const path = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
		const isPath = /[./\\]/.test(path) && /[\p{L}\p{N}]/u.test(path) && !NOT_ONE_PATH.test(path);
		return isPath ? path : undefined;
	},
	async run(path, turn, ports, signal) {
		const { journal } = turn;
		const call: Extract<AssistantPart, { kind: 'toolCall' }> = {
			kind: 'toolCall',
			callId: newId('op'),
			tool: toolName('fs.read'),
			inputText: JSON.stringify({ path }),
		};
		journal.say({ role: 'assistant', parts: [call] });
		const counted = countingLines(hostOfTurn(ports.host, turn));
		const read = readCalls([call], toolSplit(turn.mode, ports.hasEditor));
		const results = await runCalls(read, turn, { ...ports, host: counted.host }, signal);
		const kept = results.map((result) => ({ ...result, text: excerpt(result.text, limits.contextRefChars).text }));
		journal.say({ role: 'tool', results: kept });
		const failure = results.find(({ isError }) => isError);
		writeAnswer(journal, failure === undefined ? sentence(path, counted.lines()) : failureText(path, failure.text));
	},
};

/** The same host; remembers how many lines the file has that it read. */
function countingLines(host: OpHost): { readonly host: OpHost; readonly lines: () => number | undefined } {
	let lines: number | undefined;
	return {
		host: {
			async perform(asked, onProgress, signal) {
				const outcome = await host.perform(asked, onProgress, signal);
				if (outcome.status === 'done') {
					lines = ops['fs.read'].result.safeParse(outcome.result).data?.totalLines;
				}
				return outcome;
			},
			outcome: (opId, signal) => host.outcome(opId, signal),
		},
		lines: () => lines,
	};
}

function sentence(path: string, lines: number | undefined): string {
	return lines === undefined ? `\`${path}\` was read.` : `\`${path}\` has ${lines} ${lines === 1 ? 'line' : 'lines'}.`;
}

function failureText(path: string, error: string): string {
	return `\`${path}\` could not be read. ${error}`;
}
