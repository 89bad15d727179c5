/** The commands under test/fixtures/commands: a line each, as a JSON list of words or as people write it in a shell. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandTargets } from '../../src/trust/gate/targets.ts';
import type { Caller } from '../../src/contract/ops/caller.ts';
import type { OpTarget } from '../../src/contract/ops/target.ts';
import { isProtectedName } from '../../src/machine/paths/names/protected-names.ts';
import { isSecretName } from '../../src/machine/paths/names/secret-names.ts';
import type { AllowRule } from '../../src/trust/gate/policy/rules/allow-rule.ts';
import { decideOp } from '../../src/trust/gate/policy/gate.ts';
import type { GateDecision } from '../../src/trust/gate/policy/gate-decision.ts';
import { NO_STRICT_RULES, type StrictRules } from '../../src/trust/gate/policy/rules/strict-rule.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { PermissionLevel } from '../../src/protocol/ops/permission-level.ts';
import { ops } from '../../src/protocol/op-table/ops.ts';
import { readShellLine } from '../../src/protocol/ops/commands/read-shell-line.ts';
import { type CommandChain, listChainCommands } from '../../src/protocol/ops/commands/command-chain.ts';
import { listRedirectFiles, isElsewhere, isTemporary } from '../../src/protocol/ops/commands/redirect.ts';
import { below, pick } from './seeded.ts';

interface CorpusCommand {
	readonly family: string;
	/** Line as the file has it. */
	readonly line: string;
	/** Form in which the line is asked for; undefined when it needs a shell, so that it cannot be asked for at all. */
	readonly commands: CommandChain | undefined;
}

export function readCommandCorpus(
	name: 'hostile' | 'hostile-readings' | 'ordinary' | 'ordinary-asked',
): CorpusCommand[] {
	const text = readFileSync(join(import.meta.dirname, `../fixtures/commands/${name}.txt`), 'utf8');
	// An ordinary line that needs a shell is given one, as a well-meaning author would; a hostile line is not.
	const isOrdinary = name.startsWith('ordinary');
	let family = '';
	return text.split('\n').flatMap((line) => {
		if (line.startsWith('# ')) {
			family = line.slice(2).split(':')[0] ?? '';
			return [];
		}
		return line === ''
			? []
			: [{ family, line, commands: readLine(line) ?? (isOrdinary ? { argv: ['sh', '-c', line] } : undefined) }];
	});
}

/** Commands that do what a rule refuses, in other words; each with the rule. */
export function readEvasions(): readonly {
	readonly rule: string;
	readonly line: string;
	readonly commands: CommandChain;
}[] {
	const text = readFileSync(join(import.meta.dirname, '../fixtures/commands/evasions.txt'), 'utf8');
	let rule = '';
	return text.split('\n').flatMap((line) => {
		if (line.startsWith('# ')) {
			rule = line.slice(line.indexOf(': ') + 2);
			return [];
		}
		return line === '' ? [] : [{ rule, line, commands: { argv: wordsOfShell(line) } }];
	});
}

/** Words as they are typed, with double quotes around those that hold blanks. */
function wordsOfShell(line: string): string[] {
	return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
		quoted === undefined ? (bare ?? '') : quoted.replaceAll('\\"', '"'),
	);
}

function readLine(line: string): CommandChain | undefined {
	const written: unknown = /^["[]/.test(line) ? JSON.parse(line) : line;
	const read = typeof written === 'string' ? readShellLine(written) : { argv: written as string[] };
	// Skips lines with wildcards: only a disk can tell which paths they stand for.
	return read === undefined || listChainCommands(read).some(({ patterns }) => patterns !== undefined)
		? undefined
		: read;
}

/** Wider than anybody should keep, and what people do keep: everything of a program, for many programs. */
export const wideRules: readonly string[] = (
	'git,ls,cat,head,tail,wc,grep,rg,find,fd,sort,uniq,cut,tr,diff,file,stat,tree,echo,which,date,jq,tar,zip,unzip,du,df,' +
	'make,cargo,go,pytest,eslint,prettier,tsc,mocha,jest,vitest,gcc,clang,cp,mv,rm,mkdir,touch,tee,ln,split,tests,' +
	'sh,bash,node,python,python3,env,xargs,sed,awk,sudo,ssh,curl,wget,npx,docker,perl,timeout,man,less,vim,' +
	'npm,npm run,npm test,npm ls,npm exec,go test,go vet,cargo test,cargo check,git status,git diff,git log,git show,git branch'
)
	.split(',')
	.map((program) => `shell.run ${program} *`)
	.concat(['shell.run npm test', 'shell.run pwd']);

const agent: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };

interface GateOptions {
	readonly level?: PermissionLevel;
	readonly isSandboxed?: true;
	readonly strict?: StrictRules;
}

/** Returns the gate's decision on commands that the agent asks for in a trusted workspace, with exactly these rules. */
export function gateOf(
	commands: CommandChain,
	rules: readonly AllowRule[],
	{ level = 'ask', isSandboxed, strict = NO_STRICT_RULES }: GateOptions = {},
): GateDecision {
	const commandsFound = commandTargets(commands, '.').map((target) => {
		const [program = ''] = target.argv;
		const found = {
			...target,
			isInPlainRepository: true as const,
			...(/[\\/]/.test(program) ? {} : { isInstalled: true as const }),
		};
		return isSandboxed === undefined ? found : { ...found, isSandboxed, hidesSecrets: true as const };
	});
	const targets = [...commandsFound, ...fileTargets(commands, isSandboxed === true)];
	return decideOp({
		...{ op: 'shell.run', def: ops['shell.run'], caller: agent, targets },
		...{ mode: 'ask', level, rules, strict, hasSeveralFolders: false },
		isGranted: () => false,
	});
}

/** Files behind `<` and `>`, as they are known by their names; each of the workspace could be brought back by undo. */
function fileTargets(commands: CommandChain, isSandboxed: boolean): OpTarget[] {
	return listRedirectFiles(listChainCommands(commands).flatMap(({ redirects = [] }) => redirects)).flatMap(
		({ path, mode }): OpTarget[] => {
			const segments = path.split('/').filter((name) => name !== '' && name !== '.');
			const access = mode === 'read' ? 'read' : 'write';
			const known = { access, path, isSecret: isSecretName(segments), isProtected: isProtectedName(segments) } as const;
			if (isElsewhere(path)) {
				// In its sandbox the command has a `/tmp` of its own, of which nothing reaches the machine.
				return isSandboxed && isTemporary(path) ? [] : [{ kind: 'beyond', ...known, isStream: true }];
			}
			return [{ kind: 'file', absolutePath: `/w/${path}`, ...known }];
		},
	);
}

/** Changes that leave what is wrong with a command in it. */
export function mutate({ argv, redirects, chain = [] }: CommandChain, random: () => number): CommandChain {
	const [program = '', ...rest] = argv;
	const at = below(random, rest.length + 1);
	const word = pick(random, ['src', 'a.txt', '--', '-v', '--color', 'x y', '', '*', '😀', 'HEAD', '.']);
	const inserted = { argv: [program, ...rest.slice(0, at), word, ...rest.slice(at)], redirects, chain };
	switch (below(random, 8)) {
		case 0:
			return { argv: [`${pick(random, ['./', '/usr/bin/', '/tmp/', '../'])}${program}`, ...rest], redirects, chain };
		case 1:
			return { argv: [program.toUpperCase(), ...rest], redirects, chain };
		case 2:
			return { argv: [`${program}${pick(random, ['.exe', '.cmd', '3.12', '-20'])}`, ...rest], redirects, chain };
		case 3:
			return {
				argv: [...pick(random, [['env'], ['sudo'], ['timeout', '5'], ['nohup'], ['npx'], ['xargs']]), ...argv],
				redirects,
				chain,
			};
		case 4:
			return { argv: ['ls'], chain: [{ join: pick(random, ['|', '&&']), argv, redirects }, ...chain] };
		case 5:
			return { argv, redirects, chain: [...chain, { join: pick(random, ['|', '&&']), argv: ['wc', word] }] };
		case 6: {
			const mark = pick(random, ['\u200B', '\u202E', '\u2028', '\n', '\u001B[2K', '\0']);
			return { argv: argv.map((each, index) => (index === at ? `${each}${mark}` : each)), redirects, chain };
		}
		default:
			return inserted;
	}
}
