/** An editor that opened its folder through a link, as all folders in `/tmp` of macOS are. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { AcpEditor } from './acp-editor.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess acp with a folder that was opened through a link', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	let editor: AcpEditor | undefined;
	afterEach(async () => {
		editor?.child.kill('SIGKILL');
		await editor?.ended;
		await server?.close();
	});

	const links: readonly (readonly [where: string, link: (user: User) => readonly [to: string, link: string]])[] = [
		['to the folder', ({ root, workspace }) => [workspace, join(root, 'link')]],
		['to the folder around it', ({ root }) => [root, join(root, 'beside/up')]],
	];
	for (const [where, linkOf] of links) {
		it(`names files as the editor does, and reads and changes what is not saved there, by a link ${where}`, async () => {
			const user = new User();
			user.sets();
			user.trusts();
			user.writes('a.txt', 'one\n');
			user.writes('linked.txt', 'words of the linked file\n');
			const [to, link] = linkOf(user);
			mkdirSync(dirname(link), { recursive: true });
			symlinkSync(to, link);
			const opened = to === user.workspace ? link : join(link, 'work');
			const shown = new Map([[join(opened, 'a.txt'), 'one, not saved\n']]);
			const shownAt = (path: string) => {
				const inFolder = path.startsWith(`${opened}/`);
				// Answer as editors that know their own folder alone.
				if (!inFolder) throw new RequestError(-32_603, `${path} is not in the project`);
				return shown.get(path) ?? readFileSync(path, 'utf8');
			};
			server = await startModelServer([
				{
					toolCalls: [
						{ name: 'fs_read', input: { path: 'a.txt' } },
						{ name: 'fs_read', input: { path: join(opened, 'linked.txt') } },
						{ name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } },
						{ name: 'fs_write', input: { path: join(user.workspace, 'new.txt'), content: 'new\n' } },
						{ name: 'shell_run', input: { argv: ['cat', join(opened, 'linked.txt')] } },
					],
				},
				{ text: 'Done.' },
			]);
			const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
			editor = new AcpEditor(user, model, {
				reads: shownAt,
				writes: (path, content) => {
					shownAt(path);
					shown.set(path, content);
				},
			});
			await editor.initialize({ fs: { readTextFile: true, writeTextFile: true } });
			const { sessionId } = await editor.opens(`${opened}/`);
			await editor.agent.request(methods.agent.session.prompt, {
				sessionId,
				prompt: [
					{ type: 'text', text: 'change ' },
					{ type: 'resource_link', name: 'linked.txt', uri: `file://${opened}/linked.txt` },
				],
			});
			assert.ok(server.requests[0]?.text.includes('words of the linked file'));
			assert.deepEqual(
				editor.calls.map(({ status }) => status),
				Array.from({ length: 5 }, () => 'completed'),
			);
			assert.ok(server.requests[1]?.text.includes('one, not saved'));
			assert.equal(shown.get(join(opened, 'a.txt')), 'two, not saved\n');
			const paths = [...editor.of('tool_call'), ...editor.of('tool_call_update')].flatMap((each) => [
				...(each.locations ?? []).map(({ path }) => path),
				...(each.content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : [])),
			]);
			const asked = editor.asked.flatMap(({ toolCall }) => toolCall.content ?? []);
			paths.push(...asked.flatMap((part) => (part.type === 'diff' ? [part.path] : [])));
			const names = ['a.txt', 'linked.txt', 'new.txt'].map((name) => join(opened, name));
			assert.deepEqual([...new Set(paths)].toSorted(), names);
			const listed = await editor.agent.request(methods.agent.session.list, { cwd: opened });
			assert.deepEqual(
				listed.sessions.map((each) => [each.sessionId, each.cwd]),
				[[sessionId, opened]],
			);
			await editor.leaves();
		});
	}
});
