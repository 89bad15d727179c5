/** Claims of docs/security.md about limits that are not enforced, as far as a spec can show them. */
import type { Claim } from './claim.ts';

const sandbox = 'test/integration/sandbox/command-sandbox.test.ts';
const executorLimits = 'test/integration/executions/executor-limits.test.ts';
const limits = 'test/integration/sandbox/command-sandbox-limits.test.ts';
const guarded = 'src/machine/sandbox/mounts/guarded-places.test.ts';
const reading = 'test/integration/approvals/reading-commands.test.ts';
const shell = 'src/ops/commands/shell.test.ts';
const environment = 'src/machine/environment.test.ts';
const rules = 'test/vscode/ui/approval-rules.test.ts';
const danger = 'test/vscode/ui/plain-chat/approval-danger.ts';
const quota = 'src/execution/processes/scratch-quota.test.ts';
const sql = 'src/ops/data/sql.test.ts';
const http = 'src/ops/network/http.test.ts';
const restores = 'test/integration/cli/cli-restore.test.ts';
const swept = 'test/integration/cli/cli-command-changes.test.ts';
const trees = 'src/ops/files/file-trees.test.ts';
const stop = 'test/integration/cli/cli-stop.test.ts';

const mcpConsent = 'test/integration/mcp/mcp-consent.test.ts';

export const notEnforcedClaims: readonly Claim[] = [
	{
		says: '**An MCP server runs as you** where no sandbox works, which the question before its start says, and where its entry in your own settings says `"sandbox": false`.',
		provenBy: [[mcpConsent, 'says that nothing keeps it in where its entry says so']],
	},
	{
		says: '- **Undo** covers what `fs.write`, `fs.edit`, `editor.refactor`, `fs.move` and `fs.delete` did to files of up to 20 MiB',
		provenBy: [
			[swept, 'is undone file by file'],
			[swept, 'leaves out what is ignored or usually holds secrets'],
			[trees, 'keeps what each file, link and folder was before it goes, text or bytes'],
			[
				'test/integration/threads/links-and-folders.test.ts',
				'come back as they were, whatever each has become, and again as they became',
			],
		],
	},
	{
		says: '- **Going back to a message** never follows a link',
		provenBy: [
			[restores, 'follows no link that has taken the place of a file or of its folder'],
			[restores, 'leaves a file alone in which the user has changed what would go, unless that is forced'],
		],
	},
	{
		says: 'Commands that only read do not show it.',
		provenBy: [[reading, 'shows changes whole, but nothing of a secret file, of now or of the past']],
	},
	{
		says: 'It could not store anything: what holds beyond the thread is confirmed in a dialog of the editor.',
		provenBy: [
			[rules, 'is saved by the button that says so, and named by the card it lets through'],
			[danger, 'is not given by Enter, and not before the editor has shown the whole command'],
		],
	},
	{
		says: 'Only its environment is limited, by an allow-list, and it starts in a folder inside the workspace.',
		provenBy: [
			[environment, 'holds nothing of the host that is not on the list'],
			[shell, 'refuses a folder outside the workspace, by letters and by link'],
		],
	},
	{
		says: '**A sandboxed command reads most of the disk**: what is not listed above is read-only, not hidden.',
		provenBy: [[sandbox, 'lets a program change the workspace and its temporary folder, and nothing else']],
	},
	{
		says: 'Where it did not reach its end, no command is automatic',
		provenBy: [
			['src/trust/gate/policy/gate.test.ts', "decides ${op} on ${kind}: ${expected.join(', ')}"],
			['src/trust/gate/policy/rules/allow-rule.test.ts', 'covers further operands in the sandbox only'],
			[
				'test/integration/sandbox/command-sandbox-left.test.ts',
				'is told where there is more than its sandbox guards, and is guarded whole behind 900 folders',
			],
		],
	},
	{
		says: 'of a workspace covers 50,000 folders, those nearest to its root first and 64 levels deep, and ends at 400 such files',
		provenBy: [
			[guarded, 'ends 64 levels deep, and says that it did not find all'],
			[guarded, 'finds what lies behind more folders, and deeper, than an ordinary repository has'],
			[guarded, 'ends at 400 files, and says so'],
			[guarded, 'leaves out what tools make, and is complete without it'],
			[guarded, 'ends where a path is too long, and says so'],
			[
				'test/integration/sandbox/second-names-of-secrets.test.ts',
				'is secret, as any file with several names is, where the search for secret files did not reach its end',
			],
		],
	},
	{
		says: '**Limits of the sandbox** are looked at ten times a second',
		provenBy: [[limits, 'is ended and told why: ${greed.title}']],
	},
	{
		says: 'Our own processes let no signal open their debugger',
		provenBy: [[sql, 'runs where no signal of a capability opens a debugger']],
	},
	{
		says: '**Limits of capabilities** can be exceeded for a moment, too.',
		provenBy: [
			[executorLimits, 'may have many processes that hold the same memory'],
			[executorLimits, 'is ended with its group where nothing keeps it from starting programs'],
		],
	},
	{
		says: '**Folder limits** (200 MB, 10,000 files)',
		provenBy: [
			[quota, 'may hold so many files and folders, wherever they lie'],
			[quota, 'may hold so many bytes'],
		],
	},
	{
		says: '**Surviving commands**: outside the sandbox, a command ends with its host, even a killed one',
		provenBy: [
			[shell, 'ends every command of a thread, and all of them when the host closes'],
			[stop, 'leaves no command behind when it is killed'],
		],
	},
	{
		says: '**Proxies**: requests use none.',
		provenBy: [[http, 'is asked for once in each step, and just that is connected to']],
	},
];
