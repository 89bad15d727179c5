/**
 * Runs a skill: a folder with `index.js`, `index.mjs` or `index.ts` that exports `execute(params, context)`. Without one of
 * them, its SKILL.md is carried out.
 */
import { carryOut } from '../sdk/carry-out.ts';
import { OpFailure } from '../sdk/host.ts';
import { readInstructions } from '../sdk/instructions.ts';
import { loadExecute, nothingToRunFailure } from '../sdk/load-module.ts';
import { ownTexts, readOwnText } from '../sdk/own-files.ts';
import { type Execute, runExecutor } from '../sdk/run.ts';

const SKILL_FILE_NAMES = ['SKILL.md', 'skill.md'];

/** A skill without a program: its SKILL.md is carried out by a model. Where there is none, it is handed over as it is. Undefined when the folder has no SKILL.md. */
function promptSkill(folder: string): Execute | undefined {
	const name = SKILL_FILE_NAMES.find((each) => readOwnText(folder, each) !== undefined);
	const text = name === undefined ? undefined : readOwnText(folder, name);
	if (name === undefined || text === undefined) return undefined;
	return async (params, context) => {
		try {
			return await carryOut({ name, text }, params, context);
		} catch (error) {
			// Without a model, the caller may follow the instructions instead.
			if (!(error instanceof OpFailure && error.code === 'NO_MODEL')) throw error;
			const { texts, leftOut } = ownTexts(folder, (each) => each !== name);
			const files = [...texts.map((each) => each.name), ...leftOut].sort();
			return {
				result: { carriedOut: false, why: error.message },
				additionalContext: { body: readInstructions(text).body, files },
			};
		}
	};
}

await runExecutor(async () => {
	const folder = process.env['ACTION_BLOCK_PATH'] ?? '.';
	const execute = (await loadExecute(folder)) ?? promptSkill(folder);
	if (execute === undefined) {
		throw nothingToRunFailure('SKILL.md');
	}
	return execute;
});
