/** Finders of arguments: what a table of commands is written with. */

/** Gives the words that were looked for, by their index among the arguments; undefined: they are not there. */
export type Find = (args: readonly string[]) => readonly number[] | undefined;

export const always: Find = () => [];

/** Finds any of the flags: letters written alone or together with others, and long names. */
export function findFlag(letters: string, ...names: readonly string[]): Find {
	return findEach(
		(arg) =>
			(/^-[A-Za-z]+$/.test(arg) && [...letters].some((letter) => arg.includes(letter))) ||
			names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))),
	);
}

/** Each argument of that form. */
export function findLike(pattern: RegExp): Find {
	return findEach((arg) => pattern.test(arg));
}

export const operand: Find = findEach((arg) => !arg.startsWith('-'));

export function findEach(isOne: (arg: string, index: number) => boolean): Find {
	return (args) => {
		const found = args.flatMap((arg, index) => (isOne(arg, index) ? [index] : []));
		return found.length === 0 ? undefined : found;
	};
}

/** Limits `find` to arguments that satisfy `isSo` as a whole. */
export function findWhere(isSo: (args: readonly string[]) => boolean, find: Find): Find {
	return (args) => (isSo(args) ? find(args) : undefined);
}

/** Limits `find` to arguments that do not satisfy `isSo` as a whole. */
export function findUnless(isSo: (args: readonly string[]) => boolean, find: Find): Find {
	return findWhere((args) => !isSo(args), find);
}

/** The first operands are these words, each one of several; what follows them is looked at by `then`. */
export function findWords(words: readonly string[], then: Find = always): Find {
	return (args) => {
		const at: number[] = [];
		for (const wanted of words) {
			const index = args.findIndex((arg, each) => each > (at.at(-1) ?? -1) && !arg.startsWith('-'));
			if (index === -1 || !wanted.split('|').includes(args[index]?.toLowerCase() ?? '')) {
				return undefined;
			}
			at.push(index);
		}
		const from = (at.at(-1) ?? -1) + 1;
		const found = then(args.slice(from));
		return found && [...at, ...found.map((index) => index + from)];
	};
}

export function findEither(...finds: readonly Find[]): Find {
	return (args) => {
		const found = finds.flatMap((find) => find(args) ?? []);
		return found.length === 0 && finds.every((find) => find(args) === undefined) ? undefined : found;
	};
}

/** Flags of git before its subcommand whose value is the next word. */
const GIT_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/** The subcommand, whatever flags stand before it. */
export function findGit(subcommands: string, find: Find = always): Find {
	return (args) => {
		let at = 0;
		while (args[at]?.startsWith('-') === true) {
			at += GIT_VALUED.has(args[at] ?? '') ? 2 : 1;
		}
		if (!subcommands.split('|').includes(args[at] ?? '')) {
			return undefined;
		}
		const found = find(args.slice(at + 1));
		return found && [at, ...found.map((index) => index + at + 1)];
	};
}
