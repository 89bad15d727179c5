/** Tasks for an empty thread, as they are found in the real editor. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suggestTasks } from '../../../src/extension/chat/suggestions/suggest-tasks.ts';
import { extensionLimits } from '../../../src/extension/editor/limits.ts';
import type { WorkspacePort } from '../../../src/contract/ports/ports.ts';
import { waitFor } from '../../support/wait-for.ts';

const { signal } = new AbortController();
const KEY = 'prowess.codeIndexOffered';
/** Longest wait for an editor that has just been given 1,000 files to answer within the time limit of a look. */
const SETTLE_MS = 90_000;

describe('The code index', function () {
	this.timeout(200_000);
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(folder);
	const root = folder.uri.fsPath;
	const many = join(root, 'many-files');
	const setting = vscode.workspace.getConfiguration('prowess.search');
	const workspace = { isTrusted: true, folders: [{ name: folder.name, path: root }] } as unknown as WorkspacePort;
	const keptOf = (values: Map<string, unknown>) => ({
		get: <T>(key: string) => values.get(key) as T | undefined,
		update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
	});
	const isOffered = async (values = new Map<string, unknown>()) =>
		(await suggestTasks(workspace, keptOf(values), signal)).some(({ turnsOnCodeIndex }) => turnsOnCodeIndex);
	after(async () => {
		rmSync(many, { recursive: true, force: true });
		await setting.update('codeIndex', undefined, vscode.ConfigurationTarget.Global);
	});

	it('is not offered in a small workspace', async () => {
		const values = new Map<string, unknown>();
		assert.deepEqual([await isOffered(values), values.size], [false, 0]);
	});

	it('is offered in a large one as long as the window is open, as one of four tasks, and never again', async () => {
		mkdirSync(many);
		for (let n = 0; n < extensionLimits.codeIndexPaysFiles; n += 1) writeFileSync(join(many, `f${n}.ts`), '');
		const values = new Map<string, unknown>();
		// The look at the files has a time limit; the page asks again whenever it is seen.
		await waitFor('the offer', () => isOffered(values), SETTLE_MS);
		assert.equal(typeof values.get(KEY), 'string');
		await waitFor(
			'the same offer',
			async () => {
				const tasks = await suggestTasks(workspace, keptOf(values), signal);
				assert.ok(tasks.length <= 4);
				return tasks.at(-1)?.turnsOnCodeIndex === true;
			},
			SETTLE_MS,
		);
		assert.equal(await isOffered(new Map([[KEY, 'an earlier window']])), false);
	});

	it('is not offered to somebody who has turned it on or off', async () => {
		for (const chosen of [false, true]) {
			await setting.update('codeIndex', chosen, vscode.ConfigurationTarget.Global);
			assert.equal(await isOffered(), false, String(chosen));
		}
	});
});
