/**
 * The language client with its library, which is a third of the extension's code. This bundle of its own is loaded when
 * the server first starts. No code of ours is in it, so no class of ours exists twice.
 */
import type { Readable } from 'node:stream';
import type { LogOutputChannel } from 'vscode';
import {
	CloseAction,
	type DocumentFilter,
	ErrorAction,
	LanguageClient,
	TransportKind,
} from 'vscode-languageclient/node';

export { CancellationTokenSource, ResponseError } from 'vscode-languageclient/node';

export interface WatchedServerProgram {
	readonly module: string;
	readonly flags: readonly string[];
	/** Where the program listens for a debugger while the extension itself is debugged. */
	readonly inspectPort: number;
	readonly cwd: string;
	/** Laid over the environment of the extension host; `undefined` takes a variable away. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ClientEvents {
	/** Each of stdout and stderr. */
	print(output: Readable): void;
	onChannelClosed(): void;
	/** Called when the process has ended. `how` says in words how it ended. */
	onExit(how: string): void;
	/** Words for the data of a problem in the language of the editor; undefined: it keeps its message. */
	wordsFor(data: unknown): string | undefined;
}

/** The library lets go of its process before it says that the channel is closed; here its end is heard itself. */
export class WatchedClient extends LanguageClient {
	child: LanguageClient['serverProcess'];
	readonly exited: Promise<void>;
	readonly #onExit: (how: string) => void;
	#exited: () => void = () => {};

	constructor(
		program: WatchedServerProgram,
		channel: LogOutputChannel,
		documentSelector: readonly DocumentFilter[],
		{ print, onChannelClosed, onExit, wordsFor }: ClientEvents,
	) {
		const { module, flags, inspectPort, cwd, environment } = program;
		const createRunOptions = (execArgv: string[]) => ({
			module,
			transport: TransportKind.ipc,
			options: { env: environment, execArgv, cwd },
		});
		super(
			'prowess',
			'Prowess',
			{ run: createRunOptions([...flags]), debug: createRunOptions([`--inspect=${inspectPort}`, ...flags]) },
			{
				outputChannel: channel,
				documentSelector: [...documentSelector],
				stdioOptions: { stdout: print, stderr: print },
				middleware: {
					handleDiagnostics(uri, diagnostics, next) {
						for (const diagnostic of diagnostics) {
							diagnostic.message = wordsFor('data' in diagnostic ? diagnostic.data : undefined) ?? diagnostic.message;
						}
						next(uri, diagnostics);
					},
				},
				initializationFailedHandler: () => false,
				errorHandler: {
					error: () => ({ action: ErrorAction.Continue, handled: true }),
					closed: () => {
						onChannelClosed();
						return { action: CloseAction.DoNotRestart, handled: true };
					},
				},
			},
		);
		this.#onExit = onExit;
		this.exited = new Promise((resolve) => {
			this.#exited = resolve;
		});
	}

	/**
	 * Logs the error and shows nothing. Our code tells the user once, with the remedy; the library's own words are
	 * about itself.
	 */
	override error(message: string, data?: unknown): void {
		super.error(message, data, false);
	}

	protected override async createMessageTransports(
		encoding: string,
	): ReturnType<LanguageClient['createMessageTransports']> {
		const transports = await super.createMessageTransports(encoding);
		this.child = this.serverProcess;
		this.child?.once('exit', (code, signal) => {
			this.#exited();
			this.#onExit(signal === null ? `exit code ${code}` : `ended by ${signal}`);
		});
		return transports;
	}
}
