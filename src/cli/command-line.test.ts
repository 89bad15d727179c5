import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { Terminal } from './terminal/terminal.ts';
import { runCommandWords } from './command-line.ts';

describe('A command that fails as nobody expected', () => {
	const { signal } = new AbortController();
	/** Runs `--version` on an output that throws. */
	async function failedWith(error: unknown): Promise<readonly [number, string]> {
		let said = '';
		const stderr = new Writable({
			write(chunk: Buffer, _encoding, done) {
				said += chunk.toString('utf8');
				done();
			},
		});
		const stdout = Object.assign(new PassThrough(), {
			write() {
				throw error;
			},
		});
		const terminal = new Terminal({ stdin: new PassThrough(), stdout, stderr });
		const code = await runCommandWords(['--version'], {
			terminal,
			server: undefined,
			environment: {},
			signal,
			onKill() {},
		});
		return [code, said];
	}

	it('ends with 1 and says where, for a report of the fault', async () => {
		const [code, said] = await failedWith(new TypeError('it broke'));
		assert.equal(code, 1);
		assert.match(said, /^prowess: unexpected: TypeError: it broke\n\s+at .*command-line\.test\.ts/);
	});

	it('says what was thrown when that is no error', async () => {
		assert.deepEqual(await failedWith('it broke'), [1, 'prowess: unexpected: it broke\n']);
	});
});
