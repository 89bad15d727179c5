/**
 * Labels the caller's thread with what an op returns: before its effect, as far as that is known by then, and before its result
 * is handed out. Without a label that is kept there is no result.
 */
import { addDecisionNote } from '../../contract/decision.ts';
import { isFromOutside, isMarked, formatLabel } from '../../contract/labels.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { copiesOfOp, readPaths, recalledTexts, returnsOthersWords, textsOfOp } from '../gate/labels/texts-of-op.ts';
import { findLabelId, type ThreadLabels } from '../gate/labels/thread-labels.ts';
import type { BrokerCall } from './call.ts';

type Labels = Pick<ThreadLabels, 'of' | 'ready' | 'add' | 'copy' | 'made' | 'noteConnection' | 'connections' | 'load'>;

interface LabelDeps {
	/** Absent: nobody keeps them. */
	readonly labels?: Labels;
	readonly ports: { readonly workspace: Pick<WorkspacePort, 'folders' | 'origin'> };
}

/** Rejects when the label cannot be kept; then there must be no effect. */
export async function labelBefore(
	deps: LabelDeps,
	call: BrokerCall,
	targets: readonly OpTarget[],
	signal: AbortSignal,
): Promise<void> {
	await labelTexts(deps, call, targets, undefined, signal);
}

/** Rejects when the label cannot be kept; then the result must not be handed out. */
export async function labelAfter(
	deps: LabelDeps,
	call: BrokerCall,
	targets: readonly OpTarget[],
	result: unknown,
): Promise<void> {
	const { op } = call.asked;
	try {
		// Takes no signal of the op: a stop comes too late to leave the label out.
		await labelTexts(deps, call, targets, result, new AbortController().signal);
	} catch (error) {
		const message = `${op} took effect, but what it returned could not be labelled, so it is withheld: ${toErrorMessage(error)}. Do not repeat it`;
		const said = text(
			'It was done, but where its result comes from could not be noted, so the agent does not get it. Begin a new thread.',
		);
		throw new ProwessError('INVALID_STATE', message, { tookEffect: true, done: op, said }, error);
	}
}

async function labelTexts(
	{ labels, ports: { workspace } }: LabelDeps,
	call: BrokerCall,
	targets: readonly OpTarget[],
	result: unknown,
	signal: AbortSignal,
): Promise<void> {
	const { op, opId } = call.asked;
	const id = findLabelId(call.origin.caller);
	if (labels === undefined || id === null) {
		return;
	}
	const done = { op, params: call.params, targets, result };
	if (op === 'net.connect') labels.noteConnection(id);
	if (result === undefined) call.connectionsBefore = labels.connections(id);
	const made = returnsOthersWords(op) ? await labels.made(signal) : undefined;
	const marked = [
		...textsOfOp(done, (path) => made?.has(path, workspace) === true),
		...(op === 'shell.run' ? await fetchedTexts(labels, targets) : []),
		...(await notedAfterOthers(labels, done, signal)),
	].filter(isMarked);
	if (marked.length > 0) {
		await labels.add(id, marked, opId, signal);
		const note = `reads ${marked.map(formatLabel).join(', ')}`;
		if (!call.decision.notes.includes(note)) call.decision = addDecisionNote(call.decision, note);
		const outside = marked.filter(({ source }) => isFromOutside(source)).map(formatLabel);
		call.outside = [...new Set([...call.outside, ...outside])];
	}
	if (op === 'fs.move' && result === undefined) {
		const { from, to } = call.params as OpParams<'fs.move'>;
		await (await labels.made(signal))?.move(from, to, workspace, signal);
	}
	const isCopied = (path: string) => made?.holds(path, workspace) === true;
	const isConnected =
		call.outside.length > 0 ||
		(op === 'shell.run' && readPaths({}, targets).some(isCopied)) ||
		labels.connections(id) !== (op === 'shell.run' ? call.connectionsBefore : 0);
	const { changed = [] } = op.startsWith('shell.') ? ((result ?? {}) as Partial<CommandState>) : {};
	if (isConnected && changed.length > 0) await (await labels.made(signal, true))?.add(changed, workspace, signal);
	for (const [from, to] of result === undefined ? [] : copiesOfOp(done, id)) {
		await labels.copy(from, to, signal);
	}
}

/** Texts that commands without a sandbox fetch, as far as their words say. */
async function fetchedTexts(labels: Labels, targets: readonly OpTarget[]): Promise<ReturnType<typeof textsOfOp>> {
	const open = targets.filter((target) => target.kind === 'command').filter(({ isSandboxed }) => isSandboxed !== true);
	if (open.length === 0) return [];
	const { fetchesText } = await labels.load();
	return open.filter(fetchesText).map(({ argv }) => ({ source: 'web', name: argv[0] ?? '', secrecy: 'public' }));
}

/** Memories that an agent noted after it had read others' words: they may say what these wanted. */
async function notedAfterOthers(
	labels: Labels,
	done: Parameters<typeof recalledTexts>[0],
	signal: AbortSignal,
): Promise<ReturnType<typeof textsOfOp>> {
	const found: ReturnType<typeof textsOfOp>[number][] = [];
	for (const [from, read] of recalledTexts(done)) {
		await labels.ready(from, signal);
		if (labels.of(from).length > 0) found.push(read);
	}
	return found;
}
