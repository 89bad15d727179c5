/** Ordinary commands, each run in the sandbox and without it, on the same project: they are to end the same, and leave the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandHost, type CommandLine } from '../../support/command-host.ts';
import type { readCommandCorpus } from '../../support/command-corpus.ts';

/** End of a command: its code, the limit of this comparison, or an error before it began. */
export type End = {
	readonly code: number | string;
	/** Hash of the names of all files. */
	readonly files: string;
	/** Hash of what is in them. */
	readonly texts: string;
	readonly output: string;
	readonly kept: readonly string[];
};

export interface Compared {
	readonly line: string;
	readonly family: string;
	/** `absent`: the program is not on this machine, so that it proves nothing. */
	readonly verdict: 'same' | 'absent' | 'other';
	readonly inside: End;
	readonly outside: End;
}

/** For commands that would go on for ever, and those that wait for a network. */
const COMMAND_MS = 20_000;

const project: Readonly<Record<string, string>> = {
	'package.json': JSON.stringify({
		name: 'ordinary',
		version: '1.0.0',
		scripts: {
			...{
				test: 'node --test',
				build: 'node scripts/build.mjs',
				lint: 'node -e 0',
				start: 'node -e 0',
				dev: 'node -e 0',
			},
			'test:unit': 'node --test',
		},
	}),
	'package-lock.json': JSON.stringify({
		...{ name: 'ordinary', version: '1.0.0', lockfileVersion: 3, requires: true },
		packages: { '': { name: 'ordinary', version: '1.0.0' } },
	}),
	'scripts/build.mjs':
		'import { mkdirSync, writeFileSync } from "node:fs"; mkdirSync("dist", { recursive: true }); writeFileSync("dist/app.js", "built");\n',
	'scripts/run.sh': '#!/bin/sh\necho run\n',
	'dist/app.js': 'built\n',
	'coverage/report.txt': '100\n',
	'src/index.ts': 'export function main(): number {\n\treturn 1; // TODO foo\n}\n',
	'src/app.ts': 'export class Foo {}\n',
	'test/app.test.mjs': 'import test from "node:test"; test("adds", () => {});\n',
	'tests/test_app.py': 'def test_parser():\n    assert 1 + 1 == 2\n',
	'tsconfig.json': '{ "compilerOptions": { "noEmit": true, "types": [] }, "include": ["src"] }\n',
	'README.md': '# Ordinary\n',
	'CHANGELOG.md': '# Changes\n',
	'build.log': 'ok\n',
	'logs/a.log': 'error: none\n',
	'names.txt': 'pear\napple\npear\n',
	'data.csv': 'a,b\n1,2\n',
	'data.txt': 'a b\n',
	'a.txt': 'one\n',
	'b.txt': 'two\n',
	'old.ts': 'export {};\n',
	'media/icon.png': 'png',
	'script.py': 'print("hello")\n',
	'requirements.txt': '',
	Makefile: 'all build test clean:\n\t@echo $@\n',
	'main.c': 'int main(void) { return 0; }\n',
	'Main.java': 'class Main { public static void main(String[] a) {} }\n',
	'Cargo.toml': '[package]\nname = "ordinary"\nversion = "0.1.0"\nedition = "2021"\n',
	'src/main.rs': 'fn main() {}\n#[test]\nfn parser() {}\n',
	'.gitignore': 'target\nnode_modules\n',
};

export class OrdinaryCommands {
	readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-ordinary-')));
	readonly #template = join(this.#root, 'template');
	readonly #workspace = join(this.#root, 'project');
	readonly #userHome = join(this.#root, 'home');
	readonly #host: CommandHost;

	constructor(bubblewrap: string) {
		const userHome = this.#userHome;
		mkdirSync(userHome);
		writeFileSync(join(userHome, '.gitconfig'), '[user]\n\tname = A Person\n\temail = a@example.org\n');
		this.#makeTemplate(userHome);
		mkdirSync(this.#workspace);
		const toolchains = {
			RUSTUP_HOME: join(homedir(), '.rustup'),
			CARGO_HOME: join(homedir(), '.cargo'),
			PYENV_ROOT: join(homedir(), '.pyenv'),
		};
		this.#host = new CommandHost({
			...{ userHome, workspace: this.#workspace, bubblewrap },
			prowessHome: join(this.#root, 'prowess'),
			isSandboxOnly: false,
			variables: toolchains,
		});
	}

	async compare({
		line,
		family,
		commands,
	}: ReturnType<typeof readCommandCorpus>[number]): Promise<Compared | undefined> {
		if (commands === undefined) return undefined;
		const argv = commands.argv as unknown as CommandLine;
		const outside = await this.end({ ...commands, argv, isOutside: true });
		const inside = await this.end({ ...commands, argv });
		const isSame = inside.code === outside.code && inside.files === outside.files;
		const isAbsent = outside.code === 'COMMAND_NOT_FOUND' && isSame;
		return { line, family, inside, outside, verdict: isAbsent ? 'absent' : isSame ? 'same' : 'other' };
	}

	async close(): Promise<void> {
		await this.#host.close();
		rmSync(this.#root, { recursive: true, force: true });
	}

	/** Runs the line in `bash` with nothing in its way; returns its end. */
	endOfBash(line: string): End {
		this.#begin();
		const { PATH = '', LANG = 'C.UTF-8' } = process.env;
		const { status, signal, output } = spawnSync('bash', ['-c', `exec 2>&1\n${line}`], {
			cwd: this.#workspace,
			env: { PATH, LANG, HOME: this.#userHome },
			stdio: ['ignore', 'pipe', 'ignore'],
			encoding: 'utf8',
			timeout: COMMAND_MS,
		});
		return this.#endOf(signal ?? status ?? 'none', output[1] ?? '', []);
	}

	/** A command of a chain counts that ran last, as it does in a shell. */
	async end(words: Parameters<CommandHost['run']>[0]): Promise<End> {
		this.#begin();
		try {
			const state = await this.#host.run({ ...words, timeoutMs: COMMAND_MS });
			const { exitCode, signal } = words.chain === undefined ? state : (state.ends?.at(-1) ?? state);
			const code = state.timedOut ? 'too long' : (signal ?? exitCode ?? 'none');
			return this.#endOf(code, state.output, state.kept ?? []);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			return this.#endOf(/[A-Z]+(?:_[A-Z]+)+/.exec(message)?.[0] ?? message, message, []);
		}
	}

	#begin(): void {
		// The folder itself stays: it is what the host has open.
		for (const name of readdirSync(this.#workspace))
			rmSync(join(this.#workspace, name), { recursive: true, force: true });
		cpSync(this.#template, this.#workspace, { recursive: true, preserveTimestamps: true });
	}

	#endOf(code: End['code'], output: string, kept: End['kept']): End {
		return { code, output, kept, files: this.#files(), texts: this.#texts() };
	}

	#texts(): string {
		const hash = createHash('sha256');
		for (const entry of readdirSync(this.#workspace, { recursive: true, withFileTypes: true })) {
			const path = join(entry.parentPath, entry.name);
			const isOurs = !/\/(?:\.git|target|\.pytest_cache|__pycache__)(?:\/|$)/.test(path);
			if (entry.isFile() && isOurs) hash.update(path).update(readFileSync(path));
		}
		return hash.digest('hex').slice(0, 12);
	}

	/** Hash of the names of all files, except those whose names are made up anew each time. */
	#files(): string {
		const names = readdirSync(this.#workspace, { recursive: true, encoding: 'utf8' })
			.filter((name) => !/^(?:\.git\/(?:objects|logs)|target|\.pytest_cache|.*__pycache__)(?:\/|$)/.test(name))
			.sort();
		return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);
	}

	#makeTemplate(userHome: string): void {
		for (const [path, text] of Object.entries(project)) {
			mkdirSync(dirname(join(this.#template, path)), { recursive: true });
			writeFileSync(join(this.#template, path), text);
		}
		chmodSync(join(this.#template, 'scripts/run.sh'), 0o755);
		const run = (program: string, ...args: string[]) =>
			execFileSync(program, args, {
				cwd: this.#template,
				env: { PATH: process.env['PATH'], HOME: userHome },
				stdio: 'ignore',
			});
		run('tar', '-czf', 'archive.tar.gz', 'src');
		run('git', 'init', '--initial-branch=main');
		run('git', 'add', '.');
		run('git', 'commit', '-m', 'Begin');
		writeFileSync(
			join(this.#template, 'src/index.ts'),
			`${readFileSync(join(this.#template, 'src/index.ts'), 'utf8')}// more\n`,
		);
		run('git', 'commit', '-am', 'More');
		writeFileSync(join(this.#template, 'src/app.ts'), 'export class Foo {} // changed\n');
	}
}

/** A row for each command that did not end the same, with the reason that the sandbox gives. */
export function tableOf(compared: readonly Compared[]): string {
	const count = (verdict: Compared['verdict']) => compared.filter((each) => each.verdict === verdict).length;
	const rows = compared
		.filter(({ verdict }) => verdict === 'other')
		.map(
			({ line, inside, outside }) =>
				`${line} | outside ${outside.code}, inside ${inside.code} | ${inside.kept.join(' ') || inside.output.trim().split('\n').at(-1) || ''}`,
		);
	return [
		`${count('same')} the same, ${count('other')} other, ${count('absent')} of programs that are not here`,
		...rows,
	].join('\n');
}
