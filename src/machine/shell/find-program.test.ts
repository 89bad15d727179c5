import assert from 'node:assert/strict';
import { listProgramPlaces } from './find-program.ts';
import { batchArgv, isBatchFile } from './windows-batch.ts';

const PATHS = { linux: '/usr/bin:/bin', darwin: '/opt/homebrew/bin:/bin', win32: String.raw`C:\Tools;D:\bin` } as const;

describe('The files that the name of a program means', () => {
	const cases = [
		['linux', 'git', '/usr/bin/git, /bin/git'],
		['linux', 'python3.12', '/usr/bin/python3.12, /bin/python3.12'],
		['linux', './build.sh', '/project/build.sh'],
		['linux', '/bin/ls', '/bin/ls'],
		['linux', String.raw`a\b`, String.raw`/usr/bin/a\b, /bin/a\b`],
		['darwin', 'git', '/opt/homebrew/bin/git, /bin/git'],
		['darwin', 'bin/tool', '/project/bin/tool'],
		['win32', 'git', String.raw`C:\Tools\git.EXE, C:\Tools\git.CMD, D:\bin\git.EXE, D:\bin\git.CMD`],
		['win32', 'git.exe', String.raw`C:\Tools\git.exe, D:\bin\git.exe`],
		['win32', String.raw`.\npm.cmd`, String.raw`C:\project\npm.cmd`],
		['win32', 'bin/tool', String.raw`C:\project\bin\tool.EXE, C:\project\bin\tool.CMD`],
		['win32', String.raw`D:\x\run.bin`, String.raw`D:\x\run.bin, D:\x\run.bin.EXE, D:\x\run.bin.CMD`],
		['win32', 'py3.12/x', String.raw`C:\project\py3.12\x.EXE, C:\project\py3.12\x.CMD`],
		['win32', './py3.12', String.raw`C:\project\py3.12, C:\project\py3.12.EXE, C:\project\py3.12.CMD`],
	] as const;
	for (const [platform, program, files] of cases) {
		it(`are those of ${platform} for ${program}`, () => {
			const environment = { PATH: PATHS[platform], PATHEXT: '.EXE;.CMD' };
			const cwd = platform === 'win32' ? String.raw`C:\project` : '/project';
			assert.equal(listProgramPlaces(program, cwd, environment, platform).files.join(', '), files);
		});
	}

	it('have the usual endings on Windows where PATHEXT names none', () => {
		const { files, folders } = listProgramPlaces('git', 'C:\\', { PATH: 'C:\\bin' }, 'win32');
		assert.deepEqual([folders, files.map((file) => file.slice(-4))], [1, ['.COM', '.EXE', '.BAT', '.CMD']]);
	});

	it('have the endings of PATHEXT, also where it ends with its separator', () => {
		const { files } = listProgramPlaces('git', 'C:\\', { PATH: 'C:\\bin', PATHEXT: '.EXE;.CMD;' }, 'win32');
		assert.deepEqual(files, ['C:\\bin\\git.EXE', 'C:\\bin\\git.CMD']);
	});
});

describe('A batch file', () => {
	it('is one on Windows only, whatever the case of its ending', () => {
		const paths = ['a.cmd', 'A.BAT', 'a.exe', 'a.cmd.txt'];
		const batches = (platform: NodeJS.Platform) => paths.filter((path) => isBatchFile(path, platform));
		assert.deepEqual([batches('win32'), batches('linux'), batches('darwin')], [['a.cmd', 'A.BAT'], [], []]);
	});

	it('is refused an argument that its shell reads in another way', () => {
		for (const argument of ['a&b', 'a|b', '%PATH%', 'a^b', '"', 'a>b', '!x!', 'a\nb', 'é']) {
			assert.throws(() => batchArgv('npm.cmd', [argument], 'cmd.exe'), { code: 'COMMAND_FAILED_TO_START' }, argument);
		}
	});

	it('gets every other argument as it is, in one line for its shell', () => {
		const { file, args } = batchArgv(String.raw`C:\Program Files\npm.cmd`, ['run', 'a b', 'c:\\x\\', ''], 'cmd.exe');
		const line = String.raw`"C:\Program Files\npm.cmd" "run" "a b" "c:\x\\" ""`;
		assert.deepEqual([file, ...args], ['cmd.exe', '/d', '/s', '/c', `"${line}"`]);
	});
});
