/**
 * Keeps a home as this version writes it, so that the specs show that every later version opens it. Run it once for each
 * release: `node scripts/run.mjs scripts/keep-home.ts`. Writes `test/fixtures/homes/VERSION`: files as they are, and each
 * database as one packed file without its log.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { User } from '../test/integration/cli/cli-process.ts';
import { type ScriptEntry, startModelServer } from '../test/support/model-server.ts';
import { root } from './setup/paths.mjs';

/** Made anew by whoever needs it, about processes or folders of this machine, or written by the user. */
const leftOut =
	/^(background|executions|holders|snapshots|sweeps|trials|windows|code-index)\/|-(wal|shm)$|mutex\.db$|\.lock$|^(settings|manifests)\.json$/;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const user = new User();
try {
	await fillHome();
	const kept = join(root, 'test/fixtures/homes', version);
	rmSync(kept, { recursive: true, force: true });
	const files = readdirSync(user.home, { recursive: true, encoding: 'utf8' })
		.filter((file) => statSync(join(user.home, file)).isFile() && !leftOut.test(file))
		.sort();
	for (const file of files) keepFile(join(user.home, file), join(kept, file));
	console.log(`${relative(root, kept)}: ${files.join(', ')}`);
} finally {
	rmSync(user.root, { recursive: true, force: true });
}

/** Something of each kind that a home holds. */
async function fillHome(): Promise<void> {
	const { script, entries } = createScript();
	const server = await startModelServer(entries);
	try {
		user.sets();
		user.writes('notes.txt', 'alpha\n');
		user.writes('work.yaml', script);
		const full = ['--approve', 'full', '--json'];
		await succeeds(user.prompts(server.baseUrl, 'Write beta into notes.txt, and remember it.', full).ended);
		const listed = await succeeds(user.runs(['thread', 'list', '--json']));
		const [{ id }] = JSON.parse(listed) as [{ readonly id: string }];
		await succeeds(user.prompts(server.baseUrl, 'What does it say now?', [...full, '--thread', id]).ended);
		for (const words of [
			['thread', 'pin', id],
			['memory', 'add', 'Answer in whole sentences', '--user', '--preference'],
			['schedule', 'add', 'every weekday at 9', 'Stretch your legs', '--reminder'],
			['goal', 'add', 'Ship it', '--step', 'Write the notes', '--step', 'Read them again'],
			['script', 'run', 'work.yaml', '--approve', 'full'],
			['capability', 'disable', 'todo-report'],
		]) {
			await succeeds(user.runs(words));
		}
	} finally {
		await server.close();
	}
}

function createScript(): { readonly script: string; readonly entries: readonly ScriptEntry[] } {
	const write = { name: 'fs_write', input: { path: 'notes.txt', content: 'beta\n' } };
	const remember = { name: 'memory_remember', input: { text: 'The notes say beta' } };
	return {
		script: 'name: Copy\nsteps:\n  - { id: copy, op: fs.write, with: { path: copy.txt, content: beta } }\n',
		entries: [
			{ toolCalls: [write, remember] },
			{ reasoning: 'Both are done.', text: 'The notes say beta now.' },
			{ toolCalls: [{ name: 'fs_read', input: { path: 'notes.txt' } }] },
			{ text: 'It says beta.' },
		],
	};
}

async function succeeds(ended: ReturnType<User['runs']>): Promise<string> {
	const { code, stdout, stderr } = await ended;
	if (code !== 0) throw new Error(`a command ended with ${code}: ${stderr}`);
	return stdout;
}

function keepFile(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true });
	if (!from.endsWith('.db')) {
		writeFileSync(to, readFileSync(from));
		return;
	}
	const whole = `${from}.whole`;
	const db = new DatabaseSync(from);
	db.exec(`VACUUM INTO '${whole}'`);
	db.close();
	writeFileSync(`${to}.gz`, gzipSync(readFileSync(whole), { level: 9 }));
	rmSync(whole);
}
