/** `prowess capability enable` and `disable`, whoever put a capability there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityFiles, writeFiles } from '../../support/marketplace-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess capability disable', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	beforeEach(() => {
		user = new User();
	});
	const capability = (words: readonly string[]) => user.runs(['capability', ...words]);

	it('says which there is none of, and which of several is meant', async () => {
		writeFiles(join(user.home, 'capabilities/skill/twice'), capabilityFiles({ name: 'twice' }));
		writeFiles(join(user.home, 'capabilities/talent/twice'), capabilityFiles({ name: 'twice', type: 'talent' }));
		for (const [words, code, why] of [
			[['absent'], 1, /There is no capability "absent".*CAPABILITY_NOT_FOUND/],
			[['todo-report', '--source', 'global'], 1, /no capability "global todo-report"/],
			[['todo-report', '--source', 'elsewhere'], 2, /takes built-in, global, project/],
			[['twice'], 1, /which type: skill, talent/],
		] as const) {
			const { code: ended, stderr } = await capability(['disable', ...words]);
			assert.deepEqual([ended, why.test(stderr)], [code, true], stderr);
		}
	});

	it('switches off what ships, what is yours and what is of the project, and on again', async () => {
		writeFiles(join(user.home, 'capabilities/skill/greet'), capabilityFiles({ version: '1.0.0' }));
		writeFiles(join(user.workspace, '.prowess/capabilities/skill/greet'), capabilityFiles({ version: '2.0.0' }));
		const run = (name: string) => capability(['run', name, '--trust', '--approve', 'auto', '--json']);
		const version = async () =>
			(JSON.parse((await run('greet')).stdout) as { result: { version: string } }).result.version;
		assert.equal(await version(), '2.0.0');

		const project = await capability(['disable', 'greet']);
		assert.equal(project.code, 0, project.stderr);
		assert.match(project.stdout, /greet \(project\) is disabled; now in effect: .*greet \(global\)/);
		assert.equal(await version(), '1.0.0');
		const listed = (await capability(['list'])).stdout;
		assert.match(listed, /^skill +greet +global +1\.0\.0 +says .*\nskill +greet +project +2\.0\.0 +\[disabled\] says/m);
		const counting = (await capability(['show', 'greet'])).stdout;
		assert.match(counting, /^folder .*home.*greet \(global\)\ndisabled .*work.*greet \(project\)$/m);
		assert.match((await capability(['disable', 'greet'])).stdout, /greet \(global\) is disabled\n/);
		const refused = await run('greet');
		const { error } = JSON.parse(refused.stdout) as { error: { code: string; message: string } };
		assert.deepEqual([refused.code, error.code], [1, 'CAPABILITY_DISABLED']);
		assert.match(error.message, /prowess capability enable/);
		const everything = (await capability(['list', '--type', 'skill'])).stdout;
		assert.equal(everything.match(/^skill +greet .*\[disabled\]/gm)?.length, 2, everything);
		assert.match(
			(await capability(['enable', 'greet', '--source', 'project'])).stdout,
			/greet \(project\) is enabled\n/,
		);
		assert.match(
			(await capability(['enable', 'greet', '--source', 'global'])).stdout,
			/greet \(global\) is enabled; still in effect: .*greet \(project\)\n/,
		);
		assert.equal(await version(), '2.0.0');

		assert.equal((await capability(['disable', 'todo-report'])).code, 0);
		assert.equal((await run('todo-report')).code, 1);
		assert.match((await capability(['list'])).stdout, /todo-report .*\[disabled\]/);
		const list = JSON.parse(readFileSync(join(user.home, 'disabled-capabilities.json'), 'utf8')) as {
			disabled: string[];
		};
		assert.ok(list.disabled.includes('built-in:skill/todo-report'), list.disabled.join());
		assert.equal((await capability(['enable', 'todo-report'])).code, 0);
		assert.equal((await run('todo-report')).code, 0);
		assert.match((await user.runs(['ledger', 'list'])).stdout, /Done +You +disable skill todo-report, built-in/);
	});
});
