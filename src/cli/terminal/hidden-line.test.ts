import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { hiddenLine } from './hidden-line.ts';
import { Terminal } from './terminal.ts';

/** A screen and a keyboard; the keyboard notes when it hands over keys instead of lines. */
class Screen {
	readonly raw: boolean[] = [];
	readonly keys = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: (isRaw: boolean) => void this.raw.push(isRaw),
	});
	shown = '';
	readonly terminal: Terminal;

	constructor() {
		const screen = () =>
			Object.assign(new PassThrough(), { isTTY: true }).on('data', (chunk: Buffer) => (this.shown += chunk.toString()));
		this.terminal = new Terminal({ stdin: this.keys, stdout: screen(), stderr: screen() });
	}
}

describe('hiddenLine', () => {
	const never = new AbortController().signal;

	it('ends at Ctrl+C, with the keyboard as it was', async () => {
		const screen = new Screen();
		const line = hiddenLine(screen.terminal, 'Value: ', never);
		screen.keys.write('half of it\u0003');
		await assert.rejects(line, { name: 'Stopped' });
		assert.deepEqual(screen.raw, [true, false]);
	});

	it('ends when it is stopped, with the keyboard as it was', async () => {
		const screen = new Screen();
		const stop = new AbortController();
		const line = hiddenLine(screen.terminal, 'Value: ', stop.signal);
		const reason = new Error('stopped by SIGTERM');
		stop.abort(reason);
		await assert.rejects(line, reason);
		assert.deepEqual(screen.raw, [true, false]);
	});

	it('is empty at Ctrl+D', async () => {
		const screen = new Screen();
		const line = hiddenLine(screen.terminal, 'Value: ', never);
		screen.keys.write('\u0004');
		assert.equal(await line, '');
	});

	it('gives what was typed, as it was corrected, and shows nothing of it', async () => {
		const screen = new Screen();
		const line = hiddenLine(screen.terminal, 'Value: ', never);
		screen.keys.write('s3cret\u007f\u007fet-value\r');
		assert.equal(await line, 's3cret-value');
		await screen.terminal.flush();
		assert.equal(screen.shown, 'Value: \n');
		assert.deepEqual(screen.raw, [true, false]);
	});
});
