/**
 * Claims of README.md about security. SECURITY.md refers to docs/security.md and promises nothing else of the product.
 */
import type { Claim } from './claim.ts';

const broker = 'src/trust/broker/broker.test.ts';
const arrows = 'test/arrows.test.ts';
const auto = 'test/vscode/ui/auto.test.ts';
const sandbox = 'test/integration/sandbox/command-sandbox.test.ts';
const sandboxEnds = 'test/integration/sandbox/command-sandbox-ends.test.ts';
const killedHost = 'test/integration/approvals/broker-killed-host.test.ts';
const manager = 'test/integration/capabilities/capability-manager.test.ts';
const secrets = 'test/integration/cli/cli-secrets.test.ts';
const stop = 'test/integration/cli/cli-stop.test.ts';

export const readmeClaims: readonly Claim[] = [
	{
		says: 'everything its capabilities do passes one gate and is recorded in a hash-chained ledger.',
		provenBy: [
			[broker, 'has no effect when any of its records cannot be written before it'],
			[arrows, 'leave direct effects to the named files, says the lint'],
			[killedHost, 'write one ledger, a chain each'],
		],
	},
	{
		says: "API keys are kept in the editor's secret storage and nowhere else.",
		provenBy: [
			[
				'test/vscode/ui/plain-chat/keys-in-messages.ts',
				'is never sent when it is stored, in a message or in an answer to a question',
			],
			[secrets, 'are in the environment of no child: neither the server nor a command'],
		],
	},
	{
		says: 'in a trusted workspace, reads and commands that only read are free.',
		provenBy: [
			['test/integration/approvals/reading-commands.test.ts', 'runs without a question, and its card is told why'],
			['test/vscode/ui/trust.test.ts', 'is shown as such; a prompt is refused and nothing is started, sent or stored'],
		],
	},
	{
		says: 'If you do not answer, the request is denied.',
		provenBy: [['src/trust/gate/approvals/desk.test.ts', 'takes a no for no answer in time']],
	},
	{
		says: 'change only ordinary files of the workspace, see of your home only tools and settings without credentials',
		provenBy: [
			[sandbox, 'lets a program change the workspace and its temporary folder, and nothing else'],
			[sandbox, 'shows tools of the home read-only, and settings without their credentials'],
		],
	},
	{
		says: 'find secret files of the workspace empty, and reach a host only after you allow it.',
		provenBy: [
			[sandbox, 'hides secrets of the workspace and keeps what steers other programs as it is'],
			[auto, 'asks by name when a command connects to a host'],
		],
	},
	{
		says: 'At the permission level _Auto_, what stays inside asks nothing unless it is dangerous.',
		provenBy: [
			[auto, 'asks nothing in a task of ten commands that stay in the sandbox'],
			[
				'test/vscode/ui/plain-chat/approval-danger.ts',
				'is not given by Enter, and not before the editor has shown the whole command',
			],
		],
	},
	{
		says: 'every decision is recorded before its effect.',
		provenBy: [
			[broker, 'has no effect when any of its records cannot be written before it'],
			[killedHost, 'between the record and the effect: in doubt, and not done again'],
		],
	},
	{
		says: 'from a copy of the files you approved, behind the same gate.',
		provenBy: [
			[manager, 'makes a copy anew that somebody has changed'],
			[
				'test/integration/capabilities/capability-ops.test.ts',
				'shows that a person is asked, first for itself and then for what it does',
			],
		],
	},
	{
		says: 'The thread shows what happened, and nothing runs twice.',
		provenBy: [
			[killedHost, 'between the effect and its record: in doubt, and not done again'],
			[
				'test/vscode/ui/interruption.test.ts',
				'by a reload while a command runs ends the command and does not run it again',
			],
		],
	},
	{
		says: 'every turn, command and capability stops within three seconds.',
		provenBy: [
			[stop, 'stops an answer at ${signal}: exit code 130, and nothing left running'],
			['test/vscode/ui/edits/turn.ts', 'that is stopped ends its command, which is deaf to polite requests'],
			[
				'test/integration/capabilities/capability-stop.test.ts',
				'stops what another command line has started: its process is gone, and who waits for it is told',
			],
		],
	},
	{
		says: 'In the sandbox, nothing that a command started is left behind.',
		provenBy: [[sandboxEnds, 'leaves none of 20 daemons behind']],
	},
	{
		says: 'It tells nobody how you use it, unless you name a collector of your own ([docs/telemetry.md](docs/telemetry.md)). It sends data only to the model you connect, the hosts you allow and the services that your settings name.',
		provenBy: [
			['test/integration/threads/telemetry.test.ts', 'costs no request at all while no collector is named'],
			[arrows, 'leave direct effects to the named files, says the lint'],
		],
	},
];
