/** What the gate judges of a chain of commands: each command, with what is piped into it. */
import type { CommandChain } from '../../../protocol/ops/commands/shell-line.ts';
import type { Target } from '../../contract/target.ts';

type CommandTarget = Extract<Target, { kind: 'command' }>;

/** Each command, with what it would read. */
export function commandTargets(commands: CommandChain, cwd: string): CommandTarget[] {
	return pipelinesOf(commands).flatMap((pipeline) =>
		pipeline.map((argv, index) => ({
			kind: 'command' as const,
			argv,
			cwd,
			...(index === 0 ? {} : { fedBy: pipeline.slice(0, index) }),
		})),
	);
}

export type Argv = readonly string[];

/** One after the other, the commands of each in a pipe. */
export function pipelinesOf({ argv, chain = [] }: CommandChain): readonly (readonly Argv[])[] {
	const pipelines: Argv[][] = [[[...argv]]];
	for (const next of chain) {
		if (next.join === '|') {
			pipelines.at(-1)?.push([...next.argv]);
		} else {
			pipelines.push([[...next.argv]]);
		}
	}
	return pipelines;
}
