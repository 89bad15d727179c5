import assert from 'node:assert/strict';
import {
	chmodSync,
	existsSync,
	lstatSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { SettingsFile } from './settings-file.ts';

const warnings: string[] = [];
const log = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };

describe('SettingsFile', () => {
	let home: string;
	let path: string;
	beforeEach(() => {
		home = tempDir('settings');
		path = join(home, 'settings.json');
		warnings.length = 0;
	});

	it('does not write over a file that has become wrong meanwhile', async () => {
		const settings = new SettingsFile(home, log);
		writeFileSync(path, '{ half');
		await assert.rejects(settings.allowAlways('fs.edit **'), {
			code: 'INVALID_PARAMS',
			message: /settings\.json:1:\d+: not valid JSON: /,
		});
		assert.equal(readFileSync(path, 'utf8'), '{ half');
	});

	it('leaves the old file whole when it cannot write the new one', async function () {
		if (process.getuid?.() === 0) {
			this.skip();
		}
		writeFileSync(path, '{}');
		const settings = new SettingsFile(home, log);
		chmodSync(home, 0o500);
		await assert.rejects(settings.allowAlways('fs.edit **'));
		chmodSync(home, 0o700);
		assert.equal(readFileSync(path, 'utf8'), '{}');
	});

	it('warns of a setting that does not exist, and names the nearest', () => {
		writeFileSync(path, '{"prowess.mod": "ask", "editor.fontSize": 12}');
		new SettingsFile(home, log);
		assert.equal(warnings.length, 1);
		assert.match(warnings[0] ?? '', /there is no setting "prowess\.mod"; did you mean "prowess\.mode"\?/);
	});

	it('adds a rule to what the file says now, keeps the rest, and tells', async () => {
		writeFileSync(path, '\uFEFF{"editor.fontSize": 12, "prowess.approvals.allow": ["shell.run ls"]}');
		const settings = new SettingsFile(home, log);
		writeFileSync(path, '{"editor.fontSize": 13, "prowess.approvals.allow": ["shell.run pwd"]}');
		let told = 0;
		settings.onDidChange(() => (told += 1));
		await settings.allowAlways('shell.run npm test');
		await settings.allowAlways('shell.run npm test');
		assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
			'editor.fontSize': 13,
			'prowess.approvals.allow': ['shell.run pwd', 'shell.run npm test'],
		});
		assert.ok(settings.current['prowess.approvals.allow'].includes('shell.run npm test'));
		assert.equal(told, 2);
		assert.equal(statSync(path).mode & 0o777, 0o600);
		assert.deepEqual(readdirSync(home), ['settings.json']);
	});

	it('takes comments and last commas as editors do, and keeps them when it writes', async () => {
		const text =
			'// mine\n{\n\t"editor.fontSize": 12, // large\n\t/* by hand */ "prowess.approvals.allow": ["shell.run ls", /* x */],\n}\n';
		writeFileSync(path, text);
		const settings = new SettingsFile(home, log);
		assert.deepEqual(settings.current['prowess.approvals.allow'], ['shell.run ls']);
		await settings.allowAlways('shell.run pwd');
		settings.change('prowess.model', () => 'a/b');
		const written = readFileSync(path, 'utf8');
		for (const kept of ['// mine', '"editor.fontSize": 12, // large', '/* by hand */'])
			assert.ok(written.includes(kept), written);
		const again = new SettingsFile(home, log).current;
		assert.deepEqual(
			[again['prowess.approvals.allow'], again['prowess.model']],
			[['shell.run ls', 'shell.run pwd'], 'a/b'],
		);
		writeFileSync(path, '{\n  // half\n  "prowess.model": \n}');
		assert.throws(() => new SettingsFile(home, log), {
			code: 'INVALID_PARAMS',
			message: /settings\.json:4:\d: not valid JSON/,
		});
	});

	it('writes where a link points', async () => {
		const elsewhere = join(tempDir('dotfiles'), 'prowess.json');
		writeFileSync(elsewhere, '{}');
		symlinkSync(elsewhere, path);
		await new SettingsFile(home, log).allowAlways('fs.edit **');
		assert.equal(lstatSync(path).isSymbolicLink(), true);
		assert.match(readFileSync(elsewhere, 'utf8'), /fs\.edit/);
	});

	it('has every default without a file, and makes none', () => {
		const settings = new SettingsFile(home, log);
		settings.override({ 'prowess.mode': 'ask' });
		assert.equal(settings.current['prowess.mode'], 'ask');
		assert.equal(settings.current['prowess.agent.maxIterations'], 50);
		assert.equal(existsSync(path), false);
	});
});
