/**
 * Runs a power: work of several steps that is written down. `POWER.md` (or `SKILL.md`) says what to do, every file in
 * `steering/` how; the other files can be read when they are needed. Tools, budget and form of the result are the manifest's.
 * Without a `POWER.md`, it may be a program, as Codebolt has them.
 */
import { POWER_FILES } from '../../protocol/execution/execution.ts';
import { carryOut } from '../sdk/carry-out.ts';
import { LoadFailure } from '../sdk/failure.ts';
import { loadProgram } from '../sdk/load-module.ts';
import { readInstructions } from '../sdk/instructions.ts';
import { readOwnText, ownTexts } from '../sdk/own-files.ts';
import { type ExecutionContext, runExecutor } from '../sdk/run.ts';

await runExecutor(async ({ capability: { path } }) => (await loadProgram('power', path)) ?? carryOutPower);

function carryOutPower(params: unknown, context: ExecutionContext): Promise<unknown> {
	const { path, name } = context.capability;
	for (const file of POWER_FILES) {
		const text = readOwnText(path, file);
		if (text !== undefined) {
			const { texts } = ownTexts(path, (each) => each.startsWith('steering/') && each.endsWith('.md'));
			const { tools } = readInstructions(text);
			return carryOut({ name: file, text, steering: texts, tools }, params, context);
		}
	}
	throw new LoadFailure('ACTION_BLOCK_NOT_FOUND', `${name}: expected its instructions in ${POWER_FILES.join(' or ')}`);
}
