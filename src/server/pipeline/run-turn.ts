/**
 * A turn from the user's message to rest: the six stages, in this order, each leaving its trace. A prompt that needs no
 * model takes a fast path in place of the first five; a strategy may also do without them.
 */
import type { AccessOfThread, Right } from '../../protocol/approvals/access.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { FailoverStep } from '../../protocol/pages/drawn-failover.ts';
import { quotaText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { Strategy, Usage } from '../../protocol/thread/thread.ts';
import { WARNED_SHARE } from '../../protocol/turn/usage.ts';
import { decideFastPath, offerGoal, offerModel, offerSchedule, resolveStrategy } from '../decision/decide.ts';
import { followStrategy } from '../decision/follow-strategy.ts';
import { countOverruled, isStillOn } from '../decision/overruled.ts';
import { compactCommand, compactOnDemand } from '../loop/compact.ts';
import { passedOverNotice } from '../loop/failover-notices.ts';
import type { ResolvedModels } from '../models/failover/resolution.ts';
import { contextGuard, historySanitize } from './context-guard.ts';
import { executeTurn } from './execute.ts';
import { type ExecutionEnding, failoverDecide } from './failover-decide.ts';
import type { TurnTracer } from '../turn/stage-trace.ts';
import { toolsOfTurn } from '../tools/tool-split.ts';
import type { SettledTurnEnd, Turn, TurnDeps } from '../turn/turn.ts';

/** The reason with which a turn's signal aborts when the process ends; any other reason is the user's stop. */
export const GOING_AWAY = Symbol('the server is going away');

/** Never rejects for what a model, a host or a user does; only when the thread cannot be written any more. */
export async function runTracedTurn(
	turn: Turn,
	deps: TurnDeps,
	trace: TurnTracer,
	signal: AbortSignal,
): Promise<SettledTurnEnd> {
	const ending = await runTurnStages(turn, deps, trace, signal);
	if (ending.kind === 'failed' && !isProwessError(ending.error)) {
		deps.log.error('a turn failed unexpectedly', {
			error: String(ending.error),
			stack: (ending.error as Error).stack ?? '',
		});
	}
	const end = await trace.stage(
		'FailoverDecide',
		() => failoverDecide(ending),
		({ outcome }) => ({ outcome }),
	);
	trace.end();
	return end;
}

async function runTurnStages(
	asked: Turn,
	deps: TurnDeps,
	trace: TurnTracer,
	signal: AbortSignal,
): Promise<ExecutionEnding> {
	try {
		if (asked.overrules !== undefined) {
			await countOverruled(asked.overrules, asked, deps, signal);
		}
		const decision = decideFastPath(asked, deps);
		if (decision !== undefined && (await isAnswered(decision, asked, deps, trace, signal))) {
			return { kind: 'ended', end: { kind: 'done', requests: 0 } };
		}
		const chosen = await allowStrategy(resolveStrategy(asked, deps), asked, deps, signal);
		const strategy =
			chosen === 'DIRECT_RESPONSE' ? chosen : await followChosenStrategy(chosen, asked, deps, trace, signal);
		if (strategy === undefined) {
			return { kind: 'ended', end: { kind: 'done', requests: 0 } };
		}
		const { models, access, skillTools } = await trace.stage(
			'AuthResolve',
			() => authResolve(asked, deps, signal),
			(result) => ({
				model: result.models.current.id,
				...(result.access !== undefined && { principal: result.access.principal }),
				...(result.access !== undefined && result.access.denied.length > 0 && { denied: result.access.denied }),
				...(listToolSkills(result.skillTools).length > 0 && { skills: listToolSkills(result.skillTools) }),
				...(result.steps.length > 0 && { resolution: result.steps }),
			}),
		);
		if (chosen === 'DIRECT_RESPONSE') {
			offerGoal(asked, models.current, deps);
		}
		const turn = withRights({ ...asked, strategy, skillTools }, access);
		const before = turn.journal.usage;
		const failovers: (readonly FailoverStep[])[] = [];
		const collectUsageFacts = () => ({
			...usedSince(before, turn.journal.usage),
			...(failovers.length > 0 && { failovers }),
		});
		const keep = compactCommand(turn.text);
		if (keep !== undefined) {
			await trace.stage(
				'Compact',
				() => compactOnDemand(turn, keep, models, { ...deps, beginStep: trace.begin }, signal),
				collectUsageFacts,
				collectUsageFacts,
			);
			return { kind: 'ended', end: { kind: 'done', requests: 0 } };
		}
		const history = await trace.stage(
			'HistorySanitize',
			() => historySanitize(turn, models.current, deps),
			({ tokens, messages, cut, leftOut }) => ({
				rawMessages: turn.before.length,
				messages: messages.length,
				tokens,
				dropped: cut.dropped,
				...(leftOut > 0 && { leftOut }),
			}),
		);
		const context = await trace.stage(
			'ContextGuard',
			() => contextGuard(turn, history, models.current, deps, signal),
			({ tokens, budgetTokens, parts }) => ({ model: models.current.id, tokens, budgetTokens, ...parts }),
		);
		const tools = await trace.stage(
			'ToolSplit',
			() => toolsOfTurn(turn, deps),
			({ ops, declarations }) => ({
				strategy: declarations.length === 0 ? 'TextOnly' : 'ToolsEnabled',
				tools: ops.size,
			}),
		);
		let answering = models.current.id;
		const onFailover = (steps: readonly FailoverStep[]) => {
			failovers.push(steps);
			// Another model may have taken over: the turn names the one that answers (S1-27).
			turn.journal.answering(models.current.id, models.current.id !== answering);
			answering = models.current.id;
		};
		const end = await trace.stage(
			'Execute',
			() => executeTurn(turn, context, tools, models, { ...deps, onFailover, beginStep: trace.begin }, signal),
			({ kind, requests }) => ({ kind, requests, ...collectUsageFacts() }),
			collectUsageFacts,
		);
		if (end.kind === 'done') {
			offerSchedule(asked, deps);
		}
		return { kind: 'ended', end };
	} catch (error) {
		if (signal.aborted) {
			return { kind: signal.reason === GOING_AWAY ? 'interrupted' : 'stopped' };
		}
		return { kind: 'failed', error };
	}
}

/** False: the fast path could not answer, and a model does. Rejects when the signal aborts. */
async function isAnswered(
	{ name, run }: NonNullable<ReturnType<typeof decideFastPath>>,
	turn: Turn,
	deps: TurnDeps,
	trace: TurnTracer,
	signal: AbortSignal,
): Promise<boolean> {
	if (!(await isStillOn({ kind: 'fastPath', name }, turn, deps, signal))) {
		return false;
	}
	const createTraceFacts = () => ({ fastPath: name });
	try {
		await trace.stage('FastPath', () => run(signal), createTraceFacts, createTraceFacts);
		offerModel(turn);
		return true;
	} catch (error) {
		signal.throwIfAborted();
		deps.log.info('a fast path left its prompt to a model', { fastPath: name, error: String(error) });
		return false;
	}
}

/** The strategy that the message asks for, unless the user has overruled it too often in this project. */
async function allowStrategy(strategy: Strategy, turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<Strategy> {
	return isAskedFor(strategy, turn) ||
		strategy === 'DIRECT_RESPONSE' ||
		(await isStillOn({ kind: 'strategy', name: strategy }, turn, deps, signal))
		? strategy
		: 'DIRECT_RESPONSE';
}

/** True when the user has chosen the strategy or asked for it in its own words, as for each goal: nothing was judged. */
function isAskedFor(strategy: Strategy, turn: Turn): boolean {
	return turn.strategy !== undefined || strategy === 'GOAL';
}

/** The strategy with which a model goes on; undefined: none does. Rejects when the signal aborts; any other failure is the direct answer's. */
async function followChosenStrategy(
	strategy: Strategy,
	turn: Turn,
	deps: TurnDeps,
	trace: TurnTracer,
	signal: AbortSignal,
): Promise<Strategy | undefined> {
	const createTraceFacts = () => ({ strategy, by: isAskedFor(strategy, turn) ? 'user' : 'heuristics' });
	try {
		return await trace.stage(
			'Decide',
			() => followStrategy(strategy, turn, deps, signal),
			createTraceFacts,
			createTraceFacts,
		);
	} catch (error) {
		signal.throwIfAborted();
		deps.log.info('a strategy left its message to the direct answer', { strategy, error: String(error) });
		return 'DIRECT_RESPONSE';
	}
}

/** Whose tools are the thread's. */
function listToolSkills(skillTools: Turn['skillTools'] = []): readonly string[] {
	return skillTools.flatMap(({ skills }) => skills);
}

/** Without what is denied to those in whose name it runs. The host refuses the tools all the same. */
function withRights(turn: Turn, access: AccessOfThread | undefined): Turn {
	const isDenied = (right: Right) => access?.denied.includes(right) === true;
	return {
		...turn,
		...(isDenied('history') ? { before: [] } : {}),
		...(isDenied('details') ? { hidesDetails: true } : {}),
		// A whole result of an earlier turn is a detail, too.
		...(isDenied('history') || isDenied('details')
			? { results: { result: (id) => turn.results.result(id, turn.turnId) } }
			: {}),
		...(isDenied('tools') ? { left: [] } : {}),
	};
}

/** Tokens and money of this turn alone. */
function usedSince(before: Usage | null, after: Usage | null): Readonly<Record<string, number>> {
	if (after === null) {
		return {};
	}
	const cost = (after.cost ?? 0) - (before?.cost ?? 0);
	return {
		inputTokens: after.inputTokens - (before?.inputTokens ?? 0),
		outputTokens: after.outputTokens - (before?.outputTokens ?? 0),
		cachedInputTokens: after.cachedInputTokens - (before?.cachedInputTokens ?? 0),
		...(cost > 0 && { cost }),
	};
}

/**
 * Stage 1: decides whether this turn may run at all, and with which model. No model is asked and no data is sent before
 * the workspace is trusted.
 */
async function authResolve(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<ResolvedModels> {
	if (!deps.workspace().trusted) {
		throw new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted, so nothing was read or sent');
	}
	const prompt = { text: turn.text, attachments: turn.context.length, messagesBefore: turn.before.length };
	const resolved = await deps.models.line({ modelId: turn.modelId, prompt, threadId: turn.threadId }, signal);
	turn.journal.answering(resolved.models.current.id);
	if (resolved.passedOver !== undefined) {
		turn.journal.notice(passedOverNotice(resolved.passedOver));
	}
	const warned = resolved.models.current.quotas?.().find(({ used, limit }) => used >= limit * WARNED_SHARE);
	if (warned !== undefined) {
		const text = inEnglish(quotaText(warned));
		turn.journal.notice({ level: 'warning', text, actions: [], quota: warned });
	}
	resolved.models.current.prepare?.(signal);
	return resolved;
}
