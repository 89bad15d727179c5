/**
 * A change that a language server has worked out, in one file or in several, of which all or none are written. Loaded with
 * the first one.
 */
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { FileWritten } from '../../protocol/ops/definitions/files/files.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { OpContext, Prepared } from '../../contract/ops/op-implementation.ts';
import type { EditorPort, WorkedOutChange } from '../../contract/ports/ports.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { CurrentText } from './current-text.ts';
import { isCrOnly, toLf } from '../line-ends.ts';
import { TAKE_BACK_MS } from '../limits.ts';

type Refactored = OpResult<'editor.refactor'>;

/** Files as file ops find, read and change them. */
export interface RefactoredFiles {
	locate(path: string, signal: AbortSignal): Promise<Located>;
	read(located: Located, signal: AbortSignal): Promise<CurrentText>;
	/** Prepares a new text; with `looksAfter`, its result has the problems that the editor finds in it. */
	change(located: Located, current: CurrentText, after: string, looksAfter: boolean): Prepared<FileWritten>;
}

interface RefactoredFile {
	readonly located: Located;
	readonly before: string;
	readonly prepared: Prepared<FileWritten>;
}

export async function prepareRefactoring(
	files: RefactoredFiles,
	editor: Pick<EditorPort, 'refactor'>,
	{ path, ...wanted }: OpParams<'editor.refactor'>,
	signal: AbortSignal,
): Promise<Prepared<Refactored>> {
	refuseLacking(wanted);
	const named = await files.locate(path, signal);
	const { files: worked, notRun } = await editor.refactor({ ...wanted, absolutePath: named.absolutePath }, signal);
	const changes: RefactoredFile[] = [];
	for (const file of worked) {
		changes.push(await prepareFile(files, named, file, signal));
	}
	// The named file is looked at after all others have changed.
	changes.sort((a, b) => Number(isSameFile(a.located, named)) - Number(isSameFile(b.located, named)));
	const note = notRun === undefined ? {} : { notRun };
	const [first, ...others] = changes;
	if (first === undefined) {
		throw new ProwessError('INVALID_STATE', `the language server changes nothing in ${named.path}`, {
			path: named.path,
			said: text('Nothing in "{path}" needs a change.', { path: named.path }),
		});
	}
	if (others.length === 0) {
		return asRefactoring(first.prepared, note);
	}
	const diffs = changes.flatMap(({ prepared: { detail } }) => (detail.kind === 'diff' ? [detail.diff] : []));
	return {
		targets: changes.flatMap(({ prepared }) => prepared.targets),
		detail: { kind: 'diffs', diffs },
		run: async (context) => ({ files: await writeAll(files, changes, context), ...note }),
	};
}

function refuseLacking({ what, line, symbol, to }: Omit<OpParams<'editor.refactor'>, 'path'>): void {
	const needed = what === 'rename' ? { line, symbol, to } : what === 'fix' ? { line } : {};
	const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
	if (missing.length > 0) {
		throw new ProwessError('INVALID_PARAMS', `editor.refactor: ${what} needs ${missing.join(', ')}`);
	}
}

async function prepareFile(
	files: RefactoredFiles,
	named: Located,
	{ absolutePath, before, after }: WorkedOutChange['files'][number],
	signal: AbortSignal,
): Promise<RefactoredFile> {
	const located = await files.locate(absolutePath, signal);
	const current = await files.read(located, signal);
	const lf = isCrOnly(current.text) ? current.text.replaceAll('\r', '\n') : toLf(current.text);
	if (lf !== before) {
		const { path } = located;
		throw new ProwessError('FILE_CHANGED', `${path} is not as the language server knows it: ask again`, { path });
	}
	const prepared = files.change(located, current, after, isSameFile(located, named));
	return { located, before: current.text, prepared };
}

function isSameFile(one: Located, other: Located): boolean {
	return one.realPath === other.realPath;
}

/** With the user's own changes to the proposed text, as those of an edit. */
function asRefactoring(prepared: Prepared<FileWritten>, note: Pick<Refactored, 'notRun'>): Prepared<Refactored> {
	const { targets, detail, proposal } = prepared;
	return {
		targets,
		detail,
		...(proposal && {
			proposal: {
				...proposal,
				withText(changed) {
					const { prepared: inner, ...counts } = proposal.withText(changed);
					return { prepared: asRefactoring(inner, note), ...counts };
				},
			},
		}),
		run: async (context) => ({ files: [await prepared.run(context)], ...note }),
	};
}

/** Writes nothing where any of them has changed since, and takes back what is written where a later one fails. */
async function writeAll(
	files: RefactoredFiles,
	changes: readonly RefactoredFile[],
	context: OpContext,
): Promise<FileWritten[]> {
	for (const { prepared } of changes) {
		await prepared.proposal?.verify(context.signal);
	}
	const done: FileWritten[] = [];
	const texts: (string | undefined)[] = [];
	for (const [at, { located, prepared }] of changes.entries()) {
		try {
			context.signal.throwIfAborted();
			done.push(await prepared.run(context));
			texts.push((await files.read(located, context.signal)).text);
		} catch (error) {
			const left = await takeBack(files, changes.slice(0, at + 1), texts, context);
			throw left.length === 0 ? error : namingLeft(error, left);
		}
	}
	return done;
}

/** Returns the files that stay changed: others have changed them since, or they cannot be written. */
async function takeBack(
	files: RefactoredFiles,
	changes: readonly RefactoredFile[],
	texts: readonly (string | undefined)[],
	context: OpContext,
): Promise<readonly string[]> {
	const left: string[] = [];
	const limit = { what: 'taking back a change in several files', timeoutMs: TAKE_BACK_MS };
	await withTimeLimit(limit, async (signal) => {
		for (const [at, { located, before, prepared }] of [...changes.entries()].reverse()) {
			try {
				const current = await files.read(located, signal);
				if (current.text === before) continue;
				if (current.text !== (texts[at] ?? prepared.proposal?.after)) {
					left.push(located.path);
					continue;
				}
				const back = files.change(located, current, before, false);
				await back.run({ ...context, signal });
			} catch {
				// Why the first one failed is what the caller reads.
				left.push(located.path);
			}
		}
	});
	return left;
}

function namingLeft(error: unknown, left: readonly string[]): ProwessError {
	const { code, facts } = isProwessError(error) ? error : { code: 'IO_ERROR' as const, facts: {} };
	const message = `${toErrorMessage(error)}; changed nevertheless: ${left.join(', ')}`;
	return new ProwessError(code, message, facts, error);
}
