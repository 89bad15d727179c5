/** The `/tmp` that sandboxed commands of one thread share. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { useProgramsElsewhere } from '../../support/programs-elsewhere.ts';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('The /tmp of a thread', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	const thread = newId('thr');
	const folders = () => join(scene.prowessHome, 'sandbox', 'commands');
	/** Where the host finds a file of some `/tmp`. */
	const places = (name: string) =>
		readdirSync(folders())
			.map((each) => join(folders(), each, 'tmp', name))
			.filter((path) => existsSync(path));

	useProgramsElsewhere();
	eachWithScene((made) => (scene = made));

	it('keeps for its next commands what one of them wrote, and shows it to nobody else', async () => {
		await scene.sh('echo kept > /tmp/log; echo $TMPDIR', { thread });
		for (const path of ['/tmp/log', '/var/tmp/log']) {
			assert.equal((await scene.run(['cat', path], { thread })).output, 'kept\n');
			assert.notEqual((await scene.run(['cat', path], { thread: newId('thr') })).exitCode, 0);
			assert.notEqual((await scene.run(['cat', path])).exitCode, 0);
		}
		const [place = ''] = places('log');
		for (const folder of [join(place, '..'), join(place, '../..')]) {
			assert.equal(statSync(folder).mode & 0o777, 0o700);
		}
		assert.ok(!existsSync('/tmp/log'));
	});

	it('is seen by a command in the background and those beside it', async () => {
		const { commandId } = await scene.start(['sh', '-c', 'echo up > /tmp/server; sleep 30'], { thread });
		const seen = await scene.sh('until [ -s /tmp/server ]; do sleep 0.02; done; cat /tmp/server', { thread });
		assert.equal(seen.output, 'up\n');
		await scene.commands.stop(commandId, null);
	});

	it('shows the workspace in it, whatever a command before has tried to put there', async () => {
		const [, top = ''] = scene.workspace.split('/tmp/');
		const [name = ''] = top.split('/');
		if (name === '') return;
		scene.write('a.txt', 'mine\n');
		const moved = await scene.sh(
			`mv /tmp/${name} /tmp/away; rm -rf /var/tmp/${name}; ln -sfn /etc /tmp/${name}; ls -d /tmp/${name}`,
			{
				thread,
				mayWrite: false,
			},
		);
		assert.match(moved.output, /busy|[Cc]annot/);
		assert.equal((await scene.run(['cat', 'a.txt'], { thread })).output, 'mine\n');
		assert.equal((await scene.sh('pwd -P', { thread })).output, `${scene.workspace}\n`);
	});

	it('leads nowhere but into the sandbox through links in it', async () => {
		writeFileSync(join(scene.userHome, 'theirs'), 'their own words');
		await scene.sh(`ln -s ${scene.userHome} /tmp/home; ln -s / /tmp/root; ln -s /oldroot /tmp/old`, { thread });
		const read = await scene.sh(`cat /tmp/home/theirs /tmp/root${scene.userHome}/theirs /tmp/old/etc/passwd`, {
			thread,
		});
		assert.ok(!read.output.includes('their own words') && !read.output.includes('root:'), read.output);
		await scene.sh('echo planted > /tmp/home/planted; echo x > /tmp/root/planted', { thread });
		assert.deepEqual(readdirSync(scene.userHome), ['theirs']);
	});

	it('is given to no command to which something beyond the workspace is shown in it', async () => {
		const beyond = mkdtempSync('/tmp/prowess-beyond-');
		try {
			await scene.sh('echo kept > /tmp/log', { thread });
			const reach = { read: [beyond] };
			assert.notEqual((await scene.sh('ls /tmp/log', { thread, reach })).exitCode, 0);
			assert.equal((await scene.sh('ls /tmp/log', { thread })).exitCode, 0);
		} finally {
			rmdirSync(beyond);
		}
	});

	it('is emptied when it holds too much, and the agent is told', async () => {
		const script = 'truncate -s 0 /tmp/log; i=0; mkdir /tmp/many; cd /tmp/many; seq 20001 | xargs touch';
		const { kept } = await scene.sh(script, { thread });
		assert.match(kept?.join('') ?? '', /\/tmp was emptied: it held more than 1024 MB or 20000 files/);
		assert.equal((await scene.sh('ls /tmp/many 2>/dev/null | wc -l', { thread })).output.trim(), '0');
		const closed = await scene.sh('mkdir /tmp/closed; chmod 0 /tmp/closed', { thread });
		if (process.getuid?.() !== 0) assert.match(closed.kept?.join('') ?? '', /was emptied/);
	});

	it('is removed with its thread and with its host, and what a killed host left when the next one runs a command', async () => {
		await scene.sh('echo kept > /tmp/log', { thread });
		assert.equal(places('log').length, 1);
		await scene.commands.stopAllOf(thread);
		await waitFor('its removal', () => places('log').length === 0);
		await scene.sh('echo kept > /tmp/log', { thread });
		await scene.commands.close();
		assert.deepEqual(readdirSync(folders()), []);
		const left = join(folders(), '999999999-left');
		mkdirSync(join(left, 'tmp'), { recursive: true });
		const next = new CommandSandbox({
			home: scene.prowessHome,
			folders: () => [scene.workspace],
			bubblewrapCandidates: () => ['/usr/bin/bwrap'],
		});
		await next.state();
		await waitFor('its removal', () => !existsSync(left));
		await next.close();
	});
});
