/** A thread with everything in it, for pictures and for the accessibility run. */
import { newId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadItem, ToolItem } from '../../../src/protocol/thread/items.ts';
import { approval, type FakeExtension, HERE } from './fake-extension.ts';
import { AT, type FakeThread } from './fake-thread.ts';

const PATCH = `--- a/src/add.ts
+++ b/src/add.ts
@@ -1,5 +1,6 @@
 export function add(a: number, b: number): number {
-	return a - b;
+	// Both are finite here.
+	return a + b;
 }
`;

const ANSWER = `# What was wrong

The test \`adds two numbers\` failed because **\`add\`** subtracted. I changed one line:

\`\`\`ts
export function add(a: number, b: number): number {
	return a + b; // was: a - b
}
\`\`\`

- [x] read the test
- [x] fix \`src/add.ts\`
- [ ] look at [the docs](https://example.com/docs) and [the file](src/add.ts:2)

| File | Change |
|---|---:|
| src/add.ts | +2 −1 |

> Run \`npm test\` to see it pass.
`;

export function showcase(extension: FakeExtension, isWaiting = true): FakeThread {
	const thread = extension.addThread({
		id: HERE,
		title: 'Find the failing test and fix it',
		modelId: 'anthropic/sonnet',
	});
	extension.addThread({ title: 'Explain how this project is structured' });
	extension.threadId = thread.id;
	const turnId = thread.begin('Find the failing test and fix it');
	const base = { turnId, at: AT };
	const item = (given: ThreadItem) => thread.emit({ type: 'item.start', item: given });
	const tool = (given: Partial<ToolItem>) =>
		item({
			...base,
			id: newId('itm'),
			kind: 'tool',
			opId: newId('op'),
			tool: 'fs_read',
			title: 'Read',
			input: {},
			status: 'done',
			output: '',
			outputTruncated: false,
			...given,
		});
	item({
		...base,
		id: newId('itm'),
		kind: 'instructions',
		files: [
			{ path: 'AGENTS.md', omitted: 0 },
			{ path: '.github/copilot-instructions.md', omitted: 1_200 },
		],
		left: [{ path: '.env', reason: 'secret' }],
	});
	item({
		...base,
		id: newId('itm'),
		kind: 'compaction',
		messages: 42,
		text: '**Decided:** the shop sells tea.',
		model: 'anthropic/claude-sonnet-5',
	});
	item({
		...base,
		id: newId('itm'),
		kind: 'thinking',
		text: 'The tests first, then the code they call.',
		done: true,
		durationMs: 12_300,
	});
	tool({
		title: 'Run npm test',
		tool: 'shell_run',
		input: { argv: ['npm', 'test'] },
		output: '1 passing\n1 failing\n\n  1) adds two numbers',
		exitCode: 1,
		durationMs: 2300,
	});
	tool({ title: 'Read src/add.ts', input: { path: 'src/add.ts' }, output: 'export function add…', durationMs: 4 });
	tool({
		title: 'Edit src/add.ts',
		tool: 'fs_edit',
		diff: { path: 'src/add.ts', created: false, added: 2, removed: 1, patch: PATCH },
		input: { path: 'src/add.ts' },
		output: 'Edited src/add.ts (+2 -1 lines).',
		durationMs: 9,
	});
	tool({
		title: 'Write ../outside.txt',
		tool: 'fs_write',
		input: { path: '../outside.txt' },
		status: 'denied',
		error: { code: 'PATH_OUTSIDE_WORKSPACE', message: '../outside.txt is outside the workspace', facts: {} },
	});
	const text = newId('itm');
	item({ ...base, id: text, kind: 'text', text: ANSWER, done: true });
	item({
		...base,
		id: newId('itm'),
		kind: 'notice',
		level: 'warning',
		text: 'The model was slow to answer.',
		actions: ['retry', 'switchModel'],
	});
	thread.emit(
		{
			type: 'todos',
			items: [
				{ text: 'Run the tests', status: 'done' },
				{ text: 'Fix src/add.ts', status: 'active' },
				{ text: 'Run the tests again', status: 'pending' },
			],
		},
		{
			type: 'usage',
			usage: {
				inputTokens: 52_100,
				outputTokens: 1200,
				cachedInputTokens: 30_000,
				contextTokens: 54_000,
				contextWindow: 200_000,
				estimated: false,
			},
		},
	);
	extension.changes = [
		{ path: 'src/add.ts', kind: 'modified', added: 2, removed: 1, touchedSince: false },
		{ path: 'src/a/long/way/down/to/other.ts', kind: 'created', added: 31, removed: 0, touchedSince: true },
	];
	if (isWaiting) {
		tool({ title: 'Run npm test', tool: 'shell_run', input: { argv: ['npm', 'test'] }, status: 'waiting' });
		extension.desk = {
			approvals: [approval({ threadId: thread.id }), approval({ threadId: thread.id, title: 'Write src/b.ts' })],
			questions: [],
		};
	} else {
		thread.end(turnId);
	}
	return thread;
}
