import assert from 'node:assert/strict';
import { CancellationTokenSource, extensions, LanguageModelTextPart, lm, Uri, workspace } from 'vscode';
import { LIST_TOOL, RUN_TOOL } from '../../../src/extension/editor/command-table.ts';

describe('The tools for the agents of the editor', () => {
	before(async () => {
		await extensions.getExtension('prowess.prowess')?.activate();
	});

	it('are there by their names, with what they take', () => {
		const ours = lm.tools.filter(({ name }) => name.startsWith('prowess_'));
		assert.deepEqual(ours.map(({ name }) => name).toSorted(), [LIST_TOOL, RUN_TOOL]);
		for (const { inputSchema, description } of ours) {
			assert.ok(description.length > 0);
			assert.equal((inputSchema as { type?: string } | undefined)?.type, 'object');
		}
	});

	it('list the capabilities that hold the words, with their inputs', async () => {
		const [folder] = workspace.workspaceFolders ?? [];
		assert.ok(folder);
		for (const [name, description] of [
			['find-dead-code', 'Finds what nobody calls'],
			['draw-charts', 'Draws'],
		]) {
			const manifest = `name: ${name}\ntype: skill\nversion: 1.0.0\ndescription: ${description}\ninputs: [{ name: path, type: string }]\n`;
			const uri = Uri.joinPath(folder.uri, `.prowess/capabilities/skill/${name}/capability.yaml`);
			await workspace.fs.writeFile(uri, new TextEncoder().encode(manifest));
			await workspace.fs.writeFile(Uri.joinPath(uri, '../index.js'), new Uint8Array());
		}
		const source = new CancellationTokenSource();
		const result = await lm.invokeTool(
			LIST_TOOL,
			{ input: { query: 'nobody FINDS' }, toolInvocationToken: undefined },
			source.token,
		);
		source.dispose();
		const [part] = result.content;
		assert.ok(part instanceof LanguageModelTextPart);
		assert.deepEqual(JSON.parse(part.value), [
			{
				name: 'find-dead-code',
				type: 'skill',
				description: 'Finds what nobody calls',
				inputs: [{ name: 'path', type: 'string', required: false }],
			},
		]);
	});
});
