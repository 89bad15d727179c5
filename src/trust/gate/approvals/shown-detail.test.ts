import assert from 'node:assert/strict';
import { shownDetail } from './shown-detail.ts';

describe('The detail of an approval', () => {
	it('shows the whole of a command, padded or not, with secrets struck out', () => {
		const argv = ['echo', `${' '.repeat(4_000)}; rm -rf ~`, 'tok-secret', '\n'.repeat(3)];
		const shown = shownDetail({ kind: 'command', argv, cwd: '.' }, (text) =>
			text.replace('tok-secret', '<redacted:secret>'),
		);
		assert.deepEqual(shown, {
			kind: 'command',
			argv: ['echo', argv[1], '<redacted:secret>', '\\u{a}\\u{a}\\u{a}'],
			cwd: '.',
		});
	});

	it('shows the lines of a script as lines, but not those that would push the rest out of sight', () => {
		const argv = ['sh', '-c', "cat > a <<'EOF'\none\n\ttwo\r\n\n\n\n\nlast\nEOF\n", 'a\tb\n'];
		const shown = shownDetail({ kind: 'command', argv, cwd: '.' }, (text) => text);
		assert.deepEqual(shown.kind === 'command' && shown.argv.slice(2), [
			"cat > a <<'EOF'\none\n\ttwo\\u{d}\n\n\\u{a}\\u{a}\\u{a}last\nEOF\n",
			'a\\u{9}b\\u{a}',
		]);
	});

	it('shows what a command needs beyond its sandbox, with invisible characters visible', () => {
		const needs = { network: ['example.org'], read: ['/opt/\u202esdk'], write: ['/opt/a\nb'], noSandbox: false };
		const shown = shownDetail({ kind: 'command', argv: ['make'], cwd: '.', sandboxed: true, needs }, (text) => text);
		assert.deepEqual(shown.kind === 'command' && [shown.sandboxed, shown.needs], [
			true,
			{ network: ['example.org'], read: ['/opt/\\u{202e}sdk'], write: ['/opt/a\\u{a}b'], noSandbox: false },
		]);
	});
});
