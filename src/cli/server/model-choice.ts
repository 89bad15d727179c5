/** Which providers there are for this command, and which of them it uses: flags before settings before keys in the environment. */
import { isUnencrypted } from '../../protocol/base-url.ts';
import { ProviderKind as Kinds, ProviderConfig, type ProviderKind } from '../../protocol/turn/models.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { didYouMean, UsageError } from '../terminal/usage-error.ts';

export interface ModelFlags {
	readonly provider: string | undefined;
	readonly baseUrl: string | undefined;
	readonly model: string | undefined;
}

export interface CommandModelChoice {
	readonly providers: readonly ProviderConfig[];
	/** Id of the provider in use; undefined: the server takes the first that is connected. */
	readonly provider: string | undefined;
	/** `<provider>/<model>`; undefined: the first of the provider. */
	readonly modelId: string | undefined;
}

const tour = 'tour';

export function readModelFlags(values: Readonly<Record<string, string>>): ModelFlags {
	return { provider: values['provider'], baseUrl: values['base-url'], model: values['model'] };
}

export function chooseCommandModel(
	given: ModelFlags,
	settings: Settings,
	kindsWithKey: readonly ProviderKind[],
): CommandModelChoice {
	const flags = { ...given, model: resolveFlagAlias(given, settings) };
	const configured = settings['prowess.providers'];
	const known =
		configured.length > 0
			? configured
			: kindsWithKey.map((kind) => ProviderConfig.parse({ id: kind, kind, models: [] }));
	const name = flags.provider ?? (flags.baseUrl === undefined ? providerIn(flags.model, known) : 'openai-compatible');
	if (name === undefined) {
		return withoutFlag(flags.model, settings, known);
	}
	if (name === tour) {
		if (flags.baseUrl !== undefined) {
			throw new UsageError('--base-url: the tour has no address');
		}
		return { providers: known, provider: tour, modelId: modelIn(tour, flags.model) };
	}
	const provider = providerFor(name, flags, known);
	return {
		providers: [provider, ...known.filter(({ id }) => id !== provider.id)],
		provider: provider.id,
		modelId: modelIn(provider.id, flags.model) ?? modelIn(provider.id, settings['prowess.model'], 'own'),
	};
}

/** The name behind an alias of the settings; any other name as it is. */
function resolveFlagAlias({ model, provider }: ModelFlags, settings: Settings): string | undefined {
	const aliases = settings['prowess.models.aliases'];
	const named = model !== undefined && Object.hasOwn(aliases, model) ? aliases[model] : undefined;
	if (named !== undefined && provider !== undefined && !named.startsWith(`${provider}/`)) {
		throw new UsageError(
			`--model ${model}: prowess.models.aliases says that this is ${named}, so it does not go with --provider ${provider}`,
		);
	}
	return named ?? model;
}

function withoutFlag(
	model: string | undefined,
	settings: Settings,
	known: readonly ProviderConfig[],
): CommandModelChoice {
	if (model !== undefined) {
		const [only, ...others] = known;
		if (only === undefined || others.length > 0) {
			throw new UsageError(`--model ${model}: say which provider has it, with --provider or as provider/model`);
		}
		return { providers: known, provider: only.id, modelId: `${only.id}/${model}` };
	}
	const own = settings['prowess.model'];
	return own === ''
		? { providers: known, provider: known[0]?.id, modelId: undefined }
		: { providers: known, provider: providerIn(own, known), modelId: own };
}

/** The provider that `<provider>/<model>` names, if there is one. */
function providerIn(model: string | undefined, known: readonly ProviderConfig[]): string | undefined {
	const prefix = model?.split('/')[0];
	return model?.includes('/') === true && (prefix === tour || known.some(({ id }) => id === prefix))
		? prefix
		: undefined;
}

function modelIn(provider: string, model: string | undefined, only?: 'own'): string | undefined {
	if (model === undefined || model === '') {
		return undefined;
	}
	if (model.startsWith(`${provider}/`)) {
		return model;
	}
	return only === 'own' ? undefined : `${provider}/${model}`;
}

function providerFor(name: string, { baseUrl, model }: ModelFlags, known: readonly ProviderConfig[]): ProviderConfig {
	const own = known.find(({ id }) => id === name);
	const kind = own?.kind ?? Kinds.options.find((each) => each === name);
	if (kind === undefined) {
		const names = [tour, ...Kinds.options, ...known.map(({ id }) => id)];
		throw new UsageError(`--provider takes ${names.join(', ')}; got "${name}"${didYouMean(name, names)}`);
	}
	const address = baseUrl ?? own?.baseUrl;
	if (kind === 'openai-compatible' && address === undefined) {
		throw new UsageError('--provider openai-compatible needs --base-url URL');
	}
	const parsed = ProviderConfig.safeParse({
		id: own?.id ?? kind,
		kind,
		models: model === undefined ? (own?.models ?? []) : [modelName(name, model)],
		...(address === undefined ? {} : { baseUrl: address }),
	});
	if (!parsed.success) {
		throw new UsageError(`--base-url takes an http(s) address; got "${baseUrl ?? ''}"`);
	}
	return parsed.data;
}

function modelName(provider: string, model: string): string {
	return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

/** Said once before the work begins; empty where the provider in use is asked by https, or on this machine. */
export function unencryptedText({ providers, provider }: CommandModelChoice): string {
	const [host] = unencryptedHosts(
		provider === undefined ? providers.slice(0, 1) : providers.filter(({ id }) => id === provider),
	);
	return host === undefined ? '' : `prowess: your key and your code travel unencrypted to ${host}.\n`;
}

export function unencryptedHosts(providers: readonly ProviderConfig[]): string[] {
	const urls = providers.flatMap(({ baseUrl = '' }) => (URL.canParse(baseUrl) ? [new URL(baseUrl)] : []));
	return urls.filter(isUnencrypted).map(({ host }) => host);
}
