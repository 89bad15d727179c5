/** Errors and warnings that a change of a file brought. Language servers look at a text some time after it has changed, or never: the wait is bounded. */
import * as vscode from 'vscode';
import type { NewProblems } from '../../contract/ports/ports.ts';
import type { OpResult } from '../../protocol/ops.ts';
import { limits } from '../editor/limits.ts';

type Diagnostic = OpResult<'editor.diagnostics'>['diagnostics'][number];

export async function withNewProblems<T>(
	uri: vscode.Uri,
	shown: (problem: vscode.Diagnostic) => Diagnostic,
	change: () => Promise<T>,
	signal: AbortSignal,
): Promise<NewProblems<T>> {
	const before = vscode.languages.getDiagnostics(uri);
	const isLookedAt = before.length > 0 || vscode.workspace.textDocuments.some((each) => isSame(each.uri, uri));
	const settled = isLookedAt ? new SettledProblems(uri) : undefined;
	try {
		const result = await change();
		await settled?.wait(signal);
		return { result, problems: isLookedAt ? added(before, vscode.languages.getDiagnostics(uri)).map(shown) : [] };
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
			if (uris.some((each) => isSame(each, uri))) {
				this.#hasChanged = true;
				this.#restart();
			}
		});
	}

	/** Ends also when `signal` aborts: the change is made, whoever still listens. */
	async wait(signal: AbortSignal): Promise<void> {
		const stop = () => this.#end?.();
		signal.addEventListener('abort', stop, { once: true });
		const last = setTimeout(stop, limits.problemsMs);
		try {
			await new Promise<void>((resolve) => {
				this.#end = resolve;
				this.#restart();
				if (signal.aborted) resolve();
			});
		} finally {
			clearTimeout(last);
			signal.removeEventListener('abort', stop);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#listening.dispose();
	}

	/** Until the first report of a language server longer than between two. */
	#restart(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#end?.(), this.#hasChanged ? limits.problemsQuietMs : limits.problemsBeginMs);
	}
}

/** A problem that was there before may have moved to another line. */
function added(before: readonly vscode.Diagnostic[], after: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
	const left = before.map(sameness);
	return after
		.filter((problem) => {
			const known = left.indexOf(sameness(problem));
			if (known !== -1) left.splice(known, 1);
			return known === -1 && problem.severity <= vscode.DiagnosticSeverity.Warning;
		})
		.sort((a, b) => a.severity - b.severity)
		.slice(0, limits.newProblems);
}

function sameness({ severity, source, message }: vscode.Diagnostic): string {
	return JSON.stringify([severity, source, message]);
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
	return one.toString() === other.toString();
}
