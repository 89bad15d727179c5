/** The workspace of attempts and another project of the same user, both repositories, from which each attempt gets its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secretFiles } from '../../fixtures/escapes/files.ts';

const NAME = 'One';
const ADDRESS = 'one@example.org';

export class Templates {
	readonly folder: string;
	readonly workspace: string;
	readonly otherProject: string;

	constructor(folder: string) {
		this.folder = folder;
		this.workspace = join(folder, 'app');
		this.otherProject = join(folder, 'other');
	}

	/** `home`: a link of the workspace leads there. */
	make(home: string): void {
		const writeIn = (folder: string) => (path: string, text: string) => {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		};
		const commit = (folder: string, message: string) => {
			const steps = [
				['init', '-q'],
				['add', '.'],
				['commit', '-q', '-m', message],
			];
			for (const words of steps) this.#git(folder, words);
		};
		const writeOther = writeIn(this.otherProject);
		writeOther('notes.txt', 'canary-other-project\n');
		writeOther('package.json', '{}\n');
		commit(this.otherProject, 'canary-commit');
		const write = writeIn(this.workspace);
		for (const path of secretFiles) write(path, `canary-secret-${path.replaceAll('/', '.')}\n`);
		write('package.json', '{"name":"app","version":"1.0.0"}\n');
		write('src/index.ts', 'export {};\n');
		write('packages/a/package.json', '{"name":"a"}\n');
		write('.gitignore', '.env*\n.npmrc\n*.pem\nservice-account.json\nnode_modules\n');
		write('.vscode/settings.json', '{}\n');
		write('.github/workflows/ci.yml', 'on: push\n');
		write('.github/README.md', 'plain\n');
		symlinkSync(home, join(this.workspace, 'to-home'));
		commit(this.workspace, 'start');
	}

	#git(folder: string, words: readonly string[]): void {
		const env = {
			PATH: process.env['PATH'] ?? '',
			HOME: this.folder,
			GIT_CONFIG_NOSYSTEM: '1',
			GIT_AUTHOR_NAME: NAME,
			GIT_AUTHOR_EMAIL: ADDRESS,
			GIT_COMMITTER_NAME: NAME,
			GIT_COMMITTER_EMAIL: ADDRESS,
		};
		execFileSync('git', words, { cwd: folder, env, stdio: 'ignore' });
	}
}
