/** A goal whose process is killed in each step, before the verdict and after it: what was done stays, and comes once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { User } from './cli-process.ts';

export async function killAtEachVerdict(steps: number): Promise<void> {
	const user = new User();
	const numbers = Array.from({ length: steps }, (_, at) => at + 1);
	const stalls: ScriptEntry = { then: 'stall' };
	// Killed before the verdict: another message continues. Killed after it: the step is done without another message.
	const server = await startModelServer(
		numbers.flatMap((n): ScriptEntry[] => [
			{ toolCalls: [{ name: 'fs_write', input: { path: `step${n}.txt`, content: `${n}` } }] },
			stalls,
			{ toolCalls: [{ name: 'goal_verdict', input: { verdict: 'done' } }] },
			stalls,
		]),
	);
	try {
		const words = numbers.flatMap((n) => ['--step', `Write step${n}.txt`]);
		const id = (await user.runs(['goal', 'add', 'Ship it', ...words])).stdout.trim();
		await user.runs(['run', '/help', '--trust']);
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
		const run = ['goal', 'run', id, '--approve', 'edit', ...model];
		for (const n of numbers) {
			// At these requests the file of the step is written, or its verdict is kept, and its turn goes on.
			for (const asked of [4 * n - 2, 4 * n]) {
				const killed = user.starts(run);
				await server.request(asked);
				killed.child.kill('SIGKILL');
				await killed.ended;
			}
		}
		const { code, stdout, stderr } = await user.runs(run);
		assert.equal(code, 0, stderr);
		assert.match(stdout, new RegExp(`done, ${steps} of ${steps} done`));
		assert.equal(server.requests.length, 4 * steps);
		assert.match(server.requests[2]?.text ?? '', /An earlier attempt at this step was cut short/);
		const recorded = await user.runs(['ledger', 'list', '--op', 'fs.write', '--json']);
		const rows = JSON.parse(recorded.stdout) as readonly {
			readonly kind: string;
			readonly input: string;
			readonly decision: string;
		}[];
		for (const n of numbers) {
			const ofStep = rows.filter(({ decision }) => decision.endsWith(`; for step ${n} of ${id}`));
			assert.deepEqual([...new Set(ofStep.map(({ input }) => input))], [`Write step${n}.txt`]);
			assert.equal(readFileSync(join(user.workspace, `step${n}.txt`), 'utf8'), `${n}`);
		}
		const written = rows.filter(({ kind }) => kind === 'outcome').map(({ input }) => input);
		assert.deepEqual(
			written.toSorted(),
			numbers.map((n) => `Write step${n}.txt`),
		);
		const [goal] = JSON.parse((await user.runs(['goal', 'list', '--json'])).stdout) as {
			readonly steps: readonly { readonly state: string; readonly attempts: number }[];
		}[];
		assert.deepEqual(
			goal?.steps.map(({ state, attempts }) => [state, attempts]),
			numbers.map(() => ['done', 2]),
		);
	} finally {
		await server.close();
	}
}
