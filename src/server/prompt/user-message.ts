/** The user's message as the model reads it: the text, what was added to it with @, and once per thread the workspace's own instructions and the capabilities. */
import { deriveSignal } from '../../base/derived-signal.ts';
import { escapeHidden } from '../../base/hidden-characters.ts';
import type { ContextRef } from '../../protocol/context.ts';
import { newId, type ThreadId, type TurnId } from '../../protocol/ids.ts';
import { type OpInput, type OpName, type OpResult, ops } from '../../protocol/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { HostBroker } from '../host/host-broker.ts';
import { limits } from './limits.ts';
import { excerpt } from '../history/excerpt.ts';
import { offeredCapabilities } from './offered-capabilities.ts';

interface Asker {
	readonly host: HostBroker;
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** Text to put after the user's; empty when nothing was added. A reference that cannot be read says why. */
export async function readContext(refs: readonly ContextRef[], asker: Asker, signal: AbortSignal): Promise<string> {
	const sections = await Promise.all(refs.map((ref) => readRef(ref, asker, signal)));
	return sections.map((section) => `\n\n${section}`).join('');
}

/** Of a thread's first message: AGENTS.md of the first folder and the capabilities that can be run; empty without either. */
export async function readSurroundings(workspace: WorkspaceInfo, asker: Asker, signal: AbortSignal): Promise<string> {
	const sections = await Promise.all([readInstructions(workspace, asker, signal), readCapabilities(asker, signal)]);
	return sections.map((each) => (each === undefined ? '' : `\n\n${each}`)).join('');
}

async function readInstructions(
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
	return read.ok && read.result.text.trim() !== ''
		? section('workspace-instructions', `file="${path}"`, excerpt(read.text, limits.instructionsChars).text)
		: undefined;
}

async function readCapabilities(asker: Asker, signal: AbortSignal): Promise<string | undefined> {
	const params = { withinMs: limits.offeredCapabilitiesMs };
	const listed = await performWithin(limits.offeringMs, 'capability.list', params, asker, signal);
	return listed.ok ? offeredCapabilities(listed.result.capabilities, listed.result.isComplete) : undefined;
}

async function readRef(ref: ContextRef, asker: Asker, signal: AbortSignal): Promise<string> {
	switch (ref.kind) {
		case 'file':
			return shown('file', `path="${ref.path}"`, await perform('fs.read', { path: ref.path }, asker, signal));
		case 'folder':
			return shown('folder', `path="${ref.path}"`, await perform('fs.list', { path: ref.path }, asker, signal));
		case 'selection':
			return shown('selection', `path="${ref.path}" lines="${ref.startLine}-${ref.endLine}"`, {
				text: escapeHidden(ref.text),
			});
		case 'problems': {
			const params = ref.path === undefined ? {} : { path: ref.path };
			const about = ref.path === undefined ? '' : `path="${ref.path}"`;
			return shown('problems', about, await perform('editor.diagnostics', params, asker, signal));
		}
	}
}

type Performed<N extends OpName> =
	| { readonly ok: true; readonly text: string; readonly result: OpResult<N> }
	| { readonly ok: false; readonly text: string };

function perform<N extends OpName>(
	op: N,
	params: OpInput<N>,
	asker: Asker,
	signal: AbortSignal,
): Promise<Performed<N>> {
	return performWithin(ops[op].timeoutMs, op, params, asker, signal);
}

async function performWithin<N extends OpName>(
	timeoutMs: number,
	op: N,
	params: OpInput<N>,
	asker: Asker,
	signal: AbortSignal,
): Promise<Performed<N>> {
	const def: OpDef = ops[op];
	const request = { opId: newId('op'), op, params, threadId: asker.threadId, turnId: asker.turnId };
	const limited = deriveSignal(signal, { what: op, timeoutMs });
	try {
		const outcome = await asker.host.perform(
			request,
			({ kind }) => (kind === 'waiting' ? limited.pause() : limited.resume()),
			limited.signal,
		);
		if (outcome.status !== 'done') {
			return { ok: false, text: escapeHidden(`(${outcome.error.code}: ${outcome.error.message})`) };
		}
		const result = def.result.parse(outcome.result);
		return { ok: true, text: escapeHidden(def.present(result)), result: result as OpResult<N> };
	} catch (error) {
		signal.throwIfAborted();
		return { ok: false, text: `(${error instanceof Error ? error.message : String(error)})` };
	} finally {
		limited.dispose();
	}
}

function shown(name: string, about: string, { text }: { readonly text: string }): string {
	return section(name, about, excerpt(text, limits.contextRefChars).text);
}

function section(name: string, about: string, text: string): string {
	return `<${name}${about === '' ? '' : ` ${about}`}>\n${text}\n</${name}>`;
}
