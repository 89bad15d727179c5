/** Facts that the verdict "done" of a step is held against: ops that the ledger recorded for this step. */
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import { readShellLine } from '../../protocol/ops/commands/read-shell-line.ts';
import { changedPaths, type EffectReceipt, hasPassed, mayHaveEdited } from '../../protocol/receipts/effect-receipt.ts';
import { type OpFacts, ReceiptBook } from '../../protocol/receipts/op-receipts.ts';
import { type Text, text } from '../../protocol/text/text.ts';

/** A row of the ledger, as far as it says what an op did. */
export type RecordedOp = Pick<LedgerRow, 'op' | 'input' | 'output' | 'status'>;

/** Words of a step, and what has to be recorded before it can be done. */
interface Demand {
	readonly isMade: (step: string) => boolean;
	/** Undefined: it is met. */
	readonly lack: (receipts: readonly EffectReceipt[], step: string) => Text | undefined;
}

const RUNS_TESTS =
	/\b(?:re-?)?(?:run|execute|pass(?:es|ing)?|(?:be|is|are|stay|turn) green)\b[^.;\n]{0,60}\b(?:tests?|test suite|specs?)\b|\b(?:tests?|test suite|specs?)\b[^.;\n]{0,40}\b(?:pass(?:es|ing)?|run|green|succeed)\b|\b(?:führe?|starte?|lass)\b[^.;\n]{0,60}\btests?\b|\btests?\b[^.;\n]{0,40}\b(?:ausführen|laufen|bestehen|starten|grün)\b/iu;

const MAKES_COMMIT =
	/(?:^|[.;,:\n]\s*|\b(?:and|then|und|dann)\s+)(?:please |bitte )?(?:git )?(?:commit(?:te)?\b(?! message)|(?:make|create|erstelle|mache)\b[^.;\n]{0,30}\bcommit\b)|\bcommitten\b|\beinchecken\b/iu;

/** Names the file itself as what is to be written: "a summary of README.md" is a text to read. No site and no "e.g." is one. */
const WRITES_FILE =
	/^\s*(?:please |bitte )?(?:write|create|schreibe?|erstelle?)\s(?:[^.;,\n]{0,40}\sinto\s)?(?:(?:an?|the|new|empty|eine?|die|neue|leere|file|datei)\s)*[`"']?(?!www\.|(?:e\.g|i\.e|z\.b|d\.h|u\.a|a\.m|p\.m)\b)(?:[\w.-]+\/)*([\w-]+(?:\.[\w-]+)*\.(?!com\b)\p{L}\w{0,9})\b/iu;

const stepDemands: readonly Demand[] = [
	{
		isMade: (step) => WRITES_FILE.test(step),
		lack(receipts, step) {
			const name = WRITES_FILE.exec(step)?.[1] ?? '';
			// A file that was only read may have been there as it is wanted.
			const isSeen = ({ paths }: { paths: readonly string[] }) => paths.some((path) => path.endsWith(name));
			return receipts.some(
				(receipt) =>
					changedPaths(receipt).length > 0 || mayHaveEdited(receipt) || (receipt.kind === 'read' && isSeen(receipt)),
			)
				? undefined
				: text('No change of a file is recorded.');
		},
	},
	{
		isMade: (step) => RUNS_TESTS.test(step),
		lack(receipts) {
			const at = receipts.findLastIndex((receipt) => receipt.kind === 'ran' && receipt.act === 'test');
			const last = receipts[at];
			if (last?.kind !== 'ran') {
				return text('No test run is recorded.');
			}
			if (!hasPassed(last)) {
				return text('The last test run did not pass: {command}', { command: `${last.program} ${last.verb}`.trim() });
			}
			return receipts.slice(at).some((receipt) => changedPaths(receipt).length > 0)
				? text('Files were changed after the last test run.')
				: undefined;
		},
	},
	{
		isMade: (step) => MAKES_COMMIT.test(step),
		lack: (receipts) =>
			receipts.some((receipt) => receipt.kind === 'ran' && receipt.act === 'commit' && receipt.exitCode === 0)
				? undefined
				: text('No commit is recorded.'),
	},
];

/** Returns what speaks against "done"; undefined: nothing that can be known. `rows`: oldest first. */
export function findLackingEvidence(step: string, rows: readonly RecordedOp[]): Text | undefined {
	const book = new ReceiptBook();
	for (const row of rows) {
		book.note(readOpFacts(row));
	}
	return stepDemands
		.find(({ isMade, lack }) => isMade(step) && lack(book.list, step) !== undefined)
		?.lack(book.list, step);
}

const EXIT = /^\[exit code (-?\d+)(?:: ([^\]]*))?\]/;
const STILL_RUNS = /^\[still running as (\w+)/;
const READ_OUTPUT = /^(?:Read output of|Stop) (\w+)$/;
const FILE_OP = /^(?:Write|Edit|Delete|Create|Move) (.+)$/;

/** A row has its params only as words of a title, and the end of a command as `record` of its op writes it. */
function readOpFacts({ op, input, output, status }: RecordedOp): OpFacts {
	if (status !== 'done') {
		return { op, params: {}, outcome: { status: 'failed' } };
	}
	if (!op.startsWith('shell.')) {
		const path = FILE_OP.exec(input)?.[1] ?? input;
		return { op, params: { path, from: path, to: path }, outcome: { status: 'done', result: {} } };
	}
	const params = op === 'shell.run' ? readShellLine(input.replace(/^Run /, '')) : undefined;
	const [, code, ends] = EXIT.exec(output ?? '') ?? [];
	const running = STILL_RUNS.exec(output ?? '')?.[1];
	const result = {
		commandId: running ?? READ_OUTPUT.exec(input)?.[1] ?? '',
		running: running !== undefined,
		exitCode: code === undefined ? null : Number(code),
		signal: code === undefined && running === undefined ? 'unknown' : null,
		timedOut: false,
		output: (output ?? '').replace(/^\[[^\]]*\] ?/, ''),
		...(ends === undefined ? {} : { ends: ends.split(', ').map(readCommandEnd) }),
	};
	return { op, params: params ?? { commandId: result.commandId }, outcome: { status: 'done', result } };
}

/** `npm 1`, or `npm SIGKILL`. */
function readCommandEnd(words: string): object {
	const [program = '', end = ''] = words.split(/ (?=\S+$)/);
	const isCode = /^-?\d+$/.test(end);
	return { program, exitCode: isCode ? Number(end) : null, signal: isCode ? null : end };
}
