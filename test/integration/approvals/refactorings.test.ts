import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import type { EditorPort } from '../../../src/contract/ports/ports.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { nothingOpen, type TestHost, type TestHostOptions } from '../../support/host-ports.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const rename = { path: 'src/a.ts', what: 'rename', line: 1, symbol: 'size', to: 'length' };

describe('a rename by a language server', () => {
	const start = useServedBases();

	/** Renames the word in these files, wherever it stands. */
	async function renaming(paths: readonly string[], options: TestHostOptions = {}) {
		const held: { host?: TestHost } = {};
		const asked: Approval[] = [];
		const text = (path: string) => readFileSync(join(held.host?.workspace ?? '', path), 'utf8');
		const editor: EditorPort = {
			...nothingOpen,
			refactor: () =>
				Promise.resolve({
					files: paths.map((path) => ({
						absolutePath: join(held.host?.workspace ?? '', path),
						before: text(path),
						after: text(path).replaceAll('size', 'length'),
					})),
				}),
		};
		const served = await start({
			approvalMode: 'ask',
			files: {
				'src/a.ts': 'export const size = 1;\n',
				'src/b.ts': 'import { size } from "./a";\n',
				'.env': 'size=1\n',
			},
			person: {
				approve(approval) {
					asked.push(approval);
					return Promise.resolve({ kind: 'once' });
				},
			},
			editor,
			...options,
		});
		held.host = served.host;
		return { ...served, asked, text };
	}

	it('is refused by a rule on edits of any of its files', async () => {
		const settings = { 'prowess.approvals.deny': ['fs.edit src/b.ts'] };
		const { perform, text, asked } = await renaming(['src/a.ts', 'src/b.ts'], { settings });
		const outcome = await perform('editor.refactor', rename);
		assert.equal(outcome.status === 'denied' && outcome.error.code, 'DENIED_BY_RULE');
		assert.deepEqual([asked, text('src/a.ts')], [[], 'export const size = 1;\n']);
	});

	it('is refused by a rule on edits by a rule of its own, too', async () => {
		const settings = { 'prowess.approvals.deny': ['editor.refactor .env'] };
		const { perform, text } = await renaming(['src/a.ts', '.env'], { settings, approvalMode: 'full' });
		const outcome = await perform('editor.refactor', rename);
		assert.equal(outcome.status, 'denied');
		assert.equal(text('src/a.ts'), 'export const size = 1;\n');
	});

	it('asks a person with the reason of the file that is protected, whatever the level', async () => {
		const { perform, asked, base, threadId } = await renaming(['src/a.ts', '.env']);
		await base.levels.set(threadId, 'full', never);
		assert.equal((await perform('editor.refactor', rename)).status, 'done');
		const [approval] = asked;
		assert.match(approval === undefined ? '' : inEnglish(approval.reason), /\.env/);
		assert.deepEqual([approval?.isPartOfAll, approval?.pattern], [false, null]);
		assert.deepEqual(approval?.detail.kind === 'diffs' && approval.detail.diffs.map(({ path }) => path), [
			'.env',
			'src/a.ts',
		]);
	});

	it('is one act in the ledger, and its files are undone as those of an edit', async () => {
		const { perform, base, threadId, text } = await renaming(['src/a.ts', 'src/b.ts']);
		assert.equal((await perform('editor.refactor', rename)).status, 'done');
		assert.deepEqual(
			[text('src/a.ts'), text('src/b.ts')],
			['export const length = 1;\n', 'import { length } from "./a";\n'],
		);
		const rows = await base.ledger.query({ threadId });
		assert.deepEqual(
			rows
				.filter(({ op }) => op === 'editor.refactor')
				.map(({ kind }) => kind)
				.toSorted((a, b) => a.localeCompare(b)),
			['intent', 'outcome'],
		);
		const listed = await base.changes.list(threadId);
		assert.deepEqual(
			listed.map(({ path, added, removed }) => [path, added, removed]),
			[
				['src/a.ts', 1, 1],
				['src/b.ts', 1, 1],
			],
		);
		await base.changes.undo(threadId, undefined, false, never);
		assert.deepEqual(
			[text('src/a.ts'), text('src/b.ts')],
			['export const size = 1;\n', 'import { size } from "./a";\n'],
		);
	});
});
