/** Rules of the user's organisation, as everybody asks them. `machine/organisation` alone judges. */
import type { OpTarget } from '../ops/target.ts';
import type { OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import type { Text } from '../../protocol/text/text.ts';
import type { ProviderConfig } from '../../protocol/turn/models.ts';

/** A package that came from a marketplace. */
export interface PackageOfMarketplace {
	/** `<type>/<name>`. */
	readonly key: string;
	readonly version: string;
	/** Location of its index. */
	readonly index: string;
	/** Key that signed it; undefined: nobody has. */
	readonly signedBy: string | undefined;
}

/** MCP server, as it is started or reached. */
export type JudgedServer =
	| {
			readonly kind: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
			readonly isSandboxed: boolean;
			/** Hosts that it is to reach from its sandbox. */
			readonly network: readonly string[];
	  }
	| { readonly kind: 'http'; readonly url: string };

/** Each `refusalOf…` returns why something is not allowed; undefined: the organisation allows it. */
export interface Organisation {
	readonly name: string;
	/** File or address of the rules. */
	readonly place: string;
	readonly rules: OrganisationRules;
	/** Returns the settings as the rules leave them. */
	tighten(settings: Settings): Settings;
	/** `id` as the editor names its model. */
	refusalOfEditorModel(id: string): Text | undefined;
	refusalOfProvider(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): Text | undefined;
	/** `model` as its provider names it. */
	refusalOfModel(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>, model: string): Text | undefined;
	refusalOfServer(server: JudgedServer): Text | undefined;
	refusalOfIndex(location: string): Text | undefined;
	refusalOfPackage(offered: PackageOfMarketplace): Text | undefined;
	/** `host` as a rule writes it. */
	refusalOfHost(host: string): Text | undefined;
	/** Judges what an op would reach: a host, or a command outside the sandbox. */
	refusalOfTarget(target: OpTarget): Text | undefined;
	/** Throws DENIED_BY_ORGANISATION; undefined: none of the providers that are known. */
	checkProvider(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'> | undefined): void;
	/** Throws DENIED_BY_ORGANISATION where records must stay. */
	checkExport(): void;
	/** Words of each rule, for a person. */
	words(): readonly Text[];
}
