import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { TEXT_FILE_BYTES } from '../../machine/paths/limits.ts';
import { KEPT_HEAD_CHARS, KEPT_TAIL_CHARS } from '../../machine/shell/limits.ts';

const bodyLine = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoQUJDREVGR0hJSktMTU5PUFFSU1R';
const mark = (word: string) => `-----${word} RSA PRIVATE ${'KEY'}-----`;
/** 42 lines. */
const key = [mark('BEGIN'), ...Array.from({ length: 40 }, () => bodyLine), mark('END')].join('\n');

describe('A private key in a text that is cut', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk();
	});
	afterEach(() => disk.close());

	const print = (code: string, background = false) =>
		disk.perform('shell.run', { argv: [process.execPath, '-e', code], cwd: '.', background });

	it('is not shown by a part of a file that begins within it, and keeps the numbers of the lines', async () => {
		await writeFile(join(disk.root, 'server.js'), `const key = \`\n${key}\n\`;\nlast();\n`);
		const within = await disk.perform('fs.read', { path: 'server.js', offset: 20, limit: 10 });
		assert.equal(within.text, '<redacted:private-key>\n'.repeat(10));
		const after = await disk.perform('fs.read', { path: 'server.js', offset: 42 });
		assert.equal(after.text, `<redacted:private-key>\n${mark('END')}\n\`;\nlast();\n`);
	});

	it('is not shown by a part of a file above the limit of texts', async () => {
		await writeFile(join(disk.root, 'dump.log'), `${'a\n'.repeat(TEXT_FILE_BYTES / 2)}${key}\nlast\n`);
		const offset = TEXT_FILE_BYTES / 2 + 20;
		const within = await disk.perform('fs.read', { path: 'dump.log', offset, limit: 10 });
		assert.equal(within.text, '<redacted:private-key>\n'.repeat(10));
	});

	it('is not shown by the beginning or the end of an output whose middle is left out', async () => {
		const reach = key.length / 2;
		const code = `
			const key = ${JSON.stringify(key)};
			process.stdout.write('.'.repeat(${KEPT_HEAD_CHARS - reach}) + '\\n' + key + '\\n');
			process.stdout.write('.'.repeat(100_000) + '\\n' + key + '\\n' + '.'.repeat(${KEPT_TAIL_CHARS - reach}) + 'end');`;
		const { output } = await print(code);
		assert.match(output, /characters left out/);
		assert.match(output, /end$/);
		assert.ok(!output.includes(bodyLine.slice(0, 12)), 'a line of the key is shown');
	});

	it('is not shown by an output that is read before it has come whole', async () => {
		const half = key.length / 2;
		const code = `
			const key = ${JSON.stringify(key)};
			process.stdout.write(key.slice(0, ${half}));
			const wait = setInterval(() => {
				if (!require('node:fs').existsSync('go')) return;
				clearInterval(wait);
				process.stdout.write(key.slice(${half}) + '\\nend\\n');
			}, 20);`;
		const { commandId } = await print(code, true);
		const read = async () => (await disk.perform('shell.output', { commandId, waitMs: 5000 })).output;
		const first = await read();
		await writeFile(join(disk.root, 'go'), '');
		let second = await read();
		while (!second.endsWith('end\n')) second += await read();
		assert.match(first, /BEGIN/);
		assert.ok(!`${first}${second}`.includes(bodyLine.slice(0, 12)), `${first}|${second}`);
	});
});
