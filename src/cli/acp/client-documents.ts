/**
 * The documents of an editor behind the protocol: text that is not saved there counts. The protocol tells neither which files
 * are open nor whether they are saved, so the editor's text is compared with the disk: where they are the same, the file is
 * read and written like any other. The protocol has no write under a condition: between the last comparison and the write
 * lies a moment in which the user may type.
 */
import { type AgentContext, type ClientCapabilities, methods, RequestError } from '@agentclientprotocol/sdk';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { DocumentPort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { acpLimits } from './limits.ts';
import { type SessionFolder, toEditorPath } from './session-folder.ts';

interface ClientDocumentDeps {
	readonly client: Pick<AgentContext, 'request'>;
	readonly sessionId: string;
	readonly folder: SessionFolder;
	/** Offers of the editor. */
	readonly fs: ClientCapabilities['fs'];
	diskText(absolutePath: string): Promise<string | undefined>;
}

const ReadAnswer = z.object({ content: z.string() });

/** Error of the protocol for a file that there is not. */
const RESOURCE_NOT_FOUND = -32_002;

export function clientDocuments({ client, sessionId, folder, fs, diskText }: ClientDocumentDeps): DocumentPort {
	const { readTextFile, writeTextFile } = methods.client.fs;
	const stopWith = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });
	const canRead = fs?.readTextFile === true;
	const asked = (path: string) => ({ sessionId, path: toEditorPath(folder, path) });
	const askFor = async (path: string): Promise<string | undefined> => {
		try {
			const limit = { what: 'the text of a file in the editor', timeoutMs: acpLimits.fileMs };
			return ReadAnswer.parse(
				await withTimeLimit(limit, (signal) => client.request(readTextFile, asked(path), stopWith(signal))),
			).content;
		} catch (error) {
			if (error instanceof RequestError && error.code === RESOURCE_NOT_FOUND) {
				return undefined;
			}
			const said = text('The editor did not give the text of "{path}".', { path });
			throw new ProwessError('IO_ERROR', `the editor did not give the text of ${path}`, { path, said }, error);
		}
	};
	/** Text of the editor where it is another than that of the disk. */
	const unsavedText = async (path: string): Promise<string | undefined> => {
		const disk = canRead ? await diskText(path) : undefined;
		const shown = disk === undefined ? undefined : await askFor(path);
		return shown === undefined || disk === undefined || isSameDocument(shown, disk) ? undefined : shown;
	};
	return {
		async readOpen(path) {
			const shown = await unsavedText(path);
			return shown === undefined ? undefined : { text: shown, unsaved: true };
		},
		async writeOpen(path, expected, content, signal) {
			const shown = await unsavedText(path);
			if (shown === undefined) {
				return undefined;
			}
			signal.throwIfAborted();
			if (shown !== expected) {
				throw new ProwessError('FILE_CHANGED', `${path}: its text in the editor has changed meanwhile`, { path });
			}
			if (fs?.writeTextFile !== true) {
				const said = text('"{path}" has changes in the editor that are not saved. Save or discard them first.', {
					path,
				});
				throw new ProwessError('INVALID_STATE', `${path} has changes in the editor that are not saved`, { path, said });
			}
			try {
				const limit = { what: 'the write of a file by the editor', timeoutMs: acpLimits.fileMs };
				await withTimeLimit(limit, (within) =>
					client.request(writeTextFile, { ...asked(path), content }, stopWith(within)),
				);
			} catch (error) {
				const said = text('The editor did not save "{path}".', { path });
				throw new ProwessError('IO_ERROR', `the editor did not write ${path}`, { path, said }, error);
			}
			return (await askFor(path)) ?? content;
		},
	};
}

/** Editors leave out a mark at the beginning, and have line ends of one kind. */
function isSameDocument(one: string, other: string): boolean {
	const normaliseText = (each: string) => each.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
	return one === other || normaliseText(one) === normaliseText(other);
}
