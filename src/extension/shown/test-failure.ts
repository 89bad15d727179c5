/** A failure in the editor's test results, whichever extension ran the test, as a reference that goes into a message. */
import type * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { type ContextRef, MAX_PASTED_CHARS } from '../../protocol/thread/context.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';

const TEST_NAME_CHARS = 200;
const FRAMES = 20;

/** `given`: what the editor hands to a command of the menu of a failure. Undefined: it is none. */
export function testFailure(workspace: WorkspacePort, given: unknown): ContextRef | undefined {
	const { test, message } = (given ?? {}) as { readonly test?: vscode.TestItem; readonly message?: vscode.TestMessage };
	if (test === undefined || message === undefined) {
		return undefined;
	}
	const said = typeof message.message === 'string' ? message.message : message.message.value;
	const { location } = message;
	const place = location === undefined ? [] : [`at ${formatTestPlace(workspace, location.uri, location.range.start)}`];
	const text = [
		said,
		...(message.expectedOutput === undefined ? [] : [`expected: ${message.expectedOutput}`]),
		...(message.actualOutput === undefined ? [] : [`actual: ${message.actualOutput}`]),
		...place,
		...(message.stackTrace ?? [])
			.slice(0, FRAMES)
			.map(({ label, uri, position }) =>
				uri === undefined ? `at ${label}` : `at ${label} (${formatTestPlace(workspace, uri, position)})`,
			),
	].join('\n');
	return { kind: 'test', name: test.label.slice(0, TEST_NAME_CHARS), text: text.slice(0, MAX_PASTED_CHARS) };
}

function formatTestPlace(workspace: WorkspacePort, uri: vscode.Uri, position: vscode.Position | undefined): string {
	const path = toWorkspacePath(workspace.folders, uri.fsPath) ?? uri.fsPath;
	return position === undefined ? path : `${path}:${position.line + 1}`;
}
