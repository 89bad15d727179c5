import { StepFailed } from './step-failed.mjs';
import { killGroup, startInGroup } from './child-processes.mjs';

const keptLines = 200;

/**
 * @typedef {object} Run
 * @property {string} what what the reader knows it as, for messages
 * @property {string} command
 * @property {readonly string[]} args
 * @property {number} limitMs the run is killed with all its children after that
 * @property {string} advice what to do when it fails
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shows] also prints the output as it comes
 */

/** Runs a program to its end and returns its output; throws a `StepFailed` when it does not end well in time. @param {Run} run */
export async function run(run) {
	const { code, output, problem } = await attempt(run);
	if (problem === undefined) return output;
	throw new StepFailed(problem, { advice: run.advice, output: run.shows === true || code === null ? '' : output });
}

/**
 * Runs a program as `run` does, for callers that want the exit code of a failure: resolves with the problem instead of
 * throwing it.
 * @param {Run} run
 */
export function attempt({ what, command, args, limitMs, cwd, env = process.env, shows = false }) {
	return new Promise(
		/** @param {(result: { code: number | null, output: string, problem: string | undefined }) => void} resolve */
		(resolve) => {
			const child = startInGroup(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
			/** @type {string[]} */
			const lines = [''];
			/** @param {string} text */
			const collect = (text) => {
				if (shows) process.stdout.write(text);
				const [first = '', ...more] = text.split('\n');
				lines[lines.length - 1] += first;
				lines.push(...more);
				if (lines.length > keptLines) lines.splice(0, lines.length - keptLines);
			};
			for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', collect);

			let isLate = false;
			const timer = setTimeout(() => {
				isLate = true;
				killGroup(child);
			}, limitMs);
			/** @param {number | null} code @param {string | undefined} problem */
			const end = (code, problem) => {
				clearTimeout(timer);
				resolve({ code, output: lines.join('\n').trim(), problem });
			};
			child.once('error', (error) => end(null, `${what}: ${command} could not be started: ${error.message}`));
			child.once('close', (code, signal) => {
				if (isLate) end(code, `${what} did not end within ${limitMs / 1000} s and was stopped`);
				else if (code === 0) end(0, undefined);
				else end(code, `${what} failed with ${signal ?? `exit code ${code}`}`);
			});
		},
	);
}
