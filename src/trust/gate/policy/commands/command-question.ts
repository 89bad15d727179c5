/**
 * The question about commands. In their sandbox they are inside the workspace as a change of a file is; what they need
 * beyond it is asked by name, and what runs without one is judged by its words.
 */
import { text } from '../../../../protocol/text/text.ts';
import type { Caller } from '../../../../contract/ops/caller.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { runsOtherPrograms } from './indirect-commands.ts';
import type { AutomaticFrom, GateQuestion } from '../question.ts';
import { isReadingCommand } from './reading-commands.ts';
import { assessTargets } from './risk-assessor.ts';

type StreamFileTarget = Extract<OpTarget, { kind: 'file' }>;
export type CommandTarget = Extract<OpTarget, { kind: 'command' }>;

/** True when the command needs no question at the level `auto`: its sandbox keeps it in, or it only reads inside. */
export function isKeptInside(command: CommandTarget): boolean {
	return isKeptByWall(command) || isReadingCommand(command);
}

/** True when a sandbox keeps it in that guards all secret and protected files of the workspace. */
export function isKeptByWall({ isSandboxed, isGuardedInPart }: CommandTarget): boolean {
	return isSandboxed === true && isGuardedInPart !== true;
}

/** Level from which an ordinary file is written through a stream unasked: as by the file ops, as long as undo brings it back. */
export function writesFrom({ hasNoUndo = false }: StreamFileTarget): 'edit' | 'auto' {
	return hasNoUndo ? 'auto' : 'edit';
}

/**
 * True when a command needs no question because it only reads. Commands of a capability do not qualify: they were not
 * chosen in this thread.
 */
export function readsUnasked(command: CommandTarget, caller: Caller): boolean {
	return caller.kind !== 'execution' && isReadingCommand(command);
}

/** True when the command leaves the sandbox that it would have, or names without one what is outside, secret or protected. */
function reachesBeyond({ isSandboxed, leavesSandbox, strays = [] }: CommandTarget): boolean {
	return isSandboxed !== true && (leavesSandbox === true || strays.length > 0);
}

/** Each of several commands is judged, with what they need beyond their sandbox, and the strictest speaks. */
export function questionOfCommands(
	commands: readonly CommandTarget[],
	targets: readonly OpTarget[],
	caller: Caller,
): GateQuestion {
	const [target] = commands;
	const isSandboxed = commands.every(isKeptByWall);
	const isInPart = commands.some(({ isGuardedInPart }) => isGuardedInPart === true);
	// The consent to a capability does not cover what its commands can do beyond a sandbox.
	const unbound: AutomaticFrom = caller.kind === 'execution' ? 'never' : 'full';
	// A command flagged as dangerous is answered once, each time, by a person or by a rule that names its exact words.
	const assessment = assessTargets(commands);
	const danger = assessment.level === 'high' ? ({ isDangerous: true, grants: false } as const) : {};
	const isBeyond = assessment.isBeyond || commands.some(reachesBeyond);
	const beyond = questionOfNeeds(targets, unbound);
	if (beyond !== undefined) {
		return { ...beyond, ...danger };
	}
	const writes = targets.filter((each): each is StreamFileTarget => each.kind === 'file' && each.access === 'write');
	const [written] = writes;
	if (commands.every((command) => readsUnasked(command, caller))) {
		if (written !== undefined) {
			const reason = text('Changing files needs your approval.');
			const automatic = writes.some((each) => writesFrom(each) === 'auto') ? 'auto' : 'edit';
			return {
				rule: 'writes',
				reason,
				target: written,
				rules: true,
				grants: true,
				automatic,
				always: false,
				isUsual: true,
				...danger,
			};
		}
		const reason = text('It only reads.');
		return { rule: 'reads', reason, target, rules: false, grants: false, automatic: 'ask', always: false };
	}
	const fed = isSandboxed
		? undefined
		: commands.find(({ argv, fedBy }) => fedBy !== undefined && runsOtherPrograms(argv));
	if (fed !== undefined) {
		const program = fed.argv[0] ?? '';
		const reason = text('"{program}" would run what is piped into it, so no rule can allow it.', { program });
		const answers = { rules: false, grants: true, automatic: unbound, isDangerous: true, always: false } as const;
		return { rule: 'piped-program', reason, target: fed, ...answers, ...danger };
	}
	const isIndirect = !isSandboxed && commands.some(({ argv }) => runsOtherPrograms(argv));
	const reason = isInPart
		? text('The workspace holds more than can be guarded, so commands need your approval.')
		: isIndirect
			? text('This program can run other programs, so a rule can allow this exact command only.')
			: text('Running commands needs your approval.');
	const isOpen = caller.kind === 'execution' ? !isSandboxed : !commands.every(isKeptInside);
	return {
		rule: 'commands',
		reason,
		target,
		rules: true,
		grants: true,
		automatic: isOpen ? unbound : 'auto',
		// A rule for these words would not cover what only a link shows.
		always:
			!targets.some(({ kind }) => kind === 'file') &&
			!commands.some(({ strays = [] }) => strays.some(({ isByLink }) => isByLink)),
		...(isInPart || isIndirect ? {} : { isUsual: true as const }),
		...(isBeyond ? { isBeyond: true as const } : {}),
		...danger,
	};
}

/** No rule stands for a need: it was never agreed to for every command that may ask for it. */
function questionOfNeeds(targets: readonly OpTarget[], unbound: AutomaticFrom): GateQuestion | undefined {
	const paths = targets.filter((each) => each.kind === 'beyond');
	const path = paths.find(({ isSecret, isProtected }) => isSecret || isProtected) ?? paths[0];
	if (path !== undefined) {
		const isRead = path.access === 'read';
		const reason =
			path.isStream === true
				? isRead
					? text('It would read "{path}", outside the workspace.', { path: path.path })
					: text('It would change "{path}", outside the workspace.', { path: path.path })
				: isRead
					? text('It would read "{path}", which its sandbox hides.', { path: path.path })
					: text('It would change "{path}", which its sandbox protects.', { path: path.path });
		const automatic = path.isSecret || path.isProtected ? 'never' : unbound;
		const answers = { rules: false, grants: !path.isProtected, automatic, always: false, isBeyond: true } as const;
		return { rule: 'beyond-sandbox', reason, target: path, ...answers };
	}
	const host = targets.find((each) => each.kind === 'host');
	if (host !== undefined) {
		const reason = text('It would connect to {host}, which its sandbox does not allow.', { host: host.host });
		const answers = { rules: false, grants: true, automatic: unbound, always: false, isBeyond: true } as const;
		return { rule: 'beyond-sandbox', reason, target: host, ...answers };
	}
	return undefined;
}
