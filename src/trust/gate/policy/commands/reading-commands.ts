/**
 * Commands that do nothing but read inside the workspace, parsed whole: each flag must be in the table, each operand must be
 * what the table says there. They need no question, because the file ops would show the same without one.
 */
import { isSecretName } from '../../../../machine/paths/names/secret-names.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { splitOperandPath } from './plain-operand.ts';
import type { CommandReading } from './readings/reading.ts';
import { READINGS } from './readings/reading-table.ts';

type ReadingCommandTarget = Extract<OpTarget, { kind: 'command' }>;
type OperandForm = CommandReading['operands'][number];

/** True when the command only reads. If there is a sandbox, the command then runs where it can change nothing. */
export function isReadingCommand({
	argv,
	cwd,
	strays,
	fedBy,
	temporaries = [],
	...facts
}: ReadingCommandTarget): boolean {
	const [program = '', ...rest] = argv;
	const readings = Object.hasOwn(READINGS, program) ? (READINGS[program] ?? []) : [];
	if (strays !== undefined || facts.isInstalled !== true || facts.leavesSandbox === true) {
		return false;
	}
	if (program === 'git' && rest[0] !== '--version' && facts.isInPlainRepository !== true) {
		return false;
	}
	const isAllowedHere: { readonly [W in NonNullable<CommandReading['only']>]: boolean } = {
		fed: fedBy !== undefined,
		sandbox: facts.isSandboxed === true,
		hidden: facts.isSandboxed === true && facts.hidesSecrets === true,
	};
	return readings.some(
		(reading) =>
			(reading.only === undefined || isAllowedHere[reading.only]) &&
			isReadingMatch(reading, rest, { cwd, temporaries }),
	);
}

interface ArgumentPlaces {
	readonly cwd: string;
	readonly temporaries: readonly string[];
}

function isReadingMatch(reading: CommandReading, given: readonly string[], at: ArgumentPlaces): boolean {
	const { words = [], valued = {}, oneOf, operands, count = [0, Number.POSITIVE_INFINITY] } = reading;
	if (words.some((word, index) => word !== given[index])) {
		return false;
	}
	const rest = given.slice(words.length);
	const left: string[] = [];
	for (let index = 0; index < rest.length; index++) {
		const argument = rest[index] ?? '';
		const value = Object.hasOwn(valued, argument) ? valued[argument] : undefined;
		if (argument === '--') {
			// Words after `--` are operands, whatever they look like; an operand that looks like a flag is not plain.
			left.push(...rest.slice(index + 1));
			break;
		}
		if (value !== undefined) {
			index++;
			if (!isValue(rest[index] ?? '', value, at)) return false;
		} else if (!isReadingFlag(argument, reading, at)) {
			left.push(argument);
		}
	}
	const [least, most] = count;
	return (
		left.length >= least &&
		left.length <= most &&
		(oneOf === undefined || rest.some((argument) => oneOf.test(argument))) &&
		left.every((argument, index) => {
			const operand = operands[index] ?? operands.at(-1);
			return operand !== undefined && isPlainArgument(argument) && isValue(argument, operand, at);
		})
	);
}

function isReadingFlag(
	argument: string,
	{ flags, letters = '', valued = {} }: CommandReading,
	at: ArgumentPlaces,
): boolean {
	if (hasHiddenCharacter(argument)) {
		return false;
	}
	const isBundle =
		/^-[A-Za-z0-9.]+$/.test(argument) && [...argument.slice(1)].every((letter) => letters.includes(letter));
	return isBundle || flags?.test(argument) === true || hasOwnValue(argument, valued, at);
}

/** `-n20` is `-n 20`, and `--lines=20` is `--lines 20`. */
function hasOwnValue(argument: string, valued: NonNullable<CommandReading['valued']>, at: ArgumentPlaces): boolean {
	return Object.entries(valued).some(([flag, value]) => {
		const start = flag.startsWith('--') ? `${flag}=` : flag;
		const isSplit = flag.startsWith('--') || flag.length === 2;
		return isSplit && argument.startsWith(start) && isValue(argument.slice(start.length), value, at);
	});
}

function isValue(argument: string, value: OperandForm, { cwd, temporaries }: ArgumentPlaces): boolean {
	switch (value) {
		case 'number':
			return /^[-+]?\d+[A-Za-z]?$/.test(argument);
		case 'word':
			return isPlainArgument(argument);
		case 'path':
			return isInsideArgument(argument, cwd) || (temporaries.includes(argument) && isOrdinaryElsewhere(argument));
		case 'revision':
			return isInsideArgument(argument, cwd) && argument.split(/\.{2,3}|^\^/).every((part) => !MAYBE_FILE.test(part));
		default:
			return value.test(argument) && !hasHiddenCharacter(argument);
	}
}

/** A bare hash: it may be that of a file, which `git show` and `git diff` print whatever its name. */
const MAYBE_FILE = /^[0-9a-f]{4,64}(?:\^\{.*)?$/i;

function isPlainArgument(argument: string): boolean {
	return argument !== '' && !/^[\p{Pd}\u2212]/u.test(argument) && !hasHiddenCharacter(argument);
}

function hasHiddenCharacter(argument: string): boolean {
	return /[\p{C}\p{Zl}\p{Zp}]/u.test(argument);
}

/**
 * True when a path in the `/tmp` of the thread needs no question: it is plain, and its name is not that of a secret, as
 * in the workspace.
 */
function isOrdinaryElsewhere(path: string): boolean {
	return isPlainArgument(path) && !isSecretName(path.split('/').filter((name) => name !== ''));
}

/** `HEAD:.env` names a file, too. */
function isInsideArgument(argument: string, cwd: string): boolean {
	const base = splitOperandPath(cwd);
	return (
		isPlainArgument(argument) &&
		!/^[+@!~$%/\\]|^[A-Za-z]:|:\/\//.test(argument) &&
		[argument, ...argument.split(/[:=,]/)].every((path) => {
			const names = splitOperandPath(path);
			return !names.includes('..') && !isSecretName([...base, ...names]);
		})
	);
}
