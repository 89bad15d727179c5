/** The Python that runs workers: `python3` on the PATH, new enough, and none that lies in the workspace. */
import { execFile } from 'node:child_process';
import { join, sep } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { findProgram, isInstalledProgram } from '../../../machine/shell/find-program.ts';
import { PYTHON_PROBE_MS } from '../limits.ts';

export interface Python {
	/** Real path of the interpreter. */
	readonly file: string;
	readonly version: string;
	/** Paths that the interpreter needs to read besides itself, as in `sandbox.ts`. */
	readonly readable: readonly string[];
}

const OLDEST = [3, 9] as const;
/** Program that asks a Python about itself, with modules of its own alone. The output holds nothing else. */
const ASK =
	'import os, sys; print(os.path.realpath(sys.executable), "%d.%d.%d" % sys.version_info[:3], os.path.realpath(sys.base_prefix), sep="\\n")';

/** Rejects with NOT_AVAILABLE_HERE. `folders`: of the workspace, whose programs are not run. */
export async function findPython(
	environment: Readonly<Record<string, string | undefined>>,
	folders: readonly string[],
): Promise<Python> {
	const path = environment['PATH'] ?? '';
	const found = await findProgram('python3', '/', { PATH: path }).catch(() => undefined);
	if (found === undefined) {
		throw notHere(`python3 was not found on the PATH ${path}`);
	}
	if (!(await isInstalledProgram(found, { workspace: folders, isSandboxed: true }))) {
		throw notHere(`${found} lies in the workspace, and a workspace does not choose what runs`);
	}
	const [file, version, prefix] = await probePython(found);
	const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
	if (file === undefined || prefix === undefined || major !== OLDEST[0] || minor < OLDEST[1]) {
		throw notHere(`${found} is Python ${version ?? 'of an unknown version'}, and ${OLDEST.join('.')} is needed`);
	}
	const isUsual = prefix === '/usr' || prefix.startsWith('/usr/');
	return { file, version: version ?? '', readable: isUsual || prefix === sep ? [] : [join(prefix, '*')] };
}

function probePython(file: string): Promise<readonly (string | undefined)[]> {
	return new Promise((resolve) => {
		execFile(
			file,
			['-I', '-S', '-c', ASK],
			{ cwd: '/', env: {}, timeout: PYTHON_PROBE_MS, windowsHide: true },
			(error, stdout) => resolve(error === null ? stdout.split('\n') : []),
		);
	});
}

function notHere(why: string): ProwessError {
	return new ProwessError('NOT_AVAILABLE_HERE', `a Python worker cannot run here: ${why}`, {
		program: 'python3',
		said: text('A Python worker cannot run here: {why}', { why }),
	});
}
