import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openBrowser, type OpenBrowser } from '../harness/browser.ts';
import { kit } from '../harness/kit.ts';
import { watchScreen } from '../harness/last-seen.ts';

const startLimitMs = 60_000;
const endLimitMs = 15_000;
const address = /^ {2}http:\/\/127\.0\.0\.1:\d+\/\S+$/m;

describe('npm start', () => {
	it('serves a workbench with the extension, and leaves nothing running', async () => {
		// The program's temporary folders lie here, so their path marks every process that it starts.
		const temp = tempDir('start');
		const { code, output } = await run(['scripts/start.mjs', '--check'], temp);
		assert.match(output, /^http:\/\/127\.0\.0\.1:\d+\/\?tkn=\w+&folder=.*prowess-sample$/m);
		assert.equal(code, 0, output);
		assert.deepEqual(
			runningProcesses().filter(({ commandLine }) => commandLine.includes(temp)),
			[],
		);
	});

	it('says what is wrong with a port', async () => {
		const { code, output } = await run(['scripts/start.mjs', '--check', '--port', 'many'], tempDir('start'));
		assert.match(output, /--port: expected a number from 1 to 65535; got "many"/);
		assert.equal(code, 1);
	});

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		it(`ends with npm when only npm gets ${signal}`, async () => {
			const { child, pids } = await serving('npm', ['start', '--', '--browser', '--no-open']);
			child.kill(signal);
			await waitUntilGone(pids, endLimitMs);
		});
	}

	it('ends with its terminal', async function () {
		// `script` of other systems takes other words.
		if (process.platform !== 'linux') this.skip();
		const { child, pids } = await serving('script', ['-qefc', 'npm start -- --browser --no-open', '/dev/null']);
		child.kill('SIGKILL');
		await waitUntilGone(pids, endLimitMs);
	});

	describe('in a browser', () => {
		let running: Started;
		let browser: OpenBrowser;
		before(async () => {
			running = start(process.execPath, ['scripts/start.mjs', '--browser', '--no-open'], tempDir('start'));
			browser = await openBrowser();
			await waitFor('the address', () => address.test(running.output()), startLimitMs);
		});
		after(async () => {
			await browser?.close();
			running.child.kill('SIGINT');
			await running.ended;
		});

		it('shows the chat without a click, with the tour that needs no model', async () => {
			const page = await browser.newPage(join(kit.artifacts, 'start.console.log'));
			watchScreen(page);
			await page.goto(address.exec(running.output())?.[0].trim() ?? '');
			await page.getByRole('button', { name: 'Yes, I trust the authors' }).click();
			const outer = page.locator(`iframe.webview.ready[src*="extensionId=${kit.extensionId}"]`).contentFrame();
			const view = outer.locator('#active-frame').contentFrame();
			await view.getByRole('button', { name: 'Take the tour (2 minutes, no model)' }).waitFor();
			await page.screenshot({ path: join(kit.artifacts, 'start.png') });
		});
	});
});

interface Started {
	readonly child: ChildProcess;
	output(): string;
	/** Exit code of the program. */
	readonly ended: Promise<number | null>;
}

/** Starts it with these words, and returns once it serves the workbench, with all of its processes. */
async function serving(command: string, args: readonly string[]): Promise<{ child: ChildProcess; pids: number[] }> {
	const { child, output } = start(command, args, tempDir('start'));
	await waitFor('the address', () => address.test(output().replaceAll('\r', '')), startLimitMs);
	const pids = processTree(child.pid ?? 0).map(({ pid }) => pid);
	// npm, our script, and the server with its own.
	assert.ok(pids.length >= 3, String(pids));
	return { child, pids };
}

function start(command: string, args: readonly string[], temp: string): Started {
	const env = { ...process.env, PROWESS_HOME: join(temp, 'home'), TMPDIR: temp, TMP: temp, TEMP: temp };
	const child = spawn(command, args, { cwd: kit.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	return { child, output: () => output, ended };
}

async function run(args: readonly string[], temp: string): Promise<{ code: number | null; output: string }> {
	const { ended, output } = start(process.execPath, args, temp);
	const code = await ended;
	return { code, output: output() };
}
