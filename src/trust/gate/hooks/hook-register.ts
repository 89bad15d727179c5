/** Hooks of other agents in the hands of the user: looked over, agreed to, taken back; and asked when the user says something. */
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { type ContextRef, MAX_HOOK_NAME } from '../../../protocol/thread/context.ts';
import { recordUserAct } from '../../record/ledger/user-act.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { CommandWall } from '../../../machine/sandbox/command-wall.ts';
import { ForeignHooks } from './foreign/foreign-hooks.ts';
import type { HookFileState } from './foreign/look-at-hook-file.ts';
import type { ForeignHook } from './foreign/read-hook-file.ts';
import type { LedgerPort } from '../../record/ledger/ledger.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { UserHooks } from './user-hooks.ts';

export interface HookFileInfo {
	/** Absolute. */
	readonly path: string;
	/** Else the user's own. */
	readonly isOfProject: boolean;
	/** Name of the plugin that it is a part of; null: none. */
	readonly plugin: string | null;
	readonly state: HookFileState;
	/** Each on a line: event, matcher and command. */
	readonly hooks: readonly string[];
	/** Programs that the user agrees to with it, absolute. */
	readonly programs: readonly string[];
	/** Descriptions of the parts of the file that cannot be used. */
	readonly problems: readonly string[];
}

interface HookListing {
	readonly files: readonly HookFileInfo[];
	readonly problems: readonly string[];
	/** True when hooks run in a sandbox on this machine at present; asked only where there are any hooks. */
	readonly isSandboxed: boolean;
}

export interface HookRegister {
	list(): Promise<HookListing>;
	/** Agrees to what a file says now. Rejects with NOT_FOUND and INVALID_STATE. */
	allow(path: string, signal: AbortSignal): Promise<void>;
	/** False when it was not agreed to. */
	revoke(path: string, signal: AbortSignal): Promise<boolean>;
	/**
	 * Returns the context that hooks add to a message of the user. Rejects with DENIED_BY_RULE when a hook refuses the
	 * message.
	 */
	prompted(threadId: ThreadId, text: string, signal: AbortSignal): Promise<readonly ContextRef[]>;
}

interface HookParts extends Required<
	Pick<ConstructorParameters<typeof ForeignHooks>[0], 'environment' | 'plugins' | 'askModel'>
> {
	readonly ports: HostPorts;
	readonly redactor: Redactor;
	readonly ledger: LedgerPort;
	readonly sandbox: CommandWall;
}

/** Creates the user's own hooks, and those that files of other agents name. */
export function createHooks({ ports, redactor, ledger, plugins, environment, sandbox, askModel }: HookParts) {
	const hooks = new UserHooks({ ports, redactor, environment, sandbox });
	const foreignHooks = new ForeignHooks({ ports, plugins, redactor, ledger, environment, sandbox, askModel });
	const hooksOfOthers = hookRegister(foreignHooks, ledger, async () => (await sandbox.state()).works);
	return { hooks, foreignHooks, hooksOfOthers };
}

function formatForeignHook({ event, calledAs = event, matcher, command, prompt }: ForeignHook): string {
	const what = prompt === undefined ? command : `asks a model: ${prompt}`;
	return `${calledAs}${matcher ? ` (${matcher})` : ''}: ${what}`;
}

function hookRegister(
	hooks: ForeignHooks,
	ledger: Pick<LedgerPort, 'append'>,
	isSandboxed: () => Promise<boolean>,
): HookRegister {
	return {
		async list() {
			const { files, problems } = await hooks.list();
			return {
				files: files.map(({ file, state, hooks: each, identity, problems: own }) => ({
					path: file.path,
					isOfProject: file.folder !== undefined,
					plugin: file.plugin ?? null,
					state,
					hooks: each.map(formatForeignHook),
					programs: identity?.programs ?? [],
					problems: own,
				})),
				problems,
				isSandboxed: files.length > 0 && (await isSandboxed()),
			};
		},
		allow: (path, signal) =>
			recordUserAct(
				ledger,
				{ op: 'hook.allow', input: `Allow the hooks of ${path}`, params: { path } },
				() => 'allowed',
				() => hooks.allow(path, signal),
			),
		revoke: (path, signal) =>
			recordUserAct(
				ledger,
				{ op: 'hook.revoke', input: `Revoke the hooks of ${path}`, params: { path } },
				(wasAllowed) => (wasAllowed ? 'revoked' : 'it was not allowed'),
				() => hooks.revoke(path, signal),
			),
		async prompted(threadId, text, signal) {
			const told = await hooks.prompted(threadId, text, signal);
			return told.map(({ by, text: words }) => ({ kind: 'hook', by: by.slice(0, MAX_HOOK_NAME), text: words }));
		},
	};
}
