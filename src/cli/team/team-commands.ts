/** `prowess team …`: a part of the table of commands. */
import type { CommandDef, OptionDef } from '../invocation/command.ts';
import { json } from '../invocation/shared-options.ts';

const addressNote =
	'Without an address: type it unseen, or read it from standard input. postgres://NAME:PASSWORD@HOST/DATABASE; see docs/team.md.';
const ofPackage = {
	package: { value: 'PACKAGE', description: 'the package of teams: its folder, its .tgz file, or NAME@VERSION of npm' },
	integrity: { value: 'SHA512', description: 'content that the package must have, as npm writes it; required for npm' },
} as const satisfies Record<string, OptionDef>;

export const teamCommands: readonly CommandDef[] = [
	{
		name: 'team init',
		summary: 'make a team in a PostgreSQL database: what it keeps its jobs in, its groups and their rights',
		operands: '[<address>]',
		operandCount: [0, 1],
		options: ofPackage,
		notes: [addressNote, 'Doing it again brings a team to this version and changes nothing else.'],
		load: async () => (await import('./team.ts')).initTeam,
	},
	{
		name: 'team join',
		summary: 'share the jobs of a team from now on',
		operands: '[<address>]',
		operandCount: [0, 1],
		options: {
			as: {
				value: 'PART',
				choices: ['member', 'worker'],
				description: 'add jobs, or also carry them out (default: member)',
			},
			...ofPackage,
		},
		notes: [addressNote],
		load: async () => (await import('./team.ts')).joinTeam,
	},
	{
		name: 'team status',
		summary: 'show the jobs of your team by state, its workers and open questions',
		operandCount: [0, 0],
		options: { json },
		load: async () => (await import('./team.ts')).showTeam,
	},
	{
		name: 'team leave',
		summary: 'forget the team, its address and its package; its jobs stay',
		operandCount: [0, 0],
		options: {},
		load: async () => (await import('./team.ts')).leaveTeam,
	},
];
