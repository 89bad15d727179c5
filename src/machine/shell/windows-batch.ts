/**
 * Windows runs `.cmd` and `.bat` files (npm, among others) only through its shell, which parses the arguments anew.
 * Only arguments that mean the same before and after are accepted.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

export function batchArgv(program: string, args: readonly string[], comspec: string): { file: string; args: string[] } {
	for (const argument of [program, ...args]) {
		if (!/^[\w@/:.,=+~\\ ()-]*$/.test(argument)) {
			const message = `cannot run ${program}: the argument ${JSON.stringify(argument)} cannot be passed safely to a batch file`;
			throw new ProwessError('COMMAND_FAILED_TO_START', message, {
				program,
				argument,
				said: text(
					'The program "{name}" was not run: the argument {argument} cannot be passed safely to a batch file.',
					{ name: program, argument: JSON.stringify(argument) },
				),
			});
		}
	}
	const quoted = [program, ...args].map((argument) => `"${argument.replace(/\\+$/, '$&$&')}"`).join(' ');
	return { file: comspec, args: ['/d', '/s', '/c', `"${quoted}"`] };
}

export function isBatchFile(path: string, platform: NodeJS.Platform = process.platform): boolean {
	return platform === 'win32' && /\.(?:cmd|bat)$/i.test(path);
}
