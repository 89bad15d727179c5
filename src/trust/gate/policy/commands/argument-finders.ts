/** Finders of arguments: what a table of commands is written with. */

/** Gives the words that were looked for, by their index among the arguments; undefined: they are not there. */
export type Find = (args: readonly string[]) => readonly number[] | undefined;

export const always: Find = () => [];

/** Finds any of the flags: letters written alone or together with others, and long names. */
export function flag(letters: string, ...names: readonly string[]): Find {
	return each(
		(arg) =>
			(/^-[A-Za-z]+$/.test(arg) && [...letters].some((letter) => arg.includes(letter))) ||
			names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))),
	);
}

/** Each argument of that form. */
export function like(pattern: RegExp): Find {
	return each((arg) => pattern.test(arg));
}

export const operand: Find = each((arg) => !arg.startsWith('-'));

export function each(isOne: (arg: string, index: number) => boolean): Find {
	return (args) => {
		const found = args.flatMap((arg, index) => (isOne(arg, index) ? [index] : []));
		return found.length === 0 ? undefined : found;
	};
}

/** Limits `find` to arguments that satisfy `isSo` as a whole. */
export function where(isSo: (args: readonly string[]) => boolean, find: Find): Find {
	return (args) => (isSo(args) ? find(args) : undefined);
}

/** Limits `find` to arguments that do not satisfy `isSo` as a whole. */
export function unless(isSo: (args: readonly string[]) => boolean, find: Find): Find {
	return where((args) => !isSo(args), find);
}

/** The first operands are these words, each one of several; what follows them is looked at by `then`. */
export function word(words: readonly string[], then: Find = always): Find {
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

export function either(...finds: readonly Find[]): Find {
	return (args) => {
		const found = finds.flatMap((find) => find(args) ?? []);
		return found.length === 0 && finds.every((find) => find(args) === undefined) ? undefined : found;
	};
}

/** Flags of git before its subcommand whose value is the next word. */
const GIT_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/** The subcommand, whatever flags stand before it. */
export function git(subcommands: string, find: Find = always): Find {
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
