/** Door of `prowess acp`: standard input and output belong to the protocol, and each session has a host like `prowess run`. */
import { relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadFollower, stopTurn } from '../../host/doors/thread-follower.ts';
import type { prepareMessage, sendMessage } from '../../host/doors/send-message.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { modelRequests } from '../../protocol/turn/models.ts';
import { openHome } from '../home/home-folder.ts';
import { packageVersion } from '../home/installation.ts';
import { isTrusted, realFolder, trustFolder } from '../home/trusted-folders.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import type { CliHost, ClientBehind, openHost } from '../ports/cli-host.ts';
import type { formatApproval } from '../ports/person.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { acpLimits } from './limits.ts';

/** Parts of the host of which there is one in a process. */
export interface HostOfCommand {
	readonly open: typeof openHost;
	/** Says the whole of what an approval is about, as a person at a terminal reads it. */
	readonly words: typeof formatApproval;
	readonly threads: typeof threadRequests;
	readonly models: typeof modelRequests;
	/** Steps of a client of threads, whichever door it came through. */
	readonly frame: {
		readonly ThreadFollower: typeof ThreadFollower;
		readonly stopTurn: typeof stopTurn;
		readonly prepareMessage: typeof prepareMessage;
		readonly sendMessage: typeof sendMessage;
	};
}

export interface AcpDoor extends Pick<HostOfCommand, 'words' | 'threads' | 'models' | 'frame'> {
	readonly version: string;
	readonly input: ReadableStream<Uint8Array>;
	readonly output: WritableStream<Uint8Array>;
	/** Real path of a folder. Throws where it is none, and where our own home lies in it. */
	realFolder(path: string): string;
	isTrusted(folder: string): boolean;
	trust(folder: string): void;
	/** Composes a host for a folder that is trusted; undefined: for threads of any folder, where nothing is done. */
	openHost(workspace: string | undefined, behind: ClientBehind | undefined): Promise<CliHost>;
	/** Text of a file on the disk, for a comparison; undefined: it is none, or too long, or not in UTF-8. */
	diskText(absolutePath: string): Promise<string | undefined>;
	log(message: string): void;
}

/** Throws a UsageError at a terminal, where no editor can be. */
export function openDoor(host: HostOfCommand, invocation: Invocation, context: CommandContext): AcpDoor {
	const { terminal, environment } = context;
	if (terminal.stdin.isTTY === true) {
		throw new UsageError('acp: an editor starts this command and speaks to it; see docs/acp.md');
	}
	const home = openHome(environment);
	const { words, threads, models, frame } = host;
	return {
		words,
		threads,
		models,
		frame,
		version: packageVersion,
		input: Readable.toWeb(terminal.stdin) as ReadableStream<Uint8Array>,
		output: new WritableStream<Uint8Array>({
			async write(bytes) {
				terminal.out(Buffer.from(bytes).toString('utf8'));
				await terminal.flush();
			},
		}),
		realFolder: (path) => workFolder(path, home),
		isTrusted: (folder) => isTrusted(home, folder),
		trust: (folder) => trustFolder(home, folder),
		openHost: (workspace, behind) => {
			const approvalMode = workspace === undefined ? 'never' : 'ask';
			return host.open(invocation, context, { workspace, approvalMode, ...(behind && { behind }) });
		},
		diskText,
		log: (message) => {
			if (invocation.switches.has('verbose')) terminal.err(`[info] acp: ${message}\n`);
		},
	};
}

/** Returns the real path of a folder, as for `prowess run`: the gate guards `.prowess` alone, so no other home may lie inside. */
function workFolder(path: string, home: string): string {
	const folder = realFolder(path);
	if (!relative(folder, home).startsWith('..') && !relative(folder, home).split(sep).includes('.prowess')) {
		throw new ProwessError('INVALID_PARAMS', `PROWESS_HOME (${home}) is inside the workspace`, { path: folder });
	}
	return folder;
}

async function diskText(absolutePath: string): Promise<string | undefined> {
	try {
		const bytes = await readRegularFile(absolutePath, acpLimits.fileBytes);
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
