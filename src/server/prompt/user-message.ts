/** The user's message as the model reads it: the text, what was added to it with @, and once per thread the workspace's own instructions. */
import { deriveSignal } from '../../base/derived-signal.ts';
import type { ContextRef } from '../../protocol/context.ts';
import { newId, type ThreadId, type TurnId } from '../../protocol/ids.ts';
import { type OpName, type OpParams, ops } from '../../protocol/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { HostBroker } from '../host/host-broker.ts';
import { limits } from '../limits.ts';
import { excerpt } from './excerpt.ts';

export interface Asker {
	readonly host: HostBroker;
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** Text to put after the user's; empty when nothing was added. A reference that cannot be read says why. */
export async function readContext(refs: readonly ContextRef[], asker: Asker, signal: AbortSignal): Promise<string> {
	const sections = await Promise.all(refs.map((ref) => readRef(ref, asker, signal)));
	return sections.map((section) => `\n\n${section}`).join('');
}

/** AGENTS.md of the first folder; undefined when there is none. */
export async function readInstructions(
	workspace: WorkspaceInfo,
	asker: Asker,
	signal: AbortSignal,
): Promise<string | undefined> {
	const [folder] = workspace.folders;
	if (folder === undefined) {
		return undefined;
	}
	const path = workspace.folders.length > 1 ? `${folder.name}/AGENTS.md` : 'AGENTS.md';
	const read = await perform('fs.read', { path }, asker, signal);
	return read.ok && read.text.trim() !== ''
		? section('workspace-instructions', `file="${path}"`, excerpt(read.text, limits.instructionsChars).text)
		: undefined;
}

async function readRef(ref: ContextRef, asker: Asker, signal: AbortSignal): Promise<string> {
	switch (ref.kind) {
		case 'file':
			return shown('file', `path="${ref.path}"`, await perform('fs.read', { path: ref.path }, asker, signal));
		case 'folder':
			return shown('folder', `path="${ref.path}"`, await perform('fs.list', { path: ref.path }, asker, signal));
		case 'selection':
			return shown('selection', `path="${ref.path}" lines="${ref.startLine}-${ref.endLine}"`, {
				ok: true,
				text: ref.text,
			});
		case 'problems': {
			const params = ref.path === undefined ? {} : { path: ref.path };
			const about = ref.path === undefined ? '' : `path="${ref.path}"`;
			return shown('problems', about, await perform('editor.diagnostics', params, asker, signal));
		}
	}
}

interface Read {
	readonly ok: boolean;
	readonly text: string;
}

async function perform<N extends OpName>(op: N, params: OpParams<N>, asker: Asker, signal: AbortSignal): Promise<Read> {
	const def: OpDef = ops[op];
	const request = { opId: newId('op'), op, params, threadId: asker.threadId, turnId: asker.turnId };
	const limited = deriveSignal(signal, { what: op, timeoutMs: def.timeoutMs });
	try {
		const outcome = await asker.host.perform(
			request,
			({ kind }) => (kind === 'waiting' ? limited.pause() : limited.resume()),
			limited.signal,
		);
		return outcome.status === 'done'
			? { ok: true, text: def.present(def.result.parse(outcome.result)) }
			: { ok: false, text: `(${outcome.error.code}: ${outcome.error.message})` };
	} catch (error) {
		signal.throwIfAborted();
		return { ok: false, text: `(${error instanceof Error ? error.message : String(error)})` };
	} finally {
		limited.dispose();
	}
}

function shown(name: string, about: string, { text }: Read): string {
	return section(name, about, excerpt(text, limits.contextRefChars).text);
}

function section(name: string, about: string, text: string): string {
	return `<${name}${about === '' ? '' : ` ${about}`}>\n${text}\n</${name}>`;
}
