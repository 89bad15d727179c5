/** Facts that the verdict "done" of a step is held against: ops that the ledger recorded for this step. */
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import { type Text, text } from '../../protocol/text/text.ts';

/** A row of the ledger, as far as it says what an op did. */
export type RecordedOp = Pick<LedgerRow, 'op' | 'input' | 'output' | 'status'>;

/** A command that came to its end. */
interface EndedCommand {
	/** As it is shown: `npm test`. */
	readonly line: string;
	/** Null: a signal, a time limit or the user ended it. */
	readonly exitCode: number | null;
}

/** Words of a step, and what has to be recorded before it can be done. */
interface Demand {
	readonly isMade: (step: string) => boolean;
	/** Undefined: it is met. */
	readonly lack: (commands: readonly EndedCommand[]) => Text | undefined;
}

const RUNS_TESTS =
	/\b(?:re-?)?(?:run|execute|pass(?:es|ing)?|(?:be|is|are|stay|turn) green)\b[^.;\n]{0,60}\b(?:tests?|test suite|specs?)\b|\b(?:tests?|test suite|specs?)\b[^.;\n]{0,40}\b(?:pass(?:es|ing)?|run|green|succeed)\b|\b(?:führe?|starte?|lass)\b[^.;\n]{0,60}\btests?\b|\btests?\b[^.;\n]{0,40}\b(?:ausführen|laufen|bestehen|starten|grün)\b/iu;

const MAKES_COMMIT =
	/(?:^|[.;,:\n]\s*|\b(?:and|then|und|dann)\s+)(?:please |bitte )?(?:git )?(?:commit(?:te)?\b(?! message)|(?:make|create|erstelle|mache)\b[^.;\n]{0,30}\bcommit\b)|\bcommitten\b|\beinchecken\b/iu;

const demands: readonly Demand[] = [
	{
		isMade: (step) => RUNS_TESTS.test(step),
		lack(commands) {
			const last = commands.filter(({ line }) => isTestRun(line)).at(-1);
			return last === undefined
				? text('No test run is recorded.')
				: last.exitCode === 0
					? undefined
					: text('The last test run failed: {command}', { command: last.line });
		},
	},
	{
		isMade: (step) => MAKES_COMMIT.test(step),
		lack: (commands) =>
			commands.some(({ line, exitCode }) => exitCode === 0 && makesCommit(line))
				? undefined
				: text('No commit is recorded.'),
	},
];

/** Returns what speaks against "done"; undefined: nothing that can be known. `rows`: oldest first. */
export function findLackingEvidence(step: string, rows: readonly RecordedOp[]): Text | undefined {
	const commands = endedCommands(rows);
	return demands.find(({ isMade, lack }) => isMade(step) && lack(commands) !== undefined)?.lack(commands);
}

const RUN = /^Run /;
const EXIT = /^\[exit code (-?\d+)/;
const STILL_RUNS = /^\[still running as (\w+)/;
const READ_OUTPUT = /^(?:Read output of|Stop) (\w+)$/;

function endedCommands(rows: readonly RecordedOp[]): readonly EndedCommand[] {
	const inBackground = new Map<string, string>();
	return rows.flatMap(({ op, input, output }): EndedCommand[] => {
		const line = op === 'shell.run' ? input.replace(RUN, '') : inBackground.get(READ_OUTPUT.exec(input)?.[1] ?? '');
		const running = STILL_RUNS.exec(output ?? '')?.[1];
		if (line === undefined || output === null) {
			return [];
		}
		if (running !== undefined) {
			inBackground.set(running, line);
			return [];
		}
		const code = EXIT.exec(output)?.[1];
		return [{ line, exitCode: code === undefined ? null : Number(code) }];
	});
}

const TEST_RUN =
	/^(?:npx |pnpm |yarn |bunx? |uv run |poetry run |python3? -m )?(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|make|just|gradle|\.\/gradlew|mvn|dotnet|swift|mix|rake|composer|bazel|zig build|flutter|dart)(?: run)?(?: -\S+)* (?:t|test|tests|check|verify|nextest run)(?:[:\w-]*)|vitest|jest|mocha|ava|tap|pytest|tox|nox|unittest|ctest|rspec|phpunit|playwright test|node(?: \S+)* --test)(?=\s|$)/u;

function isTestRun(line: string): boolean {
	return splitChain(line).some((command) => TEST_RUN.test(command));
}

function makesCommit(line: string): boolean {
	return splitChain(line).some((command) => /^git(?: -\S+(?: \S+)?)* (?:commit|merge|cherry-pick|revert)(?=\s|$)/u.test(command));
}

function splitChain(line: string): readonly string[] {
	return line.split(/\s*(?:&&|\|\||[;|])\s*/u);
}
