/** Servers as they are configured now, each with what the user is asked about before it starts. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { parseAllowRules } from '../../../trust/gate/policy/rules/allow-rule.ts';
import type { SecretVault } from '../../../machine/secrets/secret-vault.ts';
import type { CommandWall } from '../../../machine/sandbox/command-wall.ts';
import { launchIdentity } from '../consent/launch-identity.ts';
import type { StartSubject } from '../consent/start-detail.ts';
import { listWrittenValues, type McpConfiguration, type McpServer } from '../server.ts';
import { type ConfigurationDeps, readServers } from './read-servers.ts';
import { listSecretNames } from './variables.ts';

export interface ConfiguredServersDeps extends ConfigurationDeps {
	readonly sandbox: CommandWall;
	readonly secrets: Pick<SecretVault, 'names'>;
	/** Returns the rules of what the user always allows in this project. */
	projectRules(): readonly string[];
}

/** Ops of servers that a rule may allow. */
const ALLOWED_OPS: readonly string[] = ['mcp.call', 'mcp.sample'];

export class ConfiguredServers {
	readonly #deps: ConfiguredServersDeps;

	constructor(deps: ConfiguredServersDeps) {
		this.#deps = deps;
	}

	/** With what cannot be used, in sentences. */
	async all(): Promise<McpConfiguration> {
		return await readServers(this.#deps);
	}

	/** Rejects with NOT_FOUND. */
	async named(name: string): Promise<McpServer> {
		const { servers } = await this.all();
		const server = servers.find((each) => each.name === name);
		if (server === undefined) {
			const names = servers.map((each) => each.name).join(', ') || '–';
			throw new ProwessError('NOT_FOUND', `there is no MCP server "${name}". The names are: ${names}`, {
				name,
				said: text('There is no MCP server "{name}". There are: {names}', { name, names }),
			});
		}
		return server;
	}

	/** Rejects with NOT_FOUND, also when it is disabled. */
	async enabled(name: string): Promise<McpServer> {
		const server = await this.named(name);
		if (server.isDisabled) {
			throw new ProwessError('NOT_FOUND', `the MCP server ${name} is disabled in ${server.path}`, {
				name,
				said: text('The MCP server "{name}" is disabled in {path}.', { name, path: server.path }),
			});
		}
		return server;
	}

	/** `keptIn`: a sandbox would keep it in, here and now. */
	async subject(server: McpServer): Promise<{ readonly subject: StartSubject; readonly keptIn: boolean }> {
		const { sandbox, workspace, settings } = this.#deps;
		const state = await sandbox.state();
		const keptIn = server.launch.kind === 'stdio' && server.launch.isSandboxed && state.works;
		const identity = await launchIdentity(
			server,
			workspace.folders.map(({ path }) => path),
			keptIn,
		);
		const budgets = settings.current['prowess.mcp.sampling'];
		const sampling = Object.hasOwn(budgets, server.name) ? budgets[server.name] : undefined;
		return { subject: { server, identity, sandbox: state, rules: this.#rulesOn(server.name), sampling }, keptIn };
	}

	/** Names of secrets that its entry asks for and that are not stored. */
	async missing(server: McpServer): Promise<readonly string[]> {
		const wanted = listSecretNames(server.name, listWrittenValues(server));
		const stored = wanted.length === 0 ? [] : await this.#deps.secrets.names();
		return wanted.filter((each) => !stored.includes(each));
	}

	/** Rules that would let a server of that name be used, whichever server they were written for. */
	#rulesOn(name: string): readonly string[] {
		const { settings, projectRules } = this.#deps;
		const rules = parseAllowRules([...settings.current['prowess.approvals.allow'], ...projectRules()]);
		return rules
			.filter(({ op, pattern }) => ALLOWED_OPS.includes(op) && pattern.startsWith(`${name}/`))
			.map(({ text }) => text);
	}
}
