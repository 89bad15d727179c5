/**
 * Labels of the texts that a model has been sent: where each comes from, and who may know it. The host makes them from what
 * each op returned; no message of a server holds one.
 */
import { joinTexts, type Text, text } from '../protocol/text/text.ts';
import type { OpTarget } from './ops/target.ts';

/** `files`: of the workspace, but written elsewhere: downloaded, made by a command that was connected, of a package. */
export type TextSource =
	| 'user'
	| 'instructions'
	| 'workspace'
	| 'files'
	| 'web'
	| 'mcp'
	| 'capability'
	| 'memory'
	| 'unknown';

export type Secrecy = 'public' | 'workspace' | 'secret';

/** Text that a model has been sent. */
export interface ReadText {
	readonly source: TextSource;
	/** Host, server, capability, id of a memory, or path: what a rule names after the source. */
	readonly name: string;
	readonly secrecy: Secrecy;
	/** Op that returned it, which has a card and rows in the ledger; absent: nobody knows. */
	readonly opId?: string | undefined;
}

/** Where an op sends something. */
export interface Receiver {
	/** Name as a person reads it. */
	readonly name: string;
	/** Any of these, with its op, is what a rule for the receiver covers. */
	readonly targets: readonly { readonly op: string; readonly target: OpTarget }[];
	/** True where it is only asked for something, by an address alone: a rule that names exactly this host is enough. */
	readonly isPlain?: true;
}

/** True for a text that somebody else may have written, or that nobody else may know. */
export function isMarked({ source, secrecy }: Pick<ReadText, 'source' | 'secrecy'>): boolean {
	return isFromOutside(source) || secrecy === 'secret';
}

/** True for a source into which others may write what they want done. */
export function isFromOutside(source: TextSource): boolean {
	return source !== 'user' && source !== 'instructions' && source !== 'workspace';
}

/** The text as rules name it: `web:example.org`. */
export function formatLabel({ source, name }: Pick<ReadText, 'source' | 'name'>): string {
	return `${source}:${name}`;
}

/** The text as people read of it. */
export function describeText({ source, name, secrecy }: ReadText): Text {
	switch (source) {
		case 'web':
			return text('text from {host}', { host: name });
		case 'mcp':
			return text('text from the MCP server {server}', { server: name });
		case 'capability':
			return text('text from the capability {capability}', { capability: name });
		case 'memory':
			return text('the memory {id}, noted after text from outside', { id: name });
		case 'unknown':
			return text('text of which nobody knows any more where it came from');
		case 'files':
			return text('{path}, which comes from outside', { path: name });
		default:
			return secrecy === 'secret' ? text('{path}, which holds secrets', { path: name }) : joinTexts(name);
	}
}
