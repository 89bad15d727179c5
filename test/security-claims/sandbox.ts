/** Claims of docs/security.md about the sandbox of commands and its network. */
import type { Claim } from './claim.ts';

const packages = 'test/integration/sandbox/command-sandbox-packages.test.ts';
const sandbox = 'test/integration/sandbox/command-sandbox.test.ts';
const kept = 'test/integration/sandbox/kept-proof.test.ts';
const auto = 'test/integration/cli/cli-auto.test.ts';
const race = 'test/integration/sandbox/command-sandbox-race.test.ts';
const reach = 'test/integration/sandbox/git-reach.test.ts';
const odd = 'test/integration/sandbox/odd-files.test.ts';
const reader = 'src/machine/paths/reading/read-regular-file.test.ts';
const left = 'test/integration/sandbox/command-sandbox-left.test.ts';
const ends = 'test/integration/sandbox/command-sandbox-ends.test.ts';
const escapes = 'test/integration/sandbox/escapes.test.ts';
const hostile = 'test/integration/sandbox/hostile-lines.test.ts';
const wholeNetwork = 'test/integration/sandbox/sandbox-network.test.ts';
const network = 'test/integration/sandbox/command-network.test.ts';
const filter = 'test/integration/sandbox/seccomp-filter.test.ts';
const temporary = 'test/integration/sandbox/thread-temporary.test.ts';
const shell = 'src/ops/commands/shell.test.ts';
const machine = 'test/integration/cli/cli-machine.test.ts';

const captured = 'test/integration/approvals/captured-server.test.ts';
const hooks = 'test/integration/cli/cli-hooks.test.ts';
const userHooks = 'src/trust/gate/hooks/user-hooks.test.ts';
const background = 'test/integration/sandbox/background-steering.test.ts';
const closed = 'test/integration/sandbox/closed-folders.test.ts';
const links = 'test/integration/sandbox/command-sandbox-links.test.ts';
const secondNames = 'test/integration/sandbox/second-names-of-secrets.test.ts';

const steeringLinks = 'test/integration/sandbox/steering-links.test.ts';
const intoGit = 'test/integration/sandbox/put-into-git.test.ts';
const toolFolders = 'test/integration/sandbox/tool-folders.test.ts';

export const sandboxClaims: readonly Claim[] = [
	{
		says: 'Files that steer other programs, and that a command has put into a commit, a stash or the index, are named in its result, unless your folder or Git had the same text at that path before.',
		provenBy: [
			[intoGit, 'is told and not followed by way of ${way}'],
			[intoGit, 'is not told of what the user had written'],
		],
	},
	{
		says: 'Once Git has written one into the folder or into a worktree, nobody here follows it until you have saved it',
		provenBy: [
			[intoGit, 'is not followed in a worktree, nor in place of what was followed before'],
			[intoGit, 'is followed once the user has saved it'],
			[intoGit, 'is not followed where Git would be asked for too much'],
		],
	},
	{
		says: 'A text that you have saved there, or had there before, is followed again when Git brings it back.',
		provenBy: [
			[intoGit, 'is followed again where Git brings back a text that the user has saved, or had there before'],
		],
	},
	{
		says: "where references are kept in tables, and where commands have put in more than 500 such paths, this goes for all files that steer and come from Git. Any file at the top of Git's folder that names a commit or a tree counts, and so do references, the logs of all of them, a rebase and a bisection, also with a short name.",
		provenBy: [
			[intoGit, 'is told where references are kept in tables, which are not read'],
			[intoGit, 'is held by one note on all where a repository has very many, and costs no more to look at'],
			[intoGit, 'is told and not followed by way of ${way}'],
		],
	},
	{
		says: 'So does a name that Git computes (`main~1`) in a rebase or a bisection, and a commit-graph that differs from the commits.',
		provenBy: [
			[intoGit, 'is told and not followed where a name is computed, or what commits hold was written down otherwise'],
		],
	},
	{
		says: 'The name of something that Git does not have counts as more than is looked through: a later command could make it.',
		provenBy: [
			[
				intoGit,
				'is told and not followed where a file names a commit that Git does not have, and a later command makes it',
			],
		],
	},
	{
		says: '- **Where a command made more than is looked through**, such as 500 files that look secret, nobody here follows a file that steers and was not there before until you have saved it, in this window or in another. The result of the command says so.',
		provenBy: [
			[
				'test/integration/sandbox/cut-search.test.ts',
				'has nobody follow what it hid behind files that look secret, and what the user saves afterwards counts',
			],
			[
				'test/integration/sandbox/cut-search.test.ts',
				'lets what the user writes count while it is not all looked through',
			],
		],
	},
	{
		says: 'No agent follows instructions in them, in this window or in another, until you have saved them yourself',
		provenBy: [
			[background, 'makes no instructions that count while it runs, nor after it, in this host or in the next'],
			[background, 'does not keep what the user writes in the editor meanwhile from being followed'],
		],
	},
	{
		says: '- **Folders that a command closes** (`chmod 000`) are empty for later commands, which could open them again, and packages behind one are read-only. Where the workspace itself is closed, no command runs in a sandbox.',
		provenBy: [
			[closed, 'is empty for later commands, which cannot open it, and nothing else is'],
			[closed, 'keeps packages that a store outside shares as they are'],
			[closed, 'is named where it is the workspace, in which no command runs then'],
		],
	},
	{
		says: '- **Files with several names** (hard links) are judged by all of them. A second name of a secret file, or of one in a secret folder, is hidden',
		provenBy: [
			[links, 'changes no file outside by a name in the workspace, and is told what to ask for'],
			[links, 'reads no secret and changes no instructions by a second name'],
			[links, 'reads nothing of a secret folder by a second name'],
			[links, 'changes no file of a store of packages, and builds beside it'],
			[secondNames, 'is secret to every op that names it, and left out of searches and instructions'],
		],
	},
	{
		says: 'and in each repository for `hooks`, `config.worktree` and `commondir`',
		provenBy: [
			[
				background,
				'makes nothing in a repository that Git would act on, while it runs or after it, and Git works meanwhile',
			],
			[background, 'leaves what Git writes there for the user meanwhile'],
		],
	},
	{
		says: '- **Links in the place of such files** guard all that they lead to',
		provenBy: [
			[steeringLinks, 'lets no command write ${title}'],
			[steeringLinks, 'keeps no command from starting where it leads to itself'],
			[
				'src/machine/paths/workspace-paths.test.ts',
				'judges a file also by the names that links in place of guarded files give it, there or not',
			],
		],
	},
	{
		says: '- **Folders that tools fill** (`node_modules`, `venv`, `.venv`, `target`, caches of Python)',
		provenBy: [
			[toolFolders, 'opens no secret, and no instructions to change, that a command has moved to ${to}'],
			[toolFolders, 'opens none that a command in the background moves there'],
			[toolFolders, 'keeps no repository that a command made there, and no settings that it changed in one'],
			[toolFolders, 'holds no instructions that anybody follows'],
		],
	},
	{
		says: '**Pipes, sockets and devices** that commands leave in the workspace, or among the files of Git, are removed and named',
		provenBy: [
			[intoGit, 'keeps nobody waiting who uses Git later'],
			[left, 'leaves no pipe, socket or device behind, and none of those that others made is taken away'],
			['src/machine/sandbox/mounts/guarded-places.test.ts', 'names pipes and sockets apart'],
		],
	},
	{
		says: 'nor what they lead to in the workspace',
		provenBy: [
			[
				'src/machine/paths/names/repository-reach.test.ts',
				'is found where a program is named without a slash or in quotes, and where hooks lie in the work tree itself',
			],
			[reach, 'is read-only for a command, and is asked about when the agent writes it'],
			[reach, 'is taken away where a command makes it, and links to it are put back'],
			[reach, 'keeps a folder of hooks that is a link, and what lies in it'],
			[reach, 'leaves Git, and a rebase that runs no program, as they are'],
		],
	},
	{
		says: '| Change what the settings or hooks of a repository lead to',
		provenBy: [[reach, 'is read-only for a command, and is asked about when the agent writes it']],
	},
	{
		says: 'must be regular files of bounded size.',
		provenBy: [
			[reader, 'is not read where it is larger than the limit, and of a larger one the start is'],
			[reader, 'is not read through a link, or a linked folder, that leads out of where it may lie'],
			[odd, 'starts, and what is beside it is read, where its files are ${what}'],
			['test/arrows.test.ts', 'leave files that others made to one reader, says the lint'],
			[
				'src/machine/search/search-engine.test.ts',
				'ends where an ignore file is a pipe, leads to a device or is larger than any, however deep, and heeds the others',
			],
		],
	},
	{
		says: 'If the sandbox does not prevent all three, commands are not sandboxed, and the doctor says what was not prevented.',
		provenBy: [
			[
				sandbox,
				'is not claimed for a bubblewrap that keeps only a part from a program, and says which part it does not',
			],
		],
	},
	{
		says: 'that the test passed is kept for the next start, as long as bubblewrap, the kernel',
		provenBy: [
			[kept, 'is made before the first prompt, kept for its user alone, and spares the next prompts the wait'],
			[kept, 'counts no more once anything that it depends on is another'],
			[kept, 'counts no more once bubblewrap is written again or exchanged'],
		],
	},
	{
		says: 'each process repeats the test before it judges its first command, and says so if it fails.',
		provenBy: [
			[kept, 'that is kept is made anew before the first command is judged'],
			[kept, 'that is kept does not hide that bubblewrap was removed, before the prompt or after it'],
			[auto, 'runs no command without one where it fails meanwhile, and says so once'],
		],
	},
	{
		says: 'The approval and the result say whether a command was sandboxed.',
		provenBy: [
			[shell, 'says that it is sandboxed where that works, and what it needs beyond'],
			[shell, 'says that it is not where it asks so, or where no sandbox works'],
		],
	},
	{
		says: '| The workspace | writable; read-only for a capability without `workspace.write` |',
		provenBy: [
			[sandbox, 'lets a program change the workspace and its temporary folder, and nothing else'],
			[sandbox, 'keeps a capability without the permission from changing the workspace at all'],
		],
	},
	{
		says: '| Its secret files | empty |',
		provenBy: [
			[steeringLinks, 'is empty to commands, too'],
			[sandbox, 'hides secrets of the workspace and keeps what steers other programs as it is'],
			[sandbox, 'hides a secret that was made after an earlier command'],
		],
	},
	{
		says: '| Its files that steer other programs',
		provenBy: [[sandbox, 'hides secrets of the workspace and keeps what steers other programs as it is']],
	},
	{
		says: '| `.git` | writable, but not its `config`',
		provenBy: [
			[sandbox, 'lets Git commit, and keeps its hooks and settings as they are'],
			[
				reach,
				'is guarded in a submodule that lies in a folder, checked out or not, and in one that Git would make there',
			],
		],
	},
	{
		says: '| `/tmp`, `/var/tmp` | a folder that only commands of its thread share, for the agent; an empty one of the command, which is removed when it ends, for a capability |',
		provenBy: [
			[sandbox, 'lets a program change the workspace and its temporary folder, and nothing else'],
			[temporary, 'keeps for its next commands what one of them wrote, and shows it to nobody else'],
		],
	},
	{
		says: '**`/tmp` of a thread.**',
		provenBy: [
			[temporary, 'keeps for its next commands what one of them wrote, and shows it to nobody else'],
			[temporary, 'shows the workspace in it, whatever a command before has tried to put there'],
			[temporary, 'leads nowhere but into the sandbox through links in it'],
			[temporary, 'is given to no command to which something beyond the workspace is shown in it'],
			[temporary, 'is emptied when it holds too much, and the agent is told'],
			[
				temporary,
				'is removed with its thread and with its host, and what a killed host left when the next one runs a command',
			],
		],
	},
	{
		says: '| Your home | a folder of the command with your toolchains',
		provenBy: [
			[sandbox, 'shows tools of the home read-only, and settings without their credentials'],
			[sandbox, 'has a cache of its own for each workspace, which stays from command to command'],
			[sandbox, 'leaves nothing of a command in the home'],
		],
	},
	{
		says: '| Other homes, `PROWESS_HOME` | empty |',
		provenBy: [[sandbox, 'shows no home, no other home and no file of ours']],
	},
	{ says: '| `/run`, `/mnt`, `/media`', provenBy: [[escapes, 'holds against attempts: ${topic}']] },
	{
		says: '| The rest of the disk | read-only, as far as you can read it |',
		provenBy: [[sandbox, 'lets a program change the workspace and its temporary folder, and nothing else']],
	},
	{
		says: '| Processes | its own; all end when the program ends, daemons too |',
		provenBy: [
			[ends, 'leaves none of 20 daemons behind'],
			[escapes, 'holds against attempts: ${topic}'],
		],
	},
	{
		says: '| Rights | no capabilities, no new privileges',
		provenBy: [[sandbox, 'has no network, no capability of the superuser and no way to gain one']],
	},
	{
		says: '| Network | nothing but a proxy that asks for each host',
		provenBy: [[wholeNetwork, 'reaches neither the loopback of the host nor any address past the proxy']],
	},
	{
		says: 'are moved to `PROWESS_HOME/quarantine` and named in the result',
		provenBy: [[left, 'has the files taken away that it made for that, and is told where they are']],
	},
	{
		says: 'cannot be created in the workspace even while it runs',
		provenBy: [[left, 'cannot put a folder where the editor, Git or Prowess act at once, even while it runs']],
	},
	{
		says: 'The result of a failed command names what the sandbox seems to have kept from it',
		provenBy: [[left, 'is told what it could not read or change, and how to ask for it']],
	},
	{
		says: 'A program is ended, and the result says why, if it runs more than 512 processes',
		provenBy: [
			['test/integration/sandbox/command-sandbox-limits.test.ts', 'is ended and told why'],
			['test/integration/sandbox/command-sandbox-limits.test.ts', 'finds an eighth of the memory for files in it'],
		],
	},
	{
		says: 'So the program starts only once the mounts, as the system lists them, show what was meant',
		provenBy: [
			[race, 'mounts nothing that was exchanged for what was meant'],
			[race, 'is refused, with the place, when it is exchanged each time'],
			['src/machine/sandbox/mounts/made-mounts.test.ts', 'are not as meant where one ${title}'],
		],
	},
	{
		says: 'A folder that is moved while Prowess looks for what to hide in the workspace is looked for again.',
		provenBy: [
			[
				'src/machine/sandbox/mounts/guarded-places.test.ts',
				'misses nothing in a folder that is moved while it looks, or names the folder',
			],
			[race, 'is refused, with the place, when it is exchanged each time'],
		],
	},
	{
		says: '**Stop** asks the program to end, and kills it after two seconds.',
		provenBy: [
			[ends, 'gets the time to end by itself when it is stopped'],
			[ends, 'is killed with its daemons when it does not end by itself'],
			[ends, 'ends with a host that is killed'],
		],
	},
	{
		says: '**Without it.** Commands are not sandboxed where bubblewrap is missing',
		provenBy: [[sandbox, 'is not claimed where bubblewrap is missing, does not work, or could keep nothing apart']],
	},
	{
		says: '**macOS** has Seatbelt (`sandbox-exec`), which counts as the sandbox only where it is proven.',
		provenBy: [
			['test/integration/sandbox/seatbelt.test.ts', 'is no sandbox where a program in it gets out, and says how'],
			['test/integration/sandbox/seatbelt.test.ts', 'is no sandbox where only a part of its profile is enforced'],
			[
				'test/integration/sandbox/seatbelt.test.ts',
				'is a sandbox where every attempt to get out failed, and commands run in it',
			],
		],
	},
	// The network
	{
		says: 'The commands of a thread share a network that has nothing but its own loopback.',
		provenBy: [
			[
				wholeNetwork,
				'is one for the commands of a thread, which find each other on their loopback, and another for each other thread',
			],
		],
	},
	{
		says: 'which listens in that network only',
		provenBy: [[wholeNetwork, 'is nowhere on the host: no port of it is reached from outside']],
	},
	{
		says: 'Node is told to read them',
		provenBy: [[wholeNetwork, 'serves Python and Node as they are, by the environment alone']],
	},
	{
		says: 'Each command has a credential of its own',
		provenBy: [
			[
				wholeNetwork,
				'knows a command by its credential alone: another or none opens nothing, and an ended command has none',
			],
			[network, 'has its time limit stand while the person thinks'],
		],
	},
	{
		says: 'A name is resolved by the host, after the decision.',
		provenBy: [
			[network, 'never reaches this machine or its network unless a setting of the user lists it, and nobody is asked'],
		],
	},
	{
		says: 'All connections end with the command.',
		provenBy: [
			[wholeNetwork, 'ends every connection with its command'],
			[network, 'asks the person for it by name, once for all its connections, and records what went'],
		],
	},
	{
		says: "A command of a capability needs the capability's permission `http`.",
		provenBy: [[network, 'reaches nothing for a capability without the permission for requests']],
	},
	{
		says: 'Programs that take no proxy, and SSH, reach nothing.',
		provenBy: [[network, 'is told to use https where it would use SSH']],
	},
	{
		says: 'Where such a network cannot be made, commands have none at all.',
		provenBy: [[wholeNetwork, 'is empty, which is said once']],
	},
	{
		says: 'bubblewrap also gets a **filter of system calls** that no command needs',
		provenBy: [
			[filter, 'cannot trace, read keyrings, or use what the kernel has for few; without the filter it could'],
			[filter, 'gets no socket of another family than files and the network, and knows its own addresses'],
			[filter, 'makes no namespace in which it would be the master'],
		],
	},
	// Section on limits that are not enforced
	{
		says: '**A hook runs as you** where no sandbox works, and where its entry says `"sandbox": false`.',
		provenBy: [
			[userHooks, 'run as the user where no sandbox works, and are shown so, with the reason'],
			[hooks, 'run as the user where the settings say so'],
		],
	},
	{
		says: 'Elsewhere it runs in the sandbox of commands and reaches what its entry names.',
		provenBy: [
			[hooks, 'run in a sandbox unless told otherwise: they read what they judge, and change nothing'],
			[hooks, 'reach from their sandbox what the settings of the user name, and no more'],
			[hooks, 'reach the hosts that the settings of the user name, through the proxy, and no others'],
			[userHooks, 'fail where they are to run in a sandbox and none works, rather than run without one'],
		],
	},
	{
		says: 'It is your own program, named in your own settings.',
		provenBy: [[hooks, 'are no right of a workspace: what its own settings name does not run']],
	},
	{
		says: 'Its effects are not recorded; its refusals are, and the row of an op names the hooks before it.',
		provenBy: [
			[hooks, 'keep an op from being done, and the model reads why'],
			[hooks, 'run as the user where the settings say so'],
		],
	},
	{
		says: 'Nothing else of the machine is mounted in their place.',
		provenBy: [[race, 'mounts nothing that was exchanged for what was meant']],
	},
	{
		says: '**Empty folders show in the workspace while a command runs**',
		provenBy: [
			[left, 'cannot put a folder where the editor, Git or Prowess act at once, even while it runs'],
			[left, 'leaves no empty folder behind once another host starts after its own was killed, and takes nothing else'],
			[
				'test/integration/cli/cli-command-changes.test.ts',
				'shows no folder in listings that its sandbox made, in this host or in another, before the user uses it',
			],
		],
	},
	{
		says: 'is found by its home folder, killed and recorded (`execution.leaked`)',
		provenBy: [
			[
				'test/integration/executions/leftover-processes.test.ts',
				'without a sandbox has them ended, and it is recorded and shown (R-12)',
			],
		],
	},
	// Section on the tests of the sandbox
	{
		says: 'attempts to get out** are made with',
		provenBy: [
			[escapes, 'is attacked in more than 300 ways'],
			[escapes, 'holds against attempts: ${topic}'],
		],
	},
	{
		says: 'hostile lines** are run in the sandbox',
		provenBy: [[hostile, 'reaches nothing outside: ${sample} of them']],
	},
	{
		says: '**Where the tests run as the superuser**, a sample of both is made as an ordinary user',
		provenBy: [[escapes, 'holds against an ordinary user, too']],
	},
	{
		says: '**A server that is taken over** asks a host at the level _Auto_ for all it could want',
		provenBy: [
			[captured, 'gets no secret and has no effect that nobody approved, by more than 300 calls'],
			[captured, 'would get much by the same calls if the user said yes to everything'],
		],
	},
	{
		says: 'have a program in the sandbox try to read and write a file outside',
		provenBy: [[machine, 'is shown by the doctor that nothing gets out of the sandbox, and what it holds']],
	},
	{
		says: '| npm, npx | the packages of',
		provenBy: [[packages, 'are missing where the user’s own cache has none, and appear once it has']],
	},
	{
		says: '| Cargo | the crates of `Cargo.lock` that are from crates.io',
		provenBy: [[packages, 'of Cargo are those that the lock file names, and only of crates.io']],
	},
	{
		says: '| pip, uv, Yarn, Bun, Go, Maven, Gradle, .NET | what commands of this workspace fetched before |',
		provenBy: [[sandbox, 'has a cache of its own for each workspace, which stays from command to command']],
	},
	{
		says: '- **What names a tool** is the command line.',
		provenBy: [[packages, 'are not there for a command line that names no tool']],
	},
	{
		says: '**Installations without a network** find the packages that the lock files in the workspace name',
		provenBy: [
			[packages, 'are missing where the user’s own cache has none, and appear once it has'],
			[packages, 'are all that is shown of the user’s own cache, and what a command changes there stays its own'],
			[packages, 'are put nowhere else by a link that a command left in the place of a folder of its cache'],
			[packages, 'of Cargo are those that the lock file names, and only of crates.io'],
		],
	},
	{
		says: '| A repository of which the workspace is a part | read-only without its secret files;',
		provenBy: [
			[
				'test/integration/sandbox/repository-above.test.ts',
				'shows commands the rest of the repository as it is, without its secrets',
			],
			['test/integration/sandbox/repository-above.test.ts', 'keeps what steers Git as it is'],
			[
				'test/integration/sandbox/repository-above.test.ts',
				'sees no repository that would show a home, or that is another user’s',
			],
		],
	},
];
