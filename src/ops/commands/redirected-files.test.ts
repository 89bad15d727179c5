import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import type { CommandChain } from '../../protocol/ops/commands/command-chain.ts';
import type { Redirect } from '../../protocol/ops/commands/redirect.ts';
import { ops, type OpParams } from '../../protocol/op-table/ops.ts';

const to = (path: string, mode: 'write' | 'append' = 'write') => ({ stream: 'stdout', mode, path }) as const;
const errorsTo = (path: string) => ({ stream: 'stderr', mode: 'write', path }) as const;
const from = (path: string) => ({ stream: 'stdin', mode: 'read', path }) as const;
const errorsToo = { stream: 'stderr', to: 'stdout' } as const;
const toErrors = { stream: 'stdout', to: 'stderr' } as const;
const both = ['sh', '-c', 'echo out; echo err >&2'];

describe('A file in the place of a stream', () => {
	let disk: WorkspaceOnDisk;
	let left: { absolutePath: string; after: string | undefined }[];

	beforeEach(async () => {
		left = [];
		disk = await workspaceOnDisk({ 'a.txt': 'pear\napple\n', 'sub/b.txt': 'b\n', 'raw.bin': Buffer.from([0, 255, 0]) });
		const images: Pick<BeforeImages, 'written'> = {
			written: ({ absolutePath, after }) => void left.push({ absolutePath, after }),
		};
		Object.assign(disk.deps.beforeImages, images);
	});
	afterEach(() => disk.close());

	const params = (commands: CommandChain & { cwd?: string; background?: boolean }) =>
		ops['shell.run'].params.parse(commands) as OpParams<'shell.run'>;
	const run = (commands: Parameters<typeof params>[0]) => disk.perform('shell.run', params(commands));
	const prepare = (commands: Parameters<typeof params>[0]) =>
		disk.ops['shell.run'].prepare(params(commands), disk.context());
	const text = (path: string) => readFileSync(join(disk.root, path), 'utf8');

	describe('outside of the workspace', () => {
		const beyond = (access: 'read' | 'write', path: string) => ({
			kind: 'beyond',
			access,
			path,
			isSecret: false,
			isProtected: false,
			isStream: true,
		});

		it('is asked about by the path that it has without links, whichever way it is named', async () => {
			mkdirSync(disk.deps.places.userHome);
			symlinkSync(disk.outside, join(disk.root, '../link'));
			const [home, outside] = [disk.deps.places.userHome, disk.outside];
			for (const [asked, found] of [
				[to('~/x'), beyond('write', join(home, 'x'))],
				[to('../outside/x', 'append'), beyond('write', join(outside, 'x'))],
				[to(join(disk.root, '../link/x')), beyond('write', join(outside, 'x'))],
				[from(join(outside, 'x')), beyond('read', join(outside, 'x'))],
				[from('~/.ssh/id_rsa'), { ...beyond('read', join(home, '.ssh/id_rsa')), isSecret: true }],
				[to('~/.bashrc'), { ...beyond('write', join(home, '.bashrc')), isProtected: true }],
			] as const) {
				const { targets, detail } = await prepare({ argv: ['cat'], redirects: [asked] });
				assert.deepEqual(targets.slice(1), [found]);
				assert.ok(detail.kind === 'command');
				assert.deepEqual(detail.needs, { [found.access]: [found.path] });
			}
		});

		it('is one of the workspace where it lies in it', async () => {
			symlinkSync(disk.root, join(disk.outside, 'in'));
			for (const path of [join(disk.root, 'n.txt'), join(disk.outside, 'in/n.txt'), '../app/n.txt']) {
				const { targets } = await prepare({ argv: ['echo'], redirects: [to(path)] });
				assert.deepEqual(targets[1]?.kind === 'file' && [targets[1].path, targets[1].access], ['n.txt', 'write'], path);
			}
		});

		it('is written and read by the host, and undo does not know of it', async () => {
			await run({ argv: ['echo', 'one'], redirects: [to('../outside/x')] });
			await run({ argv: ['echo', 'two'], redirects: [to(join(disk.outside, 'x'), 'append')] });
			const { output } = await run({ argv: ['sort', '-r'], redirects: [from('../outside/x')] });
			assert.deepEqual([output, disk.images, left], ['two\none\n', [], []]);
		});

		it('is not written when a link, a pipe of the system or a folder has taken its place since', async () => {
			writeFileSync(join(disk.outside, 'theirs'), 'theirs');
			for (const exchange of [
				(path: string) => symlinkSync('theirs', path),
				(path: string) => linkSync(join(disk.outside, 'theirs'), path),
				(path: string) => execFileSync('mkfifo', [path]),
				(path: string) => mkdirSync(path),
			]) {
				const prepared = await prepare({ argv: ['echo', 'x'], redirects: [to('../outside/x')] });
				exchange(join(disk.outside, 'x'));
				await assert.rejects(prepared.run(disk.context()));
				rmSync(join(disk.outside, 'x'), { recursive: true });
			}
			const prepared = await prepare({ argv: ['echo', 'x'], redirects: [to('../outside/sub/x')] });
			symlinkSync(disk.root, join(disk.outside, 'sub'));
			await assert.rejects(prepared.run(disk.context()));
			assert.equal(readFileSync(join(disk.outside, 'theirs'), 'utf8'), 'theirs');
			assert.ok(!existsSync(join(disk.root, 'x')));
		});
	});

	describe('that must not be reached', () => {
		for (const path of ['/dev/tty', '/etc/../x', '~/../x', '~other/x', '..', 'sub/../../x', 'C:\\x', 'a\0b', '']) {
			it(`is refused by its letters: ${JSON.stringify(path)}`, () => {
				assert.throws(() => params({ argv: ['echo'], redirects: [to(path)] }));
			});
		}

		it('is refused with a stream that does not go that way', () => {
			const bent: Redirect[] = [
				{ stream: 'stdin', mode: 'write', path: 'x' },
				{ stream: 'stdout', mode: 'read', path: 'x' },
			];
			for (const redirect of bent) assert.throws(() => params({ argv: ['echo'], redirects: [redirect] }));
		});

		it('is refused behind a link that leads out, and nothing is made there', async () => {
			symlinkSync(disk.outside, join(disk.root, 'link'));
			symlinkSync(join(disk.outside, 'new.txt'), join(disk.root, 'dangling'));
			await assert.rejects(prepare({ argv: ['echo'], redirects: [to('link/x')] }), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(prepare({ argv: ['cat'], redirects: [from('link/x')] }), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(prepare({ argv: ['echo'], redirects: [to('dangling')] }), { code: 'NOT_FOUND' });
			assert.ok(!existsSync(join(disk.outside, 'x')) && !existsSync(join(disk.outside, 'new.txt')));
		});

		it('is refused in the folder of Prowess, however it is named', async () => {
			const { home } = disk.deps.places;
			mkdirSync(home);
			symlinkSync(home, join(disk.outside, 'link'));
			for (const path of [join(home, 'settings.json'), join(disk.outside, 'link', 'ledger.db'), '../prowess-home/x']) {
				const refused = { code: 'PATH_OUTSIDE_WORKSPACE' };
				await assert.rejects(prepare({ argv: ['echo'], redirects: [to(path)] }), refused, path);
				await assert.rejects(prepare({ argv: ['cat'], redirects: [from(path)] }), refused, path);
			}
		});

		it('is refused when it is a folder, a pipe of the system or a device', async () => {
			execFileSync('mkfifo', [join(disk.root, 'pipe')]);
			for (const path of ['sub', 'pipe']) {
				await assert.rejects(prepare({ argv: ['echo'], redirects: [to(path)] }), { code: 'NOT_A_FILE' }, path);
				await assert.rejects(prepare({ argv: ['cat'], redirects: [from(path)] }), { code: 'NOT_A_FILE' }, path);
			}
		});

		it('is refused when it has a second name, and keeps what it holds', async () => {
			writeFileSync(join(disk.outside, 'theirs'), 'theirs');
			linkSync(join(disk.outside, 'theirs'), join(disk.root, 'own'));
			for (const mode of ['write', 'append'] as const) {
				await assert.rejects(run({ argv: ['echo', 'x'], redirects: [to('own', mode)] }), {
					code: 'FILE_HAS_OTHER_NAMES',
				});
			}
			assert.equal(readFileSync(join(disk.outside, 'theirs'), 'utf8'), 'theirs');
		});

		for (const [what, exchange] of [
			['a link', (path: string, outside: string) => symlinkSync(join(outside, 'theirs'), path)],
			['a link to a file beside it', (path: string) => symlinkSync('sub/b.txt', path)],
			['a second name of another file', (path: string, outside: string) => linkSync(join(outside, 'theirs'), path)],
			['a pipe of the system', (path: string) => execFileSync('mkfifo', [path])],
			['a folder', (path: string) => mkdirSync(path)],
		] as const) {
			for (const redirect of [to('a.txt'), to('a.txt', 'append'), to('new.txt')]) {
				it(`is not written when ${what} has taken its place since (${redirect.mode} ${redirect.path})`, async () => {
					writeFileSync(join(disk.outside, 'theirs'), 'theirs');
					const prepared = await prepare({ argv: ['echo', 'x'], redirects: [redirect] });
					const path = join(disk.root, redirect.path);
					if (existsSync(path)) renameSync(path, join(disk.root, 'moved.txt'));
					exchange(path, disk.outside);
					await assert.rejects(prepared.run(disk.context()));
					assert.equal(readFileSync(join(disk.outside, 'theirs'), 'utf8'), 'theirs');
					assert.equal(text('sub/b.txt'), 'b\n');
				});
			}
		}

		it('is not written when its folder has become a link since', async () => {
			const prepared = await prepare({ argv: ['echo', 'x'], redirects: [to('sub/new.txt')] });
			renameSync(join(disk.root, 'sub'), join(disk.root, 'other'));
			symlinkSync(disk.outside, join(disk.root, 'sub'));
			await assert.rejects(prepared.run(disk.context()));
			assert.ok(!existsSync(join(disk.outside, 'new.txt')));
		});

		it('is not written when it steers what runs only since it was looked at', async () => {
			const prepared = await prepare({ argv: ['echo', 'x'], redirects: [to('sub/config')] });
			for (const name of ['objects', 'refs']) mkdirSync(join(disk.root, 'sub', name));
			writeFileSync(join(disk.root, 'sub/HEAD'), 'ref: refs/heads/main\n');
			await assert.rejects(prepared.run(disk.context()), { code: 'FILE_CHANGED' });
			assert.ok(!existsSync(join(disk.root, 'sub/config')));
		});

		it('is not written while the user has changes in it that are not saved', async () => {
			const unsaved = await workspaceOnDisk(
				{ 'a.txt': 'a' },
				{ documents: { readOpen: () => ({ text: 'b', unsaved: true }), writeOpen: () => Promise.resolve(undefined) } },
			);
			const commands = params({ argv: ['echo', 'x'], redirects: [to('a.txt')] });
			await assert.rejects(unsaved.perform('shell.run', commands), { code: 'INVALID_STATE' });
			await unsaved.close();
		});

		it('runs nothing before it when a file to read or a folder is missing', async () => {
			await assert.rejects(run({ argv: ['cat'], redirects: [from('none.txt')] }), { code: 'NOT_FOUND' });
			await assert.rejects(run({ argv: ['echo', 'x'], redirects: [to('none/x.txt')] }), { code: 'NOT_FOUND' });
		});

		it('keeps every file as it is when one of them cannot be opened', async () => {
			const prepared = await prepare({ argv: ['echo', 'x'], redirects: [to('a.txt'), errorsTo('sub/b.txt')] });
			renameSync(join(disk.root, 'sub/b.txt'), join(disk.root, 'sub/c.txt'));
			mkdirSync(join(disk.root, 'sub/b.txt'));
			await assert.rejects(prepared.run(disk.context()));
			assert.equal(text('a.txt'), 'pear\napple\n');
		});
	});

	it('is a target of its own, with what is known of its name', async () => {
		mkdirSync(join(disk.root, '.git/hooks'), { recursive: true });
		const { targets, detail } = await prepare({
			argv: ['sort'],
			redirects: [from('a.txt'), to('.env'), errorsTo('.git/hooks/pre-commit'), to('/dev/null')],
			chain: [{ join: ';', argv: ['ls'], redirects: [to('raw.bin')] }],
		});
		const files = targets.flatMap((each) => (each.kind === 'file' ? [each] : []));
		assert.deepEqual(
			files.map(({ path, access, isSecret, isProtected, hasNoUndo = false }) => [
				...[path, access, isSecret, isProtected, hasNoUndo],
			]),
			[
				['a.txt', 'read', false, false, false],
				['.env', 'write', true, true, false],
				['.git/hooks/pre-commit', 'write', false, true, false],
				['raw.bin', 'write', false, false, true],
			],
		);
		assert.ok(
			detail.kind === 'command' && detail.redirects?.length === 4 && detail.chain?.[0]?.redirects?.length === 1,
		);
	});

	it('gets what the command writes, in the place of what it held, which is kept', async () => {
		const { output, exitCode } = await run({ argv: ['echo', 'x'], redirects: [to('a.txt')] });
		assert.deepEqual([output, exitCode, text('a.txt')], ['', 0, 'x\n']);
		assert.deepEqual(disk.images, [{ path: 'a.txt', before: 'pear\napple\n' }]);
		assert.deepEqual(left, [{ absolutePath: join(disk.root, 'a.txt'), after: 'x\n' }]);
	});

	it('is made when there is none, in the folder that the command runs in', async () => {
		await run({ argv: ['echo', 'x'], redirects: [to('new.txt')], cwd: 'sub' });
		assert.equal(text('sub/new.txt'), 'x\n');
		assert.deepEqual(disk.images, [{ path: 'sub/new.txt', before: undefined }]);
	});

	it('is added to', async () => {
		await run({ argv: ['echo', 'x'], redirects: [to('a.txt', 'append')] });
		await run({ argv: ['echo', 'y'], redirects: [to('new.txt', 'append')] });
		assert.deepEqual([text('a.txt'), text('new.txt')], ['pear\napple\nx\n', 'y\n']);
	});

	it('is read, and its end is the end of the input', async () => {
		const { output } = await run({ argv: ['sort'], redirects: [from('a.txt')] });
		assert.equal(output, 'apple\npear\n');
		assert.deepEqual([disk.images, left], [[], []]);
	});

	it('gets both streams, in their order, or one of them', async () => {
		await run({ argv: both, redirects: [to('both.txt'), errorsToo] });
		assert.equal(text('both.txt'), 'out\nerr\n');
		// Errors go where the output went at that point, as in a shell.
		const { output } = await run({ argv: both, redirects: [errorsToo, to('one.txt')] });
		assert.deepEqual([output, text('one.txt')], ['err\n', 'out\n']);
		await run({ argv: both, redirects: [errorsTo('errors.txt'), to('output.txt')] });
		assert.deepEqual([text('errors.txt'), text('output.txt')], ['err\n', 'out\n']);
	});

	it('is none behind /dev/null', async () => {
		const { output } = await run({ argv: both, redirects: [to('/dev/null')] });
		assert.equal(output, 'err\n');
		assert.equal((await run({ argv: both, redirects: [to('/dev/null'), errorsToo] })).output, '');
		assert.equal((await run({ argv: ['cat'], redirects: [{ ...from('/dev/null') }] })).output, '');
	});

	it('stands anywhere in a pipe', async () => {
		const upper = ['tr', 'a-z', 'A-Z'];
		const piped = await run({ argv: both, redirects: [errorsToo], chain: [{ join: '|', argv: upper }] });
		assert.deepEqual(piped.output.split('\n').toSorted(), ['', 'ERR', 'OUT']);
		const errors = await run({ argv: both, redirects: [toErrors], chain: [{ join: '|', argv: upper }] });
		assert.deepEqual(errors.output.split('\n').toSorted(), ['', 'err', 'out']);
		await run({
			argv: ['cat'],
			redirects: [from('a.txt')],
			chain: [{ join: '|', argv: ['sort'], redirects: [to('sorted.txt')] }],
		});
		assert.equal(text('sorted.txt'), 'apple\npear\n');
		// The program before has no reader then.
		const cut = await run({
			argv: ['yes'],
			chain: [{ join: '|', argv: ['cat'], redirects: [from('a.txt')] }],
		});
		assert.deepEqual([cut.output, cut.exitCode], ['pear\napple\n', 0]);
		const silent = await run({
			argv: ['echo', 'x'],
			redirects: [to('/dev/null')],
			chain: [{ join: '|', argv: ['cat'] }],
		});
		assert.deepEqual([silent.output, silent.exitCode], ['', 0]);
	});

	it('is not needed for both streams to go into a pipe in the order in which they were written', async () => {
		const lines = 'for i in 1 2 3 4 5 6 7 8 9; do printf "o$i "; printf "e$i " >&2; done';
		const argv = ['sh', '-c', `${lines}; exit 3`];
		const { output, ends } = await run({ argv, redirects: [errorsToo], chain: [{ join: '|', argv: ['cat'] }] });
		assert.equal(output.trim(), Array.from({ length: 9 }, (_, at) => `o${at + 1} e${at + 1}`).join(' '));
		assert.deepEqual(
			ends?.map(({ program, exitCode }) => [program, exitCode]),
			[
				['sh', 3],
				['cat', 0],
			],
		);
		const odd = ['printf', '%s|', '$HOME', '*', 'a b', '"', ''];
		const told = await run({ argv: odd, redirects: [errorsToo], chain: [{ join: '|', argv: ['cat'] }] });
		assert.equal(told.output, '$HOME|*|a b|"||');
	});

	it('is opened when its command has its turn, not before', async () => {
		await run({
			argv: ['mkdir', 'made'],
			chain: [
				{ join: '&&', argv: ['sort', 'a.txt'], redirects: [to('made/x.txt')] },
				{ join: '&&', argv: ['cat', 'made/x.txt'], redirects: [to('made/y.txt')] },
			],
		});
		assert.equal(text('made/y.txt'), 'apple\npear\n');
		const failed = await run({ argv: ['false'], chain: [{ join: '&&', argv: ['echo'], redirects: [to('a.txt')] }] });
		assert.deepEqual([failed.exitCode, text('a.txt')], [1, 'pear\napple\n']);
		const missing = await run({
			argv: ['true'],
			chain: [
				{ join: ';', argv: ['cat'], redirects: [from('never.txt')] },
				{ join: '||', argv: ['echo', 'went on'] },
			],
		});
		assert.match(missing.output, /never\.txt does not exist[\s\S]*went on\n$/);
	});

	it('is written by a command in the background, too', async () => {
		const { commandId } = await run({ argv: ['echo', 'x'], redirects: [to('log.txt')], background: true });
		for (let running = true; running;) {
			({ running } = await disk.perform('shell.output', { commandId, waitMs: 5_000 }));
		}
		assert.equal(text('log.txt'), 'x\n');
		assert.deepEqual(left, [{ absolutePath: join(disk.root, 'log.txt'), after: 'x\n' }]);
	});

	describe('that a model has read', () => {
		const changed = { code: 'FILE_CHANGED', message: 'a.txt has changed since it was read: read it again' };
		const replaced = { argv: ['echo', 'x'], redirects: [to('a.txt')] };
		const read = () => disk.perform('fs.read', { path: 'a.txt' });
		const change = () => writeFileSync(join(disk.root, 'a.txt'), 'theirs\n');

		it('is not replaced once somebody has changed it, and is after it was read again', async () => {
			await read();
			change();
			await assert.rejects(prepare(replaced), changed);
			await assert.rejects(run({ argv: ['true'], chain: [{ join: '&&', ...replaced }] }), changed);
			assert.equal(text('a.txt'), 'theirs\n');
			await read();
			await run(replaced);
			assert.equal(text('a.txt'), 'x\n');
		});

		it('is not replaced when it changes while the user is asked, and nothing before it runs', async () => {
			await read();
			const prepared = await prepare({ argv: ['touch', 'ran'], chain: [{ join: '&&', ...replaced }] });
			change();
			await assert.rejects(prepared.run(disk.context()), changed);
			assert.deepEqual([text('a.txt'), existsSync(join(disk.root, 'ran'))], ['theirs\n', false]);
		});

		it('is added to, which loses nothing, and is then no text that it knows', async () => {
			await read();
			change();
			await run({ argv: ['echo', 'x'], redirects: [to('a.txt', 'append')] });
			assert.equal(text('a.txt'), 'theirs\nx\n');
			await assert.rejects(prepare(replaced), changed);
		});

		it('is known after its own commands wrote it, in one chain, too', async () => {
			await read();
			await run({ argv: ['echo', 'y'], redirects: [to('a.txt', 'append')] });
			await run({ ...replaced, chain: [{ join: '&&', argv: ['echo', 'z'], redirects: [to('a.txt')] }] });
			await disk.perform('fs.write', { path: 'a.txt', content: 'w\n' });
			await run(replaced);
			assert.equal(text('a.txt'), 'x\n');
		});
	});

	it('that nobody has read, as the output of yesterday, is replaced, and what it held is kept', async () => {
		await run({ argv: ['echo', 'x'], redirects: [to('sub/b.txt')] });
		assert.deepEqual([text('sub/b.txt'), disk.images], ['x\n', [{ path: 'sub/b.txt', before: 'b\n' }]]);
	});

	it('that holds no text is written without an image of what it held', async () => {
		await run({ argv: ['echo', 'x'], redirects: [to('raw.bin')] });
		assert.deepEqual([text('raw.bin'), disk.images], ['x\n', []]);
	});
});

describe('Commands one after the other', () => {
	let disk: WorkspaceOnDisk;
	beforeEach(async () => {
		disk = await workspaceOnDisk();
	});
	afterEach(() => disk.close());

	const script = (word: string, code: number) => ['sh', '-c', `echo ${word}; exit ${code}`];
	for (const [chain, output, exitCode] of [
		[[['||', 0]], 'a', 0],
		[[['||', 2]], 'a', 0],
		[[[';', 3]], 'a b', 3],
		[
			[
				['&&', 4],
				['||', 5],
			],
			'a b c',
			5,
		],
		[
			[
				['||', 4],
				['&&', 0],
			],
			'a c',
			0,
		],
		[
			[
				['&&', 4],
				['&&', 0],
				[';', 0],
			],
			'a b d',
			0,
		],
	] as const) {
		it(`run as their joins say: ${JSON.stringify(chain)}`, async () => {
			const rest = chain.map(([join, code], index) => ({ join, argv: script('bcd'.charAt(index), code) }));
			const state = await disk.perform('shell.run', { argv: script('a', 0), chain: rest, cwd: '.', background: false });
			assert.deepEqual([state.output.trim().split('\n').join(' '), state.exitCode], [output, exitCode]);
		});
	}

	it('go on after || and ; when a program is not there', async () => {
		for (const join of ['||', ';'] as const) {
			const chain = [{ join, argv: ['echo', 'other'] }];
			const state = await disk.perform('shell.run', { argv: ['no-such-program'], chain, cwd: '.', background: false });
			assert.match(state.output, /no-such-program[\s\S]*other\n$/);
			assert.deepEqual([state.exitCode, state.ends?.map((end) => end.exitCode)], [0, [127, 0]]);
		}
	});
});
