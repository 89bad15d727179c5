/** Files in the encoding that the editor is set to. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';

/** In windows-1250, where `ř` is F8 and `ů` is F9: other encodings have other letters there. */
const old = Buffer.from('k\xf9\xf2 p\xf8\xedli\x9a\r\n', 'latin1');

export function fileEncoding(take: TakeWindow): void {
	describe('The setting files.encoding', () => {
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take();
		});
		after(() => scripted?.close());

		it('says how the agent reads a file, and how it writes that and a new one', async () => {
			const { chat, workbench } = scripted;
			const path = (name: string) => join(workbench.workspace, name);
			writeFileSync(path('old.txt'), old);
			await scripted.begin('Read and write', [
				{ toolCalls: [{ name: 'fs_read', input: { path: 'old.txt' } }] },
				{ toolCalls: [{ name: 'fs_edit', input: { path: 'old.txt', edits: [{ find: 'kůň', replace: 'kůže' }] } }] },
				{ toolCalls: [{ name: 'fs_write', input: { path: 'new.txt', content: 'žluť\n' } }] },
				{ text: 'Done.' },
			]);
			await chat.rested();
			assert.match(toldIn(scripted.requests()[1]), /kůň příliš[^]*encoding windows-1250/);
			assert.equal(readFileSync(path('old.txt'), 'latin1'), 'k\xf9\x9ee p\xf8\xedli\x9a\r\n');
			assert.equal(readFileSync(path('new.txt'), 'latin1'), '\x9elu\x9d\n');
		});
	});
}
