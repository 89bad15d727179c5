import assert from 'node:assert/strict';
import { createEditorArgv } from './edited-text.ts';

describe('The editor of a text', () => {
	const rows: readonly (readonly [platform: NodeJS.Platform, editor: string, path: string, argv: readonly string[]])[] =
		[
			['linux', 'vim -f', "/tmp/it's a plan.md", ['/bin/sh', '-c', 'vim -f "$@"', 'vim -f', "/tmp/it's a plan.md"]],
			['darwin', 'code --wait', '/tmp/plan.md', ['/bin/sh', '-c', 'code --wait "$@"', 'code --wait', '/tmp/plan.md']],
			[
				'win32',
				'"C:\\Program Files\\np.exe" -n',
				'C:\\My Files\\plan.md',
				['cmd.exe', '/d', '/s', '/c', '""C:\\Program Files\\np.exe" -n "C:\\My Files\\plan.md""'],
			],
		];
	for (const [platform, editor, path, argv] of rows) {
		it(`is started by the system's shell with the file as one word, on ${platform}`, () => {
			assert.deepEqual(createEditorArgv(editor, path, platform), argv);
		});
	}
});
