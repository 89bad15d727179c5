/**
 * Counts what labels cost: the questions of twenty ordinary tasks with and without them. Eight read an issue, a page or the result of
 * an MCP server, and then push or comment. Without: the file of the labels is removed before each op. Prints the figures of docs/approvals.md.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionLevel } from '../../../src/protocol/ops/permission-level.ts';
import { type LabelScene, useLabels } from './label-scene.ts';

type Step = readonly [op: string, params: object];
type Task = { readonly task: string; readonly reads?: readonly Step[]; readonly steps: readonly Step[] };

const run = (...argv: string[]): Step => ['shell.run', { argv }];
const read = (path: string): Step => ['fs.read', { path }];
const write = (path: string): Step => ['fs.write', { path, content: 'x' }];
const tool = (name: string, given: object = {}): Step => [
	'mcp.call',
	{ server: 'issues', tool: name, arguments: given },
];

function tasksOf({ hosts: { pages, elsewhere } }: LabelScene): readonly Task[] {
	const push: Step = [
		'shell.run',
		{ argv: ['git', 'push', `http://${elsewhere}/r.git`], needs: { network: [elsewhere] } },
	];
	const get = (path: string): Step => ['http.get', { url: `http://${pages}/${path}` }];
	const post: Step = ['http.request', { method: 'POST', url: `http://${elsewhere}/`, body: 'x' }];
	const commit = [run('git', 'commit', '-am', 'x')];
	return [
		{
			task: 'Fix an issue and push it',
			reads: [tool('get_issue')],
			steps: [read('a.txt'), write('a.txt'), ...commit, push],
		},
		{ task: 'Answer an issue', reads: [tool('get_issue')], steps: [read('a.txt'), tool('add_comment', { body: 'x' })] },
		{
			task: 'Triage three issues',
			reads: [tool('search_issues', { query: 'x' })],
			steps: [1, 2, 3].map((number) => tool('add_comment', { number, body: 'x' })),
		},
		{
			task: 'Answer an issue and close it',
			reads: [tool('get_issue')],
			steps: [tool('add_comment', { body: 'x' }), tool('close_issue')],
		},
		{ task: 'Follow a page and push', reads: [get('guide')], steps: [write('a.txt'), push] },
		{ task: 'Read a page and comment on it', reads: [get('page')], steps: [tool('add_comment', { body: 'x' })] },
		{ task: 'Read an API and report to another', reads: [get('status')], steps: [post, post] },
		{ task: 'Push twice after an issue', reads: [tool('get_issue')], steps: [push, write('b.txt'), push] },
		{ task: 'Fix a bug and run the tests', steps: [read('a.txt'), write('a.txt'), run('node', '--version')] },
		{ task: 'Search the code', steps: [['search.text', { query: 'hello' }], read('a.txt')] },
		{ task: 'Rename in three files', steps: ['a.txt', 'b.txt', 'c.txt'].map(write) },
		{ task: 'Commit and push own work', steps: [write('a.txt'), ...commit, push] },
		{ task: 'Read three pages of one site', steps: [get('one'), get('two'), get('three')] },
		{ task: 'Look up a type of a package', steps: [read('node_modules/left-pad/README.md'), write('a.txt')] },
		{ task: 'Read an issue and fix it here', steps: [tool('get_issue'), write('a.txt')] },
		{ task: 'Write a document', steps: [read('a.txt'), write('docs.md')] },
		{ task: 'Look at the history', steps: [run('git', 'log'), run('git', 'status')] },
		{ task: 'Report own results', steps: [read('a.txt'), post] },
		{ task: 'Comment from own work', steps: [tool('add_comment', { body: 'x' })] },
		{ task: 'Delegate a reading', steps: [read('a.txt'), ['fs.list', { path: '.' }]] },
	];
}

/** Leaves the file there: where it was removed, every thread counts as one that has read something. */
function forgetLabels(home: string): void {
	const path = join(home, 'thread-labels.json');
	if (!existsSync(path)) return;
	const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
	writeFileSync(path, JSON.stringify({ ...kept, labels: [], forgottenUntil: 0 }));
}

describe('Labels in ordinary tasks', function () {
	this.timeout(60_000);
	const open = useLabels();

	/** Usual rules of somebody who works with this server and these sites. */
	const rulesOf = ({ pages }: LabelScene['hosts']) => [
		`http.get ${pages}`,
		'mcp.call issues/get_issue',
		'mcp.call issues/search_issues',
	];

	async function countQuestions(level: PermissionLevel, isLabelled: boolean): Promise<readonly number[]> {
		const scene = await open({ settings: { 'prowess.approvals.level': level } });
		scene.host.change({ 'prowess.approvals.allow': rulesOf(scene.hosts) });
		scene.answering.with = ({ threadScope }) => ({ kind: threadScope === null ? 'once' : 'thread' });
		// The user agrees to the start of the server and to its tools before.
		await scene.as(scene.begin(), 'mcp.call', { server: 'issues', tool: 'get_issue', arguments: {} });
		const counts: number[] = [];
		for (const { reads = [], steps } of tasksOf(scene)) {
			const thread = scene.begin();
			const before = scene.asked.length;
			for (const [op, params] of [...reads, ...steps]) {
				if (!isLabelled) forgetLabels(scene.host.home);
				scene.base.beginThread(thread, 'Go on');
				await scene.as(thread, op, params);
			}
			counts.push(scene.asked.length - before);
		}
		return counts;
	}

	// A scene for each count: an answer given in one would hide a question of the next. Where nobody is asked otherwise, each pair is asked about once in a thread.
	for (const [level, most] of [
		['ask', 0.2],
		['auto', 0.2],
		['full', 0.2],
	] as const) {
		it(`ask at most ${most} more questions a task at the level ${level}`, async () => {
			const [without, labelled] = [await countQuestions(level, false), await countQuestions(level, true)];
			const [before, after] = [without, labelled].map((counts) => counts.reduce((all, each) => all + each, 0)) as [
				number,
				number,
			];
			console.log(
				`      ${level}: ${before} questions without labels, ${after} with them (${without.join('')} ${labelled.join('')})`,
			);
			assert.equal(labelled.length, 20);
			assert.ok((after - before) / labelled.length <= most, `${before} → ${after}`);
		});
	}
});
