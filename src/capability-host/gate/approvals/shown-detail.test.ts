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
});
