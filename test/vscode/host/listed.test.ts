/** Rows that the extension lists, with the editor's own tree items and texts. */
import assert from 'node:assert/strict';
import { approvalsPage } from '../../../src/extension/capabilities/pages/approvals-page.ts';
import { installedTab } from '../../../src/extension/capabilities/view/installed-tab.ts';
import { Overview } from '../../../src/extension/views/overview.ts';
import { readCapabilityManifest } from '../../../src/protocol/manifest/read-manifest.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { text } from '../../../src/protocol/text/text.ts';
import { linkedPeers } from '../../support/linked-peers.ts';

describe('The tab Installed', () => {
	it('lists those of the project first, then those of the user, and what is built in last', () => {
		const given = [
			['a-built-in', 'built-in'],
			['b-of-user', 'global'],
			['c-of-project', 'project'],
			['d-built-in', 'built-in'],
			['e-of-project', 'project'],
		] as const;
		const capabilities = given.map(([name, source]) => {
			const written = { 'capability.yaml': `name: ${name}\ntype: skill\nversion: 1.0.0\ndescription: Does it\n` };
			const { manifest } = readCapabilityManifest(written, { name, type: 'skill' });
			assert.ok(manifest);
			return { manifest, path: `/w/${name}`, source, overrides: [], warnings: [], isEnabled: true };
		});
		const listed = { capabilities, broken: [], executors: [], problems: [] };
		const { sections } = installedTab({ listed, trusted: new Set(), packages: [], updates: [] });
		assert.deepEqual(
			sections.find(({ id }) => id === 'type.skill')?.rows.map(({ name }) => name),
			['c-of-project', 'e-of-project', 'b-of-user', 'a-built-in', 'd-built-in'],
		);
	});
});

describe('The page Approvals', () => {
	it('lists what is allowed in archived threads last, apart from the other threads', () => {
		const [shown, archived] = [newId('thr'), newId('thr')];
		const allowed = (threadId: typeof shown, level = false) => ({
			id: `${level ? 'level' : 'thread'} ${threadId}`,
			in: { kind: level ? ('level' as const) : ('thread' as const), threadId },
			what: text('Edit {pattern}', { pattern: 'src/**' }),
			exact: null,
			origin: null,
		});
		const { content } = approvalsPage({
			list: { approvals: [allowed(archived), allowed(archived, true), allowed(shown)], secrets: [], problems: [] },
			threads: new Map<string, { title: string; shelf?: 'archived' }>([
				[shown, { title: 'Fix it' }],
				[archived, { title: 'Old', shelf: 'archived' }],
			]),
			marked: '',
		});
		const block = content.blocks.find(({ kind }) => kind === 'approvals');
		assert.deepEqual(
			block?.kind === 'approvals' && block.groups.map(({ title, rows }) => [title, rows.map(({ notes }) => notes[0])]),
			[
				['Threads', ['In the thread “Fix it”']],
				[
					'Archived threads',
					['In the thread “Old”', 'In the thread “Old”. Revoked, it has the level of your settings again.'],
				],
			],
		);
	});
});

describe('The overview', () => {
	async function rows(memories: number): Promise<unknown[]> {
		const { near, far } = linkedPeers();
		far.serve({ list: threadRequests.list }, { list: () => Promise.resolve({ threads: [] }) });
		const overview = new Overview({
			desk: () => ({ approvals: [], questions: [] }),
			currentThread: () => null,
			changes: () => Promise.resolve([]),
			memoriesToReview: () => Promise.resolve(memories),
			server: () => Promise.resolve(near),
			resourceUri: () => undefined,
			folders: () => [],
		});
		try {
			const [group] = await overview.getChildren();
			const children = group === undefined ? [] : await overview.getChildren(group);
			return children.map((node) => {
				const { label, command } = overview.getTreeItem(node);
				return [label, command?.command, command?.arguments];
			});
		} finally {
			overview.dispose();
		}
	}

	it('leads to memories that wait for a review, and says nothing where none does', async () => {
		assert.deepEqual(await rows(0), []);
		assert.deepEqual(await rows(1), [['1 memory to review', 'prowess.showAutomation', ['memory']]]);
		assert.deepEqual(await rows(3), [['3 memories to review', 'prowess.showAutomation', ['memory']]]);
	});
});
