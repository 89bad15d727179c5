import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { entryPipes, letIn, type MountsLook, SandboxExchanged } from './entry.ts';

/** Stands for a bubblewrap: has its pipes, and ends when it is let in. */
async function entering(looks: readonly MountsLook[]): Promise<boolean> {
	let count = 0;
	const look = () => looks[Math.min(count++, looks.length - 1)] ?? 'not made';
	const entry = { gate: { filter: undefined, look, isBeside: () => false } };
	const stdio = ['ignore', 'ignore', 'ignore', ...entryPipes(entry)] as const;
	const child = spawn('/bin/sh', ['-c', 'exec 4<&-; read -r _ <&3'], { stdio: [...stdio] });
	const ended = once(child, 'exit');
	try {
		return await letIn(child, entry);
	} catch (error) {
		child.kill('SIGKILL');
		throw error;
	} finally {
		await ended;
	}
}

describe('A program that is to enter a sandbox', () => {
	const exchanged = { exchanged: '/w/.git' };

	it('is not let in where a mount is not what was meant', async () => {
		await assert.rejects(entering([exchanged]), SandboxExchanged);
	});

	it('is let in where a list of mounts lacked one because it was read while they changed', async () => {
		assert.equal(await entering([exchanged, 'as meant']), true);
	});
});
