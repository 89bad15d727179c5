/**
 * Proof of Seatbelt on this machine: a program behind it tries several ways to get out, and to read and change guarded
 * files. The proof counts only if every attempt failed, and everything that a command must be able to do works.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPT_TIMEOUT_MS, SANDBOX_PROBE_TIMEOUT_MS } from '../limits.ts';
import { startListener } from '../proof/listening.ts';
import type { SandboxProof } from '../command-wall.ts';
import { text } from '../../../protocol/text/text.ts';
import { OpenSeatbelt, type SeatbeltOptions } from './open-seatbelt.ts';

export { OpenSeatbelt };

/** Says what it could read; what it changed is looked at from outside. Ends by itself, whatever hangs. */
const SEATBELT_PROOF_SCRIPT = `
const fs = require('node:fs'), net = require('node:net'), child = require('node:child_process');
const [canary, port, host, outside] = process.argv.slice(1);
const tried = (act) => { try { return act() } catch { return '' } };
const said = {};
fs.writeFileSync('made.txt', 'made');
fs.writeFileSync(process.env.TMPDIR + '/made.txt', 'made');
said.canary = tried(() => fs.readFileSync(canary, 'utf8'));
said.secret = tried(() => fs.readFileSync('.env', 'utf8'));
said.linked = tried(() => (fs.linkSync('.env', 'linked'), fs.readFileSync('linked', 'utf8')));
said.copied = tried(() => (fs.copyFileSync('.env', 'copied'), fs.readFileSync('copied', 'utf8')));
said.moved = tried(() => (fs.renameSync('.env', 'moved'), fs.readFileSync('moved', 'utf8')));
said.signalled = tried(() => process.kill(Number(host), 0) && 'reached');
tried(() => fs.appendFileSync(canary, 'written'));
tried(() => fs.writeFileSync(outside, 'written'));
tried(() => fs.writeFileSync('.husky/pre-commit', 'evil'));
tried(() => (fs.mkdirSync('.vscode'), 0));
tried(() => fs.writeFileSync('.vscode/tasks.json', 'evil'));
tried(() => (fs.mkdirSync('.VSCode'), 0));
tried(() => fs.writeFileSync('.VSCode/tasks.json', 'evil'));
fs.mkdirSync('prepared');
fs.writeFileSync('prepared/tasks.json', 'evil');
tried(() => fs.renameSync('prepared', '.vscode'));
tried(() => child.execFileSync('/bin/launchctl', ['submit', '-l', 'prowess.proof', '--', '/usr/bin/touch', outside + '-service'], { stdio: 'ignore', timeout: ${ATTEMPT_TIMEOUT_MS} }));
tried(() => child.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); setTimeout(process.exit, 60000)', 'daemon-' + host], { detached: true, stdio: 'ignore' }).unref());
fs.writeSync(1, JSON.stringify(said));
setTimeout(() => process.exit(), ${ATTEMPT_TIMEOUT_MS});
const socket = net.connect(Number(port), '127.0.0.1', () => socket.end(() => process.exit()));
socket.on('error', () => process.exit());
`;

type Attempts = SandboxProof['attempts'];

/** Undefined: a program did not run behind it, or could not do what it must. */
export async function seatbeltAttempts(
	options: Omit<SeatbeltOptions, 'roots' | 'isWritable' | 'reach'>,
): Promise<Attempts | undefined> {
	const { own, environment } = options;
	const workspace = join(own.root, 'workspace');
	mkdirSync(join(workspace, '.husky'), { recursive: true });
	const [canary, outside, secret] = [
		join(own.root, 'canary'),
		join(own.root, 'outside'),
		randomBytes(12).toString('hex'),
	];
	for (const path of [canary, join(workspace, '.env')]) writeFileSync(path, secret, { mode: 0o600 });
	const port = await startListener({ port: 0, host: '127.0.0.1' });
	const sandbox = new OpenSeatbelt({
		...options,
		environment: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
		roots: [workspace],
		isWritable: true,
		reach: { read: [], write: [] },
	});
	const service = `${outside}-service`;
	try {
		const words = [canary, String(port.port), String(process.pid), outside];
		const said = await runSeatbeltProof(sandbox, workspace, words);
		await sandbox.close(undefined);
		const worked = existsSync(join(workspace, 'made.txt')) && existsSync(join(own.temporary, 'made.txt'));
		if (said === undefined || !worked) {
			return undefined;
		}
		const readTextIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
		const names = ['.vscode/tasks.json', '.VSCode/tasks.json', '.husky/pre-commit'];
		const isSecret = (read: unknown) => typeof read !== 'string' || read.includes(secret);
		return [
			{ what: text('reading a file outside'), isKept: !isSecret(said['canary']) },
			{
				what: text('reading a secret of the workspace'),
				isKept: !isSecret(said['secret']) && !isSecret(said['copied']),
			},
			{ what: text('reading it by another name'), isKept: !isSecret(said['linked']) && !isSecret(said['moved']) },
			{ what: text('writing a file outside'), isKept: readTextIfThere(canary) === secret && !existsSync(outside) },
			{
				what: text('changing what steers other programs'),
				isKept: names.every((name) => readTextIfThere(join(workspace, name)) === ''),
			},
			{ what: text('reaching your processes'), isKept: said['signalled'] === '' },
			{ what: text('having the system start a program'), isKept: !existsSync(service) },
			{ what: text('connecting to a port of this machine'), isKept: port.reached() === 0 },
		];
	} finally {
		port.close();
		if (process.platform === 'darwin')
			spawn('/bin/launchctl', ['remove', 'prowess.proof'], { stdio: 'ignore' }).on('error', () => undefined);
		for (const path of [workspace, canary, outside, service]) rmSync(path, { recursive: true, force: true });
	}
}

/** Resolves with the findings that the program printed; undefined when the program did not run to its end. */
async function runSeatbeltProof(
	sandbox: OpenSeatbelt,
	cwd: string,
	words: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
	const { file, args } = sandbox.enter(process.execPath, ['-e', SEATBELT_PROOF_SCRIPT, ...words]);
	return await new Promise((resolve) => {
		const child = spawn(file, args, {
			cwd,
			env: sandbox.environment,
			stdio: ['ignore', 'pipe', 'ignore'],
			timeout: SANDBOX_PROBE_TIMEOUT_MS,
		});
		let said = '';
		child.stdout.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
		child.once('error', () => resolve(undefined));
		// Not `close`: what it leaves behind may hold its output.
		child.once('exit', () => {
			child.stdout.destroy();
			try {
				resolve(JSON.parse(said) as Readonly<Record<string, unknown>>);
			} catch {
				resolve(undefined);
			}
		});
	});
}
