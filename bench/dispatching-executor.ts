/** Asks for many small ops, 16 at a time, and says how much processor time it took here. For `executor.ts`. */
import { type ExecutionContext, runExecutor } from '../src/executors/sdk/run.ts';

await runExecutor(async () => async (params, { op }: ExecutionContext) => {
	const { count, atOnce } = params as { count: number; atOnce: number };
	let asked = 0;
	const one = async () => {
		while (asked < count) {
			asked += 1;
			await op('fs.read', { path: 'src/a.ts' });
		}
	};
	const before = process.cpuUsage();
	await Promise.all(Array.from({ length: atOnce }, one));
	const { user, system } = process.cpuUsage(before);
	return user + system;
});
