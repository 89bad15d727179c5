/** Rights that a command needs beyond its sandbox, in words for the person who is asked: each right by its name. */
import { type Text, text } from '../../text/text.ts';
import type { CommandNeeds } from './command-needs.ts';

export function needsInWords({ network = [], read = [], write = [], noSandbox }: CommandNeeds): readonly Text[] {
	return [
		...(noSandbox === true ? [text('Run outside the sandbox')] : []),
		...network.map((host) => text('Connect to {host}', { host })),
		...write.map((path) => text('Change {path}', { path })),
		...read.map((path) => text('Read {path}', { path })),
	];
}

/** Returns words that say if a sandbox keeps the command in. */
export function sandboxInWords(isSandboxed: boolean): Text {
	return isSandboxed ? text('Sandboxed') : text('Not sandboxed');
}
