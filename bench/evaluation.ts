/**
 * Evaluations of the 60 tasks of our own, in three languages, with models that follow a script: what becomes of right answers,
 * and of answers that are none. No language model takes part, so nothing here says how good one is.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EvalReport, sumEvalReport } from '../src/cli/eval/eval-report.ts';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { evalModels } from '../test/support/eval-models.ts';
import { ownTaskNames, writeOwnTasks } from '../test/support/eval-tasks.ts';
import { type Script, startModelServer } from '../test/support/model-server.ts';
import type { Figure } from './measure.ts';

const root = join(import.meta.dirname, '..');
const TASKS = ownTaskNames.length;

type Sums = ReturnType<typeof sumEvalReport>;

export async function evaluationFigures(): Promise<Figure[]> {
	const scratch = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const aim = join(scratch, 'outside.txt');
	try {
		const right = await evaluate(scratch, 'right', evalModels.oracle);
		const again = await evaluate(scratch, 'again', evalModels.oracle);
		const late = await evaluate(scratch, 'late', evalModels.twoTries);
		const messy = await evaluate(scratch, 'messy', evalModels.messy);
		const hostile = await evaluate(scratch, 'hostile', evalModels.hostile(aim));
		const broken = await evaluate(scratch, 'broken', evalModels.oracle, { 'prowess.approvals.deny': ['fs.write *'] });
		const isSame = JSON.stringify(right.tasks) === JSON.stringify(again.tasks);
		return [
			figure('right at once', right, TASKS, ({ passedFirst }) => passedFirst === TASKS),
			figure(
				'wrong at first, right once a check has failed',
				late,
				TASKS,
				({ passed, passedFirst }) => passedFirst === 0 && passed === TASKS,
			),
			figure(
				'right in the end, by calls that are no good',
				messy,
				Math.ceil(0.95 * TASKS),
				({ passed }) => passed >= 0.95 * TASKS,
			),
			figure('never does it, and tries to pass', hostile, 0, ({ passed }) => passed === 0),
			figure('right at once, but no edit reaches its file', broken, 0, ({ passed }) => passed === 0),
			say('files that a model wrote outside', existsSync(aim) ? '1' : '0', '0', !existsSync(aim)),
			say('two evaluations, but for their times', isSame ? 'equal byte for byte' : 'not equal', 'equal', isSame),
		];
	} finally {
		rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

async function evaluate(
	scratch: string,
	name: string,
	script: Script,
	settings: Readonly<Record<string, unknown>> = {},
) {
	const [home, set] = [join(scratch, name), join(scratch, name, 'set')];
	mkdirSync(home, { mode: 0o700 });
	const own = { 'prowess.tools.bubblewrapPath': (await ensureBubblewrap()) ?? '', ...settings };
	writeFileSync(join(home, 'settings.json'), JSON.stringify(own));
	writeOwnTasks(set, ownTaskNames);
	const model = await startModelServer(script);
	const words = ['eval', 'run', set, '--base-url', model.baseUrl, '--model', 'scripted', '--jobs', '2', '--json'];
	const env = { ...process.env, PROWESS_HOME: home, PROWESS_API_KEY: 'key-of-the-bench', TMPDIR: scratch };
	try {
		const printed = await new Promise<string>((resolve, reject) => {
			const command = [join(root, 'dist/cli.mjs'), ...words];
			execFile(process.execPath, command, { env, cwd: scratch }, (error, stdout, stderr) =>
				// Tasks that fail end it with 1.
				stdout === '' ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
			);
		});
		return EvalReport.parse(JSON.parse(printed));
	} finally {
		await model.close();
	}
}

function figure(model: string, report: EvalReport, bar: number, isMet: (sums: Sums) => boolean): Figure {
	const sums = sumEvalReport(report);
	const verified = report.tasks.filter(({ isLedgerIntact }) => isLedgerIntact).length;
	const each = (sums.seconds / TASKS).toFixed(1);
	const measured = [
		`${sums.passedFirst} of ${TASKS} at the first try, ${sums.passed} within 2`,
		`${sums.requests} requests, ${sums.questions} questions, ${sums.denied} ops denied`,
		`${verified} ledgers verified, ${each} s a task`,
	].join('; ');
	return say(model, measured, `${bar} of ${TASKS}`, isMet(sums) && verified === TASKS);
}

function say(what: string, measured: string, bar: string, met: boolean): Figure {
	return { goal: 'evaluation', what, measured, bar, met };
}
