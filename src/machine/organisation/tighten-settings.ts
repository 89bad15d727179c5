/** Settings of a user as the rules of their organisation leave them: each is the tighter one of the two. */
import { pickNarrowerLevel } from '../../protocol/ops/permission-level.ts';
import type { OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import type { ProviderConfig } from '../../protocol/turn/models.ts';

const WIDEST_LEVEL_SETTING = 'prowess.approvals.widestLevel';
const KEEP_DAYS = 'prowess.ledger.keepDays';

interface SettingJudges {
	/** Patterns of the models of a provider that are allowed; undefined: all are. */
	modelsOf(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): string[] | undefined;
	isAllowedHost(host: string): boolean;
}

export function tightenSettings(
	settings: Settings,
	{ widestLevel, sandbox, quotas = {}, ledger = {} }: OrganisationRules,
	{ modelsOf, isAllowedHost }: SettingJudges,
): Settings {
	const providers = settings['prowess.providers'].map((provider) => {
		const allowedModels = modelsOf(provider);
		return allowedModels === undefined ? provider : { ...provider, allowedModels };
	});
	const kinds = new Map(providers.map(({ id, kind }) => [id, kind]));
	const isAllowedFallback = ({ provider, baseUrl }: Settings['prowess.models.fallback'][number]) => {
		const kind = kinds.get(provider);
		return baseUrl === undefined || kind === undefined || modelsOf({ kind, baseUrl })?.length !== 0;
	};
	const limits = Object.entries(quotas).map(([kind, most]) => {
		const name = `prowess.quotas.${kind as keyof typeof quotas}` as const;
		const own = settings[name];
		return [name, own === 0 ? most : Math.min(own, most ?? own)] as const;
	});
	return {
		...settings,
		'prowess.providers': providers,
		'prowess.models.fallback': settings['prowess.models.fallback'].filter(isAllowedFallback),
		...(widestLevel === undefined
			? {}
			: { [WIDEST_LEVEL_SETTING]: pickNarrowerLevel(settings[WIDEST_LEVEL_SETTING], widestLevel) }),
		'prowess.hooks': settings['prowess.hooks'].map((hook) => tightenHook(hook, sandbox, isAllowedHost)),
		...Object.fromEntries(limits),
		...(ledger.anchor === undefined ? {} : { 'prowess.ledger.anchor': ledger.anchor }),
		[KEEP_DAYS]: keptDays(settings[KEEP_DAYS], ledger),
	};
}

/** Where a sandbox is required, a hook runs in it or not at all; it reaches the hosts that are allowed. */
function tightenHook(
	hook: Settings['prowess.hooks'][number],
	sandbox: OrganisationRules['sandbox'],
	isAllowedHost: SettingJudges['isAllowedHost'],
): Settings['prowess.hooks'][number] {
	const { needs } = hook;
	return {
		...hook,
		...(sandbox === undefined ? {} : { sandbox: true }),
		...(needs?.network === undefined ? {} : { needs: { ...needs, network: needs.network.filter(isAllowedHost) } }),
	};
}

/** Days that rows are kept; 0: for ever. */
function keptDays(own: number, { leastDays = 0, mostDays }: NonNullable<OrganisationRules['ledger']>): number {
	const atMost = mostDays === undefined ? own : own === 0 ? mostDays : Math.min(own, mostDays);
	return atMost === 0 ? 0 : Math.max(atMost, leastDays);
}
