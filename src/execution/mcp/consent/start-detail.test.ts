import assert from 'node:assert/strict';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import type { McpServer, StdioLaunch } from '../server.ts';
import { startDetail } from './start-detail.ts';

describe('The question before an MCP server starts', () => {
	const program: StdioLaunch = {
		kind: 'stdio',
		command: 'npx',
		args: ['files'],
		env: { TOKEN: '${secret:github}' },
		cwd: '/w',
		isSandboxed: true,
		needs: { network: ['example.org'], read: [], write: ['/opt/out'] },
	};
	function said(launch: McpServer['launch'], works: boolean, more: Partial<McpServer> = {}) {
		const { may, notEnforced, enforced, details } = startDetail({
			server: {
				name: 'files',
				source: 'settings',
				path: '/s.json',
				folder: undefined,
				isDisabled: false,
				...more,
				launch,
			},
			identity: { hash: 'abc', files: [] },
			sandbox: works ? { works } : { works, why: text('No sandbox works here.') },
			rules: [],
			sampling: undefined,
		});
		return {
			may: may.map(({ meaning }) => inEnglish(meaning)),
			notEnforced: notEnforced.map(inEnglish),
			isKeptIn: enforced.length > 0,
			details: details.map(({ label, value }) => `${inEnglish(label)} ${value}`),
		};
	}
	const both = ['run this program: npx files', 'receive your secret "github"', 'receive these variables: TOKEN'];
	const details = ['Folder: /w', 'Entry and files: sha256 abc'];

	it('says of a program that nothing keeps in what it can do, and why', () => {
		assert.deepEqual(said(program, false), {
			may: both,
			notEnforced: [
				'it runs as you: it can read and change all that you can, and connect to any host',
				'No sandbox works here.',
			],
			isKeptIn: false,
			details,
		});
	});

	it('says of a program in a sandbox what it reaches beyond it, the data of its plugin included', () => {
		assert.deepEqual(said(program, true, { pluginData: '/home/me/data' }), {
			may: [
				...both,
				'connect to example.org without a question',
				'change /opt/out; undo does not bring that back',
				'keep data in a folder of its plugin: /home/me/data',
			],
			notEnforced: [],
			isKeptIn: true,
			details,
		});
	});

	it('says of an address what is sent there, and nothing of programs and folders', () => {
		const headers = { Authorization: 'Bearer ${secret:github}' };
		const address = { kind: 'http', url: 'https://example.org/mcp', headers } as const;
		assert.deepEqual(said(address, true, { pluginData: '/home/me/data' }), {
			may: [
				'receive what is sent to https://example.org/mcp',
				'receive your secret "github"',
				'receive these headers: Authorization',
			],
			notEnforced: [],
			isKeptIn: false,
			details: ['Entry and files: sha256 abc'],
		});
	});
});
