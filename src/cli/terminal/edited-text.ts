/**
 * A text that a person changes before they say yes to it: in the editor that VISUAL or EDITOR names, as for Git, or typed anew
 * line by line where neither is set.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { Terminal } from './terminal.ts';
import { visibleLine } from './visible.ts';

/** Ends a text that is typed line by line. */
const END = '.';

/** Undefined: it was not changed, and why is said. */
export async function editedText(
	terminal: Terminal,
	{ name, text }: { readonly name: string; readonly text: string },
	env: NodeJS.ProcessEnv,
	signal: AbortSignal,
): Promise<string | undefined> {
	const editor = [env['VISUAL'], env['EDITOR']].find((each) => each !== undefined && each.trim() !== '');
	const edited =
		editor === undefined ? await typedAnew(terminal, signal) : await inEditor(terminal, editor, { name, text }, signal);
	if (edited !== undefined && edited.trim() === '') {
		terminal.err('It is empty, so it stays as it was.\n');
		return undefined;
	}
	return edited === text ? undefined : edited;
}

async function typedAnew(terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
	terminal.err(`Type it anew, and end with a line that is only a full stop. (Set EDITOR to change it there.)\n`);
	const lines = await terminal.lines.until(END, signal);
	return lines === undefined ? undefined : lines.map((line) => `${line}\n`).join('');
}

async function inEditor(
	terminal: Terminal,
	editor: string,
	{ name, text }: { readonly name: string; readonly text: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	const folder = await mkdtemp(join(tmpdir(), 'prowess-edit-'));
	try {
		const path = join(folder, basename(name));
		await writeFile(path, text, { mode: 0o600 });
		await terminal.lines.lent(() => runEditor(editor, path, signal));
		return await readFile(path, 'utf8');
	} catch (error) {
		terminal.err(`The editor could not be used, so it stays as it was: ${visibleLine(toErrorMessage(error))}\n`);
		return undefined;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Words that open a file in an editor as Git does: those of the variable are the user's own, for a shell. */
export function createEditorArgv(
	editor: string,
	path: string,
	platform: NodeJS.Platform,
): readonly [shell: string, ...words: string[]] {
	return platform === 'win32'
		? ['cmd.exe', '/d', '/s', '/c', `"${editor} "${path}""`]
		: ['/bin/sh', '-c', `${editor} "$@"`, editor, path];
}

/** Runs the editor to its end. Standard output may be a pipe of the user, so the editor gets standard error. */
function runEditor(editor: string, path: string, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const [shell, ...words] = createEditorArgv(editor, path, process.platform);
		const child = spawn(shell, words, {
			stdio: ['inherit', process.stderr, 'inherit'],
			signal,
			windowsVerbatimArguments: true,
		});
		child.once('error', reject);
		child.once('close', (code) => {
			if (code === 0) {
				resolve();
			} else {
				reject(new Error(`it ended with ${code ?? 'a signal'}`));
			}
		});
	});
}
