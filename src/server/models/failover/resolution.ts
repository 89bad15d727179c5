/**
 * Which models answer, found in six steps that are always taken in this order: the default where none is chosen, the name
 * behind an alias, the model for a prompt of this complexity, the breaker of its provider, an alternative where that one is
 * open, and what was found, which the turn writes into its row and trace. Source: S2-04.
 */
import type { AccessOfThread } from '../../../protocol/approvals/access.ts';
import type { SkillTools } from '../../../protocol/ops/skill-tools-left.ts';
import type { SubTurnId, ThreadId } from '../../../protocol/rpc/ids.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { Notice } from '../../../protocol/thread/items.ts';
import type { Settings } from '../../../protocol/settings/settings.ts';
import type { ModelPort } from '../model-port.ts';
import type { Breakers } from './breakers.ts';
import { type PromptToRoute, findPromptRoute } from './complexity.ts';
import { type ModelCandidate, ModelLine, parseProviderId } from './model-line.ts';

export interface WantedModel {
	/** Name as a person chose it: `provider/model` or an alias; null: the default. */
	readonly modelId: string | null;
	/** Absent: nothing is routed. */
	readonly prompt?: PromptToRoute;
	/** The thread whose quota it counts for; absent: of none. */
	readonly threadId?: ThreadId;
	/** The sub-turn for which it is wanted; absent: a turn. */
	readonly subTurnId?: SubTurnId;
}

export interface ResolvedModels {
	/** Rights of those in whose name the thread works; absent: nobody says. */
	readonly access?: AccessOfThread;
	/** Tools that skills leave to the thread; absent: nobody says. */
	readonly skillTools?: readonly SkillTools[];
	readonly models: ModelLine;
	/** A line for each step that changed something, as `alias: fast is p1/m`. */
	readonly steps: readonly string[];
	/** The provider of the chosen model, where another one answers because it failed often. */
	readonly passedOver?: NonNullable<Notice['passedOver']>;
}

interface ResolutionDeps {
	readonly settings: Settings;
	readonly breakers: Breakers;
	/** The first model that is connected. */
	readonly first: (signal: AbortSignal) => Promise<ModelPort>;
	/** Rejects with MODEL_NOT_FOUND for a name of nothing. */
	readonly open: (modelId: string, signal: AbortSignal) => Promise<ModelPort>;
	readonly fallbacks: () => readonly ModelCandidate[];
}

export async function resolveModels(
	{ modelId, prompt }: WantedModel,
	{ settings, breakers, first, open, fallbacks }: ResolutionDeps,
	signal: AbortSignal,
): Promise<ResolvedModels> {
	const steps: string[] = [];
	const followAlias = (name: string) => {
		const id = resolveModelAlias(name, settings);
		if (id !== name) {
			steps.push(`alias: ${name} is ${id}`);
		}
		return id;
	};

	let wanted = modelId || settings['prowess.model'];
	if (!modelId) {
		steps.push(`default: ${wanted || 'the first that is connected'}`);
	}
	wanted = followAlias(wanted);

	// Do not route when a person has chosen a model for the thread.
	const route =
		modelId || prompt === undefined ? undefined : findPromptRoute(prompt, settings['prowess.models.routing']);
	if (route !== undefined) {
		steps.push(`routing: ${route.points} points are ${route.size}: ${route.model}`);
		wanted = followAlias(route.model);
	}

	const chosen = await (wanted === '' ? first(signal) : open(wanted, signal)).catch((error: unknown) => {
		signal.throwIfAborted();
		throw route === undefined ? error : ofSetting(`prowess.models.routing.${route.size}`, error);
	});
	// The tour is a script: nobody can take over from it.
	const others = chosen.isScripted === true ? [] : fallbacks();
	const models = new ModelLine(chosen, others, breakers, settings['prowess.models.retrySpread']);

	const provider = parseProviderId(chosen.id);
	if (models.left > 0 && breakers.passesOver(provider)) {
		steps.push(`breaker: ${provider} has failed often and is passed over`);
		await models.passOver(signal);
		if (models.current !== chosen) {
			const next = models.current.id;
			steps.push(`alternative: ${next}`);
			return { models, steps, passedOver: { provider, faults: breakers.failuresOf(provider), next } };
		}
		steps.push(`alternative: none can be used, so ${chosen.id} is asked after all`);
	}
	return { models, steps };
}

/** The name behind an alias; any other name as it is. An alias names no other alias. */
export function resolveModelAlias(name: string, settings: Settings): string {
	const aliases = settings['prowess.models.aliases'];
	return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

function ofSetting(name: string, error: unknown): unknown {
	return isProwessError(error) ? new ProwessError(error.code, `${name}: ${error.message}`, error.facts, error) : error;
}
