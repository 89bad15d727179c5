/**
 * Token limits for messages, learned when models refused larger requests. A limit holds while the known window and
 * settings of the model stay the same, for some days, and also after a restart.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ModelPort } from '../models/model-port.ts';
import { historyLimits } from './limits.ts';

export type LimitedModel = Pick<ModelPort, 'id' | 'contextWindow' | 'endpoint' | 'tokenFactor'>;

export interface LearnedLimit {
	readonly baseUrl: string;
	/** Id of the model at its endpoint. */
	readonly modelId: string;
	readonly tokens: number;
	/** Window and settings of the model when it was learned. */
	readonly known: string;
	/** Milliseconds since 1970. */
	readonly learnedAt: number;
}

interface LearnedLimitsDeps {
	/** Where they are kept when this process ends; absent: nowhere. */
	readonly kept?: { all(): readonly LearnedLimit[]; keep(limit: LearnedLimit): void };
	readonly log?: (message: string, facts: Readonly<Record<string, unknown>>) => void;
	/** For tests. */
	readonly now?: () => number;
}

const NOWHERE: Required<LearnedLimitsDeps>['kept'] = { all: () => [], keep() {} };

export class LearnedLimits {
	readonly #kept: Required<LearnedLimitsDeps>['kept'];
	readonly #log: Required<LearnedLimitsDeps>['log'];
	readonly #now: () => number;
	#learned: Map<string, LearnedLimit> | undefined;

	constructor({ kept = NOWHERE, log = () => {}, now = Date.now }: LearnedLimitsDeps = {}) {
		this.#kept = kept;
		this.#log = log;
		this.#now = now;
	}

	/** Undefined: it has refused nothing. */
	of(model: LimitedModel): number | undefined {
		const learned = this.#all().get(createLimitKey(toModelAddress(model)));
		return learned !== undefined && this.#isFresh(learned) && learned.known === serializeModelFacts(model)
			? learned.tokens
			: undefined;
	}

	learn(model: LimitedModel, tokens: number): void {
		const learned = { ...toModelAddress(model), tokens, known: serializeModelFacts(model), learnedAt: this.#now() };
		this.#all().set(createLimitKey(learned), learned);
		if (model.endpoint === undefined) {
			return;
		}
		try {
			this.#kept.keep(learned);
		} catch (error) {
			this.#log('the limit of a model could not be kept', { model: model.id, error: toErrorMessage(error) });
		}
	}

	/**
	 * Returns the limits that are recent enough to hold, provided that the known window and settings of their models
	 * are unchanged.
	 */
	list(): readonly LearnedLimit[] {
		return [...this.#all().values()].filter((learned) => this.#isFresh(learned));
	}

	#isFresh({ learnedAt }: LearnedLimit): boolean {
		return this.#now() - learnedAt < historyLimits.learnedAgeMs;
	}

	#all(): Map<string, LearnedLimit> {
		return (this.#learned ??= new Map(this.#kept.all().map((learned) => [createLimitKey(learned), learned])));
	}
}

/** A model of the editor has no address. */
function toModelAddress({ id, endpoint }: LimitedModel): Pick<LearnedLimit, 'baseUrl' | 'modelId'> {
	return endpoint === undefined
		? { baseUrl: '', modelId: id }
		: { baseUrl: endpoint.baseUrl, modelId: endpoint.modelId };
}

function serializeModelFacts({ contextWindow, endpoint }: LimitedModel): string {
	return JSON.stringify([contextWindow, endpoint?.settings ?? null]);
}

function createLimitKey({ baseUrl, modelId }: Pick<LearnedLimit, 'baseUrl' | 'modelId'>): string {
	return JSON.stringify([baseUrl, modelId]);
}
