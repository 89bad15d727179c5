/** Counts the ordinary and the hostile commands that are asked about, at each level, in the sandbox and without it. */
import { type AllowRule, parseAllowRules } from '../../src/trust/gate/policy/rules/allow-rule.ts';
import { PERMISSION_LEVELS, type PermissionLevel } from '../../src/protocol/ops/permission-level.ts';
import type { CommandChain } from '../../src/protocol/ops/commands/command-chain.ts';
import { gateOf, readCommandCorpus } from './command-corpus.ts';
import { hostileLines } from './hostile-lines.ts';

interface Row {
	readonly commands: string;
	readonly level: PermissionLevel;
	readonly isSandboxed: boolean;
	readonly asked: number;
	readonly passed: number;
	/** Number of passed commands, by the reason that let them through. */
	readonly why: Readonly<Record<string, number>>;
}

function readableOf(name: 'hostile' | 'hostile-readings' | 'ordinary'): readonly CommandChain[] {
	return readCommandCorpus(name).flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
}

export const ordinaryCommands = readableOf('ordinary');

/** Lines that want to be run for what they reach, and lines that pass for reading. A line that needs a shell is given to one. */
export const hostileCommands: readonly CommandChain[] = [
	...hostileLines({
		home: '/home/ada',
		workspace: '/home/ada/project',
		elsewhere: '/srv/elsewhere',
		otherProject: '/home/ada/other',
		temporary: '/tmp/theirs',
		mark: 'mark',
		ports: { tcp4: 4_000 },
		sockets: { docker: '/run/docker.sock' },
		victim: { pid: 4_242 },
	}).map((argv) => ({ argv: [...argv] })),
	...readableOf('hostile-readings'),
];

/** The ordinary ones that are asked about as it comes, by what they do: none of them only reads. */
export const askedKinds = Map.groupBy(readCommandCorpus('ordinary-asked'), ({ family }) => family);

/** Counts the commands that the gate asks about and passes, and the reasons for passing. */
export function judged(
	commands: readonly CommandChain[],
	{ level, isSandboxed, rules = [] }: Pick<Row, 'level' | 'isSandboxed'> & { readonly rules?: readonly AllowRule[] },
): Pick<Row, 'asked' | 'passed' | 'why'> {
	const why: Record<string, number> = {};
	let asked = 0;
	for (const each of commands) {
		const decision = gateOf(each, rules, { level, ...(isSandboxed ? { isSandboxed } : {}) });
		if (decision.kind === 'allow') why[decision.rule] = (why[decision.rule] ?? 0) + 1;
		else asked += 1;
	}
	return { asked, passed: commands.length - asked, why };
}

/** Rules that somebody ends up with who always takes the widest one that is offered. */
export function offeredRules(): readonly AllowRule[] {
	const rules: string[] = [];
	for (const each of ordinaryCommands) {
		const decision = gateOf(each, parseAllowRules(rules), { isSandboxed: true });
		const rule = decision.kind === 'ask' ? decision.wider.at(-1) : undefined;
		if (rule !== undefined) rules.push(rule);
	}
	return parseAllowRules(rules);
}

export function commandTable(): readonly Row[] {
	const offered = offeredRules();
	const lists = [
		['ordinary', ordinaryCommands, []],
		[`ordinary, with ${offered.length} offered rules`, ordinaryCommands, offered],
		['hostile', hostileCommands, []],
		[`hostile, with ${offered.length} offered rules`, hostileCommands, offered],
	] as const;
	return lists.flatMap(([commands, list, rules]) =>
		PERMISSION_LEVELS.flatMap((level) =>
			[true, false].map((isSandboxed) => {
				const { asked, passed, why } = judged(list, { level, isSandboxed, rules });
				return { commands, level, isSandboxed, asked, passed, why };
			}),
		),
	);
}

/**
 * Returns a table of the commands of each kind that are asked about: without rules, and after the offered rules were
 * taken.
 */
export function kindsText(): string {
	const rules = offeredRules();
	const rows = [...askedKinds].map(([kind, lines]) => {
		const asked = lines.flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
		const still = judged(asked, { level: 'ask', isSandboxed: true, rules }).asked;
		return `| ${kind} | ${asked.length} | ${still} |`;
	});
	return ['| What it does | Asked as it comes | With the rules offered |', '| --- | --- | --- |', ...rows].join('\n');
}

export function tableText(rows: readonly Row[]): string {
	const lines = rows.map(({ commands, level, isSandboxed, asked, passed, why }) => {
		const reasons = Object.entries(why).map(([rule, count]) => `${rule} ${count}`);
		return `| ${commands} | ${level} | ${isSandboxed ? 'yes' : 'no'} | ${asked} | ${passed} | ${reasons.join(', ')} |`;
	});
	return [
		'| Commands | Level | Sandboxed | Asked | Passed | Why |',
		'| --- | --- | --- | --- | --- | --- |',
		...lines,
	].join('\n');
}
