import assert from 'node:assert/strict';
import fc from 'fast-check';
import { argvCover, exactArgvPattern } from './argv-pattern.ts';

describe('rules for commands', () => {
	const refused: readonly (readonly [string, readonly string[]])[] = [
		['npm test', ['npm', 'test', '--', '--evil']],
		['npm test', ['npm', 'testing']],
		['npm', ['npm', 'test']],
		['git status *', ['git', 'status', '--ext']],
		['git *', ['git', '-c', 'core.pager=sh', 'log']],
		['git *', ['git', 'config', 'alias.x', '!sh']],
		['find *', ['find', '.', '-exec', 'sh', '-c', 'id', ';']],
		['find . *', ['find', '.', '-delete']],
		['rg *', ['rg', '--pre', 'sh', 'x']],
		['ls *', ['ls', '-la']],
		['ls *', ['ls', 'a\nb']],
		['make *', ['make', 'SHELL=/tmp/evil']],
		['sh *', ['sh', 'script.sh']],
		['bash -c *', ['bash', '-c', 'id']],
		['node *', ['node', 'x.js']],
		['/usr/bin/python3.12 *', ['/usr/bin/python3.12', 'x.py']],
		['NODE.EXE *', ['NODE.EXE', 'x.js']],
		['npx *', ['npx', 'vitest']],
		['env *', ['env', 'id']],
		['sudo *', ['sudo', 'id']],
		['xargs *', ['xargs', 'rm']],
		['npm exec *', ['npm', 'exec', 'evil']],
		['go run *', ['go', 'run', 'evil.go']],
		['curl *', ['curl', 'https://x.test']],
		['cat *', ['cat', '.env']],
		['cat *', ['cat', '../a']],
		['git show *', ['git', 'show', 'HEAD:.env']],
		['tee *', ['tee', '.git/hooks/pre-commit']],
		['npm *', ['npm', 'install', 'evil']],
		['npm *', ['npm', 'exe', 'evilx']],
		['npm *', ['npm', 'isntall']],
		['npm *', ['npm', 'insta']],
		['npm *', ['npm', 'clean-install']],
		['git *', ['git', 'zz']],
		['git *', ['git', 'merge-index', './evil.sh', 'f']],
		['git *', ['git', 'send-pack', 'x']],
		['tar *', ['tar', 'cIf', 'program', 'o.tar', 'f']],
		['tar *', ['tar', 'xFf', 'script', 'o.tar']],
		['pip *', ['pip', 'download', './pkg']],
		['sqlite3 *', ['sqlite3', 'x.db', '.shell id']],
		['run-parts *', ['run-parts', 'd']],
		['uniq *', ['uniq', 'x', 'package.json']],
		['setarch *', ['setarch', 'x86_64', 'id']],
		['*', ['rm', 'a']],
		['"npm test', ['npm', 'test']],
		['"bad \\q" x', ['bad q', 'x']],
	];
	for (const [pattern, argv] of refused) {
		it(`does not take ${JSON.stringify(argv)} for "${pattern}"`, () =>
			assert.equal(argvCover(pattern, argv, '.'), 'none'));
	}

	const allowed: readonly (readonly [string, readonly string[]])[] = [
		['npm test', ['npm', 'test']],
		['npm run *', ['npm', 'run', 'lint']],
		['cat src/*', ['cat', 'src/*']],
		['git diff --stat *', ['git', 'diff', '--stat', 'src/a.ts']],
		['ls *', ['ls', 'src', 'test']],
		['tar *', ['tar', 'xzf', 'a.tar.gz']],
		['git *', ['git', 'checkout', 'main']],
		['npm *', ['npm', 'test']],
		['node scripts/check.ts', ['node', 'scripts/check.ts']],
		['echo "*"', ['echo', '*']],
	];
	for (const [pattern, argv] of allowed) {
		it(`takes ${JSON.stringify(argv)} for "${pattern}"`, () =>
			assert.equal(argvCover(pattern, argv, '.'), pattern.endsWith(' *') ? 'open' : 'exact'));
	}

	it('looks at a path from where the command would run', () => {
		assert.equal(argvCover('cat *', ['cat', 'config'], '.'), 'open');
		assert.equal(argvCover('cat *', ['cat', 'config'], '.git'), 'none');
	});

	it('writes a pattern for any command that covers it and no other', () => {
		const argv = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(argv, argv, (one, other) => {
				const pattern = exactArgvPattern(one);
				assert.equal(argvCover(pattern, one, '.'), 'exact');
				assert.equal(argvCover(pattern, other, '.') === 'exact', JSON.stringify(one) === JSON.stringify(other));
			}),
		);
	});
});
