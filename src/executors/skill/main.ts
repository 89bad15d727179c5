/**
 * Runs a skill: a folder with `index.js`, `index.mjs` or `index.ts` that exports `execute(params, context)`. Without one of
 * them, its SKILL.md is carried out.
 */
import { loadExecute, nothingToRunFailure } from '../sdk/load-module.ts';
import { runExecutor } from '../sdk/run.ts';
import { promptSkill } from './prompt-skill.ts';

await runExecutor(async () => {
	const folder = process.env['ACTION_BLOCK_PATH'] ?? '.';
	const execute = (await loadExecute(folder)) ?? promptSkill(folder);
	if (execute === undefined) {
		throw nothingToRunFailure('SKILL.md');
	}
	return execute;
});
