/** From an entry that the user agreed to, to a connection. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { realpathSync } from 'node:fs';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { SettingsPort, SignInPort } from '../../contract/ports/ports.ts';
import { makePrivateFolder } from '../../machine/home-files/private-folder.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import type { CommandGuard } from '../../machine/shell/command-guard.ts';
import { resolveValues } from './configuration/variables.ts';
import { EndedEarly, McpConnection } from './connection.ts';
import { HttpTransport } from './process/http-transport.ts';
import type * as SdkParts from './sdk.ts';
import { isKeptIn, openServerSandbox, type ServerSandboxDeps } from './process/server-sandbox.ts';
import { toAnswer } from './process/raw-results.ts';
import type { ConnectionContext } from './running-server.ts';
import { StdioTransport } from './process/stdio-transport.ts';
import type { KeptSignIns } from './sign-in/kept-sign-ins.ts';
import { SignIn } from './sign-in/sign-in.ts';
import type { HttpLaunch, McpServer, StdioLaunch } from './server.ts';
import type { McpUser } from './user.ts';

export interface LaunchDeps extends ServerSandboxDeps {
	/** Environment that commands get: without any key or token of the host. */
	readonly environment: Readonly<Record<string, string>>;
	readonly secrets: Pick<SecretVault, 'read'>;
	readonly guard: CommandGuard;
	readonly settings: Pick<SettingsPort, 'current' | 'organisation'>;
	readonly signIn: SignInPort;
	readonly signIns: KeptSignIns;
}

/** Facts of one start besides the connection's: how the user agreed to it, and how a sign-in asks them. */
interface LaunchContext extends ConnectionContext {
	readonly wasKeptIn: boolean;
	/** Resolves with the user's yes to a page on which they sign in. */
	agreeToPage(page: URL, user: McpUser): Promise<void>;
	/** Response of a server that refused a request; undefined: none. When set, the start begins with the sign-in. */
	readonly challenge: Response | undefined;
	/** Aborts when the host closes. */
	readonly closing: AbortSignal;
}

type McpSdk = typeof SdkParts;

/** Rejects as the system, the handshake or the signal says; then nothing is left of it. */
export async function launchServer(
	server: McpServer,
	context: LaunchContext,
	deps: LaunchDeps,
	signal: AbortSignal,
): Promise<McpConnection> {
	const { name, launch: how } = server;
	const sdk = await import('./sdk.ts');
	const signIn = how.kind === 'http' ? await signInFor(server, how, context, deps, sdk) : undefined;
	let asked: HttpTransport | undefined;
	const openConnection = async (
		handshake: 'newest' | 'older',
		isOlder = how.kind === 'http' && how.isOlder === true,
	) => {
		asked =
			how.kind === 'http' ? await openHttp(name, how, { log: context.log, signIn, deps, sdk, isOlder }) : undefined;
		const readLine = (line: unknown) => sdk.parseJSONRPCMessage(toAnswer(line));
		const transport = asked ?? (await openProcess(server, how as StdioLaunch, context, deps, readLine));
		const options = {
			sdk,
			name,
			handshake,
			roots: deps.workspace.folders.map(({ path }) => path),
			onNote: (line: string) => context.log.note(line),
			fillIn: (form: unknown) => context.fillIn(form),
			maySample: Object.hasOwn(deps.settings.current['prowess.mcp.sampling'], name),
			sample: (params: unknown, until: AbortSignal) => context.sample(params, until),
		};
		return await McpConnection.open(transport, options, signal);
	};
	if (context.challenge !== undefined) {
		await signIn?.withUser(context.challenge);
	}
	const first = how.kind === 'http' && how.isOlder === true ? 'older' : 'newest';
	try {
		return await openConnection(first);
	} catch (error) {
		if (signIn?.challenge !== undefined) {
			await signIn.withUser(signIn.challenge);
			return await openConnection(first);
		}
		if (how.kind === 'http' && first === 'newest' && asked?.wasRefused === true) {
			context.log.note('takes no messages at this address; the older transport is tried');
			return await openConnection('older', true).catch((later: unknown) => {
				context.log.note(`failed over the older transport, too: ${toErrorMessage(later)}`);
				throw error;
			});
		}
		if (how.kind === 'http' || !(error instanceof EndedEarly)) {
			throw error;
		}
		// Some servers end at a request that came before the older handshake.
		context.log.note(`ended: ${error.message}; it is started once more for the older handshake`);
		return await openConnection('older');
	}
}

/** Absent where a header of the entry signs in. */
async function signInFor(
	server: McpServer,
	{ url, headers, oauth }: HttpLaunch,
	{ closing, withUser, agreeToPage }: LaunchContext,
	deps: LaunchDeps,
	sdk: McpSdk,
): Promise<SignIn | undefined> {
	if (Object.keys(headers).some((header) => header.toLowerCase() === 'authorization')) {
		return undefined;
	}
	const { resolve, signIn: port, signIns: kept } = deps;
	const { clientId, clientSecret } = await resolveValues(server.name, { ...oauth }, deps);
	const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
	return new SignIn({
		server: server.name,
		url,
		port,
		kept,
		sdk,
		client: clientId === undefined ? undefined : { client_id: clientId, ...secret },
		closing,
		withUser,
		agree: agreeToPage,
		resolve,
		allowedHosts: () => deps.settings.current['prowess.http.allowHosts'],
	});
}

interface HttpParts {
	readonly log: LaunchContext['log'];
	readonly signIn: SignIn | undefined;
	readonly deps: LaunchDeps;
	readonly sdk: McpSdk;
	readonly isOlder: boolean;
}

async function openHttp(name: string, { url, headers }: HttpLaunch, { log, signIn, deps, sdk, isOlder }: HttpParts) {
	return new HttpTransport({
		url,
		headers: await resolveValues(name, headers, deps),
		log,
		resolve: deps.resolve,
		allowedHosts: () => deps.settings.current['prowess.http.allowHosts'],
		sdk,
		signIn,
		isOlder,
	});
}

async function openProcess(
	{ name, pluginRoot, pluginData }: McpServer,
	how: StdioLaunch,
	{ log, hosts, wasKeptIn }: LaunchContext,
	deps: LaunchDeps,
	parse: ConstructorParameters<typeof StdioTransport>[0]['parse'],
): Promise<StdioTransport> {
	const keptIn = await isKeptIn(how, deps.sandbox);
	if (wasKeptIn && !keptIn) {
		const message = `the MCP server ${name} was agreed to in a sandbox, which does not work any more`;
		throw new ProwessError('NOT_AVAILABLE_HERE', message, {
			server: name,
			said: text('The MCP server "{name}" was agreed to in a sandbox, which does not work any more.', { name }),
		});
	}
	// The entry was judged by what it asks for; where no sandbox works, the server would run without one.
	const said = deps.settings.organisation?.refusalOfServer({ ...how, isSandboxed: keptIn, network: how.needs.network });
	if (said !== undefined) throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(said), { server: name, said });
	const environment = { ...deps.environment, ...(await resolveValues(name, how.env, deps)) };
	let sandbox;
	try {
		const own = {
			read: pluginRoot === undefined ? [] : [realpathSync(pluginRoot)],
			write: pluginData === undefined ? [] : [makePrivateFolder(pluginData)],
		};
		sandbox = keptIn ? await openServerSandbox(how, environment, hosts, deps, own) : undefined;
	} catch (error) {
		throw isProwessError(error)
			? error
			: new ProwessError(
					'COMMAND_FAILED_TO_START',
					`its sandbox cannot be opened: ${toErrorMessage(error)}`,
					{
						said: text('The sandbox of the MCP server "{name}" cannot be opened: {why}', {
							name,
							why: toErrorMessage(error),
						}),
					},
					error,
				);
	}
	const { command, args, cwd } = how;
	return new StdioTransport({ command, args, cwd, environment, sandbox, guard: deps.guard, log, parse });
}
