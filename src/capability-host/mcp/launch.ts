/** From an entry that the user agreed to, to a connection. */
import { messageOf } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { SettingsPort } from '../contract/ports.ts';
import type { SecretVault } from '../machine/secrets/secret-vault.ts';
import type { CommandGuard } from '../machine/shell/command-guard.ts';
import { resolveValues } from './configuration/variables.ts';
import { EndedEarly, McpConnection } from './connection.ts';
import { HttpTransport } from './process/http-transport.ts';
import { isKeptIn, openServerSandbox, type ServerSandboxDeps } from './process/server-sandbox.ts';
import type { ConnectionContext } from './running-server.ts';
import { StdioTransport } from './process/stdio-transport.ts';
import type { McpServer, StdioLaunch } from './server.ts';

export interface LaunchDeps extends ServerSandboxDeps {
	/** Of commands: without any key or token of the host. */
	readonly environment: Readonly<Record<string, string>>;
	readonly secrets: Pick<SecretVault, 'read'>;
	readonly guard: CommandGuard;
	readonly settings: Pick<SettingsPort, 'current'>;
}

/** What one start needs besides: where it is told, who is asked about hosts. */
interface LaunchContext extends ConnectionContext {
	readonly wasKeptIn: boolean;
}

/** Rejects as the system, the handshake or the signal says; then nothing is left of it. */
export async function launch(
	server: McpServer,
	context: LaunchContext,
	deps: LaunchDeps,
	signal: AbortSignal,
): Promise<McpConnection> {
	const { name, launch: how } = server;
	const sdk = await import('./sdk.ts');
	const attempt = async (handshake: 'newest' | 'older') => {
		const transport =
			how.kind === 'http'
				? new HttpTransport({
						url: how.url,
						headers: await resolveValues(name, how.headers, deps),
						log: context.log,
						resolve: deps.resolve,
						allowedHosts: () => deps.settings.current['prowess.http.allowHosts'],
						Wire: sdk.StreamableHTTPClientTransport,
					})
				: await openProcess(server, how, context, deps, sdk.parseJSONRPCMessage);
		const options = {
			sdk,
			name,
			handshake,
			roots: deps.workspace.folders.map(({ path }) => path),
			onProblem: (problem: string) => context.log.note(problem),
			fillIn: (form: unknown) => context.fillIn(form),
		};
		return await McpConnection.open(transport, options, signal);
	};
	try {
		return await attempt('newest');
	} catch (error) {
		if (how.kind === 'http' || !(error instanceof EndedEarly)) {
			throw error;
		}
		// Some servers end at a request that came before the older handshake.
		context.log.note(`ended: ${error.message}; it is started once more for the older handshake`);
		return await attempt('older');
	}
}

async function openProcess(
	{ name, pluginRoot }: McpServer,
	how: StdioLaunch,
	{ log, hosts, wasKeptIn }: LaunchContext,
	deps: LaunchDeps,
	parse: ConstructorParameters<typeof StdioTransport>[0]['parse'],
): Promise<StdioTransport> {
	const keptIn = await isKeptIn(how, deps.sandbox);
	if (wasKeptIn && !keptIn) {
		const message = `the MCP server ${name} was agreed to in a sandbox, which does not work any more`;
		throw new ProwessError('NOT_AVAILABLE_HERE', message, { server: name });
	}
	const environment = { ...deps.environment, ...(await resolveValues(name, how.env, deps)) };
	let sandbox;
	try {
		sandbox = keptIn ? await openServerSandbox(how, environment, hosts, deps, pluginRoot) : undefined;
	} catch (error) {
		throw error instanceof ProwessError
			? error
			: new ProwessError('COMMAND_FAILED_TO_START', `its sandbox cannot be opened: ${messageOf(error)}`, {}, error);
	}
	const { command, args, cwd } = how;
	return new StdioTransport({ command, args, cwd, environment, sandbox, guard: deps.guard, log, parse });
}
