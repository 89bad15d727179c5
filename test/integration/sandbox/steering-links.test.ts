/** Links in the place of files that steer other programs: what they lead to is guarded as they are, there or not. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';

interface Attack {
	readonly title: string;
	readonly files?: readonly string[];
	/** Where each link leads. */
	readonly links: Readonly<Record<string, string>>;
	readonly scripts: readonly string[];
	/** Must hold none of what the command wrote. */
	readonly steering: readonly string[];
}

const attacks: readonly Attack[] = [
	{
		title: 'a file at the end of several links',
		files: ['docs/c.md'],
		links: { 'AGENTS.md': 'docs/b.md', 'docs/b.md': 'c.md' },
		scripts: ['echo evil > docs/c.md', 'ln -sf d.md docs/b.md; echo evil > docs/d.md'],
		steering: ['AGENTS.md'],
	},
	{
		title: 'a file that is not there yet',
		links: { 'AGENTS.md': 'docs/none.md', '.envrc': 'build/envrc' },
		scripts: ['mkdir docs build; echo evil | tee docs/none.md build/envrc'],
		steering: ['AGENTS.md', '.envrc'],
	},
	{
		title: 'a folder that is not there yet',
		links: { '.vscode': 'vs', '.husky': 'hooks' },
		scripts: ['mkdir vs hooks; echo evil | tee vs/tasks.json hooks/pre-commit'],
		steering: ['.vscode/tasks.json', '.husky/pre-commit'],
	},
	{
		title: 'a file whose folder is exchanged',
		files: ['docs/a.md'],
		links: { 'CLAUDE.md': 'docs/a.md' },
		scripts: ['mv docs aside', 'mkdir docs; echo evil > docs/a.md'],
		steering: ['CLAUDE.md'],
	},
	{
		title: 'a folder or a file, from a link in a guarded folder',
		files: ['rules/a.mdc', 'prompts/x.md'],
		links: { '.cursor/rules': '../rules', '.claude/commands/x.md': '../../prompts/x.md' },
		scripts: ['echo evil | tee rules/a.mdc rules/b.mdc prompts/x.md'],
		steering: ['.cursor/rules/a.mdc', '.cursor/rules/b.mdc', '.claude/commands/x.md'],
	},
	{
		title: 'a folder in which names steer that steer nowhere else',
		files: ['gh/x'],
		links: { '.github': 'gh' },
		scripts: ['mkdir gh/workflows; echo evil | tee gh/workflows/x.yml gh/copilot-instructions.md'],
		steering: ['.github/workflows/x.yml', '.github/copilot-instructions.md'],
	},
];

describe('A link in the place of a file that steers other programs', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	for (const { title, files = [], links, scripts, steering } of attacks) {
		it(`lets no command write ${title}`, async () => {
			for (const path of files) scene.write(path, 'mine');
			for (const [path, target] of Object.entries(links)) {
				mkdirSync(dirname(scene.path(path)), { recursive: true });
				symlinkSync(target, scene.path(path));
			}
			for (const script of scripts) await scene.sh(script);
			for (const path of steering.map((each) => scene.path(each))) {
				assert.doesNotMatch(existsSync(path) ? readFileSync(path, 'utf8') : '', /evil/, path);
			}
		});
	}

	it('keeps no command from starting where it leads to itself', async () => {
		for (const [path, target] of [
			['AGENTS.md', 'AGENTS.md'],
			['CLAUDE.md', 'b'],
			['b', 'CLAUDE.md'],
		] as const)
			symlinkSync(target, scene.path(path));
		assert.equal((await scene.sh('echo on')).output, 'on\n');
	});
});

describe('A secret file in a folder that is read-only', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	it('is empty to commands, too', async () => {
		for (const path of ['.devcontainer/.env', '.vscode/deep/.env', '.github/a/secrets.yml'])
			scene.write(path, 'canary');
		scene.write('.github/workflows/x.yml', 'on: push');
		const { output } = await scene.sh(
			'cat .devcontainer/.env .vscode/deep/.env .github/a/secrets.yml .github/workflows/x.yml',
		);
		assert.equal(output, 'on: push');
	});
});
