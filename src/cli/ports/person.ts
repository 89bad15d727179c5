/**
 * The person at the terminal. Sees on standard error exactly what would be done, whole, with everything invisible made
 * visible, and answers in one line. Questions come one after the other; one that becomes void is taken back.
 */
import type { PersonPort, ProposedText } from '../../contract/ports/ports.ts';
import {
	type Approval,
	type ApprovalAnswer,
	type ApprovalDetail,
	type DeskQuestion,
	isOffered,
	isOfferedForAll,
	type ShownTrial,
} from '../../protocol/approvals/approvals.ts';
import type { FileDiff } from '../../protocol/ops/definitions/files/files.ts';
import { describeActKind } from '../../protocol/ops/act-kind.ts';
import { consentLines } from '../../protocol/approvals/consent.ts';
import { describeOverTime } from '../../protocol/ops/commands/over-time.ts';
import { needsInWords, sandboxInWords } from '../../protocol/ops/commands/command-needs.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { cliLimits } from '../terminal/limits.ts';
import { lookAlikes, promptedCommands } from '../../protocol/ops/commands/typed-command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type SaidToList, WaitingApprovals } from './waiting-approvals.ts';
import { editedText } from '../terminal/edited-text.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { formatZonedTime } from '../terminal/zoned-time.ts';

const SIGNS = { created: '+', modified: '~', deleted: '-' } as const;

/** Choices that a trial adds, each with its key. */
function trialChoices({ trial }: Approval): readonly (readonly [key: string, meaning: string])[] {
	if (trial?.state === 'offered') {
		return [['f', 'try it first, on a copy of the workspace and without the network']];
	}
	return trial?.state === 'ended' && trial.lost === undefined ? [['k', 'keep what it changed on the copy']] : [];
}

function isTryFirst(line: string, { trial }: Approval): boolean {
	return trial?.state === 'offered' && line.trim().toLowerCase() === 'f';
}

function trialText(trial: ShownTrial | undefined): string {
	switch (trial?.state) {
		case undefined:
		case 'offered':
		case 'running':
			return '';
		case 'failed':
			return `It could not be tried. ${visibleLine(inEnglish(trial.why))}\n`;
		case 'ended': {
			const { exitCode, signal, timedOut, overTime, output, changed, changedBeyond, lost } = trial;
			const end = timedOut
				? `it was stopped: ${describeOverTime(overTime)}`
				: `it ended with ${signal ?? `exit code ${exitCode}`}`;
			return [
				...(output === '' ? [] : [escapeUnseen(output).trimEnd()]),
				`Tried on a copy: ${end}.`,
				...changed.map(({ path, kind }) => `${SIGNS[kind]} ${visibleLine(path)}`),
				...(changedBeyond === 0 ? [] : [`and ${changedBeyond} more`]),
				...(lost === undefined ? [] : [visibleLine(inEnglish(lost))]),
			]
				.map((line) => `${line}\n`)
				.join('');
		}
	}
}

interface PersonDeps {
	/** A line about what is taken out of an answer, or nothing. */
	noteOnAnswer(answer: string): Promise<string>;
	/** Why it asks and what would let it pass, as lines. */
	whyAsked(approval: Approval, signal: AbortSignal): Promise<string>;
	/** Names the editor. */
	readonly env?: NodeJS.ProcessEnv;
}

export function personAt(terminal: Terminal, { noteOnAnswer, whyAsked, env = process.env }: PersonDeps): PersonPort {
	const lines = new AnswerLineReader(terminal);
	const showApproval = (approval: Approval, before = '') => {
		terminal.err(`\n${before}${formatApproval(approval)}`);
		if (approval.detail.kind === 'diff') {
			terminal.errDiff(escapeUnseen(approval.detail.diff.patch).trimEnd(), INSET);
		}
	};
	/** Asks until the line is an answer; undefined when there is none. */
	const askFor = async <T extends { readonly kind: string; readonly reason?: string | undefined }>(
		prompt: string,
		read: (line: string) => T | 'again',
		why: () => Promise<string>,
		signal: AbortSignal,
	): Promise<T | undefined> => {
		for (;;) {
			terminal.err(prompt);
			const line = await lines.next(signal);
			if (line?.trim() === '?') {
				terminal.err(`${insetText(escapeUnseen(await why()))}\n`);
				continue;
			}
			const answer = line === undefined ? undefined : read(line);
			if (answer !== 'again') {
				terminal.err(answer?.kind === 'deny' ? await noteOnAnswer(answer.reason ?? '') : '');
				return answer;
			}
		}
	};
	const waiting = new WaitingApprovals({
		inTurn: (ask) => lines.inTurn(ask),
		one: async (approval, signal, { tryFirst, proposed }) => {
			showApproval(approval);
			let now = approval;
			let text: string | undefined;
			const isEditable = proposed !== undefined && approval.detail.kind === 'plan';
			for (;;) {
				const readAnswer = (line: string) =>
					isEditable && isEditAnswer(line)
						? { kind: 'edit' as const }
						: isTryFirst(line, now)
							? { kind: 'try' as const }
							: readApprovalAnswer(line, now);
				const said = await askFor(promptFor(now, isEditable), readAnswer, () => whyAsked(approval, signal), signal);
				if (said?.kind === 'edit') {
					const { path: name, after } = proposed as ProposedText;
					text = (await editedText(terminal, { name, text: text ?? after }, env, signal)) ?? text;
					terminal.err(text === undefined ? '' : `It would be:\n${insetText(escapeUnseen(text))}\n`);
					continue;
				}
				if (said?.kind !== 'try') {
					return text === undefined || said === undefined || said.kind === 'deny' ? said : { ...said, text };
				}
				terminal.err('It runs on a copy of the workspace…\n');
				now = (await tryFirst?.()) ?? now;
				terminal.err(insetText(trialText(now.trial)));
				terminal.err('\n');
			}
		},
		several: (approvals, signal) => {
			terminal.err(`\n${approvals.length} actions wait for your answer\n`);
			approvals.forEach((approval, index) => showApproval(approval, `${index + 1}. `));
			const explainApprovals = async () =>
				(await Promise.all(approvals.map((each) => whyAsked(each, signal)))).join('\n');
			return askFor(promptForList(approvals), (line) => answerToList(line, approvals), explainApprovals, signal);
		},
	});
	return {
		isOnlyWay: true,
		approve: (approval, signal, tryFirst, proposed) => waiting.ask(approval, signal, { tryFirst, proposed }),
		answer: (question, signal) =>
			lines.inTurn(async () => {
				terminal.err(`\n${formatQuestion(question)}`);
				const line = (await lines.next(signal))?.trim();
				const answer = question.options[Number(line) - 1] ?? line;
				terminal.err(await noteOnAnswer(answer ?? ''));
				return answer === '' ? undefined : answer;
			}),
	};
}

/** Says all that would happen, with everything invisible made visible. */
export function formatApproval({ title, act, warning, reason, detail }: Approval): string {
	// The command itself stands below, once.
	const head = detail.kind === 'command' ? 'Run a command' : visibleLine(title);
	const kind = inEnglish(describeActKind(act, warning?.isDangerous === true));
	const why = visibleLine(inEnglish(reason));
	const risks = (warning?.reasons ?? []).map((each) => visibleLine(inEnglish(each))).filter((each) => each !== why);
	const contained = (warning?.contained ?? []).map((each) => `${visibleLine(inEnglish(each))}, inside the sandbox`);
	return `${[head, `${kind}: ${why}`, ...risks.map((each) => `! ${each}`), ...contained].join('\n  ')}
${insetText(formatApprovalDetail(detail))}
`;
}

/** Renders the exact bytes: a command in quotes wherever a word could be taken for two, or for something else. */
function formatApprovalDetail(detail: ApprovalDetail): string {
	switch (detail.kind) {
		case 'command': {
			const { argv, chain = [], cwd, sandboxed, needs = {} } = detail;
			const alike = [argv, ...chain.map((next) => next.argv)].flat().flatMap(lookAlikes);
			return [
				escapeUnseen(promptedCommands(detail)),
				...(alike.length === 0 ? [] : [`Easily mistaken: ${alike.join(', ')}`]),
				...(cwd === '.' ? [] : [`in ${visibleLine(cwd)}`]),
				...(sandboxed === undefined ? [] : [inEnglish(sandboxInWords(sandboxed))]),
				...needsInWords(needs).map((need) => `- ${visibleLine(inEnglish(need))}`),
			].join('\n');
		}
		case 'diff':
			return formatDiffCount(detail.diff);
		case 'diffs':
			return detail.diffs.map(formatDiffCount).join('\n');
		case 'path':
			return visibleLine(detail.path);
		case 'consent':
			return consentLines(detail)
				.map((line) => visibleLine(inEnglish(line)))
				.join('\n');
		case 'plan':
			return escapeUnseen(detail.text);
		case 'text': {
			const facts = (detail.facts ?? []).map(({ label, value }) => {
				const words =
					'at' in value
						? formatZonedTime(Date.parse(value.at), new Intl.DateTimeFormat().resolvedOptions().timeZone)
						: inEnglish(value);
				return visibleLine(`${inEnglish(label)}: ${words}`);
			});
			return [...facts, escapeUnseen(detail.text)].join('\n');
		}
	}
}

function formatDiffCount({ path, created, added, removed }: FileDiff): string {
	return `${visibleLine(path)}${created ? ' (new)' : ''} +${added} -${removed}`;
}

const INSET = '  | ';

function insetText(text: string): string {
	return text
		.trimEnd()
		.split('\n')
		.map((line) => INSET + line)
		.join('\n');
}

function promptFor(approval: Approval, isEditable: boolean): string {
	const { isOnceOffered, threadScope, turnScope, pattern, wider = [], isProjectOffered } = approval;
	const inThread = approval.detail.kind === 'consent' ? 'while you work on it' : 'in this thread';
	const where = isProjectOffered ? 'always in this project' : 'always';
	const createAlwaysChoice = (key: string, rule: string) => [key, `${where}: ${visibleLine(rule)}`] as const;
	return formatChoices([
		...(isOnceOffered ? ([['y', 'once']] as const) : []),
		...(isEditable ? ([['e', 'change it first']] as const) : []),
		...trialChoices(approval),
		...(threadScope === null ? [] : [['t', `${inThread}: ${visibleLine(inEnglish(threadScope))}`] as const]),
		...(turnScope === undefined ? [] : [['u', `in this turn: ${visibleLine(inEnglish(turnScope))}`] as const]),
		...(pattern === null ? [] : [createAlwaysChoice('a', pattern)]),
		...(pattern !== null && isProjectOffered ? ([['e', 'always in every project']] as const) : []),
		...wider.map((rule, index) => createAlwaysChoice(String(index + 1), rule)),
		['n', 'no; any other words are a no with that reason'],
	]);
}

/** Formats the answers, one to a line, and the question last, where the cursor is. */
function formatChoices(answers: readonly (readonly [key: string, meaning: string])[]): string {
	const lines = [...answers, ['?', 'why it asks'] as const].map(([key, meaning]) => `  ${key}  ${meaning}\n`);
	return `${lines.join('')}Allow? `;
}

function isEditAnswer(line: string): boolean {
	return ['e', 'edit'].includes(line.trim().toLowerCase());
}

function readApprovalAnswer(line: string, approval: Approval): ApprovalAnswer | 'again' {
	const text = line.trim();
	const acceptOffered = (answer: ApprovalAnswer) => (isOffered(approval, answer) ? answer : 'again');
	switch (text.toLowerCase()) {
		case '':
			return 'again';
		case 'y':
		case 'yes':
			return acceptOffered({ kind: 'once' });
		case 'k':
		case 'keep':
			return acceptOffered({ kind: 'tried' });
		case 't':
		case 'thread':
			return acceptOffered({ kind: 'thread' });
		case 'u':
		case 'turn':
			return acceptOffered({ kind: 'turn' });
		case 'a':
		case 'always':
			return acceptOffered({ kind: approval.isProjectOffered ? 'project' : 'always' });
		case 'e':
		case 'everywhere':
			return approval.isProjectOffered ? acceptOffered({ kind: 'always' }) : 'again';
		case 'n':
		case 'no':
			return { kind: 'deny' };
		default: {
			const rule = /^\d$/.test(text) ? approval.wider?.[Number(text) - 1] : undefined;
			return rule === undefined
				? { kind: 'deny', reason: text.slice(0, 4000) }
				: acceptOffered({ kind: approval.isProjectOffered ? 'project' : 'always', rule });
		}
	}
}

function promptForList(approvals: readonly Approval[]): string {
	const covered = approvals.flatMap((each, index) => (isOfferedForAll(each, { kind: 'once' }) ? [index + 1] : []));
	const yes = covered.length === approvals.length ? 'all of them, once' : `${covered.join(', ')}: once`;
	return formatChoices([
		...(covered.length === 0 ? [] : ([['y', yes]] as const)),
		[`1-${approvals.length}`, 'that one alone, with all its answers'],
		['n', 'none; any other words are a no to all with that reason'],
	]);
}

function answerToList(line: string, approvals: readonly Approval[]): SaidToList | 'again' {
	const text = line.trim();
	switch (text.toLowerCase()) {
		case '':
			return 'again';
		case 'y':
		case 'yes':
			return approvals.some((each) => isOfferedForAll(each, { kind: 'once' })) ? { kind: 'once' } : 'again';
		case 'n':
		case 'no':
			return { kind: 'deny' };
		default:
			if (!/^\d{1,3}$/.test(text)) return { kind: 'deny', reason: text.slice(0, 4000) };
			return approvals[Number(text) - 1] === undefined ? 'again' : { kind: 'one', index: Number(text) - 1 };
	}
}

function formatQuestion({ question, options, server, isOurs }: DeskQuestion): string {
	const numbered = options.map((option, index) => `  ${index + 1}. ${visibleLine(option)}\n`).join('');
	// Like nothing that we say ourselves: a text of a model may look like one of our own questions.
	const said = insetText(escapeUnseen(question)).replaceAll(/^  \|/gm, '  >');
	const end = `${numbered}Answer${options.length === 0 ? '' : ' (number or text)'}: `;
	if (isOurs === true) return `Prowess asks: ${question}\n${end}`;
	const asker = server === undefined ? 'The agent or a capability' : `The MCP server ${server}`;
	return `${asker} asks, in its own words:\n${said}\n${end}`;
}

/** Reads from the reason of a question's end through which other client it was answered; undefined: through none. */
function answeredElsewhere(reason: unknown): string | undefined {
	const { how, by } = isProwessError(reason) ? reason.facts : {};
	return how === 'answered' && typeof by === 'string' ? `answered through ${by}` : undefined;
}

/** Reads answers: one question at a time, one line for each. */
class AnswerLineReader {
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

	/** Drops what was typed before a question is shown: nobody can have meant it as the answer. */
	async #forgetTyped(): Promise<void> {
		if (await this.#terminal.lines.settle(cliLimits.quietMs)) {
			this.#terminal.err('\n(what you typed before this question is ignored)\n');
		}
	}

	/** Undefined at the end of input, also of one that ended at an earlier question, and when the question is void. */
	async next(signal: AbortSignal): Promise<string | undefined> {
		const line = await this.#terminal.lines.next(signal);
		if (signal.aborted) {
			this.#terminal.err(`\n(${answeredElsewhere(signal.reason) ?? 'no longer asked'})\n`);
		}
		return line;
	}
}
