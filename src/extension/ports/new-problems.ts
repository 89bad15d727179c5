/** Errors and warnings that a change of a file brought. Language servers look at a text some time after it has changed, or never: the wait is bounded. */
import * as vscode from 'vscode';
import type { NewProblems } from '../../contract/ports/ports.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { extensionLimits } from '../editor/limits.ts';

export type DiagnosticRow = OpResult<'editor.diagnostics'>['diagnostics'][number];

export async function withNewProblems<T>(
	uri: vscode.Uri,
	shown: (problem: vscode.Diagnostic) => DiagnosticRow,
	change: () => Promise<T>,
	signal: AbortSignal,
): Promise<NewProblems<T>> {
	const before = vscode.languages.getDiagnostics(uri);
	const isLookedAt = before.length > 0 || vscode.workspace.textDocuments.some((each) => isSameUri(each.uri, uri));
	const settled = isLookedAt ? new SettledProblems(uri) : undefined;
	try {
		const result = await change();
		await settled?.wait(signal);
		return {
			result,
			problems: isLookedAt ? listAddedProblems(before, vscode.languages.getDiagnostics(uri)).map(shown) : [],
		};
	} finally {
		settled?.dispose();
	}
}

/** Waits until the editor's problems of a file have settled. */
class SettledProblems {
	readonly #listening: vscode.Disposable;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#end: (() => void) | undefined;
	#hasChanged = false;

	constructor(uri: vscode.Uri) {
		this.#listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
			if (uris.some((each) => isSameUri(each, uri))) {
				this.#hasChanged = true;
				this.#restart();
			}
		});
	}

	/** Ends also when `signal` aborts: the change is made, whoever still listens. */
	async wait(signal: AbortSignal): Promise<void> {
		const stopWaiting = () => this.#end?.();
		signal.addEventListener('abort', stopWaiting, { once: true });
		const last = setTimeout(stopWaiting, extensionLimits.problemsMs);
		try {
			await new Promise<void>((resolve) => {
				this.#end = resolve;
				this.#restart();
				if (signal.aborted) resolve();
			});
		} finally {
			clearTimeout(last);
			signal.removeEventListener('abort', stopWaiting);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#listening.dispose();
	}

	/** Until the first report of a language server longer than between two. */
	#restart(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => this.#end?.(),
			this.#hasChanged ? extensionLimits.problemsQuietMs : extensionLimits.problemsBeginMs,
		);
	}
}

/** A problem that was there before may have moved to another line. */
function listAddedProblems(
	before: readonly vscode.Diagnostic[],
	after: readonly vscode.Diagnostic[],
): vscode.Diagnostic[] {
	const left = before.map(createProblemKey);
	return after
		.filter((problem) => {
			const known = left.indexOf(createProblemKey(problem));
			if (known !== -1) left.splice(known, 1);
			return known === -1 && problem.severity <= vscode.DiagnosticSeverity.Warning;
		})
		.sort((a, b) => a.severity - b.severity)
		.slice(0, extensionLimits.newProblems);
}

function createProblemKey({ severity, source, message }: vscode.Diagnostic): string {
	return JSON.stringify([severity, source, message]);
}

function isSameUri(one: vscode.Uri, other: vscode.Uri): boolean {
	return one.toString() === other.toString();
}
