/**
 * Facts that only an editor knows: problems, symbols, references. Other extensions provide them, so every result is
 * bounded.
 */
import * as vscode from 'vscode';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { EditorPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { extensionLimits } from '../editor/limits.ts';
import { type DiagnosticRow, withNewProblems } from './new-problems.ts';
import { findSymbolPosition } from './symbol-position.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';

type SymbolRow = OpResult<'editor.symbols'>['symbols'][number];

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** `comment`: shows one beside its line. */
export function createEditorPort(workspace: WorkspacePort, comment: EditorPort['comment']): EditorPort {
	const toRelativePath = (uri: vscode.Uri) =>
		uri.scheme === 'file' ? toWorkspacePath(workspace.folders, uri.fsPath) : undefined;

	return {
		comment,

		activeFile() {
			const { document, selection } = vscode.window.activeTextEditor ?? {};
			const path = document === undefined ? undefined : toRelativePath(document.uri);
			if (path === undefined) return undefined;
			const isPlain = selection === undefined || selection.isEmpty;
			return { path, ...(isPlain ? {} : { startLine: selection.start.line + 1, endLine: selection.end.line + 1 }) };
		},

		async diagnostics(absolutePath, signal) {
			signal.throwIfAborted();
			const entries =
				absolutePath === undefined
					? vscode.languages.getDiagnostics()
					: [[vscode.Uri.file(absolutePath), vscode.languages.getDiagnostics(vscode.Uri.file(absolutePath))] as const];
			const all = entries.flatMap(([uri, problems]) => {
				const path = toRelativePath(uri);
				return path === undefined ? [] : problems.map((problem) => toDiagnosticRow(path, problem));
			});
			all.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
			return limitRows('diagnostics', all, extensionLimits.diagnostics);
		},

		async withNewProblems(absolutePath, change, signal) {
			const uri = vscode.Uri.file(absolutePath);
			return await withNewProblems(
				uri,
				(problem) => toDiagnosticRow(toRelativePath(uri) ?? absolutePath, problem),
				change,
				signal,
			);
		},

		async symbols({ absolutePath, query }, signal) {
			const found =
				absolutePath === undefined
					? await workspaceSymbols(query ?? '', toRelativePath, signal)
					: await documentSymbols(absolutePath, toRelativePath, signal);
			const wanted = query?.toLowerCase();
			const symbols =
				absolutePath === undefined || wanted === undefined
					? found
					: found.filter(({ name }) => name.toLowerCase().includes(wanted));
			return limitRows('symbols', symbols, extensionLimits.symbols);
		},

		async references({ absolutePath, line, symbol, what }, signal) {
			const document = await orAborted(vscode.workspace.openTextDocument(vscode.Uri.file(absolutePath)), signal);
			const position = findSymbolPosition('editor.references', document, line, symbol);
			const found = await orAborted(
				vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
					PROVIDERS[what ?? 'reference'],
					document.uri,
					position,
				),
				signal,
			);
			const all = (found ?? []).map((each) =>
				'targetUri' in each ? { uri: each.targetUri, range: each.targetSelectionRange ?? each.targetRange } : each,
			);
			const inside = all.flatMap(({ uri, range }) => {
				const path = toRelativePath(uri);
				return path === undefined ? [] : [{ uri, path, line: range.start.line + 1, column: range.start.character + 1 }];
			});
			const { references, truncated } = limitRows('references', inside, extensionLimits.references);
			const texts = await lineTexts(references, signal);
			return {
				references: references.map(({ path, line, column }, n) => ({ path, line, column, text: texts[n] ?? '' })),
				truncated,
				...(inside.length === all.length ? {} : { outside: all.length - inside.length }),
			};
		},

		async refactor(wanted, signal) {
			const { workOutChange } = await import('./refactorings.ts');
			return await workOutChange(workspace, wanted, signal);
		},
	};
}

const PROVIDERS = {
	reference: 'vscode.executeReferenceProvider',
	definition: 'vscode.executeDefinitionProvider',
	type: 'vscode.executeTypeDefinitionProvider',
	implementation: 'vscode.executeImplementationProvider',
} as const;

function toDiagnosticRow(path: string, { range, severity, message, source }: vscode.Diagnostic): DiagnosticRow {
	const { line, character } = range.start;
	const named = source === undefined ? {} : { source };
	return { path, line: line + 1, column: character + 1, severity: severities[severity] ?? 'hint', message, ...named };
}

async function documentSymbols(
	absolutePath: string,
	pathOf: (uri: vscode.Uri) => string | undefined,
	signal: AbortSignal,
): Promise<SymbolRow[]> {
	const uri = vscode.Uri.file(absolutePath);
	const found = await orAborted(
		vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
			'vscode.executeDocumentSymbolProvider',
			uri,
		),
		signal,
	);
	const path = pathOf(uri) ?? absolutePath;
	return (found ?? []).flatMap((symbol) =>
		'location' in symbol ? [flatSymbol(path, symbol)] : treeSymbols(path, symbol),
	);
}

function treeSymbols(path: string, symbol: vscode.DocumentSymbol, container?: string): SymbolRow[] {
	const line = symbol.selectionRange.start.line + 1;
	const row = { name: symbol.name, kind: formatSymbolKind(symbol.kind), path, line };
	return [
		container === undefined ? row : { ...row, container },
		...symbol.children.flatMap((child) => treeSymbols(path, child, symbol.name)),
	];
}

async function workspaceSymbols(
	query: string,
	pathOf: (uri: vscode.Uri) => string | undefined,
	signal: AbortSignal,
): Promise<SymbolRow[]> {
	const found = await orAborted(
		vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
			'vscode.executeWorkspaceSymbolProvider',
			query,
		),
		signal,
	);
	return (found ?? []).flatMap((symbol) => {
		const path = pathOf(symbol.location.uri);
		return path === undefined ? [] : [flatSymbol(path, symbol)];
	});
}

function flatSymbol(path: string, { name, kind, containerName, location }: vscode.SymbolInformation): SymbolRow {
	const row = { name, kind: formatSymbolKind(kind), path, line: location.range.start.line + 1 };
	return containerName === '' ? row : { ...row, container: containerName };
}

function formatSymbolKind(kind: vscode.SymbolKind): string {
	return (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
}

async function lineTexts(places: readonly { uri: vscode.Uri; line: number }[], signal: AbortSignal): Promise<string[]> {
	const documents = new Map<string, vscode.TextDocument>();
	for (const { uri } of places) {
		if (!documents.has(uri.toString())) {
			documents.set(uri.toString(), await orAborted(vscode.workspace.openTextDocument(uri), signal));
		}
	}
	return places.map(({ uri, line }) => {
		const document = documents.get(uri.toString());
		const text = document !== undefined && line <= document.lineCount ? document.lineAt(line - 1).text : '';
		return text.trim().slice(0, extensionLimits.referenceLine);
	});
}

function limitRows<N extends string, T>(
	name: N,
	rows: readonly T[],
	most: number,
): Record<N, T[]> & { truncated: boolean } {
	return { [name]: rows.slice(0, most), truncated: rows.length > most } as Record<N, T[]> & { truncated: boolean };
}
