/** Rights of a command, apart from its op: the page of the chat parses them and needs no other schema of it. */
import { type Text, text } from '../../text/text.ts';
import * as z from '../../text/zod.ts';

/**
 * Rights a command needs beyond its sandbox; the person is asked for each by name. `network`: hosts, as `http.get` rules
 * write them. `read` and `write`: paths outside the workspace, or protected or secret ones in it; absolute, or beginning
 * with `~/`, or relative to `cwd`. `noSandbox`: everything a program of the user can do.
 */
export const CommandNeeds = z.strictObject({
	network: z.array(z.string().min(1).max(300)).max(20).optional(),
	read: z.array(z.string().min(1).max(4096)).max(20).optional(),
	write: z.array(z.string().min(1).max(4096)).max(20).optional(),
	noSandbox: z.boolean().optional(),
});
export type CommandNeeds = z.infer<typeof CommandNeeds>;

/** Rights that a command needs beyond its sandbox, in words for the person who is asked: each right by its name. */
export function needsInWords({ network = [], read = [], write = [], noSandbox }: CommandNeeds): readonly Text[] {
	return [
		...(noSandbox === true ? [text('Run outside the sandbox')] : []),
		...network.map((host) => text('Connect to {host}', { host })),
		...write.map((path) => text('Change {path}', { path })),
		...read.map((path) => text('Read {path}', { path })),
	];
}

/** Returns what a command can reach from inside of its sandbox, in words for people. */
export function sandboxReachInWords(): readonly Text[] {
	return [
		text('Changes the workspace and temporary folders, not files that control what runs or is allowed.'),
		text('Sees no secret files of the workspace and no other folders of your home, but your tools.'),
		text('Connects to no host without your approval.'),
		text('Ends with everything it has started.'),
	];
}

/** Returns words that say if a sandbox keeps the command in. */
export function sandboxInWords(isSandboxed: boolean): Text {
	return isSandboxed ? text('Sandboxed') : text('Not sandboxed');
}
