/** Claims of docs/security.md about the ledger, stored data, the channel, and questions on the terminal. */
import type { Claim } from './claim.ts';

const ledger = 'src/trust/record/ledger/ledger.test.ts';
const walk = 'src/trust/record/store/chain/chain-walk.test.ts';
const anchors = 'test/integration/ledger/ledger-anchors.test.ts';
const damaged = 'test/integration/ledger/damaged-files.test.ts';
const machine = 'test/integration/cli/cli-machine.test.ts';
const stored = 'test/integration/cli/cli-stored-secrets.test.ts';
const killed = 'test/integration/approvals/broker-killed-host.test.ts';
const executors = 'test/integration/executions/executors.test.ts';
const executorsInTime = 'test/integration/executions/executors-in-time.test.ts';
const channels = 'test/integration/executions/executor-channels.test.ts';
const wires = 'test/contracts/executor-wires.test.ts';
const person = 'src/cli/ports/person.test.ts';
const images = 'test/integration/models/images.test.ts';
const restores = 'test/integration/cli/cli-restore.test.ts';
const swept = 'test/integration/cli/cli-command-changes.test.ts';
const base = 'test/integration/approvals/broker-trusted-base.test.ts';
const keptThreads = 'test/integration/cli/cli-kept-threads.test.ts';
const oddMembers = 'test/integration/mcp/odd-members.test.ts';
const plugins = 'test/integration/cli/cli-plugins.test.ts';

export const ledgerAndChannelClaims: readonly Claim[] = [
	// Section on stored data and where it lies
	{
		says: 'folders with mode `0700`, files with `0600`',
		provenBy: [
			[ledger, 'is readable by its user only'],
			[stored, 'keeps a value without its last line break for the user alone'],
			[machine, 'keeps its compiled code to its user, whatever the umask'],
		],
	},
	{
		says: '- A picture stays as it is: redaction reads texts',
		provenBy: [
			[images, 'is shown to the model with others, again in the next turn, and lies in the store and nowhere else'],
			[images, 'follows the result; ledger, trace and output have its size and none of its bytes'],
			[images, 'is gone from the store with its thread'],
			[oddMembers, 'gives its pictures and sounds by what their bytes are, and the ledger their size and hash'],
		],
	},
	{
		says: '| `ledger-anchors.jsonl` |',
		provenBy: [[anchors, 'show in verify and in the doctor that the last rows were cut off']],
	},
	{
		says: '30 days at most;',
		provenBy: [
			[
				'src/trust/record/store/checkpoint-store.test.ts',
				'drops what an execution changed too long ago, and nothing of a thread',
			],
		],
	},
	{
		says: 'the bytes of each file before each message whose turn changed it',
		provenBy: [
			[restores, 'gives bytes and permissions back as they were, without a repository, and touches none that is there'],
		],
	},
	{
		says: '| `plugin-data/` |',
		provenBy: [[plugins, 'keeps data of its hooks, servers and skills in one folder, until a person says otherwise']],
	},
	{
		says: '| `sweeps/` |',
		provenBy: [
			[swept, 'leaves out what is ignored or usually holds secrets'],
			[swept, 'has no undo where the setting says so'],
		],
	},
	{
		says: '| `restoring/` |',
		provenBy: [[restores, 'that was killed at any moment is whole after the next command']],
	},
	{
		says: '| `guarded/` |',
		provenBy: [
			[
				'test/integration/sandbox/tool-folders.test.ts',
				'opens no secret, and no instructions to change, that a command has moved to ${to}',
			],
		],
	},
	{
		says: '| `held/` |',
		provenBy: [
			[
				'test/integration/sandbox/background-steering.test.ts',
				'makes none that count after its host was killed, and the user says yes by saving them',
			],
		],
	},
	{
		says: '| `organisation-rules.json`, `organisation-versions.json` |',
		provenBy: [
			[
				'test/integration/cli/cli-organisation.test.ts',
				'takes no rules that are older than those it has read at the address, from there or from the copy, and says so',
			],
		],
	},
	{
		says: '| `holders/` |',
		provenBy: [
			[
				'src/store/threads/process-lease-holder.test.ts',
				'is heard of by those that cannot see it, from its first claim until it is disposed',
			],
		],
	},
	{
		says: '| `capability-consents.json` |',
		provenBy: [
			[
				'test/integration/capabilities/capability-trust.test.ts',
				'is known of each of many, by folder, without a look at those',
			],
		],
	},
	{
		says: '| `project-rules.json` |',
		provenBy: [['src/trust/gate/policy/rules/project-rules.test.ts', 'are saved once, in a file for their user alone']],
	},
	{
		says: '| `approval-origins.json` |',
		provenBy: [
			[
				'test/integration/approvals/broker-approvals.test.ts',
				'stay what they are when it cannot be read where they came from',
			],
		],
	},
	{
		says: '| `prowess-lock.json`, `marketplace/`, `disabled-capabilities.json` |',
		provenBy: [
			[
				'src/catalog/marketplace/marketplace.test.ts',
				'puts the capability in its place, switched off, with a lock file',
			],
		],
	},
	{
		says: '| `channel.json` |',
		provenBy: [
			[channels, 'is the descriptor where that works, and is tried once'],
			[channels, 'is tried anew when what was kept of it is'],
		],
	},
	{
		says: '| `sandbox-proof.json` |',
		provenBy: [
			['test/integration/sandbox/kept-proof.test.ts', 'is made anew where its file is damaged or not ours'],
			['test/integration/sandbox/kept-proof.test.ts', 'that is kept is made anew before the first command is judged'],
		],
	},
	{
		says: '| `sandbox/`, `quarantine/` |',
		provenBy: [
			[
				'test/integration/sandbox/command-sandbox-left.test.ts',
				'has the files taken away that it made for that, and is told where they are',
			],
		],
	},
	{
		says: '| `snapshots/`, `scratch/` |',
		provenBy: [
			[
				'src/execution/processes/snapshot.test.ts',
				'that nothing ran from for long are removed, and drafts of hosts that were killed',
			],
		],
	},
	{
		says: '| `executions/` |',
		provenBy: [
			[
				'test/integration/capabilities/capability-stop.test.ts',
				'stops what another command line has started: its process is gone',
			],
		],
	},
	{
		says: '| `used/` | names of the capabilities that were used in each project, at most 200 of each',
		provenBy: [
			[
				'src/catalog/registry/offer/used-capabilities.test.ts',
				'is known to the next process, and only for that project',
			],
			['src/catalog/registry/offer/used-capabilities.test.ts', 'is bounded: the latest stay'],
		],
	},
	{
		says: '| `seen/` | names of the capabilities that were offered in each project, at most 20,000 of each',
		provenBy: [
			[
				'src/catalog/registry/offer/seen-capabilities.test.ts',
				'is not known before the first look, nor of another project, nor without one',
			],
			['src/catalog/registry/offer/seen-capabilities.test.ts', 'is bounded: what is there stays before what left'],
		],
	},
	{
		says: '| `manifests.json` |',
		provenBy: [
			[
				'src/catalog/registry/reading/kept-readings.test.ts',
				'is for its user alone, and spares the next process the reading',
			],
			['src/catalog/registry/reading/kept-readings.test.ts', 'counts no more when a byte of it has changed'],
		],
	},
	{ says: '| `cache/` |', provenBy: [[machine, 'keeps its compiled code to its user, whatever the umask']] },
	{ says: '| `secrets.json` |', provenBy: [[stored, 'keeps a value without its last line break for the user alone']] },
	{
		says: '| `sign-ins.json` |',
		provenBy: [
			['test/integration/mcp/mcp-sign-in.test.ts', 'keeps what it was given for the user alone'],
			[
				'test/integration/cli/cli-team.test.ts',
				'keeps the address with the sign-ins, shows it without its password, and leaves nothing behind',
			],
		],
	},
	{
		says: '| `team/` |',
		provenBy: [['test/integration/cli/cli-team.test.ts', 'that has changed since it was taken']],
	},
	{ says: 'redacted summaries of at most 200 characters', provenBy: [[ledger, 'redacts first and cuts second']] },
	{ says: 'It is used only while it is your own file', provenBy: [[stored, 'refuses a file of another user']] },
	{
		says: 'All its values are redacted from everything printed',
		provenBy: [[stored, 'strikes what is stored out of all that a command prints']],
	},
	// Approvals
	{
		says: 'Revoking takes effect at once, in running threads and other windows too, and is recorded.',
		provenBy: [
			[
				'test/integration/approvals/broker-approvals.test.ts',
				'of a thread are listed with it, and one that is revoked is asked about again',
			],
			[
				'test/integration/approvals/broker-approvals.test.ts',
				'of a project that one window revokes are asked about at once in another',
			],
			[
				'test/integration/approvals/broker-approvals.test.ts',
				'are all asked about again after a reset, and the ledger says which',
			],
		],
	},
	{
		says: 'It is only shown: nothing is judged by it.',
		provenBy: [
			[
				'test/integration/approvals/broker-approvals.test.ts',
				'stay what they are when it cannot be read where they came from',
			],
		],
	},
	// The ledger
	{
		says: '**Damaged databases** are quarantined (`….damaged-<time>`), never deleted.',
		provenBy: [
			[damaged, 'is kept as it was found, and does not keep us from working'],
			[damaged, 'is named to whoever works in the terminal, and the turn goes on'],
			[base, 'says in log and ledger that a damaged ledger was moved aside'],
		],
	},
	{
		says: 'every row whose content still has its hash is saved in',
		provenBy: [[ledger, 'says how many rows cannot be read, and keeps the readable ones in a file beside it']],
	},
	{
		says: 'are copied into the new ledger.',
		provenBy: [[ledger, 'gives back every row when only its header is overwritten, and verifies them']],
	},
	{
		says: 'until you run _Acknowledge Ledger Damage_ or `prowess ledger acknowledge`',
		provenBy: [
			[damaged, 'fails ledger verify and the doctor until the user acknowledges it'],
			['test/vscode/ui/ledger.test.ts', 'is reported until the user acknowledges it'],
		],
	},
	{
		says: '**A foreign schema** counts as damage',
		provenBy: [[ledger, 'is moved aside when it is opened with ${what}']],
	},
	{
		says: 'An append that does not add exactly one row fails',
		provenBy: [[ledger, 'takes nothing for recorded while it has ${what}']],
	},
	{
		says: '**The ledger keeps everything** unless `prowess.ledger.keepDays`',
		provenBy: [
			[
				base,
				'removes rows that are older than they are kept when it starts, by a look that a week of others has followed, and says so',
			],
			[ledger, 'still refuses to remove a row that it did not say it removes'],
		],
	},
	{
		says: '**Threads are kept** unless `prowess.threads.keepDays`',
		provenBy: [
			[keptThreads, 'stay where nobody has said how long they are kept'],
			[keptThreads, 'go with what could be undone in them at the end of a command, which the ledger says before'],
		],
	},
	{
		says: '**A clock that is ahead for less than a week removes nothing**',
		provenBy: [
			[
				base,
				'removes rows that are older than they are kept when it starts, by a look that a week of others has followed, and says so',
			],
			[
				keptThreads,
				'stay where the clock was right a week ago and is ahead now, and where it was ahead at the last look',
			],
		],
	},
	{
		says: 'It keeps its own rows.',
		provenBy: [
			[keptThreads, 'go with what could be undone in them at the end of a command, which the ledger says before'],
		],
	},
	{
		says: 'after 500 rows, after a minute, and when it ends',
		provenBy: [[ledger, 'writes one after many rows, at its end, and none when it has recorded nothing']],
	},
	{
		says: 'With its first anchor it also writes those of hosts that were killed.',
		provenBy: [[ledger, 'has one of a host that was killed before it could write it']],
	},
	{
		says: 'rows cut from the end, a removed chain, a chain whose hashes were recomputed, and a removal that Prowess did not make all show',
		provenBy: [
			[ledger, 'is found to have lost its last rows, a whole chain, or all of itself'],
			[ledger, 'is found to be calculated anew, though every hash is right'],
			[ledger, 'still verifies after old rows were removed, and not when somebody else removed some the same way'],
			[anchors, 'show in verify and in the doctor that the last rows were cut off'],
		],
	},
	{
		says: 'A missing or replaced file of anchors shows, too.',
		provenBy: [[ledger, 'says that its anchors were removed or cannot be read, until the user acknowledges it']],
	},
	{
		says: '`prowess.ledger.anchor` (user settings only) keeps the same lines in a second place',
		provenBy: [
			[anchors, 'that are kept as Git notes show what was removed with its anchors'],
			[anchors, 'that were sent to an address of the user show what was removed with its anchors'],
		],
	},
	{
		says: 'No hook or program of the repository runs.',
		provenBy: [[anchors, 'that are kept as Git notes show what was removed with its anchors']],
	},
	{
		says: '`prowess ledger verify --anchors FILE`',
		provenBy: [[anchors, 'that were sent to an address of the user show what was removed with its anchors']],
	},
	{
		says: 'An anchor that cannot be kept there is only logged',
		provenBy: [[anchors, 'that cannot be kept outside keep nothing from being done, and the log says so']],
	},
	{
		says: 'The intent is recorded before the effect',
		provenBy: [
			[killed, 'between the record and the effect: in doubt, and not done again'],
			[executors, 'does not exist when its intent cannot be recorded'],
		],
	},
	{
		says: 'If it cannot be written (disk full, no permission, damage), the op is refused.',
		provenBy: [[ledger, 'says LEDGER_UNWRITABLE when it cannot be opened, and works again when it can']],
	},
	{
		says: 'Only a run that you stop at its card is stopped even so, and you are told that the stop was not recorded.',
		provenBy: [[executors, 'is stopped by its user also when that cannot be recorded, and the user is told']],
	},
	{ says: 'Each host process writes its own hash chain.', provenBy: [[killed, 'write one ledger, a chain each']] },
	{
		says: 'it is shown so and never retried automatically',
		provenBy: [[killed, 'between the effect and its record: in doubt, and not done again']],
	},
	{
		says: "they use SQLite's older journal",
		provenBy: [['src/store/journal.test.ts', 'is not shared memory on a share of Windows']],
	},
	{
		says: 'shows changed, inserted, reordered and missing rows',
		provenBy: [
			[ledger, 'finds the first broken row after'],
			[walk, 'finds that the order of two writers was changed'],
		],
	},
	{
		says: '| `web/` |',
		provenBy: [
			[
				'test/integration/web/web-attacks.test.ts',
				'keeps neither cookie, key nor code in its files, which nobody else can read',
			],
		],
	},
	// The channel
	{
		says: 'opened by a 256-bit token that works once',
		provenBy: [[wires, 'is not opened by the token']],
	},
	{
		says: 'Five requests without the token end the execution.',
		provenBy: [[channels, 'ends when strangers do not stop']],
	},
	{ says: 'Consent reports the port.', provenBy: [[channels, 'says so where somebody agrees to it']] },
	{
		says: 'Frames are text of at most 1 MiB, 32 levels and 10,000 keys, none twice.',
		provenBy: [
			[executors, 'that sends ${what} is killed (R-09)'],
			[executors, 'that sends a frame of two megabytes is killed'],
		],
	},
	{
		says: 'At most 64 ops run at once.',
		provenBy: [[executors, 'that asks for too much at once is answered for each, and the rest is refused']],
	},
	{
		says: '200 frames or pings are taken in a second, after 400 at once',
		provenBy: [[executorsInTime, 'that floods is read slowly, and the host stays responsive']],
	},
	{
		says: 'A process that sends three times as much for five seconds is ended.',
		provenBy: [[executorsInTime, 'that floods with ${kind} without an end is ended']],
	},
	{
		says: 'has four descriptors (three with a port or as a worker)',
		provenBy: [[executors, 'finds nothing of ours in its environment, and four descriptors']],
	},
	// Questions
	{
		says: '**Type-ahead answers nothing.**',
		provenBy: [[person, 'answers nothing with what was typed before the question']],
	},
	{
		says: "A question in a model's own words is marked as such",
		provenBy: [[person, 'tells the words of a model from a question of Prowess']],
	},
	{
		says: '| `tools/` | programs that were fetched with npm when they were first needed, with a fixed version and sha512 |',
		provenBy: [['src/ops/network/page-driver.test.ts', 'is taken with the bytes that are expected, and no others']],
	},
	{
		says: '| `cassettes/` | turns recorded with `prowess run --record`: prompts, texts that the agent read, requests and answers of models, outcomes of ops and settings, redacted, without keys;',
		provenBy: [
			[
				'test/integration/replay/replays.test.ts',
				'holds no key and no secret, nor does the file to hand on, which is shown before it is written',
			],
		],
	},
	{
		says: '| `worktrees/` | [work trees](worktrees.md) of folders, **as they are**,',
		provenBy: [
			[
				'src/features/worktrees/worktrees.test.ts',
				'bring along what is not in Git as the table, or an answer that is asked for once, says',
			],
			['src/features/worktrees/worktrees.test.ts', 'become a branch, or go with all that was named before'],
		],
	},
];
