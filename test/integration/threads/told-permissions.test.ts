/**
 * Tests the description of its permissions that a model gets: the first request of a turn, as both hosts compose it,
 * and the gate's decisions after it.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalMode } from '../../../src/contract/ports/ports.ts';
import type { PermissionLevel } from '../../../src/protocol/ops/permission-level.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { Settings } from '../../../src/protocol/settings/settings.ts';
import type { Mode } from '../../../src/protocol/thread/thread.ts';
import { TurnScene } from '../../support/turn-scene.ts';

const never = new AbortController().signal;
const NOBODY = 'Nobody can be asked here: what needs an approval is denied, so do not try it; say what you would do.';
const READS = `Allowed: reading, commands that only read. ${NOBODY}`;
const EDITS = `Allowed: reading, commands that only read, file changes that can be undone. ${NOBODY}`;
const INSIDE = `Allowed: reading, file changes, commands in the sandbox. ${NOBODY}`;
const ALL = `Allowed: reading, file changes, commands, outside the sandbox too. ${NOBODY}`;
const NOTHING = `Allowed: reading. ${NOBODY}`;

interface Row {
	readonly approve: ApprovalMode;
	/** Permission level given to the thread; absent: none. */
	readonly level?: PermissionLevel;
	readonly mode?: Mode;
	readonly settings?: Partial<Settings>;
	readonly policy?: string;
	readonly told: string;
	/** True when a file is written without a question. */
	readonly writes: boolean;
}

const rules = { 'prowess.approvals.allow': ['fs.write docs/**'] };
const table: readonly Row[] = [
	{ approve: 'never', told: READS, writes: false },
	{ approve: 'never', level: 'auto', told: READS, writes: false },
	{ approve: 'never', level: 'manual', told: NOTHING, writes: false },
	{
		approve: 'never',
		settings: rules,
		told: `Allowed: reading, commands that only read, what the user's rules allow. ${NOBODY}`,
		writes: false,
	},
	{ approve: 'edit', told: EDITS, writes: true },
	{ approve: 'edit', level: 'auto', told: INSIDE, writes: true },
	{ approve: 'auto', told: INSIDE, writes: true },
	{ approve: 'full', told: ALL, writes: true },
	{ approve: 'full', level: 'manual', told: NOTHING, writes: false },
	{ approve: 'full', level: 'manual', settings: rules, told: NOTHING, writes: false },
	{ approve: 'full', settings: { 'prowess.approvals.widestLevel': 'ask' }, told: READS, writes: false },
	{ approve: 'full', policy: 'widestLevel: edit\n', told: EDITS, writes: true },
	{ approve: 'full', mode: 'ask', told: 'Only reading, in the mode Ask.', writes: false },
	{
		approve: 'full',
		mode: 'plan',
		told: 'Only reading. Nobody can approve a plan here, so answer with it.',
		writes: false,
	},
	{
		approve: 'ask',
		told: 'Asks before it changes files or runs commands that do more than read.',
		writes: false,
	},
	{ approve: 'ask', level: 'auto', told: 'Changes files and runs sandboxed commands without asking.', writes: true },
	{ approve: 'ask', level: 'auto', mode: 'ask', told: 'Only reading, in the mode Ask.', writes: false },
	{ approve: 'ask', mode: 'plan', told: 'Only reading until the user approves the plan.', writes: false },
];

describe('The permissions that the model is told', () => {
	const open: TurnScene[] = [];
	afterEach(async () => {
		for (const scene of open.splice(0)) await scene.close();
	});
	const deny = { approve: () => Promise.resolve({ kind: 'deny' as const }) };

	async function host(
		{ approve, policy, settings = {} }: Pick<Row, 'approve' | 'policy' | 'settings'>,
		before?: TurnScene,
	) {
		const write = { name: 'fs_write', input: { path: 'a.txt', content: 'new\n' } };
		const scene = await TurnScene.open({
			script: [{ toolCalls: [write] }, { text: 'Done.' }, { text: 'And again.' }],
			approvalMode: approve,
			settings,
			person: deny,
			...(before === undefined ? {} : { home: before.host.home, workspace: before.host.workspace }),
		});
		open.push(scene);
		if (policy !== undefined) scene.host.write('.prowess/policy.yaml', policy);
		return scene;
	}
	/** Permissions that the newest message of the n-th request (from 1) tells; undefined: none are told. */
	const toldIn = ({ model }: TurnScene, n: number) => {
		const messages = model.requests[n - 1]?.body['messages'] as
			| readonly { role: string; content: string }[]
			| undefined;
		const said = messages?.findLast(({ role }) => role === 'user')?.content ?? '';
		return /^permissions: (.*)$/m.exec(said)?.[1];
	};
	const given = async ({ base }: TurnScene, threadId: ThreadId) => (await base.levels.given()).get(threadId);

	for (const row of table) {
		const { approve, level, mode = 'agent', settings, policy, told, writes } = row;
		const given = [
			...(level === undefined ? [] : [`a thread at ${level}`]),
			...(mode === 'agent' ? [] : [`the mode ${mode}`]),
			...(settings === undefined ? [] : [JSON.stringify(settings)]),
			...(policy === undefined ? [] : [`the policy "${policy.trim()}"`]),
		];
		const what = given.length === 0 ? '' : `, with ${given.join(' and ')}`;
		it(`are those in effect where the host was started with "${approve}"${what}`, async () => {
			const scene = await host(row);
			const threadId = await scene.begin(mode);
			if (level !== undefined && policy === undefined) await scene.base.levels.set(threadId, level, never);
			await scene.sends(threadId, 'Write a file');
			assert.equal(await scene.ended(), 'done');
			assert.equal(toldIn(scene, 1), told);
			assert.equal(existsSync(join(scene.host.workspace, 'a.txt')), writes);
		});
	}

	it('say of a scheduled run that refuses questions that nobody is asked, where somebody is there too', async () => {
		const scene = await host({ approve: 'ask', settings: { 'prowess.approvals.level': 'edit' } });
		const tidy = { kind: 'prompt', text: 'Write a file', words: 'every hour', mode: 'agent' } as const;
		for (const [asks, told] of [
			['refuse', EDITS],
			['wait', 'Changes files that you can undo without asking. Asks before it runs commands.'],
		] as const) {
			const { id } = await scene.base.schedules.add({ ...tidy, asks }, new AbortController().signal);
			await scene.base.schedules.runNow(id);
			assert.equal(toldIn(scene, asks === 'refuse' ? 1 : scene.model.requests.length), told);
		}
	});

	it('are told anew where a thread of the editor goes on in a command line, and leave its own level as it is', async () => {
		const editor = await host({ approve: 'ask' });
		const threadId = await editor.begin();
		assert.equal(await given(editor, threadId), undefined);
		await editor.base.levels.set(threadId, 'auto', never);
		await editor.sends(threadId, 'Write a file');
		assert.equal(await editor.ended(), 'done');
		assert.equal(toldIn(editor, 1), 'Changes files and runs sandboxed commands without asking.');
		await open.pop()?.close();

		const commandLine = await host({ approve: 'never' }, editor);
		await commandLine.sends(threadId, 'Write it once more');
		assert.equal(await commandLine.ended(), 'done');
		assert.equal(toldIn(commandLine, 1), READS);
		assert.equal(await given(commandLine, threadId), 'auto');
	});
});
