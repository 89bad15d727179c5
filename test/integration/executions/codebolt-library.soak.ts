/**
 * The library of Codebolt as npm has it, unchanged, in an agent of ours: installed without its scripts into a folder that is
 * removed, bundled as Codebolt's own template does, and run. Needs the registry.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { CapabilityScene } from '../../support/capability-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

const run = promisify(execFile);

/** Does one thing after the other, as agents on this version of the library must: it knows an answer by its type alone. */
const agent = `
const codebolt = require('@codebolt/codeboltjs').default;
codebolt.chat.onActionMessage().on('userMessage', async ({ message }, done) => {
	const { projectPath } = await codebolt.project.getProjectPath();
	const { content } = await codebolt.fs.readFile(projectPath + '/a.txt');
	const created = await codebolt.fs.createFile('b.txt', content.toUpperCase(), projectPath);
	const updated = await codebolt.fs.updateFile('b.txt', projectPath, 'NEW\\n');
	const listed = await codebolt.fs.listFile('.', false);
	const found = await codebolt.fs.searchFiles('.', 'N.W', '*.txt');
	const command = await codebolt.terminal.executeCommand('cat b.txt');
	const stream = codebolt.terminal.executeCommandWithStream('echo one');
	const [ended] = await require('node:events').once(stream, 'commandFinish');
	const refused = [
		await codebolt.llm.inference('hello', 'role'),
		await codebolt.git.init('.'),
		await codebolt.dbmemory.addKnowledge('a', 'b'),
		await codebolt.browser.newPage(),
		await codebolt.tokenizer.addToken('x'),
		await codebolt.vectordb.getVector('x'),
		await codebolt.taskplaner.addTask('x'),
	];
	let parser = 'loaded';
	try { new (require('tree-sitter'))(); } catch (error) { parser = error.message; }
	codebolt.chat.sendMessage('all of it', {});
	done({ said: message.userMessage, projectPath, content, created: created.success, updated: updated.success, files: listed.files, found: found.result.length, command: command.output, ended: ended.success, refused: refused.map((each) => each && each.error), parser });
});
`;

describe('The library of Codebolt from npm', function () {
	this.timeout(300_000);
	afterEach(() => stop());

	for (const version of ['1.1.99']) {
		it(`runs unchanged (${version})`, async () => {
			const folder = tempDir('codebolt');
			writeFileSync(join(folder, 'package.json'), '{}');
			writeFileSync(join(folder, 'agent.js'), agent);
			const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@codebolt/codeboltjs@${version}`];
			await run('npm', words, { cwd: folder, timeout: 240_000 });
			const approve = () => Promise.resolve({ kind: 'once' } as const);
			const answer = () => Promise.resolve(undefined);
			const scene = await CapabilityScene.open({
				approvalMode: 'ask',
				person: { approve, answer },
				files: { 'a.txt': 'hello\n' },
			});
			try {
				const { workspace } = scene.host;
				const own = join(workspace, '.codebolt/agents/library');
				mkdirSync(own, { recursive: true });
				writeFileSync(join(own, 'codeboltagent.yaml'), 'title: Library\ndescription: Uses the library\n');
				await build({
					entryPoints: [join(folder, 'agent.js')],
					outfile: join(own, 'dist/index.js'),
					bundle: true,
					platform: 'node',
					external: ['tree-sitter', 'tree-sitter-javascript', 'tree-sitter-typescript'],
					logLevel: 'error',
				});
				const { result, error } = await scene.run('library', { message: 'go' }, { timeout: 60_000 });
				const { refused, parser, files, ...rest } = (result ?? assert.fail(JSON.stringify(error))) as Record<
					string,
					unknown
				>;
				assert.deepEqual(rest, {
					said: 'go',
					projectPath: workspace,
					content: 'hello\n',
					created: true,
					updated: true,
					found: 1,
					command: 'NEW\n',
					ended: true,
				});
				assert.deepEqual(files, ['.codebolt/', 'a.txt', 'b.txt']);
				assert.match(String(parser), /tree-sitter/);
				for (const each of refused as unknown[]) assert.match(String(each), /of Codebolt is not available here/);
				assert.equal(readFileSync(join(workspace, 'b.txt'), 'utf8'), 'NEW\n');
			} finally {
				await scene.close();
			}
		});
	}
});
