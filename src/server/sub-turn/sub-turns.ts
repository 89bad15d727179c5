/** Serves what running capabilities want of models. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { SubTurnId, ThreadId } from '../../protocol/rpc/ids.ts';
import { isOpName } from '../../protocol/op-table/ops.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import type { SubTurnProgress, subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import type { OpHost } from '../host/host-broker.ts';
import { withTracedRequests } from '../loop/request-beside.ts';
import type { Wait } from '../models/failover/failover.ts';
import type { MessageBudgets } from '../history/budget.ts';
import type { ModelPart, ModelPort, ModelUsage } from '../models/model-port.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import { describeOpLack, readSurroundings } from '../tools/surroundings.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import { answerCompletion } from './complete.ts';
import { createOutputError, outputForm } from './output-form.ts';
import { runSubTurn } from './run-sub-turn.ts';
import type { SubTurnNews } from './sub-turn-journal.ts';
import { type WantedModel, whichModel, type WhichModelDeps } from './which-model.ts';

interface SubTurnDeps extends WhichModelDeps {
	readonly hostOf: (subTurnId: SubTurnId) => OpHost;
	/** Reports the usage of a request to the thread that the sub-turn works for. */
	readonly spent: (threadId: ThreadId, ...used: Parameters<OnSpent>) => void;
	/** Traces a step of it in the turn that it works for. */
	readonly beginStep: (threadId: ThreadId, ...step: Parameters<BeginStep>) => ReturnType<BeginStep>;
	readonly tell: (progress: SubTurnProgress) => void;
	readonly budgets: MessageBudgets;
	readonly settings: () => Settings;
	readonly workspace: () => WorkspaceInfo;
	readonly hasEditor: boolean;
	/** Aborts when this process ends. */
	readonly closing: AbortSignal;
	/** Waits before a retry; only tests give a function. */
	readonly wait?: Wait;
}

export function subTurns(deps: SubTurnDeps): RequestHandlers<typeof subTurnRequests> {
	const createNewsSender = (subTurnId: SubTurnId) => (news: SubTurnNews) => deps.tell({ subTurnId, ...news });
	const waiting = deps.wait === undefined ? {} : { wait: deps.wait };
	const lineFor = async (asked: WantedModel, signal: AbortSignal): Promise<ModelLine> => {
		const line = await whichModel(asked, deps, signal);
		const { threadId } = asked;
		if (threadId === null) {
			return line;
		}
		const begin: BeginStep = (...step) => deps.beginStep(threadId, ...step);
		const traced = line.with((each) => withTracedRequests(each, 'capability', begin));
		return countedRequests(traced, (...used) => deps.spent(threadId, ...used));
	};
	const checkTrust = () => {
		if (!deps.workspace().trusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
		}
	};
	return {
		async complete(asked, signal) {
			checkTrust();
			const model = await lineFor(asked, signal);
			return answerCompletion(asked, model, createNewsSender(asked.subTurnId), waiting, signal);
		},
		async run(asked, signal) {
			checkTrust();
			const model = await lineFor(asked, signal);
			const loopDeps = {
				closing: deps.closing,
				...waiting,
				settings: deps.settings,
				budgets: deps.budgets,
				host: deps.hostOf(asked.subTurnId),
			};
			const around = readSurroundings(deps);
			const tools = asked.tools.filter((name) => !isOpName(name) || describeOpLack(name, around) === undefined);
			return runSubTurn({ ...asked, tools }, model, loopDeps, createNewsSender(asked.subTurnId), signal);
		},
		form: ({ schema }) => Promise.resolve({ instructions: outputForm(schema).instructions }),
		async read({ schema, text, model }) {
			const read = outputForm(schema).read(text);
			if (!read.ok) {
				throw createOutputError(read.problem, model);
			}
			return { output: read.value };
		},
	};
}

/** Tells what each request of a running capability has used, whichever model answered it. */
type OnSpent = (usage: ModelUsage, model: ModelPort) => void;

function countedRequests(line: ModelLine, onSpent: OnSpent): ModelLine {
	return line.with((model) => ({
		...model,
		stream: (request, signal) => streamCounted(model.stream(request, signal), (usage) => onSpent(usage, model)),
	}));
}

async function* streamCounted(
	parts: AsyncIterable<ModelPart>,
	onSpent: (usage: ModelUsage) => void,
): AsyncGenerator<ModelPart> {
	for await (const part of parts) {
		if (part.kind === 'finish') {
			onSpent(part.usage);
		}
		yield part;
	}
}
