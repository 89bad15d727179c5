/** A word of a command that a rule may cover without naming it. */
import { protectedKind } from '../../../../machine/paths/names/protected-names.ts';
import { isSecretName } from '../../../../machine/paths/names/secret-names.ts';

/** True when a word names neither an option nor anything that the file ops would not pass without a question. */
export function isPlainOperand(argument: string, cwd: string): boolean {
	if (argument === '' || /^[-+@!~/\\]|^[A-Za-z]:[/\\]|^[A-Za-z_][\w.]*=|[\p{C}\p{Zl}\p{Zp}]/u.test(argument)) {
		return false;
	}
	// `HEAD:.env` names a file, too.
	return [argument, ...argument.split(/[:=,]/)].every((path) => {
		const names = splitOperandPath(path);
		const all = [...splitOperandPath(cwd), ...names];
		return !names.includes('..') && !isSecretName(all) && !steersWhatRuns(all);
	});
}

/** Instructions run nothing, and a rule covers further operands in the sandbox only, which keeps them read-only. */
function steersWhatRuns(segments: readonly string[]): boolean {
	const kind = protectedKind(segments);
	return kind !== undefined && kind !== 'instructions';
}

export function splitOperandPath(path: string): string[] {
	return path.split(/[/\\]/).filter((name) => name !== '' && name !== '.');
}
