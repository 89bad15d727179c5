/** Evidence of effects: those of this turn, as the host has recorded them, and those of earlier messages. */
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { type OpName, opOfCall } from '../../../protocol/op-table/ops.ts';
import {
	changedPaths,
	type EffectReceipt,
	hasPassed,
	mayHaveEdited,
	mayHaveSucceeded,
	type RanReceipt,
	type RunAct,
} from '../../../protocol/receipts/effect-receipt.ts';
import { testCountsText } from '../../../protocol/pages/test-counts-text.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { ReceiptBook, receiptsOfOp } from '../../../protocol/receipts/op-receipts.ts';
import { toolCalls } from '../../history/repair.ts';
import type { ModelMessage } from '../../models/model-port.ts';
import type { Claim } from './claims.ts';

export class Receipts {
	readonly #now = new ReceiptBook();
	readonly #before: readonly EffectReceipt[];
	/** True when older messages are gone, so that the effects they told of are unknown. */
	readonly #isPastUnknown: boolean;

	constructor(before: readonly ModelMessage[], isPastUnknown = false) {
		this.#before = receiptsIn(before);
		this.#isPastUnknown = isPastUnknown;
	}

	/** True when this loop has changed, sent and run nothing. */
	get isEmpty(): boolean {
		return !this.#now.list.some(({ kind }) => !['read', 'asked', 'failed', 'remembered', 'forgot'].includes(kind));
	}

	/** True when this loop has read or run anything. */
	get haveLooked(): boolean {
		return this.#now.list.some(({ kind }) => kind === 'read' || kind === 'ran');
	}

	/** Changes were read, so the thread may be about what others did. */
	get haveReadChanges(): boolean {
		return [...this.#before, ...this.#now.list].some(({ op }) => op === 'git.diff' || op === 'git.status');
	}

	/** `outcome` is undefined when the host could not say what became of it: then it may have had its effect. */
	note(op: OpName, params: unknown, outcome: OpOutcome | undefined): void {
		this.#now.note({ op, params, outcome });
	}

	/** Line for a model about what is recorded of this turn; empty: nothing that a receipt shows. */
	get summary(): string {
		const list = this.#now.list;
		const paths = [...new Set(list.flatMap(changedPaths))].filter((path) => path !== '');
		const more = paths.length > MOST_NAMED_PATHS ? ` and ${paths.length - MOST_NAMED_PATHS} more` : '';
		const testedAt = list.findLastIndex((receipt) => receipt.kind === 'ran' && receipt.act === 'test');
		const tested = list[testedAt];
		return [
			...(paths.length === 0 ? [] : [`changed ${paths.slice(0, MOST_NAMED_PATHS).join(', ')}${more}`]),
			...(tested?.kind === 'ran'
				? [
						`last test run: ${describeTestRun(tested)}${list.slice(testedAt).some(isCodeChange) ? ', before the last change' : ''}`,
					]
				: []),
			...(['commit', 'push', 'install', 'build'] as const)
				.filter((act) =>
					list.some((receipt) => receipt.kind === 'ran' && receipt.act === act && receipt.exitCode === 0),
				)
				.map((act) => `${act} ended with 0`),
		].join('; ');
	}

	/** Claims that nothing recorded bears out. */
	unproven(claims: readonly Claim[]): Claim[] {
		return claims.filter((claim) => !isBorneOut(claim, this.#now.list) && !this.#wasBefore(claim));
	}

	/**
	 * Returns true when an earlier turn bears the claim out, or when the past is unknown. An edit must name one of the
	 * claim's files; a claim without files may speak of the thread as a whole.
	 */
	#wasBefore(claim: Claim): boolean {
		return this.#isPastUnknown || isBorneOut(claim, this.#before);
	}
}

const MOST_NAMED_PATHS = 8;

function describeTestRun({ tests, exitCode, end }: RanReceipt): string {
	const how = end === 'exit' ? `exit code ${exitCode}` : end;
	return tests === undefined ? how : `${inEnglish(testCountsText(tests))}, ${how}`;
}

/** Acts of commands that may bear out a claim of each kind; `other` bears out all. */
const ACTS_OF_CLAIM: { readonly [K in Claim['kind']]: readonly RunAct[] } = {
	edit: ['build', 'install'],
	run: ['files', 'test', 'build', 'lint', 'install', 'commit', 'push'],
	test: ['build'],
	build: ['build'],
	commit: ['commit'],
	push: ['push'],
	send: ['push'],
	install: ['install'],
	start: [],
	schedule: [],
	remember: [],
	effect: ['files', 'test', 'build', 'lint', 'install', 'commit', 'push'],
};

function isBorneOut(claim: Claim, receipts: readonly EffectReceipt[]): boolean {
	return receipts.some((receipt) => {
		if (claim.kind === 'effect' && !['read', 'asked', 'failed', 'ran'].includes(receipt.kind)) {
			return true;
		}
		switch (receipt.kind) {
			case 'delegated':
				return true;
			case 'sent':
				if (claim.kind === 'push' && receipt.to.startsWith('git ') && PULL_REQUEST.test(claim.sentence)) {
					return false;
				}
				return claim.kind === 'send' || claim.kind === 'push' || receipt.op === 'mcp.call';
			case 'scheduled':
				// A reminder is an "Erinnerung", as a memory is.
				return ['schedule', 'start', 'remember'].includes(claim.kind);
			case 'remembered':
			case 'forgot':
				return claim.kind === 'remember';
			case 'read':
				return isOfRequest(claim) && receipt.op.startsWith('http.');
			case 'ran':
				return doesRunBearOut(claim, receipt, receipts);
			default:
				return claim.kind === 'edit' && doesEditBearOut(claim, receipt);
		}
	});
}

function doesEditBearOut({ paths }: Claim, receipt: EffectReceipt): boolean {
	const changed = changedPaths(receipt).map((path) => path.toLowerCase());
	const names = paths.map((path) => path.split('/').filter(Boolean).at(-1)?.toLowerCase() ?? path);
	const isNamed = names.length === 0 || names.some((name) => changed.some((path) => path.includes(name)));
	return (changed.length > 0 && isNamed) || mayHaveEdited(receipt);
}

function doesRunBearOut(claim: Claim, run: RanReceipt, receipts: readonly EffectReceipt[]): boolean {
	const { kind, sentence } = claim;
	if (run.end === 'running' && kind === 'start') {
		return true;
	}
	if (kind === 'run') {
		const isNamed = sentence.toLowerCase().includes(run.program);
		const wanted = WANTED_ACTS.filter(({ words }) => words.test(sentence));
		const isWanted = wanted.some(({ act, verbs }) => run.act === act || verbs?.test(run.verb) === true);
		return isNamed || run.act === 'other' || (wanted.length === 0 ? ACTS_OF_CLAIM.run.includes(run.act) : isWanted);
	}
	if (isOfRequest(claim) && /^(?:curl|wget|https?)$/.test(run.program)) {
		return true;
	}
	if (!mayHaveSucceeded(run)) {
		// A program that failed may have changed files before.
		return kind === 'edit' && run.act === 'other';
	}
	if (kind === 'test') {
		const isLate = receipts.lastIndexOf(run) > receipts.findLastIndex(isCodeChange);
		const isUnseen = run.act === 'test' && run.end === 'unknown' && run.tests === undefined;
		// "All green" may be said of a linter, or of checks elsewhere.
		const isOfTests = /\b(?:tests?|specs?)\b/iu.test(sentence);
		const isOfChecks = !isOfTests && (run.act === 'lint' || run.program === 'gh' || run.program === 'glab');
		const isTested = hasPassed(run) || isUnseen || run.act === 'other' || ACTS_OF_CLAIM.test.includes(run.act);
		return isLate && (isTested || isOfChecks);
	}
	if (kind === 'push' && run.program === 'git' && PULL_REQUEST.test(sentence)) {
		return false;
	}
	// A merge brings files that no receipt names.
	const isMerge = kind === 'edit' && run.act === 'commit' && run.verb !== 'commit';
	return isMerge || run.act === 'other' || ACTS_OF_CLAIM[kind].includes(run.act);
}

/** Git alone only pushes the branch, also that of a request that is open. */
const PULL_REQUEST =
	/(?<!\bthe )\b(?:opened|created|raised)\b.*\b(?:(?:pull|merge)[- ]request|PR|MR)\b|\b(?:(?:pull|merge)[- ]request|PR|MR)\b.*\b(?:geöffnet|erstellt)\b/iu;

/** "I sent a request to the server" is true of one that only reads, too. */
function isOfRequest({ kind, sentence }: Claim): boolean {
	return kind === 'send' && /\b(?:requests?|anfragen?)\b/iu.test(sentence);
}

/** Words of a claim for what was run, and the act that they mean. A script that checks may do any of it. */
const WANTED_ACTS: readonly { readonly words: RegExp; readonly act: RunAct; readonly verbs?: RegExp }[] = [
	{ words: /(?<!\b(?:without|no|ohne|built|compiled) )\btests?\b/iu, act: 'test' },
	{ words: /\b(?:lint(?:er|ing)?|eslint)\b/iu, act: 'lint', verbs: /check|verify|(?:^|:)ci\b/ },
	{ words: /\b(?:the|a|den|einen) build\b/iu, act: 'build', verbs: /check|verify|(?:^|:)ci\b/ },
];

/** Words for people cannot break a test. */
function isCodeChange(receipt: EffectReceipt): boolean {
	// Files that a command wrote came about while it ran.
	return (
		!receipt.op.startsWith('shell.') && changedPaths(receipt).some((path) => !/\.(?:md|txt|rst|adoc)$/iu.test(path))
	);
}

/** Receipts of earlier turns: only the text of their results is left, so the end of a command is unknown. */
function receiptsIn(messages: readonly ModelMessage[]): EffectReceipt[] {
	return messages.flatMap((message, index) => {
		const next = messages[index + 1];
		if (message.role !== 'assistant' || next?.role !== 'tool') {
			return [];
		}
		return toolCalls(message.parts).flatMap(({ callId, tool, inputText }): readonly EffectReceipt[] => {
			const params = parseStoredInput(inputText);
			const op = opOfCall(tool, params);
			const result = next.results.find((each) => each.callId === callId);
			return op === undefined || result === undefined || result.isError
				? []
				: receiptsOfOp({ op, params, outcome: undefined });
		});
	});
}

function parseStoredInput(inputText: string): unknown {
	try {
		return JSON.parse(inputText) as unknown;
	} catch {
		return {};
	}
}
