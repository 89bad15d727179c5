/** The one judge of what an organisation allows. All places ask it, and each refusal names the organisation. */
import { matchesPattern } from '../../base/text/matches-pattern.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import type { JudgedServer, Organisation, PackageOfMarketplace } from '../../contract/ports/organisation.ts';
import type { AllowedServer, OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, type Text, text } from '../../protocol/text/text.ts';
import type { ProviderConfig } from '../../protocol/turn/models.ts';
import { rulesInWords } from './rules-in-words.ts';
import { tightenSettings } from './tighten-settings.ts';

/** Provider whose models the editor lends. */
const EDITOR_PROVIDER = 'editor';
/** Location of the index that ships, as lock files name it. */
const BUILT_IN = 'built-in';

export class ManagedRules implements Organisation {
	readonly place: string;
	readonly rules: OrganisationRules;
	readonly #note: Text | undefined;
	/** Settings are replaced, never changed. */
	readonly #tightened = new WeakMap<Settings, Settings>();

	/** `note`: what a person is to know of where the rules are from. */
	constructor(rules: OrganisationRules, place: string, note?: Text) {
		this.rules = rules;
		this.place = place;
		this.#note = note;
	}

	get name(): string {
		return this.rules.organisation;
	}

	tighten(settings: Settings): Settings {
		let tightened = this.#tightened.get(settings);
		if (tightened === undefined) {
			tightened = tightenSettings(settings, this.rules, {
				modelsOf: (provider) => this.#modelsOf(provider),
				isAllowedHost: (host) => this.refusalOfHost(host) === undefined,
			});
			this.#tightened.set(settings, tightened);
		}
		return tightened;
	}

	refusalOfEditorModel(id: string): Text | undefined {
		const { providers, models } = this.rules;
		const model = id.startsWith(`${EDITOR_PROVIDER}/`) ? id : `${EDITOR_PROVIDER}/${id}`;
		const isAllowed = (providers?.includes(EDITOR_PROVIDER) ?? true) && matchesAny(models, model);
		return isAllowed ? undefined : this.#refuse(text('the model {model}', { model }));
	}

	refusalOfProvider({ kind, baseUrl }: Pick<ProviderConfig, 'kind' | 'baseUrl'>): Text | undefined {
		const { providers } = this.rules;
		const isAllowed = baseUrl === undefined ? (providers?.includes(kind) ?? true) : matchesAddress(providers, baseUrl);
		return isAllowed ? undefined : this.#refuse(text('the provider {provider}', { provider: baseUrl ?? kind }));
	}

	refusalOfModel(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>, model: string): Text | undefined {
		const refused = this.refusalOfProvider(provider);
		if (refused !== undefined) return refused;
		return matchesAny(this.#modelsOf(provider), model) ? undefined : this.#refuse(text('the model {model}', { model }));
	}

	refusalOfServer(server: JudgedServer): Text | undefined {
		const { mcpServers, sandbox } = this.rules;
		if (server.kind === 'stdio' && sandbox === 'required' && !server.isSandboxed) {
			return this.#refuse(text('MCP servers outside the sandbox'));
		}
		const host =
			server.kind === 'stdio' ? server.network.find((each) => this.refusalOfHost(each) !== undefined) : undefined;
		if (host !== undefined) return this.refusalOfHost(host);
		// An address that is named needs no place among the hosts.
		if (mcpServers === undefined && server.kind === 'http') {
			return this.refusalOfHost(URL.parse(server.url)?.host ?? server.url);
		}
		return mcpServers === undefined || mcpServers.some((allowed) => isServer(allowed, server))
			? undefined
			: this.#refuse(text('this MCP server'));
	}

	refusalOfIndex(location: string): Text | undefined {
		return matchesAny(this.rules.marketplaces, location)
			? undefined
			: this.#refuse(text('the marketplace {location}', { location }));
	}

	refusalOfPackage({ key, version, index, signedBy }: PackageOfMarketplace): Text | undefined {
		const { revoked = [], publishers } = this.rules;
		if (revoked.includes(key) || revoked.includes(`${key}@${version}`)) {
			return text('{key} {version} was revoked by your organisation ({name}).', { key, version, name: this.name });
		}
		if (index === BUILT_IN) return undefined;
		if (publishers !== undefined && (signedBy === undefined || !publishers.includes(signedBy))) {
			return this.#refuse(text('what {publisher} publishes', { publisher: signedBy ?? text('nobody has signed') }));
		}
		return this.refusalOfIndex(index);
	}

	refusalOfHost(host: string): Text | undefined {
		const { hosts } = this.rules;
		return hosts === undefined || hosts.some((allowed) => isHost(allowed.toLowerCase(), host.toLowerCase()))
			? undefined
			: this.#refuse(text('the host {host}', { host }));
	}

	refusalOfTarget(target: OpTarget): Text | undefined {
		if (target.kind === 'host') return this.refusalOfHost(target.host);
		const leaves = target.kind === 'command' && target.isSandboxed !== true && this.rules.sandbox === 'required';
		return leaves ? this.#refuse(text('commands outside the sandbox')) : undefined;
	}

	checkProvider(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'> | undefined): void {
		const reason = provider === undefined ? undefined : this.refusalOfProvider(provider);
		if (reason !== undefined) throw deniedByOrganisation(reason);
	}

	checkExport(): void {
		if (this.rules.export === 'denied') throw deniedByOrganisation(this.#refuse(text('exports of records')));
	}

	words(): readonly Text[] {
		return [...rulesInWords(this.rules), ...(this.#note === undefined ? [] : [this.#note])];
	}

	/** Patterns of the models of a provider; undefined: all; empty: none. */
	#modelsOf(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): string[] | undefined {
		if (this.refusalOfProvider(provider) !== undefined) return [];
		const prefix = `${provider.kind}/`;
		return this.rules.models?.flatMap((model) =>
			model.startsWith(prefix)
				? [model.slice(prefix.length)]
				: model === '*' || model.startsWith('*/')
					? [model.slice(2) || '*']
					: [],
		);
	}

	#refuse(what: Text): Text {
		return text('Your organisation ({name}) does not allow {what}.', { name: this.name, what });
	}
}

function matchesAny(patterns: readonly string[] | undefined, value: string): boolean {
	return patterns === undefined || patterns.some((pattern) => matchesPattern(pattern, value));
}

/** Matches an address as it is read, so that no other spelling of a host passes. */
function matchesAddress(patterns: readonly string[] | undefined, address: string): boolean {
	const read = URL.parse(address);
	return patterns === undefined || (read !== null && read.username === '' && matchesAny(patterns, read.href));
}

/** Without a port every port of the host is meant. */
function isHost(pattern: string, host: string): boolean {
	const bare = /:\d+$/.test(pattern) ? host : host.replace(/:\d+$/, '');
	return pattern.startsWith('*.')
		? bare.endsWith(pattern.slice(1)) || bare === pattern.slice(2)
		: matchesPattern(pattern, bare);
}

/** Each word of the command line is judged by itself, so no pattern lets another argument in. */
function isServer(allowed: AllowedServer, server: JudgedServer): boolean {
	if ('url' in allowed) {
		return server.kind === 'http' && matchesAddress([allowed.url], server.url);
	}
	if (server.kind !== 'stdio') return false;
	const line = [server.command, ...server.args];
	return (
		line.length === allowed.command.length &&
		line.every((word, index) => matchesPattern(allowed.command[index] ?? '', word)) &&
		Object.keys(server.env).every((name) => allowed.env?.includes(name) === true)
	);
}

function deniedByOrganisation(reason: Text): ProwessError {
	return new ProwessError('DENIED_BY_ORGANISATION', inEnglish(reason), { said: reason });
}
