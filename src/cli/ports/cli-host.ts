/** Creates everything a command needs, top to bottom: home, settings, ports, the trusted base, the server. */
import '../../protocol/text/without-eval.ts';
import { resolve } from 'node:path';
import { DisposableStore } from '../../base/disposable.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { loadOrganisation } from '../../machine/organisation/load-organisation.ts';
import { systemPlace } from '../../machine/organisation/system-file.ts';
import { ownPatterns } from '../../trust/record/redaction/own-patterns.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { hasMcpFile } from '../../execution/mcp/configuration/configured-files.ts';
import { type Client, Clients, type ClientWish } from '../../host/doors/clients.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { Approval } from '../../protocol/approvals/approvals.ts';
import { brokerRequests } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { credentialRequests, lmRequests } from '../../protocol/turn/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { hostNotifications, PROTOCOL_VERSION, serverNotifications, serverRequests } from '../../protocol/server.ts';
import { threadNotifications } from '../../protocol/thread/thread-requests.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import type { TurnRecording } from '../../features/replay/recording.ts';
import { capturedKeys, findProviderKey, kindsWithKey } from '../server/credentials.ts';
import { openHome } from '../home/home-folder.ts';
import { SecretsFile } from '../home/secrets-file.ts';
import { SettingsFile } from '../home/settings-file.ts';
import { installation, packageVersion } from '../home/installation.ts';
import { chooseCommandModel, readModelFlags, type CommandModelChoice } from '../server/model-choice.ts';
import { personAt } from './person.ts';
import { createLog, createPlaces, createWorkspace, documents } from './host-ports.ts';
import { answerRemovalText, createSecrets } from './secrets.ts';
import { createSignIn } from './sign-in.ts';
import { CliServerProcess } from '../server/server-process.ts';

interface HostOptions {
	/** Real path of a folder that is trusted; undefined for commands on our own state. */
	readonly workspace: string | undefined;
	readonly approvalMode: HostPorts['approvalMode'];
	/** Client that this command serves; absent: whoever sits at the terminal. */
	readonly behind?: ClientBehind;
	/** Records what passes between host and server; absent: nothing is recorded. */
	readonly recording?: Pick<TurnRecording, 'wrap' | 'begin'> | undefined;
}

/** Client in another process. */
export interface ClientBehind {
	readonly client: ClientWish;
	/** Folder as it names it; absent: as the command does. */
	readonly folder?: string;
	/** Absent: no document is open. */
	readonly documents?: HostPorts['documents'];
	/** MCP servers that it names, beside those of the user, which keep their names. */
	readonly servers?: Settings['prowess.mcp.servers'];
	/** Instead of those of the user. */
	readonly secrets?: HostPorts['secrets'];
}

interface ConnectedServer {
	readonly server: CliServerProcess;
	/** Rejects when it could not start. */
	readonly started: Promise<void>;
}

/** The CLI as a host. Callers that compose it must close it. */
export class CliHost {
	readonly home: string;
	readonly settings: SettingsFile;
	readonly choice: CommandModelChoice;
	/** The command line says which model or provider. */
	readonly isModelNamed: boolean;
	/** Client that the command serves; undefined: it serves the terminal. */
	readonly client: Client | undefined;
	/** All clients; a door that serves several admits each of them. */
	readonly clients: Clients;
	readonly #ports: HostPorts;
	readonly #context: CommandContext;
	/** Values that are struck out of everything, whether or not anybody asks for them: any command could print them. */
	readonly #known: readonly string[];
	readonly #recording: HostOptions['recording'];
	readonly #served = new DisposableStore();
	#trustedBase: Promise<TrustedBase> | undefined;
	#connected: Promise<ConnectedServer> | undefined;
	#server: Promise<CliServerProcess> | undefined;
	#running: CliServerProcess | undefined;
	#closing: Promise<void> | undefined;

	constructor(
		invocation: Invocation,
		context: CommandContext,
		{ workspace, approvalMode, behind, recording }: HostOptions,
		organisation?: Organisation,
	) {
		this.#context = context;
		this.#recording = recording;
		const log = createLog(context.terminal, invocation.switches.has('verbose'));
		this.home = openHome(context.environment);
		this.settings = new SettingsFile(this.home, log, organisation);
		const secrets = new SecretsFile(this.home);
		this.#known = [...capturedKeys(), ...secrets.read().values()];
		const flags = readModelFlags(invocation.values);
		this.isModelNamed = Object.values(flags).some((value) => value !== undefined);
		this.choice = chooseCommandModel(flags, this.settings.current, kindsWithKey());
		this.settings.override({
			'prowess.providers': [...this.choice.providers],
			'prowess.model': this.choice.modelId ?? '',
			// Drop the model for capabilities: a model named on the command line counts for them, too.
			...(this.isModelNamed ? { 'prowess.capabilities.model': '' } : {}),
			...(behind?.servers && {
				'prowess.mcp.servers': { ...behind.servers, ...this.settings.current['prowess.mcp.servers'] },
			}),
		});
		const clients = new Clients(this.settings);
		this.clients = clients;
		if (behind !== undefined) {
			this.client = clients.admit(behind.client);
		} else if (approvalMode === 'ask' && context.terminal.isInteractive) {
			const person = personAt(context.terminal, {
				noteOnAnswer: (text) => this.#noteOnAnswer(text),
				whyAsked: (approval, signal) => this.#whyAsked(approval, signal),
			});
			clients.admit({ principal: 'cli', person });
		}
		const [asked = '.', at = '.'] = [invocation.values['workspace'], context.environment['PWD']];
		// The folder of this process may be gone, and a command on our own state needs none.
		const named = workspace === undefined ? [] : [resolve(asked), resolve(at, asked), behind?.folder ?? workspace];
		this.#ports = {
			workspace: createWorkspace(workspace, this.home, { encoding: invocation.values['encoding'], named }),
			documents: behind?.documents ?? documents,
			editor: undefined,
			person: clients.person,
			settings: this.settings,
			secrets: behind?.secrets ?? createSecrets(secrets),
			signIn: createSignIn(new SecretsFile(this.home, 'sign-ins'), context.terminal),
			log,
			places: createPlaces(this.home, context.environment['PATH'], this.settings.current['prowess.tools.ripgrepPath']),
			approvalMode,
			server: () => this.#ownServer(),
		};
		context.onKill(async () => {
			this.#running?.kill();
			await (await this.#trustedBase)?.close();
		});
	}

	get places(): HostPorts['places'] {
		return this.#ports.places;
	}

	trustedBase(): Promise<TrustedBase> {
		this.#trustedBase ??= this.#createTrustedBase();
		return this.#trustedBase;
	}

	/** Most of our code, and so loaded once the server has been told to start. */
	async #createTrustedBase(): Promise<TrustedBase> {
		const [{ createTrustedBase }, { hostThread }] = await Promise.all([
			import('../../host/compose.ts'),
			import('../../trust/record/store/thread/host-thread.ts'),
		]);
		await this.#refuseUnreadableRules();
		const base = await createTrustedBase(this.#ports, hostThread);
		for (const key of this.#known) {
			base.addSecret(key);
		}
		return base;
	}

	/** Throws INVALID_PARAMS: what a rule or hook was meant to refuse is unknown, and nobody may be here to be asked. */
	async #refuseUnreadableRules(): Promise<void> {
		const { unreadableRules } = await import('../../trust/gate/policy/rules/user-rules.ts');
		const faults = unreadableRules(this.settings);
		if (faults.length > 0) {
			const { path } = this.settings;
			throw new ProwessError('INVALID_PARAMS', `${path}: ${faults.join('; ')}`, { path });
		}
	}

	async #whyAsked({ id, reason }: Approval, signal: AbortSignal): Promise<string> {
		const why = await (await this.trustedBase()).policy.why(id, signal);
		if (why === undefined) {
			return inEnglish(reason);
		}
		const { explanationText } = await import('../../trust/gate/policy/workspace/policy-text.ts');
		return explanationText(why.explanation);
	}

	async #noteOnAnswer(text: string): Promise<string> {
		const { found } = (await this.trustedBase()).outgoingMessage({ text, context: [] }, false);
		return answerRemovalText(found);
	}

	/** The server, started on first use. */
	server(signal: AbortSignal): Promise<CliServerProcess> {
		this.#server ??= this.connected(signal).then(async ({ server, started }) => {
			await started;
			return server;
		});
		return this.#server;
	}

	/**
	 * Connects to the server while it starts. Requests are answered once it has started; callers that ask earlier
	 * report first why the start failed.
	 */
	connected(signal: AbortSignal): Promise<ConnectedServer> {
		this.#connected ??= this.#connect(signal);
		return this.#connected;
	}

	/** Idempotent, bounded: refuses new work, ends the server, then all that the trusted base started. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	/**
	 * Returns the server for what a capability wants of a model. Only the command's signal stops its start, not the
	 * op's: the next op finds the same server.
	 */
	async #ownServer(): Promise<Peer> {
		if (this.#closing !== undefined) {
			throw new ProwessError('CANCELLED', 'the host is closing');
		}
		return (await this.server(this.#context.signal)).peer;
	}

	async #connect(signal: AbortSignal): Promise<ConnectedServer> {
		const { log } = this.#ports;
		const redactor = new Redactor(() => ownPatterns(this.settings.current['prowess.redaction.patterns']).families);
		for (const key of this.#known) {
			redactor.addSecret(key);
		}
		let redact = (text: string) => redactor.redact(text);
		const server = new CliServerProcess({
			program: installation.server,
			home: this.home,
			environment: this.#context.environment,
			started: this.#context.server,
			log,
			redact: (text) => redact(text),
			wrap: this.#recording?.wrap,
		});
		this.#running = server;
		const { peer } = server;
		this.#served.add(
			peer.on(serverNotifications, {
				log: ({ level, message, facts }) => {
					const shown = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
					log[level](redact(`server: ${message}${shown}`));
				},
				modelsChanged: () => {},
			}),
		);
		// While the trusted base loads here it starts, and asks only what became of ops that a killed process left open.
		const asked = peer.serve(
			{ outcome: brokerRequests.outcome },
			{ outcome: async ({ opId }) => await (await this.trustedBase()).knowledge(opId) },
		);
		// Hold notifications of threads: the server may tell what became of turns that a killed process left open
		// before anybody here can listen.
		const told = peer.hold(threadNotifications);
		const started = this.#started(server, signal);
		started.catch(() => {});
		const base = await this.trustedBase();
		redact = (text) => base.redact(text);
		this.#recording?.begin(redact);
		signal.throwIfAborted();
		asked.dispose();
		this.#served.add(base.serveServer(peer));
		told.dispose();
		this.#served.add(
			peer.serve(credentialRequests, {
				get: async ({ providerId }) => {
					base.usage.checkKey();
					const provider = this.choice.providers.find(({ id }) => id === providerId);
					this.settings.organisation?.checkProvider(provider);
					return { key: findProviderKey(provider, this.choice.provider) };
				},
			}),
		);
		this.#served.add(
			peer.serve(lmRequests, {
				list: async () => ({ models: [] }),
				run: async ({ modelId }) => {
					throw new ProwessError('NOT_AVAILABLE_HERE', `${modelId}: the editor's models exist only in the editor`);
				},
			}),
		);
		this.#served.add(
			this.settings.onDidChange(() => peer.notify(hostNotifications.settings, { settings: this.settings.current })),
		);
		return { server, started };
	}

	async #started(server: CliServerProcess, signal: AbortSignal): Promise<void> {
		const { workspace, places } = this.#ports;
		await server.start(async (within) => {
			const started = await server.call(
				serverRequests.start,
				{
					protocolVersion: PROTOCOL_VERSION,
					host: 'cli',
					home: this.home,
					settings: this.settings.current,
					workspace: {
						folders: [...workspace.folders],
						trusted: workspace.isTrusted,
						platform: process.platform,
						hasMcpFile: hasMcpFile(places, workspace),
					},
					...(this.#recording && { tape: 'record' }),
				},
				within,
			);
			if (started.protocolVersion !== PROTOCOL_VERSION) {
				throw new ProwessError(
					'VERSION_MISMATCH',
					`the server speaks protocol ${started.protocolVersion} (${started.version}), the CLI ${PROTOCOL_VERSION} (${packageVersion})`,
				);
			}
		}, signal);
	}

	async #close(): Promise<void> {
		await this.#trimUnusedThreads();
		await this.#running?.stop();
		this.#served.dispose();
		// Taking a process down takes as long as closing the ledger.
		await Promise.all([this.#running?.close(), this.#closeTrustedBase()]);
	}

	/** Deletes threads that nobody has used for long, once the command has done its work. Never rejects. */
	async #trimUnusedThreads(): Promise<void> {
		const { settings, home } = this;
		const { signal } = this.#context;
		const { log } = this.#ports;
		const keepDays = settings.current['prowess.threads.keepDays'];
		try {
			const server = keepDays === 0 || signal.aborted ? undefined : await this.#server;
			if (server !== undefined) {
				const { trimThreads } = await import('../../host/trim-threads.ts');
				await trimThreads({ home, keepDays, base: await this.trustedBase(), server: server.peer, log }, signal);
			}
		} catch (error) {
			log.info('unused threads are left for another time', { error: String(error) });
		}
	}

	async #closeTrustedBase(): Promise<void> {
		await (await this.#trustedBase?.catch(() => undefined))?.close();
	}
}

/** Composes a host for as long as `work` takes. */
export async function withHost<T>(
	invocation: Invocation,
	context: CommandContext,
	options: HostOptions,
	work: (host: CliHost) => Promise<T>,
): Promise<T> {
	const host = await openHost(invocation, context, options);
	try {
		return await work(host);
	} finally {
		await host.close();
	}
}

/** Composes a host, which whoever asked for it closes. */
export async function openHost(
	invocation: Invocation,
	context: CommandContext,
	options: HostOptions,
): Promise<CliHost> {
	const place = context.system ?? systemPlace(process.platform);
	const organisation = await loadOrganisation(place, openHome(context.environment), context.signal);
	return new CliHost(invocation, context, options, organisation);
}
