/** Carries out written instructions as a sub-turn, with the tools, the budget and the form of answer that the manifest says. */
import type { OpInput } from '../../protocol/op-table/ops.ts';
import { filledPlaces } from '../../protocol/manifest/filled-instructions.ts';
import { describeConversation, describeTask } from './conversation.ts';
import { OpFailure } from './host.ts';
import { readInstructions } from './instructions.ts';
import { type OwnText, ownTexts } from './own-files.ts';
import type { ExecutionContext } from './run.ts';

/** Fields of a manifest that matter here. */
interface PromptManifest {
	readonly description?: string;
	readonly tools?: readonly string[];
	readonly budget?: OpInput<'agent.run'>['budget'];
	readonly schema?: Readonly<Record<string, unknown>>;
}

const PARTIAL = 'the budget ended before the work was done';

interface WrittenInstructions {
	/** The file with the instructions, and its text. */
	readonly name: string;
	readonly text: string;
	/** Documents that always belong to the instructions. */
	readonly steering?: readonly OwnText[];
	/** Ops its model is offered; undefined: all that its permissions allow. */
	readonly tools?: readonly string[] | undefined;
}

export async function carryOut(
	{ name, text, steering = [], tools: named }: WrittenInstructions,
	params: unknown,
	context: ExecutionContext,
): Promise<{ readonly result: unknown; readonly additionalContext: unknown }> {
	const { capability, host } = context;
	const { tools, budget, schema } = capability.config as PromptManifest;
	const isSteering = new Set(steering.map((each) => each.name));
	const { texts, leftOut } = ownTexts(
		capability.path,
		(each) => each !== name && !isSteering.has(each) && !/^(?:capability\.ya?ml|LICENSE[^/]*)$/i.test(each),
	);
	const offered = tools ?? named;
	const ended = await host.agent.run({
		instructions: [
			`You are the ${capability.type} "${capability.name}". Its folder is ${capability.path}; it is not in the workspace.`,
			filledPlaces(readInstructions(text).body, {
				folder: capability.path,
				pluginFolder: capability.pluginPath,
				pluginData: capability.pluginData,
				params,
			}).filled,
			...steering.map((each) => `## ${each.name}\n\n${readInstructions(each.text).body}`),
			leftOut.length === 0
				? ''
				: `Files in its folder that are no documents, to be read or run by their absolute paths: ${leftOut.join(', ')}`,
		]
			.filter((part) => part !== '')
			.join('\n\n'),
		prompt: [describeTask(capability, params), describeConversation(context)]
			.filter((part) => part !== '')
			.join('\n\n'),
		documents: texts,
		...(offered === undefined ? {} : { tools: [...offered] }),
		...(budget === undefined ? {} : { budget }),
		...(schema === undefined ? {} : { schema }),
	});
	const { text: said, output, end, iterations, usage, toolCalls, model } = ended;
	const answered = iterations === 1 ? '1 answer' : `${iterations} answers`;
	const isBudget = end === 'iterations' || end === 'tokens' || end === 'time';
	if (isBudget && schema === undefined && toolCalls.length > 0) {
		// Effects until then are done, and whoever asked for them can go on from there.
		return {
			result: said,
			additionalContext: {
				model,
				iterations,
				usage,
				toolCalls,
				partial: `${PARTIAL} (${end}, after ${answered})`,
			},
		};
	}
	if (end !== 'done') {
		throw new OpFailure(
			isBudget ? 'BUDGET_EXCEEDED' : 'EXECUTION_FAILED',
			`it ended before it was done (${end}, after ${answered}). It said last: ${said}`,
		);
	}
	return {
		result: schema === undefined ? said : output,
		additionalContext: { model, iterations, usage, toolCalls },
	};
}
