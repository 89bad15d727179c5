/** Where things are: our home, our built files, and the places where ripgrep may be. No disk is touched here. */
import { userHomeFolder } from '../../machine/environment.ts';
import { isAbsolute, join, posix, win32 } from 'node:path';

/** `PROWESS_HOME` counts only as an absolute path: a relative one would let the working folder choose it. */
export function homePlace(environment: Readonly<Record<string, string | undefined>>): string {
	const named = environment['PROWESS_HOME'];
	return named !== undefined && isAbsolute(named) ? named : join(userHomeFolder(), '.prowess');
}

interface RipgrepPlaces {
	/** The setting; empty: none. */
	readonly setting: string;
	/** VS Code's own installation. */
	readonly appRoot: string;
	/** `PATH`. */
	readonly path: string;
	readonly platform: string;
	readonly arch: string;
}

/** Best first. VS Code moved its ripgrep in 1.122; on the desktop it lies beside the archive of modules. */
export function ripgrepCandidates({ setting, appRoot, path, platform, arch }: RipgrepPlaces): string[] {
	const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
	const program = platform === 'win32' ? 'rg.exe' : 'rg';
	const modules = ['node_modules', 'node_modules.asar.unpacked'];
	const packages = [
		join('@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`),
		join('@vscode', 'ripgrep', 'bin'),
	];
	const editors = modules.flatMap((folder) => packages.map((inside) => join(appRoot, folder, inside, program)));
	// A relative entry of PATH would let the workspace bring its own program.
	const onPath = path
		.split(delimiter)
		.filter((folder) => isAbsolute(folder))
		.map((folder) => join(folder, program));
	return [...(isAbsolute(setting) ? [setting] : []), ...editors, ...new Set(onPath)];
}
