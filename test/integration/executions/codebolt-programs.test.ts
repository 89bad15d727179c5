/** Agents and executors written for Codebolt, unchanged, in real processes: each call is an op of the broker, or refused by name. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { CODEBOLT_RIGHTS } from '../../../src/protocol/manifest/codebolt-agent.ts';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { CapabilityScene, type CapabilitySceneOptions } from '../../support/capability-scene.ts';
import { consentText } from '../../support/consent-text.ts';
import { waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';

const program = join(import.meta.dirname, '../../fixtures/executors/written-for-codebolt');
const read = (filePath: string) => ({ type: 'fsEvent', action: 'readFile', message: { filePath } });

interface Told {
	readonly type: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly results: readonly unknown[];
}
type Answer = Readonly<Record<string, unknown>>;

describe('A program written for Codebolt', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	const opened = async (options: CapabilitySceneOptions = {}) => {
		scene = await CapabilityScene.open({ approvalMode: 'full', files: { 'a.txt': 'hello\n' }, ...options });
		const put = (path: string, text: string) => {
			const file = join(scene.host.workspace, '.codebolt', path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		};
		put(
			'capabilities/executors/blocks/executor.yaml',
			'name: blocks\nsupportedTypes: [pipeline]\nentryPoint: dist/index.js\n',
		);
		put(
			'capabilities/pipeline/build/capability.yaml',
			'name: build\ntype: pipeline\nversion: 1.0.0\ndescription: Builds\n',
		);
		put(
			'agents/simple/codeboltagent.yaml',
			'title: Simple Agent\nunique_id: simple\nversion: 1.0.0\ndescription: Does it: all\n',
		);
		const folders = ['capabilities/executors/blocks/dist', 'agents/simple'];
		for (const folder of folders) cpSync(program, join(scene.host.workspace, '.codebolt', folder), { recursive: true });
		return scene;
	};
	const ran = (steps: readonly unknown[], options = {}) => scene.run('build', { steps }, options);
	const toldBy = ({ result, error }: CapabilityExecutionResult) =>
		(result ?? assert.fail(JSON.stringify(error))) as Told;
	afterEach(() => scene.close());

	it('reads, writes and runs commands as its own user allows, each an op of its execution', async () => {
		const asked: Approval[] = [];
		const approve = (approval: Approval) => {
			asked.push(approval);
			return Promise.resolve(
				approval.title?.toString().includes('rm') ? ({ kind: 'no' } as never) : ({ kind: 'once' } as const),
			);
		};
		await opened({ approvalMode: 'ask', person: { approve, answer: () => Promise.resolve('Yes') } });
		const root = scene.host.workspace;
		const told = toldBy(
			await ran([
				['all', [read('a.txt'), read(join(root, 'a.txt')), read('missing.txt'), read('/etc/hostname')]],
				[
					'call',
					{ type: 'fsEvent', action: 'createFile', message: { fileName: 'b.txt', source: 'made\n', filePath: root } },
				],
				['call', { type: 'executeCommand', message: 'cat b.txt | tr a-z A-Z' }],
				['call', { type: 'executeCommand', message: 'node -e "process.exit(3)"' }],
				['call', { type: 'executeCommandWithStream', message: 'echo streamed' }],
				['call', { type: 'settingEvent', action: 'getProjectPath' }],
				['call', { type: 'fsEvent', action: 'fileList', message: { folderPath: '.', isRecursive: false } }],
				[
					'call',
					{
						type: 'fsEvent',
						action: 'grepSearch',
						message: { path: '.', query: 'HELL', caseSensitive: false, includePattern: '*.txt' },
					},
				],
				['call', { type: 'confirmationRequest', message: 'Go on?', buttons: ['Yes', 'No'] }],
				['call', { type: 'fsEvent', action: 'deleteFile', message: { filename: 'b.txt', filePath: '.' } }],
				['folder'],
				['listening'],
				['again'],
				['early'],
			]),
		);
		assert.equal(told.type, 'actionBlockInvocation');
		const [reads, created, piped, failed, streamed, project, listed, found, confirmed, deleted, ...rest] =
			told.results as Answer[];
		const [a, whole, missing, beyond] = reads as unknown as Answer[];
		assert.deepEqual([a?.['content'], whole?.['content'], a?.['type']], ['hello\n', 'hello\n', 'readFileResponse']);
		assert.match(String(missing?.['error']), /missing\.txt does not exist/);
		assert.equal(beyond?.['success'], false);
		assert.deepEqual([created?.['success'], created?.['type']], [true, 'createFileResponse']);
		assert.deepEqual([piped?.['type'], piped?.['stdout']], ['commandFinish', 'MADE\n']);
		assert.deepEqual([failed?.['type'], failed?.['exitCode'], failed?.['success']], ['commandError', 3, false]);
		assert.deepEqual([streamed?.['type'], streamed?.['output']], ['commandOutput', 'streamed\n']);
		assert.equal(project?.['projectPath'], root);
		assert.deepEqual(listed?.['files'], ['.codebolt/', 'a.txt', 'b.txt']);
		assert.equal((found?.['result'] as Answer[] | undefined)?.[0]?.['path'], 'a.txt');
		assert.equal(confirmed?.['message'], 'Yes');
		assert.equal(deleted?.['success'], true);
		assert.deepEqual(rest, [['dist', 'executor.yaml'], 0, 'sent away', 'hello\n']);
		// Consent comes first and says what it may do; then each effect is asked for, by the execution that wants it.
		assert.deepEqual(
			[...new Set(asked.map(({ op }) => op))],
			['capability.start', 'fs.write', 'shell.run', 'fs.delete'],
		);
		const [consent] = asked;
		const words = consentText(consent?.detail as never);
		assert.match(words, /Written for Codebolt: its files, commands and questions become requests here/);
		assert.match(words, /change, create and delete files of the workspace[^]*run commands[^]*ask you questions/);
		const [row] = await scene.rows('fs.write');
		assert.match(String(row?.trigger), /^pipeline\/build:fs\.write \(cap_/);
	});

	it('is refused whatever else it calls, by name and in the form that it waits for, a hundred times over', async () => {
		await opened();
		const others: readonly (readonly [type: string, action: string, waitsFor: string])[] = [
			['gitEvent', 'Commit', 'gitCommitResponse'],
			['gitEvent', 'Clone', 'CloneResponse'],
			['browserEvent', 'getHTML', 'htmlReceived'],
			['inference', '', 'llmResponse'],
			['memoryEvent', 'get', 'memoryGetResponse'],
			['agentEvent', 'startAgent', 'taskCompletionResponse'],
			['codebolttools', 'executeTool', 'executeToolResponse'],
			['fsEvent', 'editFileWithDiff', 'editFileWithDiffResponse'],
			['sendInterruptToTerminal', '', 'terminalInterrupted'],
			['__proto__', 'constructor', 'constructorResponse'],
		];
		const calls = Array.from({ length: 100 }, (_, n) => {
			const [type = '', action = '', waitsFor = ''] = others[n % others.length] ?? [];
			return { type, ...(action === '' ? {} : { action }), ...(n % 2 === 0 ? {} : { waitsFor }) };
		});
		const [answers] = toldBy(await ran([['all', calls]])).results as [Answer[]];
		for (const [n, answer] of answers.entries()) {
			const [type, action, waitsFor] = others[n % others.length] ?? assert.fail();
			const name = action === '' ? type : `${type}/${action}`;
			assert.deepEqual([answer['success'], answer['type']], [false, waitsFor], name);
			assert.ok(
				String(answer['error']).startsWith(`"${name}" of Codebolt is not available here.`),
				String(answer['error']),
			);
		}
		assert.deepEqual(await scene.rows('fs.write'), []);
	});

	it('is an agent by its codeboltagent.yaml, and is given the message that it is started with', async () => {
		await opened({ approvalMode: 'full' });
		const steps = [
			['say', 'On it'],
			['call', { ...read('a.txt'), waitsFor: 'readFileResponse' }],
			[
				'call',
				{
					type: 'fsEvent',
					action: 'updateFile',
					message: { filename: 'a.txt', filePath: '.', newContent: 'bye\n' },
					waitsFor: 'commandOutput',
				},
			],
			['call', { type: 'getChatHistory', waitsFor: 'getChatHistoryResponse' }],
		];
		const started = await scene.run('simple', { message: JSON.stringify(steps) });
		const { type, results } = toldBy(started);
		const [, file, updated, history] = results as Answer[];
		assert.deepEqual(
			[type, file?.['content'], updated?.['success'], history?.['chats']],
			['messageResponse', 'hello\n', true, []],
		);
		assert.equal(readFileSync(join(scene.host.workspace, 'a.txt'), 'utf8'), 'bye\n');
		assert.ok(scene.progress.includes('On it'));
		const silent = await scene.run('simple', {
			message: JSON.stringify([
				['say', 'First'],
				['say', 'Last'],
				['ends', { type: 'processStoped' }],
			]),
		});
		assert.equal(silent.result, 'First\n\nLast');
		const failed = await scene.run('simple', {
			message: JSON.stringify([['ends', { type: 'processStoped', error: 'gave up' }]]),
		});
		assert.match(failed.error?.message ?? '', /^gave up$/);
	});

	it('asks for the rights that the page of a capability promises, where its manifest says nothing', async () => {
		const { base } = await opened();
		const { permissions, level } = await base.capabilities.askedRights({ capability: { name: 'build' } });
		assert.deepEqual({ permissions, level }, CODEBOLT_RIGHTS);
		await assert.rejects(base.capabilities.askedRights({ capability: { name: 'none' } }), {
			code: 'CAPABILITY_NOT_FOUND',
		});
	});

	it('is not taken for one by its type alone, and says at once what to do', async () => {
		await opened();
		const put = (path: string, text: string) => {
			const file = join(scene.host.workspace, '.codebolt/capabilities/agent', path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		};
		for (const name of ['plain', 'built']) {
			put(`${name}/capability.yaml`, `name: ${name}\ntype: agent\nversion: 1.0.0\ndescription: Acts\n`);
		}
		put('plain/index.js', 'export const execute = () => 1;\n');
		const start = (name: string) =>
			scene.base.capabilities.start(
				{ capability: { name, type: 'agent' }, params: {}, caller: { kind: 'user', threadId: null } },
				new AbortController().signal,
			);
		await assert.rejects(start('plain'), {
			code: 'EXECUTOR_NOT_FOUND',
			message: /does not use its library\. Give it the type power or skill, or name its executor$/,
		});
		cpSync(program, join(scene.host.workspace, '.codebolt/capabilities/agent/built'), { recursive: true });
		const { executionId } = await start('built');
		await scene.base.capabilities.stop(executionId);
	});

	it('is killed at each of its steps, with one end and nothing left behind', async () => {
		const reached = new Map<string, PromiseWithResolvers<void>>();
		const hang = ({ op }: Approval) => {
			reached.get(op)?.resolve();
			return new Promise<never>(() => {});
		};
		await opened({
			approvalMode: 'ask',
			person: {
				approve: (approval) =>
					approval.op === 'capability.start' ? Promise.resolve({ kind: 'always' }) : hang(approval),
				answer: () => new Promise<never>(() => {}),
			},
		});
		const write = { type: 'fsEvent', action: 'writeToFile', message: { relPath: 'c.txt', newContent: 'c' } };
		const command = { type: 'executeCommand', message: 'touch d.txt' };
		const table: readonly (readonly [step: string, steps: readonly unknown[], reaches: string])[] = [
			['start', [['stops']], ''],
			['context', [['call', { type: 'getChatHistory' }], ['say', 'has its context'], ['stops']], 'has its context'],
			['fs op', [['call', write]], 'fs.write'],
			['terminal op', [['call', command]], 'shell.run'],
			['complete', [['say', 'is about to complete'], ['stops']], 'is about to complete'],
		];
		const pids: number[] = [];
		const ended: unknown[] = [];
		for (const [step, steps, reaches] of table) {
			const asked = Promise.withResolvers<void>();
			reached.set(reaches, asked);
			const { executionId } = await scene.base.capabilities.start(
				{ capability: { name: 'build' }, params: { steps }, caller: { kind: 'user', threadId: null } },
				new AbortController().signal,
			);
			if (reaches.includes('.')) await asked.promise;
			else if (reaches !== '') await waitFor(reaches, () => scene.progress.includes(reaches));
			await waitFor(step, () => scene.base.capabilities.info(executionId).pid !== undefined);
			const pid = scene.base.capabilities.info(executionId).pid ?? assert.fail(step);
			pids.push(pid);
			process.kill(pid, 'SIGKILL');
			const { success, error } = await scene.base.capabilities.wait(executionId);
			ended.push([step, success, error?.code]);
		}
		assert.deepEqual(
			ended,
			table.map(([step]) => [step, false, 'PROCESS_CRASHED']),
		);
		for (const file of ['c.txt', 'd.txt']) assert.equal(existsSync(join(scene.host.workspace, file)), false);
		await waitUntilGone(pids);
	});

	it('ends with what it did wrong, and the host goes on', async () => {
		await opened();
		const faults: readonly (readonly [steps: readonly unknown[], code: string, about: RegExp])[] = [
			[[['text', '{']], 'EXECUTION_FAILED', /sent a message that is not JSON/],
			[[['text', '{"action":"readFile"}']], 'EXECUTION_FAILED', /sent a message without a type/],
			[
				[['ends', { type: 'actionBlockComplete', sideExecutionId: 'side_1_other', result: 1 }]],
				'EXECUTION_FAILED',
				/ended another execution than its own: "side_1_other"/,
			],
			[[['close']], 'EXECUTION_FAILED', /closed its connection before it said that it was done/],
			[[['exit', 0]], 'EXECUTION_FAILED', /exited with code 0 before returning a result/],
			[[['exit', 5]], 'PROCESS_CRASHED', /code 5/],
			[[['ends', { type: 'noSuchEnd' }]], 'EXECUTION_TIMEOUT', /took longer than/],
		];
		const ended = await Promise.all(
			faults.map(([steps, code]) =>
				ran([...steps, ['stops']], { timeout: code === 'EXECUTION_TIMEOUT' ? 1_500 : 15_000 }),
			),
		);
		for (const [at, { success, error }] of ended.entries()) {
			const [, code, about] = faults[at] ?? assert.fail();
			assert.deepEqual([success, error?.code], [false, code], error?.message);
			assert.match(error?.message ?? '', about);
		}
	});

	it('is stopped while it waits, and killed while a call is under way, and has nothing left', async () => {
		const open = Promise.withResolvers<void>();
		const hang = () => (open.resolve(), new Promise<never>(() => {}));
		await opened({
			approvalMode: 'ask',
			person: { approve: ({ op }) => (op === 'fs.write' ? hang() : Promise.resolve({ kind: 'once' })), answer: hang },
		});
		const start = async (steps: readonly unknown[]) => {
			const { executionId } = await scene.base.capabilities.start(
				{ capability: { name: 'build' }, params: { steps }, caller: { kind: 'user', threadId: null } },
				new AbortController().signal,
			);
			return executionId;
		};
		const waits = await start([['say', 'waits'], ['stops']]);
		await waitFor('its first word', () => scene.progress.includes('waits'));
		const pid = scene.base.capabilities.info(waits).pid ?? 0;
		await scene.base.capabilities.stop(waits);
		assert.equal(scene.base.capabilities.status(waits), 'stopped');
		const write = { type: 'fsEvent', action: 'writeToFile', message: { relPath: 'c.txt', newContent: 'c' } };
		const asks = await start([['call', write]]);
		await open.promise;
		const killed = scene.base.capabilities.info(asks).pid ?? 0;
		process.kill(killed, 'SIGKILL');
		const { error } = await scene.base.capabilities.wait(asks);
		assert.equal(error?.code, 'PROCESS_CRASHED');
		assert.equal(existsSync(join(scene.host.workspace, 'c.txt')), false);
		await waitUntilGone([pid, killed]);
	});
});
