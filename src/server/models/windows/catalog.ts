/**
 * Which models there are, and the port of the one that is meant. Providers come from the settings at each call; an
 * endpoint that does not answer is named as a problem and hides no other.
 */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { ModelInfo, Price, ProviderConfig } from '../../../protocol/turn/models.ts';
import type { Settings } from '../../../protocol/settings/settings.ts';
import type { Calibrations } from './calibrations.ts';
import { discoverLocal, type FoundServer, LOCAL_PLACES, type LocalPlace } from './discover.ts';
import { EDITOR, type EditorModels } from '../editor-model.ts';
import { type EndpointModel, endpointModels, isNoList } from './endpoint-models.ts';
import type { Breakers } from '../failover/breakers.ts';
import { type ModelCandidate, parseProviderId } from '../failover/model-line.ts';
import { resolveModelAlias, type ResolvedModels, resolveModels, type WantedModel } from '../failover/resolution.ts';
import type { ImageData } from '../images.ts';
import { modelLimits } from '../limits.ts';
import { createModelLists, namingOthers } from './model-lists.ts';
import type { ModelPort } from '../model-port.ts';
import { findListPrice } from './prices.ts';
import {
	isAllowedModel,
	requireAllowedModel,
	requireBaseUrl,
	type GetKey,
	isNearby,
	providerModel,
	usableKey,
} from '../provider-model.ts';
import { providers } from '../providers/index.ts';
import { knownToThink } from '../providers/thinking-models.ts';
import type { Refusals } from '../streams/refusals.ts';
import { createTour, TOUR_MODEL_ID } from '../tour/tour.ts';
import { callsTool } from './calls-tool.ts';
import { countedWindow, type CountedWindow } from './counted-window.ts';
import type { ModelServerProgram } from './server-program.ts';
import type { Windows } from './windows.ts';

interface ModelCatalogDeps {
	/** Read at each call, so that a changed setting counts at once. */
	readonly settings: () => Settings;
	readonly getKey: GetKey;
	/** The editor's models, from `createEditorModels`; whoever made them ends them. */
	readonly lm: EditorModels;
	readonly log: (message: string, facts?: Readonly<Record<string, unknown>>) => void;
	readonly breakers: Breakers;
	readonly refusals: Refusals;
	/** Reads pictures from the store of threads. */
	readonly imageData: ImageData;
	readonly windows: Windows;
	readonly calibrations: Calibrations;
	/** Where model servers of this machine are looked for; tests have their own. */
	readonly localPlaces?: readonly LocalPlace[];
}

interface ModelProblem {
	readonly provider: string;
	readonly message: string;
}

interface ModelList {
	readonly models: ModelInfo[];
	/** Model of a new thread; never null, because the tour is always available. */
	readonly selected: string;
	readonly problems: ModelProblem[];
	/** Providers that are passed over now, with the seconds until they are asked first again. */
	readonly resting: { readonly provider: string; readonly seconds: number }[];
}

export interface ModelCatalog {
	list(signal: AbortSignal): Promise<ModelList>;
	/** Null: the default. Rejects with MODEL_NOT_FOUND for an id that names no connected provider and no other model. */
	resolve(modelId: string | null, signal: AbortSignal): Promise<ModelPort>;
	/** The model that is to answer, and those of the settings that take over when it cannot. */
	line(wanted: WantedModel, signal: AbortSignal): Promise<ResolvedModels>;
	/** Tries a provider before it is saved. Rejects with what is wrong with it. */
	check(config: ProviderConfig, key: string | null, signal: AbortSignal): Promise<readonly string[]>;
	/** Resolves with true when the model calls a tool that it is told to call. Rejects with the provider's fault. */
	tryTool(config: ProviderConfig, key: string | null, modelId: string, signal: AbortSignal): Promise<boolean>;
	readonly localPlaces: readonly LocalPlace[];
	discover(signal: AbortSignal): Promise<readonly FoundServer[]>;
	/** Windows of the chosen model and of those that model servers have told of, as they count now; asks nobody. */
	windows(): readonly { readonly modelId: string; readonly window: CountedWindow }[];
	/** The next list asks every endpoint again, and no provider is passed over any more. */
	refresh(): void;
}

const tourInfo: ModelInfo = {
	id: TOUR_MODEL_ID,
	name: 'Tour (scripted, no model)',
	provider: 'tour',
	source: 'scripted',
	images: false,
};

/** First parts of ids that are no provider's. */
const RESERVED: ReadonlySet<string> = new Set([EDITOR, 'tour']);

export function createModelCatalog(deps: ModelCatalogDeps): ModelCatalog {
	const { settings, getKey, lm, log, breakers, refusals, imageData, windows, calibrations } = deps;
	const lists = createModelLists(getKey);
	const localPlaces = deps.localPlaces ?? LOCAL_PLACES;
	const discover = (signal: AbortSignal) => discoverLocal(localPlaces, signal);
	const tour = createTour({ discover: (signal) => listConnectable(discover, lm, signal) });

	async function editorList(signal: AbortSignal): Promise<{ models: ModelInfo[]; problems: ModelProblem[] }> {
		try {
			return { models: await lm.list(signal), problems: [] };
		} catch (error) {
			signal.throwIfAborted();
			log('the editor’s models could not be listed', { error: readErrorMessage(error) });
			return { models: [], problems: [{ provider: EDITOR, message: readErrorMessage(error) }] };
		}
	}

	async function providerList(config: ProviderConfig, signal: AbortSignal) {
		if (RESERVED.has(config.id)) {
			return {
				config,
				models: [],
				problems: [{ provider: config.id, message: `the name "${config.id}" is taken; rename the provider` }],
			};
		}
		try {
			if (config.allowedModels?.length === 0) {
				const message = 'your organisation does not allow this provider';
				return { config, models: [], problems: [{ provider: config.id, message }] };
			}
			const models = (await lists.of(config, signal)).filter(({ id }) => isAllowedModel(config, id));
			return { config, models, problems: [] };
		} catch (error) {
			signal.throwIfAborted();
			return { config, models: [], problems: [{ provider: config.id, message: readErrorMessage(error) }] };
		}
	}

	/** The first model of the first provider that has one; then the editor's first; then the tour. */
	function pickFirstModel(providerModels: readonly ModelInfo[], editor: readonly ModelInfo[]): string {
		return (providerModels[0] ?? editor[0] ?? tourInfo).id;
	}

	function createProviderPort(config: ProviderConfig, modelId: string): ModelPort {
		requireAllowedModel(config, modelId);
		const baseUrl = requireBaseUrl(config);
		const known = settings()['prowess.models.settings'][`${config.id}/${modelId}`];
		return providerModel({
			config,
			modelId,
			contextWindow: () => resolveModelWindow(config, modelId).tokens,
			mostOutput: lists.known(config, modelId)?.mostOutput,
			price: resolveModelPrice(config, modelId),
			getKey,
			known,
			refusals,
			imageData,
			tokenFactor: calibrations.of({ baseUrl, modelId }),
			onFirstEvent(event, key, signal) {
				const server = { baseUrl, modelId, headers: key === null ? {} : providers[config.kind].keyHeader(key) };
				const listedBy = findServerProgram(config, modelId);
				return windows.answering({ server, event, listedBy, wanted: known?.contextWindow }, signal);
			},
			onRefused: (error, signal) => namingOthers(error, { config, modelId, lists }, signal),
			ollamaWindow: () => (findServerProgram(config, modelId) === 'ollama' ? known?.contextWindow : undefined),
		});
	}

	/** Program that serves a model, as its list or an earlier answer has shown. */
	function findServerProgram(config: ProviderConfig, modelId: string): ModelServerProgram | undefined {
		const { baseUrl } = config;
		const saidBy = baseUrl === undefined ? undefined : windows.of({ baseUrl, modelId })?.saidBy;
		return lists.known(config, modelId)?.listedBy ?? saidBy;
	}

	/**
	 * Asks a nearby server of an unknown program for its list when the user has set a window for the model: the server
	 * may be Ollama, which is told the window with the first request, and the list shows whether it is. Rejects only
	 * when the signal aborts.
	 */
	async function listedIfWanted(config: ProviderConfig, modelId: string, signal: AbortSignal): Promise<void> {
		const { kind, id } = config;
		const isWanted = settings()['prowess.models.settings'][`${id}/${modelId}`]?.contextWindow !== undefined;
		if (!isWanted || kind !== 'openai-compatible' || findServerProgram(config, modelId) !== undefined) {
			return;
		}
		try {
			if (isNearby(requireBaseUrl(config))) {
				await lists.of({ ...config, models: [] }, signal);
			}
		} catch (error) {
			signal.throwIfAborted();
			log('a model server was not asked for its list', { provider: id, error: readErrorMessage(error) });
		}
	}

	function resolveModelPrice(config: ProviderConfig, modelId: string): Price | undefined {
		const set = settings()['prowess.models.settings'][`${config.id}/${modelId}`]?.price;
		return set ?? lists.known(config, modelId)?.price ?? findListPrice(config, modelId);
	}

	function takesImages(config: ProviderConfig, modelId: string): boolean | undefined {
		try {
			return createProviderPort(config, modelId).takesImages;
		} catch {
			// An address that cannot be used is told when the model is asked.
			return undefined;
		}
	}

	function resolveModelWindow(config: ProviderConfig, modelId: string): CountedWindow {
		return countedWindow(modelId, {
			set: settings()['prowess.models.settings'][`${config.id}/${modelId}`]?.contextWindow,
			said: config.baseUrl === undefined ? undefined : windows.of({ baseUrl: config.baseUrl, modelId }),
			listed: lists.known(config, modelId)?.contextWindow,
		});
	}

	function createModelInfo(
		config: ProviderConfig,
		{ id, name, thinks = knownToThink(config.kind, id) }: EndpointModel,
	): ModelInfo {
		const images = takesImages(config, id);
		const price = resolveModelPrice(config, id);
		return {
			id: `${config.id}/${id}`,
			name,
			provider: config.id,
			source: 'provider',
			contextWindow: resolveModelWindow(config, id).tokens,
			...(images !== undefined && { images }),
			...(thinks !== undefined && { thinks }),
			...(price !== undefined && { price }),
		};
	}

	async function defaultModel(signal: AbortSignal): Promise<ModelPort> {
		for (const config of settings()['prowess.providers']) {
			const { models } = await providerList(config, signal);
			const first = models[0];
			if (first !== undefined) {
				return createProviderPort(config, first.id);
			}
		}
		const first = (await editorList(signal)).models[0];
		return first === undefined ? tour : lm.model(first);
	}

	async function editorModel(modelId: string, signal: AbortSignal): Promise<ModelPort> {
		const { models, problems } = await editorList(signal);
		const info = models.find(({ id }) => id === modelId);
		if (info === undefined) {
			const why =
				problems[0]?.message ?? 'the editor does not offer it; choose another one, or sign in where it comes from';
			throw new ProwessError('MODEL_NOT_FOUND', `model "${modelId}" is not there: ${why}`, { modelId });
		}
		return lm.model(info);
	}

	async function openModel(modelId: string, signal: AbortSignal): Promise<ModelPort> {
		signal.throwIfAborted();
		if (modelId === TOUR_MODEL_ID) {
			return tour;
		}
		if (parseProviderId(modelId) === EDITOR) {
			return editorModel(modelId, signal);
		}
		const { config, name } = providerModelNamed(modelId);
		requireAllowedModel(config, name);
		await listedIfWanted(config, name, signal);
		return createProviderPort(config, name);
	}

	const line = (wanted: WantedModel, signal: AbortSignal) =>
		resolveModels(
			wanted,
			{ settings: settings(), breakers, first: defaultModel, open: openModel, fallbacks: listFallbacks },
			signal,
		);

	/** Throws MODEL_NOT_FOUND for what names no connected provider. */
	function providerModelNamed(modelId: string): { readonly config: ProviderConfig; readonly name: string } {
		const slash = modelId.indexOf('/');
		const [provider, name] = [modelId.slice(0, slash), modelId.slice(slash + 1)];
		const config = settings()['prowess.providers'].find(({ id }) => id === provider);
		if (slash < 1 || name === '' || config === undefined) {
			const what =
				slash < 1 || name === ''
					? 'expected provider/model, or an alias of prowess.models.aliases'
					: `no provider "${provider}" is connected`;
			throw new ProwessError('MODEL_NOT_FOUND', `model "${modelId}": ${what}`, { modelId });
		}
		return { config, name };
	}

	/**
	 * Returns the models that take over, as the settings list them. A model with an address of its own is asked at that
	 * address, with the provider's key.
	 */
	function listFallbacks(): readonly ModelCandidate[] {
		return settings()['prowess.models.fallback'].map(({ provider, model, baseUrl }) => {
			const id = `${provider}/${model}`;
			return {
				id,
				baseUrl,
				open: async (signal) =>
					baseUrl === undefined
						? openModel(id, signal)
						: createProviderPort({ ...providerModelNamed(id).config, baseUrl }, model),
			};
		});
	}

	return {
		async list(signal) {
			signal.throwIfAborted();
			const [found, editor] = await Promise.all([
				Promise.all(settings()['prowess.providers'].map((config) => providerList(config, signal))),
				editorList(signal),
			]);
			const ofProviders = found.flatMap(({ config, models: listed }) =>
				listed.map((model) => createModelInfo(config, model)),
			);
			const models = [...ofProviders, ...editor.models, tourInfo];
			const selected = settings()['prowess.model'] || pickFirstModel(ofProviders, editor.models);
			const problems = [...found.flatMap((each) => each.problems), ...editor.problems];
			return { models, selected, problems, resting: [...breakers.open()] };
		},
		resolve: async (modelId, signal) => (await line({ modelId }, signal)).models.current,
		line,
		async check(config, key, signal) {
			const usable = usableKey(config, key);
			try {
				const models = await endpointModels(config, usable, modelLimits.checkMs, signal);
				return models.map(({ id }) => id);
			} catch (error) {
				if (isNoList(error) && config.models.length > 0) {
					return config.models;
				}
				throw error;
			}
		},
		tryTool: (config, key, modelId, signal) =>
			callsTool(
				providerModel({
					config,
					modelId,
					contextWindow: () => resolveModelWindow(config, modelId).tokens,
					getKey: () => Promise.resolve(key),
					known: settings()['prowess.models.settings'][`${config.id}/${modelId}`],
					refusals,
					imageData,
				}),
				signal,
			),
		localPlaces,
		discover,
		windows() {
			const chosen = resolveModelAlias(settings()['prowess.model'], settings());
			return settings()['prowess.providers'].flatMap((config) => {
				const told = windows.list().filter(({ baseUrl }) => baseUrl === config.baseUrl);
				const mine = parseProviderId(chosen) === config.id ? [chosen.slice(config.id.length + 1)] : [];
				const names = new Set([...mine, ...told.map(({ modelId }) => modelId)].filter((name) => name !== ''));
				return [...names].map((name) => ({
					modelId: `${config.id}/${name}`,
					window: resolveModelWindow(config, name),
				}));
			});
		},
		refresh() {
			lists.forget();
			breakers.reset();
			refusals.forget();
			windows.forget();
		},
	};
}

/** Returns the names of the servers and models that the user could connect with one click. */
async function listConnectable(
	discover: (signal: AbortSignal) => Promise<readonly FoundServer[]>,
	lm: EditorModels,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const [servers, editor] = await Promise.all([
		discover(signal),
		lm.list(signal).catch((): ModelInfo[] => {
			signal.throwIfAborted();
			// Only a suggestion is missing then.
			return [];
		}),
	]);
	return [
		...servers.map(({ name, models }) => (models.length === 0 ? name : `${name} (${models.slice(0, 3).join(', ')})`)),
		...editor.slice(0, 3).map(({ name }) => `${name} in your editor`),
	];
}

function readErrorMessage(error: unknown): string {
	return isProwessError(error) || error instanceof Error ? error.message : String(error);
}
