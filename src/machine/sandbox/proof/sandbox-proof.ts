/**
 * Proof of the sandbox of commands, for the doctor: a program in it tries to get out, and what it reached is looked at from
 * outside. With it goes what a command finds in there.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HIDDEN_FOLDERS } from '../mounts/hidden-places.ts';
import { homeTable, resolveHomeEntry } from '../mounts/home-table.ts';
import { ATTEMPT_TIMEOUT_MS, SANDBOX_PROBE_TIMEOUT_MS } from '../limits.ts';
import type { SandboxProof } from '../command-wall.ts';
import type { HeldSandbox, OpenSandbox } from '../open-sandbox.ts';
import { entryPipes, letIn } from '../entry.ts';
import { limitsInWords, WATCH_LIMITS } from '../watch/watch-limits.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { homeIn } from '../mounts/home-contents.ts';
import { startListener } from './listening.ts';
import { openTrialSandbox } from './trial-sandbox.ts';
import { spawn } from 'node:child_process';
import { inEnglish, type Text, text } from '../../../protocol/text/text.ts';

interface ProofOptions {
	readonly held: HeldSandbox;
	readonly own: CommandFolders;
	/** PROWESS_HOME. */
	readonly home: string;
	readonly environment: Readonly<Record<string, string>>;
}

/** Says what it could do; ends by itself, whatever hangs. */
const SANDBOX_PROOF_SCRIPT = `
const fs = require('node:fs'), net = require('node:net');
const [canary, port, abstract] = process.argv.slice(1);
const tried = (act) => { try { return act() } catch { return '' } };
const all = tried(() => fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => tried(() => fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8'))).join('|'));
fs.writeSync(1, tried(() => fs.readFileSync(canary, 'utf8')) + all + '\\n');
tried(() => fs.appendFileSync(canary, 'written'));
const reach = (where) => new Promise((resolve) => { const socket = net.connect(where, () => socket.end(resolve)); socket.on('error', resolve) });
setTimeout(() => process.exit(), ${ATTEMPT_TIMEOUT_MS});
Promise.all([reach({ port: Number(port), host: '127.0.0.1' }), reach({ path: '\\0' + abstract })]).then(() => process.exit());
`;

export async function proveSandbox({ held, own, home, environment }: ProofOptions): Promise<SandboxProof> {
	const canary = join(own.root, 'canary');
	const secret = randomBytes(12).toString('hex');
	writeFileSync(canary, secret, { mode: 0o600 });
	const name = `prowess-${randomBytes(12).toString('hex')}`;
	const port = await startListener({ port: 0, host: '127.0.0.1' });
	const abstract = await startListener({ path: `\0${name}` });
	const { sandbox } = openTrialSandbox({ held, own, home, environment: { ...environment, ELECTRON_RUN_AS_NODE: '1' } });
	try {
		const said = await runProofProgram(sandbox, [canary, String(port.port), name]);
		const ourWords = readFileSync('/proc/self/cmdline', 'utf8');
		// A program that did not run proves nothing.
		const attempts = [
			{ what: text('reading a file outside'), isKept: said !== '' && !said.includes(secret) },
			{ what: text('writing a file outside'), isKept: said !== '' && readFileSync(canary, 'utf8') === secret },
			{ what: text('seeing your processes'), isKept: said !== '' && !said.includes(ourWords) },
			{ what: text('connecting to a port of this machine'), isKept: said !== '' && port.reached() === 0 },
			{ what: text('connecting to an abstract socket'), isKept: said !== '' && abstract.reached() === 0 },
		];
		return { by: held.bubblewrap, attempts, ...placesFor(environment, home) };
	} finally {
		await sandbox.close(undefined);
		port.close();
		abstract.close();
	}
}

/** Resolves with the program's output; empty when the program did not run. */
async function runProofProgram(sandbox: OpenSandbox, words: readonly string[]): Promise<string> {
	const entry = sandbox.enter(process.execPath, ['-e', SANDBOX_PROOF_SCRIPT, ...words]);
	return await new Promise((resolve) => {
		const child = spawn(entry.file, entry.args, {
			env: sandbox.environment,
			stdio: ['ignore', 'pipe', 'ignore', ...entryPipes(entry)],
			timeout: SANDBOX_PROBE_TIMEOUT_MS,
		});
		letIn(child, entry).catch(() => child.kill('SIGKILL'));
		let said = '';
		child.stdout?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
		child.once('error', () => resolve(''));
		child.once('close', () => resolve(said));
	});
}

export function placesFor(environment: Readonly<Record<string, string>>, prowessHome: string) {
	const home = homeIn(environment);
	const placed = homeTable.map((entry) => ({ ...entry, at: resolveHomeEntry(entry, home, environment) }));
	const there = placed.filter(({ at }) => existsSync(at));
	const caches = placed.filter(({ as }) => as === 'cache').map(({ at }) => at);
	const shown = there
		.filter(({ as }) => as !== 'cache')
		.map(({ at, why }) => text('{path} ({why})', { path: at, why }));
	return {
		writable: [
			text('the workspace'),
			text('a /tmp and a home that are empty at first'),
			text('for each workspace one of {paths}', { paths: caches.join(', ') }),
		],
		readable: [text('the rest of the machine'), ...onceEach(shown)],
		hidden: [
			...new Set([home, prowessHome, ...HIDDEN_FOLDERS.filter((path) => existsSync(path))]),
			text('secret files of the workspace'),
		],
		limits: limitsInWords(WATCH_LIMITS),
	};
}

function onceEach(texts: readonly Text[]): Text[] {
	return [...new Map(texts.map((each) => [inEnglish(each), each])).values()];
}
