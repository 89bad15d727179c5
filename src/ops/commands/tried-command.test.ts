import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import type { ProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { inEnglish, type Text } from '../../protocol/text/text.ts';
import { SweptCommands } from './swept-commands.ts';
import { commandTrial } from './tried-command.ts';

describe('The trial of a command', () => {
	let disk: WorkspaceOnDisk;
	beforeEach(async () => {
		disk = await workspaceOnDisk({ 'a.txt': 'a' });
	});
	afterEach(() => disk.close());

	const agent = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') } as const;
	/** Trial of a command that ends only when it is stopped. */
	const endless = (limitMs?: number) =>
		commandTrial(
			{ ...disk.deps, swept: new SweptCommands(disk.deps) },
			agent,
			{ targets: [], detail: { kind: 'text', text: 'sleep' } },
			async (copy, signal) => {
				await copy.fill([disk.root], () => false);
				await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
				return assert.fail('it went on');
			},
			limitMs,
		);
	const copies = () => {
		const folder = join(disk.deps.places.home, 'trials');
		return existsSync(folder) ? readdirSync(folder) : [];
	};

	it('is ended when it takes too long, says so, and leaves no copy', async () => {
		await assert.rejects(endless(300).run(new AbortController().signal), (error: ProwessError) => {
			assert.equal(error.code, 'TIMEOUT');
			assert.match(inEnglish(error.facts['said'] as Text), /^The trial did not end within 0\.3 s, and was ended\./);
			return true;
		});
		assert.deepEqual(copies(), []);
	});

	it('is stopped with its question, which is no lack of time', async () => {
		const question = new AbortController();
		const trial = endless().run(question.signal);
		question.abort();
		await assert.rejects(trial, { name: 'AbortError' });
		assert.deepEqual(copies(), []);
	});
});
