/** The tour's script: picks the next text and tool calls from the state of the turn. Reacts to real results only. */
import { readFirstResultLine, isDenialText, readTestReport, type TestReport } from './test-report.ts';
import type { TourAnswer, TourCall, TourResult, TourTurn } from './tour-turn.ts';

const SAMPLE_SOURCE = 'src/cart.ts';
const WRONG = 'quantity > quantityDiscount.from';
const RIGHT = 'quantity >= quantityDiscount.from';
const KNOWN_TEST = /from 10 pieces on/;
const TOUR_STEPS = ['Run the tests', 'Find the cause', 'Fix it', 'Run the tests again'];

export function nextAnswer(turn: TourTurn): TourAnswer {
	if (/\bto-?dos?\b/i.test(turn.prompt)) {
		return listTodos(turn);
	}
	if (/\b(fix|mend|repair|fail(s|ing|ed|ure)?)\b/i.test(turn.prompt)) {
		return fixTest(turn);
	}
	return cannotAnswer('I am the tour: a script that shows Prowess at work on its sample project, not a model.');
}

function listTodos(turn: TourTurn): TourAnswer {
	const manifest = turn.result('manifest');
	const todos = turn.result('todos');
	if (manifest === undefined || todos === undefined) {
		return createTourAnswer('I am the tour, a script. I search the project for open TODOs and change nothing.', [
			readManifest,
			{ label: 'todos', op: 'search.text', input: { query: 'TODO', caseSensitive: true } },
		]);
	}
	if (!isSampleManifest(manifest)) {
		return notTheSample(manifest);
	}
	if (todos.isError) {
		return createTourAnswer(`The search failed: ${readFirstResultLine(todos.text)}`);
	}
	const found = [...todos.text.matchAll(/^(.+?):(\d+): (.*)$/gm)].filter(([, path]) => path !== 'README.md');
	if (found.length === 0) {
		return createTourAnswer('No TODOs are left in the code.');
	}
	const lines = found.map(
		([, path, line, text]) => `- \`${path}:${line}\`: ${(text ?? '').replace(/^\W*TODO:?\s*/, '').trim()}`,
	);
	const count = found.length === 1 ? 'One TODO is left' : `${found.length} TODOs are left`;
	return createTourAnswer(
		`${count}:\n\n${lines.join('\n')}\n\nImplementing it needs a model. Run *Connect a Model* to add one.`,
	);
}

function fixTest(turn: TourTurn): TourAnswer {
	const manifest = turn.result('manifest');
	if (manifest === undefined) {
		return createTourAnswer(
			'I am the tour: a script, not a model. My tool calls are real and need your approval, like those of a model.\n\nFirst I look at the project.',
			[readManifest],
		);
	}
	if (!isSampleManifest(manifest)) {
		return notTheSample(manifest);
	}
	if (!turn.has('shell.run') || !turn.has('fs.edit')) {
		return createTourAnswer(
			'In `ask` mode I can only read. Switch to `agent` mode and ask again, and I will run the tests and fix the code.',
		);
	}
	const first = readRunReport(turn, 'tests1');
	if (first === undefined) {
		return createTourAnswer(
			'This is the sample, a small shopping cart. I run its tests next, which needs your approval.',
			[createPlanCall(0), runTests('tests1')],
		);
	}
	return first.kind === 'failed' ? fixKnownFailure(turn, first) : afterFirstRun(turn, first);
}

function afterFirstRun(turn: TourTurn, report: Exclude<TestReport, { kind: 'failed' }>): TourAnswer {
	switch (report.kind) {
		case 'notRun':
			return createTourAnswer(
				report.isDenied
					? `The tests were not run (${report.why}). Without them I do not know what fails, so I stop here. Nothing was changed. To continue, ask again and allow \`npm test\`.`
					: `The tests could not be started: ${report.why}. They need npm and Node 22.18 or newer on the PATH.`,
			);
		case 'running':
			return stillRunning(turn, 'tests1', report);
		case 'ended':
			return createTourAnswer(
				`The test run ended without a report (${report.why}). The sample needs Node 22.18 or newer.`,
			);
		case 'noTests':
			return createTourAnswer(
				'`npm test` succeeded but ran no test: an older Node does not know TypeScript. The sample needs Node 22.18 or newer.',
			);
		case 'passed':
			return turn.result('plan4') === undefined
				? createTourAnswer('', [createPlanCall(4)])
				: createTourAnswer(
						`All ${report.count} tests pass already, so there is nothing to fix. To see the tour again, undo the change in \`${SAMPLE_SOURCE}\` and ask again.`,
					);
	}
}

function fixKnownFailure(turn: TourTurn, report: Extract<TestReport, { kind: 'failed' }>): TourAnswer {
	if (!report.names.some((name) => KNOWN_TEST.test(name))) {
		const names = report.names.map((name) => `“${name}”`).join(', ');
		return cannotAnswer(`My script does not cover this failure: ${names}.`);
	}
	if (turn.result('search') === undefined) {
		const place = report.place === undefined ? '' : ` (\`${report.place}\`)`;
		return createTourAnswer(
			`“${report.names[0]}” fails${place}. I look at the test and at the code for the discount.`,
			[
				createPlanCall(1),
				{ label: 'test', op: 'fs.read', input: { path: 'test/cart.test.ts' } },
				{ label: 'search', op: 'search.text', input: { query: 'quantityDiscount', include: 'src/**' } },
			],
		);
	}
	const source = turn.result('source1');
	if (source === undefined) {
		return createTourAnswer('', [{ label: 'source1', op: 'fs.read', input: { path: SAMPLE_SOURCE } }]);
	}
	const edit = turn.result('edit1');
	if (edit === undefined) {
		return source.text.includes(WRONG)
			? createTourAnswer(
					`Found it. The rule says *from 10 pieces on*, but the code says \`${WRONG}\`, so exactly 10 pieces get no discount. It must be \`>=\`.`,
					[
						createPlanCall(2),
						{ label: 'edit1', op: 'fs.edit', input: { path: SAMPLE_SOURCE, edits: [{ find: WRONG, replace: RIGHT }] } },
					],
				)
			: unknownSource(source);
	}
	return edit.isError ? afterFailedEdit(turn, edit) : secondRun(turn);
}

/** The file is not what was read a moment ago: look again, and name the whole line this time. */
function afterFailedEdit(turn: TourTurn, edit: TourResult): TourAnswer {
	if (isDenialText(edit.text)) {
		return createTourAnswer(
			`You did not allow the change (${readFirstResultLine(edit.text)}), so the test still fails. Nothing was written.`,
		);
	}
	const source = turn.result('source2');
	if (source === undefined) {
		return createTourAnswer(`The change could not be made: ${readFirstResultLine(edit.text)}. I read the file again.`, [
			{ label: 'source2', op: 'fs.read', input: { path: SAMPLE_SOURCE } },
		]);
	}
	if (source.text.includes(RIGHT)) {
		return secondRun(turn);
	}
	const again = turn.result('edit2');
	const line = source.text.split('\n').find((text) => text.includes(WRONG));
	if (again === undefined && line !== undefined) {
		const edits = [{ find: line, replace: line.replace(WRONG, RIGHT) }];
		return createTourAnswer('The line is still there. I try again with the whole line.', [
			{ label: 'edit2', op: 'fs.edit', input: { path: SAMPLE_SOURCE, edits } },
		]);
	}
	if (again === undefined) {
		return unknownSource(source);
	}
	return again.isError
		? createTourAnswer(
				`The file cannot be changed: ${readFirstResultLine(again.text)}. I stop here; the test still fails.`,
			)
		: secondRun(turn);
}

function secondRun(turn: TourTurn): TourAnswer {
	const report = readRunReport(turn, 'tests2');
	if (report === undefined) {
		return createTourAnswer('Changed. I run the tests again to check the fix.', [
			createPlanCall(3),
			runTests('tests2'),
		]);
	}
	switch (report.kind) {
		case 'passed':
			return turn.result('plan4') === undefined
				? createTourAnswer('', [createPlanCall(4)])
				: { ...createTourAnswer(finalReport(report.count)), offersModel: 'work' };
		case 'failed':
			return createTourAnswer(
				`Still failing: ${report.names.map((name) => `“${name}”`).join(', ')}. My script ends here. You can undo the change above.`,
			);
		case 'running':
			return stillRunning(turn, 'tests2', report);
		case 'notRun':
		case 'ended':
			return createTourAnswer(
				`\`${SAMPLE_SOURCE}\` is changed, but the tests did not run again (${report.why}), so the fix is not confirmed.`,
			);
		case 'noTests':
			return createTourAnswer(
				`\`${SAMPLE_SOURCE}\` is changed, but no test ran the second time, so the fix is not confirmed.`,
			);
	}
}

function finalReport(count: number): string {
	return [
		`All ${count} tests pass.`,
		`**Cause**: \`${SAMPLE_SOURCE}\` gave the discount above 10 pieces instead of from 10 pieces on.`,
		`**Change**: \`>\` became \`>=\` in \`linePrice\`; you can review and undo it below.`,
		'That was the tour: what you saw, a model does with your own project.',
	].join('\n\n');
}

function stillRunning(turn: TourTurn, label: string, { commandId }: { readonly commandId: string }): TourAnswer {
	return turn.result(`${label}wait`) === undefined
		? createTourAnswer('', [{ label: `${label}wait`, op: 'shell.output', input: { commandId, waitMs: 60_000 } }])
		: createTourAnswer(`The tests are still running as ${commandId}, which is longer than expected. I stop waiting.`);
}

/** Reads the report from the run, and from the wait for the rest of its output. */
function readRunReport(turn: TourTurn, label: string): TestReport | undefined {
	const run = turn.result(label);
	const wait = turn.result(`${label}wait`);
	if (run === undefined || wait === undefined) {
		return run === undefined ? undefined : readTestReport(run);
	}
	const begun = run.text.replace(/\[still running as .*\]\s*$/, '');
	return readTestReport({ text: begun + wait.text, isError: wait.isError });
}

function unknownSource(source: TourResult): TourAnswer {
	return source.isError
		? createTourAnswer(`\`${SAMPLE_SOURCE}\` cannot be read: ${readFirstResultLine(source.text)}`)
		: cannotAnswer(`The test fails, but \`${SAMPLE_SOURCE}\` differs from the sample.`);
}

function notTheSample(manifest: TourResult): TourAnswer {
	return cannotAnswer(
		manifest.isError
			? 'I am the tour, a script for the sample project, and this does not seem to be it: I cannot read a `package.json`.'
			: 'I am the tour, a script for the sample project, and this is another project.',
	);
}

function isSampleManifest(manifest: TourResult): boolean {
	return !manifest.isError && /"name":\s*"prowess-sample"/.test(manifest.text);
}

function cannotAnswer(why: string): TourAnswer {
	return {
		text: `${why} I cannot answer this.\n\nIn the sample I can do two things: *Find the failing test and fix it* and *What TODOs are left?*`,
		calls: [],
		offersModel: 'answer',
	};
}

const readManifest: TourCall = { label: 'manifest', op: 'fs.read', input: { path: 'package.json' } };

function runTests(label: string): TourCall {
	return { label, op: 'shell.run', input: { argv: ['npm', 'test'] } };
}

/** The to-do list with the first `done` steps done. */
function createPlanCall(done: number): TourCall {
	const items = TOUR_STEPS.map((text, index) => ({
		text,
		status: index < done ? 'done' : index === done ? 'active' : 'pending',
	}));
	return { label: `plan${done}`, op: 'todo.write', input: { items } };
}

function createTourAnswer(text: string, calls: readonly TourCall[] = []): TourAnswer {
	return { text, calls };
}
