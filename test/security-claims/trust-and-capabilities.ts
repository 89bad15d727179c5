/** Claims of docs/security.md about trust, and about capabilities: their consent, permissions, process and channel. */
import type { Claim } from './claim.ts';

const base = 'test/integration/approvals/broker-trusted-base.test.ts';
const arrows = 'test/arrows.test.ts';
const gate = 'src/trust/gate/policy/gate.test.ts';
const hidden = 'test/integration/cli/cli-hidden-text.test.ts';
const usage = 'test/integration/cli/cli-usage.test.ts';
const turns = 'test/transcripts/turns.test.ts';
const models = 'test/integration/capabilities/capability-models.test.ts';
const executors = 'test/integration/executions/executors.test.ts';
const codebolt = 'test/integration/executions/codebolt-programs.test.ts';
const channels = 'test/integration/executions/executor-channels.test.ts';
const marketplace = 'src/catalog/marketplace/marketplace.test.ts';
const registry = 'src/catalog/registry/capability-registry.test.ts';
const manager = 'test/integration/capabilities/capability-manager.test.ts';
const trust = 'test/integration/capabilities/capability-trust.test.ts';
const ops = 'test/integration/capabilities/capability-ops.test.ts';
const consent = 'test/webview/consent.test.ts';
const permissions = 'src/trust/gate/policy/executions/execution-permissions.test.ts';
const allowedTools = 'src/trust/gate/policy/rules/allowed-tools.test.ts';
const loadedUnit = 'src/trust/gate/policy/executions/loaded-skills.test.ts';
const loaded = 'test/integration/capabilities/loaded-skills.test.ts';
const threadTools = 'test/integration/approvals/thread-tools.test.ts';
const threadToolsUnit = 'src/trust/gate/policy/levels/thread-tools.test.ts';
const written = 'test/integration/capabilities/written-skills.test.ts';
const providers = 'test/integration/capabilities/capability-providers.test.ts';
const workers = 'test/integration/executions/workers.test.ts';
const limits = 'test/integration/executions/executor-limits.test.ts';
const walls = 'test/integration/sandbox/sandbox.test.ts';

export const trustAndCapabilityClaims: readonly Claim[] = [
	// Trust
	{
		says: 'Its only effects are model calls and its store.',
		provenBy: [[arrows, 'leave direct effects to the named files, says the lint']],
	},
	{
		says: 'The connection identifies the caller; a "level", "caller" or permission list in a request is ignored.',
		provenBy: [
			[base, 'decides the same for a request that claims to be somebody else'],
			[executors, 'is asked for nothing when its caller says who it is: the connection does'],
		],
	},
	{
		says: 'Nothing it says widens what is allowed.',
		provenBy: [
			[models, 'is held to it by the host, whatever a captured server asks for'],
			[hidden, 'reach the model only as escapes, whatever they come from'],
		],
	},
	{
		says: '**Before you trust a workspace**, the agent reads, changes and runs nothing in it.',
		provenBy: [
			[gate, 'refuses ${op} in a workspace that is not trusted, unless it only speaks with the user'],
			[turns, 'asks and sends nothing before the workspace is trusted'],
			[usage, 'reads, starts and sends nothing in a folder that is not trusted, and says how to trust it'],
		],
	},
	// Capabilities
	{
		says: 'Each execution runs in its own process and asks the broker for every effect, like the agent.',
		provenBy: [
			[executors, 'has its intent recorded before it exists, and one outcome after'],
			[
				'test/integration/capabilities/capability-run.test.ts',
				'gives a capability the ops it may use, refuses the others, and records',
			],
		],
	},
	{
		says: 'A package is checked before anything is written, is disabled at first, and must match its index',
		provenBy: [
			[
				marketplace,
				'puts the capability in its place, switched off, with a lock file, and records it before and after',
			],
			[marketplace, 'refuses what is not what was shown'],
		],
	},
	{
		says: '**Consent** covers a content under its name: one changed byte makes another capability.',
		provenBy: [[manager, 'asks no more for a content that was agreed to for always, and again for any other byte']],
	},
	{
		says: 'once for all simultaneous starts',
		provenBy: [
			[trust, 'is asked for once, and counts for both'],
			[trust, 'is not given by a yes to one start'],
			[trust, 'is asked for again after it was taken back, and for any other content'],
			[trust, 'runs nothing, is recorded, and lets it run without another question'],
		],
	},
	{
		says: 'For a capability of the project that you write, you can choose _Run while I work on it_ instead.',
		provenBy: [
			[
				trust,
				'may be for what the user makes of it while they work on it, in their own runs and for no more than it asked',
			],
			[
				trust,
				'for work does not hold while a command runs, and ends when an agent changes its files and when it is taken back',
			],
			[trust, 'for work is not offered for what a person must answer each time, nor without walls'],
		],
	},
	{
		says: 'A program written for Codebolt runs in the process of our adapter and connects within that process: no port is open.',
		provenBy: [
			[codebolt, 'reads, writes and runs commands as its own user allows, each an op of its execution'],
			[codebolt, 'is refused whatever else it calls, by name and in the form that it waits for, a hundred times over'],
			[codebolt, 'ends with what it did wrong, and the host goes on'],
		],
	},
	{
		says: 'The request shows the permissions, each entry of `allowed-tools`, and what is not enforced.',
		provenBy: [
			[consent, 'says what it may do before anything else, and shows its hash on demand only'],
			[allowedTools, 'are kept in their own words'],
		],
	},
	{
		says: 'Where a level needs a person (RESTRICTED without a sandbox, PRIVILEGED), or a third-party executor runs them',
		provenBy: [
			[manager, 'is never so free as to run without a person what needs a sandbox that is not there'],
			[
				'test/integration/capabilities/registry-runs.test.ts',
				'is run by an executor of the project, from a copy, after a yes to both',
			],
		],
	},
	{
		says: 'The capability runs from a read-only copy of exactly those files.',
		provenBy: [[manager, 'makes a copy anew that somebody has changed']],
	},
	{
		says: "A workspace's capabilities are not even listed before you trust the workspace. Links in them are refused.",
		provenBy: [
			[registry, 'nothing of a workspace before it is trusted, and all of it at once after that'],
			[manager, 'refuses a capability that holds a link'],
		],
	},
	{
		says: '**Permissions** are level ∩ manifest ∩ your consent ∩ those of the starting execution ∩ trust, computed once.',
		provenBy: [
			[permissions, 'are those that its level, manifest, grant, parent and trust all give'],
			[ops, 'is refused an op above its level, and above that of the one that started it'],
			[gate, 'hands a secret out to a running capability only, asking each time whatever the rules say'],
		],
	},
	{
		says: '**Allowed tools**: `allowed-tools` of a skill answers for you after you consented to its content in person.',
		provenBy: [
			[written, 'is allowed nothing beforehand where no person agreed to it'],
			[written, 'is asked for what its allowed-tools do not name, and for what looks dangerous'],
			[written, 'is refused what a rule of the user refuses, whatever its allowed-tools name'],
			[allowedTools, 'allow nothing that those do not, which the execution lies in'],
		],
	},
	{
		says: '**Instructions for the thread**: a skill that is only a `SKILL.md` reaches the agent after consent to its content.',
		provenBy: [
			[loaded, 'tells nothing of its text where nobody can agree to it'],
			[loaded, 'has its instructions followed in the thread: its files are read and its scripts run from a copy'],
		],
	},
	{
		says: 'The agent may then read the copy of its files, and nothing beside it; `allowed-tools` holds until the end of that turn.',
		provenBy: [
			[loaded, 'gives the agent no file beyond its own'],
			[loaded, 'runs without a question only what its allowed-tools name'],
			[loadedUnit, 'allow nothing beforehand in another turn'],
		],
	},
	{
		says: '**Required tools**: a skill that names them takes the others from the thread until your next message.',
		provenBy: [
			[threadTools, 'changes and runs nothing else, whoever asks in whichever turn, and each refusal is recorded'],
			[loaded, 'takes the other tools from its thread until the next message, also when all processes were killed'],
			['test/integration/approvals/lying-server.test.ts', 'gives no tool back that a skill has taken from the thread'],
		],
	},
	{
		says: 'Only your answer or your own words give a tool back through another skill.',
		provenBy: [
			[threadTools, 'follows another skill, which gives nothing back unless the user says so'],
			[threadTools, 'asks the user about a skill that would give it tools back, also where its content was agreed to'],
			[threadToolsUnit, 'are those that only read while the file is damaged, which is not lost'],
		],
	},
	{
		says: '**Models**: with the permission `llm`, a capability may send the connected model what it can read',
		provenBy: [
			[models, 'is refused without the permission, and nothing is sent'],
			[models, 'is stopped at its budget of requests, with the name of the setting'],
			[models, 'gets nothing done that it may not do itself'],
			[permissions, 'of a talent let it change nothing, whatever it asks for and at whatever level'],
		],
	},
	{
		says: "**In a model's place**, a capability answers others only if your own settings name it.",
		provenBy: [
			[providers, 'when only the one who asks names it, and the user has not'],
			[providers, 'gets no secret, and lets none out'],
			[providers, 'has its own rights: neither those of the one who asks nor only those'],
			[providers, 'is told the params and nothing of the thread; the ledger says who answered whom'],
		],
	},
	{
		says: 'It can never become a command, a link in a notification, or a line of an approval.',
		provenBy: [
			[consent, 'runs and requests nothing, whatever the capability says of itself'],
			['src/extension/notices/notice-text.test.ts', 'is no link: ${text.slice(0, 40)}'],
			['src/extension/capabilities/texts/value-texts.test.ts', 'makes no link, heading, cell or tag of its own'],
		],
	},
	{
		says: "The host reads IPC messages itself, because Node's reader ends its process at a line that is not JSON.",
		provenBy: [[channels, 'that writes ${what} past Node loses its process, and the host goes on (R-09)']],
	},
	{
		says: 'Calls share it only if content, rights and thread are the same.',
		provenBy: [
			[workers, 'is not shared with calls of another thread, or of other rights'],
			[workers, 'starts anew when a byte of the skill has changed'],
		],
	},
	{
		says: 'The host goes by its own record of a call, never by what a line says it may do.',
		provenBy: [[workers, 'gets the right of no line: what a call may do is in the record of the host']],
	},
	{
		says: 'A line that breaks a rule ends the process with all its calls, and is recorded.',
		provenBy: [[workers, 'is ended by a line that ${what}, which is recorded']],
	},
	{
		says: 'use more than 1 GiB of memory, run more than 64 processes or have more than 10,000 files open',
		provenBy: [
			[limits, 'is ended with all that it has forked'],
			[limits, 'is ended for the memory of all its processes together'],
			[limits, 'is ended for the files that all have open'],
			[limits, 'is ended as a skill ${how}, and its one result says so'],
			[limits, 'is ended while it stands by, and the next execution starts one of its own'],
			[limits, 'are those that docs/executors.md and docs/workers.md say'],
		],
	},
	{
		says: 'A Python worker starts only within `bwrap`.',
		provenBy: [
			[workers, 'is refused before anybody is asked where nothing would keep it in'],
			['test/integration/executions/worker-escapes.test.ts', 'hold against what a ${runtime} tries within'],
		],
	},
	{
		says: 'Within `bwrap`, the process of a capability has the same filter of system calls as a command (below), where the',
		provenBy: [
			['test/integration/executions/worker-escapes.test.ts', 'hold against what a ${runtime} tries within'],
			[walls, 'of the system refuse system calls that reach for the kernel, whatever runs within them'],
		],
	},
	{
		says: '| `bwrap` (Linux, where bubblewrap works) |',
		provenBy: [
			[
				walls,
				'of the system hold by themselves: nothing is written but in its folder, and nothing seen beside the program',
			],
			[walls, 'keep a capability from the files, processes and databases of the user'],
		],
	},
	{
		says: "| `permission` (Node's flags alone) |",
		provenBy: [[executors, 'cannot start another process where the flags hold (R-12)']],
	},
	{
		says: 'Prowess tests which sandbox works on this machine, and shows it in each consent and each row.',
		provenBy: [
			[walls, 'are claimed only when they held: a sandbox that lets through is none'],
			[manager, 'is never so free as to run without a person what needs a sandbox that is not there'],
		],
	},
	{
		says: 'A worktree has the rights of its folder and no more.',
		provenBy: [
			['test/integration/cli/cli-worktrees.test.ts', 'is refused where the folder is not trusted, and makes nothing'],
			[
				'test/integration/cli/cli-worktrees.test.ts',
				'has the rules and the policy of the folder, also one that is not in Git, and no other files of the machine',
			],
			[
				'src/features/worktrees/worktrees.test.ts',
				'let commands read what a link was asked for, and not what another put in its place leads to',
			],
			[
				'src/features/worktrees/worktrees.test.ts',
				'run filters that the user has configured, as for large files, and none that the repository names',
			],
			['src/features/worktrees/worktrees.test.ts', 'run no driver for merges that the repository names'],
			[
				'test/integration/worktrees/isolated-agents.test.ts',
				'is under the hooks, the rules and the redaction of the folder',
			],
		],
	},
];
