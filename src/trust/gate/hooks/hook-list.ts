/** `prowess.hooks` as it is meant: programs of the user that are told of ops, and which of them before the op. */
import { canonicalOp } from '../../../protocol/op-table/ops.ts';
import type { Settings } from '../../../protocol/settings/settings.ts';
import { opCoversAct, opPatternProblem } from '../policy/rules/strict-rule.ts';
import type { SettingsPort } from '../../../contract/ports/ports.ts';

export interface Hook {
	readonly when: 'before' | 'after';
	/** `fs.write`, `fs.*` or `*`. */
	readonly ops: string;
	/** A program and its arguments; no shell. */
	readonly run: readonly [program: string, ...args: string[]];
	/** In the sandbox of commands where one works, else as the user; only in it; or always as the user. */
	readonly sandbox: 'where it works' | 'only' | 'never';
	/** Hosts and paths that the hook can reach from its sandbox. */
	readonly needs: Readonly<Record<'network' | 'read' | 'write', readonly string[]>>;
}

interface HookList {
	readonly hooks: readonly Hook[];
	/** Descriptions of the entries that could not be read. */
	readonly problems: readonly string[];
}

type HookEntries = Settings['prowess.hooks'];

/** Settings are replaced, never changed, so a list that was read once need not be read again. */
const parsedHookLists = new WeakMap<HookEntries, HookList>();

/** With what is wrong about the setting itself: what the user's hooks would have refused is not known then. */
export function hookList({ current, problems }: Pick<SettingsPort, 'current' | 'problems'>): HookList {
	const list = parseHookEntries(current['prowess.hooks']);
	const unread = problems.filter(({ name }) => name === 'prowess.hooks').map(({ fault }) => fault);
	return unread.length === 0 ? list : { hooks: list.hooks, problems: [...unread, ...list.problems] };
}

export function hooksOn({ hooks }: HookList, when: Hook['when'], op: string): Hook[] {
	return hooks.filter((hook) => hook.when === when && opCoversAct(hook.ops, canonicalOp(op)));
}

function parseHookEntries(entries: HookEntries): HookList {
	const before = parsedHookLists.get(entries);
	if (before !== undefined) {
		return before;
	}
	const all = entries.map((entry, index) => parseUserHook(entry, `prowess.hooks, entry ${index + 1}`));
	const list = {
		hooks: all.filter((each) => typeof each !== 'string'),
		problems: all.filter((each) => typeof each === 'string'),
	};
	parsedHookLists.set(entries, list);
	return list;
}

/** The hook, or in words why it is none. */
function parseUserHook(
	{ when, ops = '*', run, sandbox, needs = {} }: HookEntries[number],
	where: string,
): Hook | string {
	const [program, ...args] = run;
	if (when !== 'before' && when !== 'after') {
		return `${where}: "when" is "${when}"; write "before" or "after"`;
	}
	if (program === undefined || program === '') {
		return `${where}: "run" names no program; write e.g. ["node", "/home/me/guard.mjs"]`;
	}
	const problem = opPatternProblem(ops);
	if (problem !== undefined) {
		return `${where}: "ops": ${problem}`;
	}
	const { network = [], read = [], write = [] } = needs;
	return {
		when,
		ops: canonicalOp(ops),
		run: [program, ...args],
		sandbox: sandbox === undefined ? 'where it works' : sandbox ? 'only' : 'never',
		needs: { network: network.map((host) => host.toLowerCase()), read, write },
	};
}
