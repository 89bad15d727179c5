/** Counts of a test run, as the closing line of its reporter says them. Output is data; a line that nobody knows says nothing. */
import type { TestCounts } from './effect-receipt.ts';

/** Reporters close at the end of their output. */
const CLOSING_CHARS = 6_000;

/** Undefined when no known reporter has closed, or closed without a number. */
export function readTestCounts(output: string): TestCounts | undefined {
	const closing = output.slice(-CLOSING_CHARS);
	for (const read of READERS_OF_CLOSING) {
		const counts = read(closing);
		if (counts !== undefined && counts.passed + counts.failed + (counts.skipped ?? 0) > 0) {
			return counts;
		}
	}
	return undefined;
}

type ReadClosing = (text: string) => TestCounts | undefined;

/** Each knows its line by a word that is looked for before any pattern is tried. */
const READERS_OF_CLOSING: readonly ReadClosing[] = [
	// cargo: a line for each binary.
	(text) => {
		if (!text.includes('test result:')) return undefined;
		const lines = [...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
		return sumCounts(lines.map(([, passed, failed, skipped]) => toCounts(passed, failed, skipped)));
	},
	// Maven, and JUnit's own runner after a failure.
	(text) => {
		if (!text.includes('Tests run:')) return undefined;
		const line = [
			...text.matchAll(/Tests run: ?(\d+), +Failures: ?(\d+)(?:, +Errors: ?(\d+))?(?:, +Skipped: ?(\d+))?/g),
		].at(-1);
		return line === undefined ? undefined : ofTotal(line[1], [line[2], line[3]], line[4]);
	},
	// jest, also PHPUnit after a failure: `Tests: 12, Assertions: 30, Failures: 1.`
	(text) => {
		if (!text.includes('Tests:')) return undefined;
		const line = [...text.matchAll(/^\s*Tests:\s+(.+)$/gm)].at(-1)?.[1];
		if (line === undefined) return undefined;
		const total = /^(\d+), Assertions/.exec(line)?.[1];
		if (total !== undefined) {
			const problems = [...line.matchAll(/(?:Failures|Errors): (\d+)/g)].map(([, n]) => n);
			return ofTotal(total, problems, /(?:Skipped|Incomplete): (\d+)/.exec(line)?.[1]);
		}
		return countOutcomes(line);
	},
	// vitest.
	(text) => {
		if (!/^\s*Tests {2}/m.test(text)) return undefined;
		return countOutcomes([...text.matchAll(/^\s*Tests {2}(.+)$/gm)].at(-1)?.[1] ?? '');
	},
	// dotnet.
	(text) => {
		if (!text.includes('Passed')) return undefined;
		const lines = [...text.matchAll(/Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+)/g)];
		return sumCounts(lines.map(([, failed, passed, skipped]) => toCounts(passed, failed, skipped)));
	},
	// pytest: the whole line, with or without its rule.
	(text) => {
		if (!/ in \d/.test(text)) return undefined;
		const line = [...text.matchAll(/^(?:=+ )?((?:\d+ \w+(?:, )?)+) in [\d.]+s\b/gm)].at(-1)?.[1];
		return line === undefined ? undefined : countOutcomes(line);
	},
	// mocha, also Playwright and Cypress: one line each.
	(text) => {
		if (!text.includes('passing')) return undefined;
		return toCounts(
			/^\s*(\d+) passing/m.exec(text)?.[1],
			/^\s*(\d+) failing/m.exec(text)?.[1],
			/^\s*(\d+) pending/m.exec(text)?.[1],
		);
	},
	// node --test, tap: `# pass 12`.
	(text) => {
		if (!text.includes('pass ')) return undefined;
		const lastNumber = (word: string) =>
			[...text.matchAll(new RegExp(String.raw`^[#ℹ] ${word} +(\d+)`, 'gm'))].at(-1)?.[1];
		const passed = lastNumber('pass');
		return passed === undefined
			? undefined
			: toCounts(passed, lastNumber('fail'), lastNumber('skipped') ?? lastNumber('skip'));
	},
	// rspec, minitest: `12 examples, 1 failure, 2 pending`, `12 runs, 30 assertions, 1 failures, 0 errors, 0 skips`.
	(text) => {
		if (!/ (?:failures?|examples?)/.test(text)) return undefined;
		const line = [...text.matchAll(/^(\d+) (?:examples?|runs|tests), (.*\d+ failures?.*)$/gm)].at(-1);
		if (line === undefined) return undefined;
		const problems = [...(line[2] ?? '').matchAll(/(\d+) (?:failures?|errors?)/g)].map(([, n]) => n);
		return ofTotal(line[1], problems, /(\d+) (?:pending|skips?)/.exec(line[2] ?? '')?.[1]);
	},
	// PHPUnit and JUnit: `OK (12 tests, 30 assertions)`.
	(text) => {
		const total = text.includes('OK (') ? /^OK \((\d+) tests?/m.exec(text)?.[1] : undefined;
		return total === undefined ? undefined : toCounts(total, '0');
	},
	// unittest of Python.
	(text) => {
		const total = text.includes('Ran ') ? /^Ran (\d+) tests? in/m.exec(text)?.[1] : undefined;
		if (total === undefined) return undefined;
		const closing = /^(?:OK|FAILED)(?: \((.*)\))?$/m.exec(text)?.[1] ?? '';
		const problems = [...closing.matchAll(/(?:failures|errors)=(\d+)/g)].map(([, n]) => n);
		return ofTotal(total, problems, /skipped=(\d+)/.exec(closing)?.[1]);
	},
	// Gradle names the failed ones only; the console of JUnit 5 both.
	(text) => {
		if (!text.includes('tests ')) return undefined;
		const gradle = /(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?/.exec(text);
		if (gradle !== null) return ofTotal(gradle[1], [gradle[2]], gradle[3]);
		const passed = /\[ *(\d+) tests successful/.exec(text)?.[1];
		if (passed !== undefined)
			return toCounts(passed, /\[ *(\d+) tests failed/.exec(text)?.[1], /\[ *(\d+) tests skipped/.exec(text)?.[1]);
		const ctest = /(\d+) tests failed out of (\d+)/.exec(text);
		if (ctest !== null) return ofTotal(ctest[2], [ctest[1]]);
		const swift = /Executed (\d+) tests?, with (\d+) failures?/.exec(text);
		return swift === null ? undefined : ofTotal(swift[1], [swift[2]]);
	},
	// go: tests where they are named, else packages.
	(text) => {
		if (!/^(?:ok|FAIL|--- )/m.test(text)) return undefined;
		const countMatches = (pattern: RegExp) => String([...text.matchAll(pattern)].length);
		const [passed, failed] = [countMatches(/^\s*--- PASS: /gm), countMatches(/^\s*--- FAIL: /gm)];
		if (passed !== '0' || failed !== '0') return toCounts(passed, failed, countMatches(/^\s*--- SKIP: /gm));
		return toCounts(countMatches(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm), countMatches(/^FAIL\s+\S+/gm));
	},
	// bun, deno, ava, Playwright: `12 pass`, `12 passed | 1 failed`, `12 tests passed`.
	(text) => {
		const passed = /^\s*(?:ok \| |FAILED \| )?(\d+) (?:tests? )?pass(?:ed)?\b/m.exec(text)?.[1];
		const failed = /(?:^\s*|\| )(\d+) (?:tests? )?fail(?:ed)?\b/m.exec(text)?.[1];
		return passed === undefined && failed === undefined
			? undefined
			: toCounts(passed, failed, /^\s*(\d+) (?:skip|skipped|todo)\b/m.exec(text)?.[1]);
	},
];

function toCounts(passed: string | undefined, failed: string | undefined, skipped?: string): TestCounts {
	const left = Number(skipped ?? 0);
	return { passed: Number(passed ?? 0), failed: Number(failed ?? 0), ...(left === 0 ? {} : { skipped: left }) };
}

function ofTotal(total: string | undefined, problems: readonly (string | undefined)[], skipped?: string): TestCounts {
	const failed = problems.reduce((sum, each) => sum + Number(each ?? 0), 0);
	return toCounts(String(Math.max(0, Number(total ?? 0) - failed - Number(skipped ?? 0))), String(failed), skipped);
}

/** `1 failed | 12 passed | 2 skipped`. */
function countOutcomes(line: string): TestCounts | undefined {
	const sumMatches = (words: string) =>
		String(
			[...line.matchAll(new RegExp(String.raw`(\d+) (?:${words})\b`, 'g'))].reduce((sum, [, n]) => sum + Number(n), 0),
		);
	const counts = toCounts(
		sumMatches('passed'),
		sumMatches('failed|errors?'),
		sumMatches('skipped|todo|deselected|xfailed'),
	);
	return counts.passed + counts.failed + (counts.skipped ?? 0) === 0 ? undefined : counts;
}

function sumCounts(all: readonly TestCounts[]): TestCounts | undefined {
	const addUp = (read: (counts: TestCounts) => number) => String(all.reduce((total, each) => total + read(each), 0));
	return all.length === 0
		? undefined
		: toCounts(
				addUp(({ passed }) => passed),
				addUp(({ failed }) => failed),
				addUp(({ skipped = 0 }) => skipped),
			);
}
