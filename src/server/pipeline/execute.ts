/** Stage 5: ask the model, run what it calls, give it the results, until it calls nothing more. */
import { isProwessError } from '../../protocol/errors/errors.ts';
import { capabilityStart } from '../../protocol/capability/capability-ops.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import { PLAN_OP } from '../../protocol/thread/thread-mode.ts';
import { joinUserMessages, sayWithSender, userMessage } from '../history/messages.ts';
import { historyLimits } from '../history/limits.ts';
import { hostOfTurn, type OpHost } from '../host/host-broker.ts';
import type { ThreadInstructions } from '../prompt/instructions.ts';
import { listRefPaths, readContext } from '../prompt/user-message.ts';
import { type OfferedTools, skillToolsNotice, toolsOfTurn, VERDICT_OP } from '../tools/tool-split.ts';
import type { Loop, LoopDeps, LoopEnd, LoopSteering } from '../loop/loop.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { SteeringMessage } from '../turn/steering.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import { attachedImages, forgetWords, type GuardedContext } from './context-guard.ts';

export async function executeTurn(
	turn: Turn,
	{ messages, leftOut, cut, instructions, rules }: GuardedContext,
	tools: OfferedTools,
	models: ModelLine,
	deps: TurnDeps & Pick<LoopDeps, 'onFailover' | 'beginStep'>,
	signal: AbortSignal,
): Promise<LoopEnd> {
	let { mode, skillTools = [] } = turn;
	let offered = tools;
	const tellSkills = () => {
		if (skillTools.length > 0) turn.journal.notice(skillToolsNotice(skillTools, offered));
	};
	tellSkills();
	const spent = turn.options?.maxCost === undefined ? undefined : await countSpent(turn, deps, signal);
	const loop: Loop = {
		get system() {
			return systemPrompt(mode, turn.agent);
		},
		fixedTokens: historyLimits.fixedTokens + estimateTokens(turn.agent?.instructions ?? ''),
		messages,
		cut,
		get tools() {
			return offered;
		},
		instructions,
		models,
		effort: turn.effort,
		temperature: turn.options?.temperature ?? turn.agent?.options?.temperature,
		maxRounds: turn.options?.rounds ?? turn.agent?.options?.rounds,
		maxCost: turn.options?.maxCost,
		spent,
		maxIterations: deps.settings()['prowess.agent.maxIterations'],
		journal: turn.journal,
		request: turn.text,
		isPastCut: turn.isPastCut || turn.hidesDetails === true || leftOut > 0,
		steering: readSteering(turn, deps, instructions),
		beforeRest: (text, isAgain, until) => deps.host.resting(turn, { isAgain, text }, until),
		lastCall: turn.strategy === 'GOAL_STEP' && offered.ops.has(VERDICT_OP) ? VERDICT_OP : undefined,
		beforeCompact: (until) => deps.host.compacting(turn.threadId, 'auto', '', until),
	};
	const host = afterOps(hostOfTurn(deps.host, turn), {
		onApproved() {
			mode = 'agent';
			offered = toolsOfTurn({ ...turn, mode, skillTools }, deps);
			turn.journal.setMode(mode);
		},
		onFollowed(left) {
			skillTools = left;
			offered = toolsOfTurn({ ...turn, mode, skillTools }, deps);
			tellSkills();
		},
	});
	const before = turn.journal.usage;
	try {
		return await runLoop(loop, { ...deps, host }, signal);
	} catch (error) {
		const isTooLong = isProwessError(error) && error.code === 'CONTEXT_OVERFLOW' && turn.journal.usage === before;
		// The window was smaller than anybody had said.
		if (isTooLong && estimateTokens(turn.text) > deps.budgets.tokensOf(models.current)) {
			forgetWords(turn, rules);
		}
		throw error;
	}
}

/** Counts the cost of the thread from now on, with the sub-agents and capabilities that work for it. */
async function countSpent(
	{ threadId }: Turn,
	{ host }: Pick<TurnDeps, 'host'>,
	signal: AbortSignal,
): Promise<(signal: AbortSignal) => Promise<number>> {
	const before = await host.spent(threadId, signal);
	return async (until) => (await host.spent(threadId, until)) - before;
}

interface ToolChangeListener {
	/** The user has approved a plan. */
	onApproved(): void;
	/** The thread follows a skill that names tools. */
	onFollowed(left: readonly SkillTools[]): void;
}

/** The host of a turn, which says when an op has changed the tools of the thread: by then the host enforces it. */
function afterOps(host: OpHost, { onApproved, onFollowed }: ToolChangeListener): OpHost {
	return {
		...host,
		async perform(asked, onProgress, signal) {
			const outcome = await host.perform(asked, onProgress, signal);
			if (outcome.status === 'done' && asked.op === PLAN_OP) {
				onApproved();
			}
			if (outcome.status === 'done' && asked.op === 'capability.start') {
				const left = capabilityStart.result.safeParse(outcome.result).data?.instructions?.skillTools;
				if (left !== undefined) onFollowed(left);
			}
			return outcome;
		},
	};
}

/**
 * Reads messages that the user sends to a running turn, in the form that the model reads: with attachments and the
 * rules for those.
 */
function readSteering(turn: Turn, { host, threads }: TurnDeps, instructions: ThreadInstructions): LoopSteering {
	const asker = { host, threadId: turn.threadId, turnId: turn.turnId };
	const readSteeringMessage = async (said: SteeringMessage, signal: AbortSignal) => {
		const { text, context } = said;
		if (said.from !== undefined) return userMessage('', sayWithSender(said), '');
		const attached = await readContext(context, { ...asker, threads, said: text }, signal);
		const rules = await instructions.followedBy(listRefPaths(context), signal);
		return userMessage(text, attached.text, rules, attachedImages(context, attached, turn.journal));
	};
	return {
		open: () => turn.steering.open(),
		close: () => turn.steering.close(),
		get isWaiting() {
			return turn.steering.isWaiting;
		},
		async read(signal) {
			const [first, ...others] = turn.steering.take();
			if (first === undefined) {
				return undefined;
			}
			let message = await readSteeringMessage(first, signal);
			for (const other of others) {
				message = joinUserMessages(message, await readSteeringMessage(other, signal));
			}
			return { message, items: [first, ...others].map(({ id }) => id) };
		},
	};
}
