/**
 * The person at the terminal. Sees on standard error exactly what would be done, whole, with everything invisible made
 * visible, and answers in one line. Questions come one after the other; one that becomes void is taken back.
 */
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { PersonPort } from '../../capability-host/contract/ports.ts';
import {
	type Approval,
	type ApprovalAnswer,
	type ApprovalDetail,
	isOffered,
	type Question,
} from '../../protocol/approvals.ts';
import { actInWords } from '../../protocol/ops/act-kind.ts';
import { consentLines } from '../../protocol/consent.ts';
import { inEnglish } from '../../protocol/text.ts';
import { limits } from '../limits.ts';
import { needsInWords, sandboxInWords } from '../../protocol/ops/command-needs-text.ts';
import { lookAlikes, typedCommands } from '../../protocol/ops/typed-command.ts';
import type { Terminal } from '../terminal.ts';
import { visible, visibleLine } from '../visible.ts';

/** Nobody is there: every question stays without an answer. */
export const nobody: PersonPort = {
	isOnlyWay: true,
	approve: async () => undefined,
	answer: async () => undefined,
};

interface PersonDeps {
	/** A line about what is taken out of an answer, or nothing. */
	noteOnAnswer(answer: string): Promise<string>;
	/** Why it asks and what would let it pass, as lines. */
	whyAsked(approval: Approval, signal: AbortSignal): Promise<string>;
}

export function personAt(terminal: Terminal, { noteOnAnswer, whyAsked }: PersonDeps): PersonPort {
	const lines = new LineReader(terminal);
	return {
		isOnlyWay: true,
		approve: (approval, signal) =>
			lines.inTurn(async () => {
				terminal.err(`\n${textOf(approval)}`);
				if (approval.detail.kind === 'diff') {
					terminal.errDiff(visible(approval.detail.diff.patch).trimEnd(), INSET);
				}
				for (;;) {
					terminal.err(promptFor(approval));
					const line = await lines.next(signal);
					if (line?.trim() === '?') {
						terminal.err(`${indented(visible(await whyAsked(approval, signal)))}\n`);
						continue;
					}
					const answer = line === undefined ? undefined : answerOf(line, approval);
					if (answer !== 'again') {
						terminal.err(answer?.kind === 'deny' ? await noteOnAnswer(answer.reason ?? '') : '');
						return answer;
					}
				}
			}),
		answer: (question, signal) =>
			lines.inTurn(async () => {
				terminal.err(`\n${questionOf(question)}`);
				const line = (await lines.next(signal))?.trim();
				const answer = question.options[Number(line) - 1] ?? line;
				terminal.err(await noteOnAnswer(answer ?? ''));
				return answer === '' ? undefined : answer;
			}),
	};
}

function textOf({ title, act, warning, reason, detail }: Approval): string {
	// The command itself stands below, once.
	const head = detail.kind === 'command' ? 'Run a command' : visibleLine(title);
	const kind = inEnglish(actInWords(act, warning?.isDangerous === true));
	const why = visibleLine(inEnglish(reason));
	const risks = (warning?.reasons ?? []).map((each) => visibleLine(inEnglish(each))).filter((each) => each !== why);
	return `${[head, `${kind}: ${why}`, ...risks.map((each) => `! ${each}`)].join('\n  ')}
${indented(detailOf(detail))}
`;
}

/** Renders the exact bytes: a command in quotes wherever a word could be taken for two, or for something else. */
function detailOf(detail: ApprovalDetail): string {
	switch (detail.kind) {
		case 'command': {
			const { argv, chain = [], cwd, sandboxed, needs = {} } = detail;
			const alike = [argv, ...chain.map((next) => next.argv)].flat().flatMap(lookAlikes);
			return [
				`$ ${visibleLine(typedCommands(detail))}`,
				...(alike.length === 0 ? [] : [`Easily mistaken: ${alike.join(', ')}`]),
				...(cwd === '.' ? [] : [`in ${visibleLine(cwd)}`]),
				...(sandboxed === undefined ? [] : [inEnglish(sandboxInWords(sandboxed))]),
				...needsInWords(needs).map((need) => `- ${visibleLine(inEnglish(need))}`),
			].join('\n');
		}
		case 'diff':
			return `${visibleLine(detail.diff.path)}${detail.diff.created ? ' (new)' : ''} +${detail.diff.added} -${detail.diff.removed}`;
		case 'path':
			return visibleLine(detail.path);
		case 'consent':
			return consentLines(detail)
				.map((line) => visibleLine(inEnglish(line)))
				.join('\n');
		case 'text':
			return visible(detail.text);
	}
}

const INSET = '  | ';

function indented(text: string): string {
	return text
		.trimEnd()
		.split('\n')
		.map((line) => INSET + line)
		.join('\n');
}

function promptFor({ isOnceOffered, threadScope, pattern, wider = [], isProjectOffered }: Approval): string {
	const once = isOnceOffered ? 'y once, ' : '';
	const thread = threadScope === null ? '' : `t in this thread (${visibleLine(inEnglish(threadScope))}), `;
	const rule = pattern === null ? undefined : visibleLine(pattern);
	const always =
		rule === undefined
			? ''
			: isProjectOffered
				? `a always in this project (${rule}), e always in every project, `
				: `a always (${rule}), `;
	const where = isProjectOffered ? ' in this project' : '';
	const wide = wider.map((each, index) => `${index + 1} always${where} (${visibleLine(each)}), `).join('');
	return `Allow? ${once}${thread}${always}${wide}? why, n no; anything else is a no with that reason: `;
}

function answerOf(line: string, approval: Approval): ApprovalAnswer | 'again' {
	const text = line.trim();
	const offered = (answer: ApprovalAnswer) => (isOffered(approval, answer) ? answer : 'again');
	switch (text.toLowerCase()) {
		case '':
			return 'again';
		case 'y':
		case 'yes':
			return offered({ kind: 'once' });
		case 't':
		case 'thread':
			return offered({ kind: 'thread' });
		case 'a':
		case 'always':
			return offered({ kind: approval.isProjectOffered ? 'project' : 'always' });
		case 'e':
		case 'everywhere':
			return approval.isProjectOffered ? offered({ kind: 'always' }) : 'again';
		case 'n':
		case 'no':
			return { kind: 'deny' };
		default: {
			const rule = /^\d$/.test(text) ? approval.wider?.[Number(text) - 1] : undefined;
			return rule === undefined
				? { kind: 'deny', reason: text.slice(0, 4000) }
				: offered({ kind: approval.isProjectOffered ? 'project' : 'always', rule });
		}
	}
}

function questionOf({ question, options }: Question): string {
	const numbered = options.map((option, index) => `  ${index + 1}. ${visibleLine(option)}\n`).join('');
	// Like nothing that we say ourselves: a text of a model may look like one of our own questions.
	const said = indented(visible(question)).replaceAll(/^  \|/gm, '  >');
	return `${ASKED}\n${said}\n${numbered}Answer${options.length === 0 ? '' : ' (number or text)'}: `;
}

const ASKED = 'The agent or a capability asks, in its own words:';

/** One question at a time, one line for each. */
class LineReader {
	readonly #terminal: Terminal;
	#last: Promise<unknown> = Promise.resolve();

	constructor(terminal: Terminal) {
		this.#terminal = terminal;
	}

	inTurn<T>(ask: () => Promise<T>): Promise<T> {
		// The words of the model before the question come in batches; they are to stand above it.
		const turn = this.#last.then(() => this.#forgetTyped()).then(ask);
		this.#last = turn.catch(() => undefined);
		return turn;
	}

	/** What was typed before a question is shown answers nothing: nobody can have meant it. */
	async #forgetTyped(): Promise<void> {
		const { stdin } = this.#terminal;
		let hasTyped = false;
		const onData = () => {
			hasTyped = true;
		};
		if (!stdin.readableEnded) {
			stdin.on('data', onData).resume();
		}
		await wait(limits.quietMs);
		stdin.off('data', onData);
		stdin.pause();
		if (hasTyped) {
			this.#terminal.err('\n(what you typed before this question is ignored)\n');
		}
	}

	/** Undefined at the end of input, also of one that ended at an earlier question, and when the question is void. */
	next(signal: AbortSignal): Promise<string | undefined> {
		if (signal.aborted || this.#terminal.stdin.readableEnded) {
			return Promise.resolve(undefined);
		}
		const lines = createInterface({ input: this.#terminal.stdin, terminal: false });
		return new Promise((resolve) => {
			const settle = (line: string | undefined) => {
				signal.removeEventListener('abort', onAbort);
				// First: closing settles as well, with nothing.
				resolve(line);
				lines.close();
			};
			const onAbort = () => {
				this.#terminal.err('\n(no longer asked)\n');
				settle(undefined);
			};
			signal.addEventListener('abort', onAbort, { once: true });
			lines.once('line', settle);
			lines.once('close', () => settle(undefined));
		});
	}
}
