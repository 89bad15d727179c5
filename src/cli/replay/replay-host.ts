/** Parts of the command line, which what replays gets because it is a bundle of its own. */
import type { makeOwnTemporaryFolder } from '../../machine/home-files/own-temporary-folder.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import type { Wire } from '../../protocol/rpc/wire.ts';
import type { openHome } from '../home/home-folder.ts';
import type { CommandContext } from '../invocation/command.ts';
import type { CliServerProcess } from '../server/server-process.ts';

export interface ReplayHost {
	readonly openHome: typeof openHome;
	/** Rejects with DENIED_BY_ORGANISATION where threads must not be handed on. */
	checkExport(context: Pick<CommandContext, 'system' | 'environment' | 'signal'>): Promise<void>;
	readonly makeOwnTemporaryFolder: typeof makeOwnTemporaryFolder;
	/** Knows the keys and secrets of that home. */
	createRedactor(home: string): Pick<Redactor, 'redact' | 'redactDeep'>;
	/** A server of its own, in a process of its own; whoever wraps its wire drives it. */
	startServer(
		home: string,
		environment: Readonly<Record<string, string | undefined>>,
		wrap: (wire: Wire) => Wire,
	): Pick<CliServerProcess, 'start' | 'close' | 'gone'>;
}
