/** One file to be shown, named by its path: read by the op that a model would have called, then shown whole. */
import { fenced } from '../../base/text/fenced.ts';
import { newId } from '../../protocol/ids.ts';
import { type OpResult, ops } from '../../protocol/ops.ts';
import { toolName } from '../../protocol/ops/tool-name.ts';
import { limits } from '../prompt/limits.ts';
import type { AssistantPart } from '../models/model-port.ts';
import { hostOfTurn } from '../host/host-of-turn.ts';
import type { OpHost } from '../host/op-host.ts';
import { readCalls } from '../loop/calls/read-call.ts';
import { LoopGuard } from '../loop/guards/loop-guard.ts';
import { Receipts } from '../loop/guards/receipts.ts';
import { runCalls } from '../loop/calls/run-calls.ts';
import { toolSplit } from '../pipeline/tool-split.ts';
import { surroundingsOf } from '../prompt/surroundings.ts';
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
	async run(path, turn, deps, signal) {
		const { journal } = turn;
		const call: Extract<AssistantPart, { kind: 'toolCall' }> = {
			kind: 'toolCall',
			callId: newId('op'),
			tool: toolName('fs.read'),
			inputText: JSON.stringify({ path }),
		};
		journal.say({ role: 'assistant', parts: [call] });
		const listening = keepingResult(hostOfTurn(deps.host, turn));
		const watch = { guard: new LoopGuard(1), receipts: new Receipts([]) };
		const read = readCalls([call], toolSplit(turn.mode, surroundingsOf(deps)));
		const settled = await runCalls(read, turn, watch, { ...deps, host: listening.host }, signal);
		const results = settled.map(({ result }) => result);
		const kept = results.map((result) => ({ ...result, text: excerpt(result.text, limits.contextRefChars).text }));
		journal.say({ role: 'tool', results: kept });
		const failure = results.find(({ isError }) => isError);
		const file = listening.result();
		if (failure !== undefined || file === undefined) {
			writeAnswer(journal, `\`${path}\` could not be read. ${failure?.text ?? ''}`.trimEnd());
		} else {
			const about = sentence(path, file);
			writeAnswer(journal, file.text === '' ? about : `${about}\n\n${shownText(path, file)}`, about);
		}
	},
};

type ReadFile = OpResult<'fs.read'>;

/** The same host; remembers the file that it read. */
function keepingResult(host: OpHost): { readonly host: OpHost; readonly result: () => ReadFile | undefined } {
	let result: ReadFile | undefined;
	return {
		host: {
			async perform(asked, onProgress, signal) {
				const outcome = await host.perform(asked, onProgress, signal);
				if (outcome.status === 'done') {
					result = ops['fs.read'].result.safeParse(outcome.result).data;
				}
				return outcome;
			},
			askAhead: (ops, signal) => host.askAhead(ops, signal),
			outcome: (opId, signal) => host.outcome(opId, signal),
			redacted: (value, signal) => host.redacted(value, signal),
		},
		result: () => result,
	};
}

function sentence(path: string, { text, cells, totalLines, truncated, startLine, endLine }: ReadFile): string {
	if (text === '') {
		return `\`${path}\` is empty.`;
	}
	if (cells === true) {
		return `\`${path}\` is a notebook. These are its ${truncated ? 'first ' : ''}cells:`;
	}
	if (totalLines === undefined) {
		return `\`${path}\` is large. These are lines ${startLine} to ${endLine}:`;
	}
	const part = truncated ? ` These are lines ${startLine} to ${endLine}:` : '';
	return `\`${path}\` has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}.${part}`;
}

/** With its middle left out where it is too long for a chat. */
function shownText(path: string, { text }: ReadFile): string {
	const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
	return fenced(excerpt(text, limits.contextRefChars).text, language.toLowerCase());
}
