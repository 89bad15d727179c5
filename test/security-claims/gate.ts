/** Claims of docs/security.md about the gate. */
import type { Claim } from './claim.ts';

const refactoring = 'src/ops/files/refactor.test.ts';
const refactorings = 'test/vscode/host/refactorings.test.ts';
const renames = 'test/integration/approvals/refactorings.test.ts';
const mcpSignIn = 'test/integration/mcp/mcp-sign-in.test.ts';
const schedules = 'test/integration/cli/cli-schedule.test.ts';
const watches = 'test/integration/cli/cli-watch.test.ts';
const serve = 'test/integration/cli/cli-serve.test.ts';
const inWindows = 'test/integration/mcp/mcp-in-windows.test.ts';
const hostilePages = 'test/integration/browser/hostile-pages.test.ts';
const innerServers = 'test/integration/browser/inner-servers.test.ts';
const browserApprovals = 'test/integration/browser/browser-approvals.test.ts';
const pageTasks = 'test/integration/browser/page-tasks.test.ts';
const background = 'src/features/background/background.test.ts';
const work = 'test/integration/cli/cli-work.test.ts';
const broker = 'src/trust/broker/broker.test.ts';
const ask = 'src/trust/broker/person/ask-person.test.ts';
const desk = 'src/trust/gate/approvals/desk.test.ts';
const gate = 'src/trust/gate/policy/gate.test.ts';
const levels = 'src/trust/gate/policy/levels/permission-levels.test.ts';
const allow = 'src/trust/gate/policy/rules/allow-rule.test.ts';
const words = 'src/trust/gate/policy/rules/argv-pattern.test.ts';
const reading = 'src/trust/gate/policy/commands/reading-commands.test.ts';
const readingRuns = 'test/integration/approvals/reading-commands.test.ts';
const wider = 'src/trust/gate/policy/rules/offered-rules.test.ts';
const strict = 'src/trust/gate/policy/rules/strict-rule.test.ts';
const lying = 'test/integration/approvals/lying-server.test.ts';
const prompts = 'src/extension/chat/requests/outgoing-prompts.test.ts';
const threadModes = 'test/integration/approvals/thread-modes.test.ts';
const turnAnswers = 'test/integration/approvals/answers-for-a-turn.test.ts';
const threadLevels = 'test/integration/approvals/thread-levels.test.ts';
const tightening = 'src/trust/gate/policy/workspace/tightening.test.ts';
const project = 'src/trust/gate/policy/rules/project-rules.test.ts';
const userRules = 'src/trust/gate/policy/rules/user-rules.test.ts';
const workspacePolicy = 'src/trust/gate/policy/workspace/workspace-policy.test.ts';
const workspacePolicies = 'src/trust/gate/policy/workspace/workspace-policies.test.ts';
const rate = 'src/trust/gate/policy/executions/rate.test.ts';
const answers = 'test/webview/answers.test.ts';
const pageAnswers = 'src/extension/chat/requests/desk-requests.test.ts';
const risk = 'src/trust/gate/policy/commands/risk-assessor.test.ts';
const hooks = 'src/trust/gate/hooks/user-hooks.test.ts';
const http = 'src/ops/network/http.test.ts';
const shell = 'src/ops/commands/shell.test.ts';
const expanded = 'src/ops/commands/expand-patterns.test.ts';
const redirected = 'src/ops/commands/redirected-files.test.ts';
const redirectedAsked = 'test/integration/approvals/redirected-commands.test.ts';
const commandLines = 'src/protocol/ops/commands/commands-of-line.test.ts';
const chains = 'src/ops/commands/shell-chains.test.ts';
const needs = 'src/ops/commands/command-needs.test.ts';
const run = 'test/integration/cli/cli-run.test.ts';
const policy = 'test/integration/cli/cli-policy.test.ts';
const person = 'src/cli/ports/person.test.ts';
const links = 'test/vscode/ui/edits/links.ts';
const ruleViews = 'test/vscode/ui/approval-rules.test.ts';
const models = 'test/integration/capabilities/capability-models.test.ts';
const files = 'src/ops/files/files.test.ts';
const fileTools = 'test/integration/tools/file-tools.test.ts';
const several = 'test/integration/approvals/several-questions.test.ts';
const severalShown = 'test/webview/several-approvals.test.ts';
const explain = 'test/integration/approvals/broker-explain.test.ts';
const sql = 'src/ops/data/sql.test.ts';
const network = 'test/integration/sandbox/command-network.test.ts';
const web = 'src/ops/network/web.test.ts';
const webSearch = 'test/integration/cli/cli-web-search.test.ts';

const mcpConsent = 'test/integration/mcp/mcp-consent.test.ts';
const mcpSampling = 'test/integration/mcp/mcp-sampling.test.ts';
const mcpHostile = 'test/integration/mcp/hostile-table.ts';

const webAttacks = 'test/integration/web/web-attacks.test.ts';
const webDoor = 'test/integration/web/web-door.test.ts';
const webTls = 'test/integration/web/web-tls.test.ts';

export const gateClaims: readonly Claim[] = [
	{
		says: '**Browsers** reach the chat through `prowess web`, which listens on this machine only, unless the user gives it a certificate.',
		provenBy: [
			[webAttacks, 'listens on 127.0.0.1 and no other address of this machine'],
			[webTls, 'listens for other machines with one alone, whatever the address is called'],
		],
	},
	{
		says: 'With a certificate, only HTTPS is served, to the hosts that it names.',
		provenBy: [[webTls, 'serves the hosts that it names, over HTTPS alone, and no other name, origin or scheme']],
	},
	{
		says: 'A browser is suggested no file that is secret, ignored or elsewhere, and what it names is read through the gate.',
		provenBy: [
			[
				webDoor,
				'is suggested files, folders, changes, threads and addresses after @, and nothing that is ignored, secret or elsewhere',
			],
			[webDoor, 'attaches pictures and texts, by their names, and gets nothing that the gate does not give'],
		],
	},
	{
		says: '| Open a page in the browser (`browser.open`) | asks for each host that its pages may reach, like a request; they reach no other,',
		provenBy: [
			[hostilePages, 'reaches nothing and gets nothing that the user has not agreed to'],
			[browserApprovals, 'opens nothing where the user says no, and starts no browser'],
		],
	},
	{
		says: '| Open a page of a server that a command of the thread runs in its sandbox | no question: `localhost` then means that network',
		provenBy: [
			[
				innerServers,
				'opens what a command of its thread serves without a question, and reaches no server of this machine from there',
			],
			[
				innerServers,
				'prefers the server in the sandbox where this machine has one at the same port, and never goes from one to the other',
			],
		],
	},
	{
		says: '| Act on a page (`browser.act`) | on a server of this machine covered by the yes to its page; elsewhere asks for each act,',
		provenBy: [
			[browserApprovals, 'needs one yes for a server of this machine, on which the agent then acts'],
			[browserApprovals, 'needs a yes for each act elsewhere, and its words are text from outside'],
		],
	},
	{
		says: '| Type a secret into a page | asks, unless a rule names the secret and its host',
		provenBy: [
			[pageTasks, 'does what each of the tasks needs'],
			[innerServers, 'types no stored secret into a page that a command of the agent serves, whatever a rule says'],
		],
	},
	{
		says: '| A page wants a download, a file, the camera, the place, the clipboard or a notification | refused |',
		provenBy: [
			[hostilePages, 'reaches nothing and gets nothing that the user has not agreed to'],
			[pageTasks, 'does what each of the tasks needs'],
		],
	},
	{
		says: '**A page in the browser is text from outside**, with the label of each host that its pages have loaded from.',
		provenBy: [
			[browserApprovals, 'needs a yes for each act elsewhere, and its words are text from outside'],
			[browserApprovals, 'ends with its thread'],
			[hostilePages, 'is not opened by a name that leads to this machine after it was judged'],
			[pageTasks, 'does what each of the tasks needs'],
		],
	},
	{
		says: 'A browser is paired by a code that counts once and for ten minutes; five wrong ones void all that wait.',
		provenBy: [
			[webAttacks, 'takes a pairing code once, and none after five wrong ones'],
			[webAttacks, 'judges at most ten codes in a minute, and takes none that is too old'],
		],
	},
	{
		says: 'It then proves itself with a cookie and a key, and either alone opens nothing.',
		provenBy: [
			[
				webAttacks,
				'refuses a cookie without the key of its page, a key without its cookie, and those of two devices together',
			],
		],
	},
	{
		says: 'Requests for another host name, or from a page of another origin, are refused.',
		provenBy: [[webAttacks, 'refuses another origin, another host name, and a socket from no page']],
	},
	{
		says: 'A device that is revoked, or whose time is over, is told nothing more and asks for nothing more, from its next message on.',
		provenBy: [
			[webAttacks, 'tells a revoked device nothing more, also in the middle of a turn, and takes nothing from it'],
			[webAttacks, 'lets a device in no more after its time, idle or in all'],
		],
	},
	{
		says: 'It has the rights that it was paired with, allows nothing that is dangerous or kept for later, and chooses no level _Full_.',
		provenBy: [
			[webAttacks, 'gives a device no more than its rights, and no browser the widest level'],
			[webDoor, 'may deny what is dangerous, and not allow it'],
		],
	},
	{
		says: 'The ledger names the device of each answer and prompt.',
		provenBy: [
			[webDoor, 'prompts, is asked, and answers, while another one sees all of it; the ledger names the device'],
		],
	},
	{
		says: '**MCP servers** start only after your yes to their entry, and to the files of the project that they run; a change of either is asked anew.',
		provenBy: [
			[mcpConsent, 'that is refused starts nothing'],
			[mcpConsent, 'cannot be given where nobody is asked'],
			[mcpConsent, 'is asked anew when the entry changes, or a file of the project that the server runs'],
		],
	},
	{
		says: 'A page on which you sign in at a server is opened only after your yes, its answer counts only with the secret that we sent along, and a host of an inner network that a server names for it is not asked.',
		provenBy: [
			[mcpSignIn, 'opens no page after a no'],
			[mcpSignIn, 'takes no answer with another state'],
			[mcpSignIn, 'asks a host that the server names only if that may be asked at all'],
		],
	},
	{
		says: 'A server asks a model only if your settings name it, within its budget, while you use it, and each request is shown whole and asked about unless a rule of yours allows it.',
		provenBy: [
			[mcpSampling, 'is refused where the settings do not name it, with the setting, and nothing is sent'],
			[mcpSampling, 'is answered after a yes to all that it asks, the model and the price, and the ledger has it'],
			[mcpSampling, 'is stopped at its budget when it asks on and on, across calls'],
			[mcpSampling, 'is refused while nobody uses it'],
			[mcpSampling, 'is answered without a question where a rule allows it'],
		],
	},
	{
		says: '**The background host** (`prowess serve`) can be reached only through a socket of mode 0600 in a folder of mode 0700, and serves nothing before the other end has proved that it can read a secret in that folder.',
		provenBy: [
			[serve, 'can be reached by its user only'],
			[background, 'serves nothing to one that cannot prove that it reads the home'],
		],
	},
	{
		says: 'It proves the same in turn.',
		provenBy: [[background, 'is not taken for one by those who attach to a socket that others could have put there']],
	},
	{
		says: 'It takes no prompts there and asks nobody: what would need your approval is refused, or waits as the question of a job. No process that it has started outlives it.',
		provenBy: [
			[serve, 'no process outlives the kill'],
			[serve, 'refuses what it would have to ask'],
			[work, 'parks a job that must ask, with no process'],
		],
	},
	{
		says: '**Jobs** (`prowess work add`) have the rights that you have on this machine in their folder, and no others. A job that asks for another folder than it was added for, or for anything beside its prompt, fails before a model is asked.',
		provenBy: [
			[work, 'gives a forged job nothing: no other folder, no wider level'],
			[work, 'at the level of the user'],
		],
	},
	{
		says: 'What would need your approval waits without a process, and is shown whole. A yes counts once and for exactly that: where something else would happen by then, you are asked again.',
		provenBy: [[work, 'parks a job that must ask, with no process, and goes on with the answer to exactly that']],
	},
	{
		says: 'Where a worker is killed, another one goes on, and a command that had begun is not run again by Prowess: the agent is told to look first.',
		provenBy: [
			[work, 'goes on after its worker was killed twice, once in the middle of a command, and repeats nothing'],
		],
	},
	{
		says: 'Without a sandbox, a job only reads.',
		provenBy: [[work, 'only reads where there is no sandbox']],
	},
	{
		says: '**Questions of other agents**, which use Prowess over MCP, reach the windows of VS Code through such a socket, too.',
		provenBy: [
			[background, 'serves nothing to one that cannot prove that it reads the home'],
			[inWindows, 'is a no where the only window has another folder'],
		],
	},
	{
		says: 'A window says that another agent asks, and offers only answers that end with its connection.',
		provenBy: [
			[inWindows, 'is shown whole, with who asks and answers for now alone'],
			['test/vscode/ui/plain-chat/questions-of-agents.ts', 'says who asks, and is denied there'],
		],
	},
	{
		says: '**Scheduled runs** have your rules and no others: what would need your approval is refused, or waits for you, and nothing is allowed because nobody is there.',
		provenBy: [[schedules, 'run carries out what is due once, also when two do it at once, and refuses']],
	},
	{
		says: 'A run works only in a folder that you trust, is in the ledger before it begins, and is not repeated when its process died after that.',
		provenBy: [
			[schedules, 'run carries out what is due once, also when two do it at once, and refuses'],
			[schedules, 'run repeats nothing that a kill cut off'],
		],
	},
	{
		says: '**Watches** (schedules that wait for a condition) poll with nobody there, so a poll asks nothing: a command runs only if it is known to read, or if you agreed to exactly this command and what it runs of the project has not changed since. An address is asked only if you agreed to it or your rules allow it. The consent to a watch shows what it polls. Your deny rules stay in effect at each poll.',
		provenBy: [
			[watches, 'refuses what writes, lies outside, is ignored, is not there, is denied or is over'],
			[watches, 'runs a command that may do more than read once the user has agreed to it, until what it runs changes'],
		],
	},
	{
		says: 'The decision about a poll is in the ledger before its effect; a poll that is decided like the one before has no row of its own, and the numbers in the rows show how many there were.',
		provenBy: [[watches, 'polls until it holds, at no cost of tokens, and leaves rows only for what is new']],
	},
	{
		says: 'A tool that is new, or of which its server says something else than before, is asked about before it can be called.',
		provenBy: [
			[mcpHostile, 'that changes a tool after the consent is asked about anew'],
			[mcpHostile, 'that adds a tool after the consent is asked about it'],
		],
	},
	{
		says: 'Each call is asked about by server and tool, at every permission level, unless a rule of yours names it.',
		provenBy: [
			[mcpConsent, 'is asked about by server and tool with its arguments'],
			[mcpConsent, 'that a rule allows is not asked about'],
			[gate, 'decides ${op} on ${kind}'],
		],
	},
	{
		says: 'A server that forges answers, floods or prints garbage is ended.',
		provenBy: [
			[mcpHostile, 'that answers a request it was not sent is ended'],
			[mcpHostile, 'that floods is ended'],
			[mcpHostile, 'that prints on and on is ended'],
		],
	},
	{
		says: 'Every op takes these steps in this order',
		provenBy: [
			[broker, 'prepares nothing in a workspace that is not trusted'],
			[broker, 'has no effect when any of its records cannot be written before it'],
			[broker, 'lets a hook stop an op, also by failing, and tells it of every end'],
			[broker, 'redacts results, errors, facts, progress and rows'],
		],
	},
	{
		says: '**Unread files are not replaced.**',
		provenBy: [
			[files, 'replaces no file that it has not read, and an empty one all the same'],
			[files, 'may replace what it wrote itself, and what it edited after it had read all of it'],
			[fileTools, 'do not replace what the model has not read, nor take a mark for text'],
		],
	},
	{
		says: '**Changes by language servers** (`editor.refactor`: rename, fix, format) are worked out by other extensions',
		provenBy: [
			[refactoring, 'where it reaches beyond the workspace'],
			[refactoring, 'where it was worked out for another text than the file has'],
			[refactorings, 'changes nothing beyond the workspace'],
			[refactorings, 'deletes, moves and creates no file'],
			[refactorings, 'runs none of its commands'],
			[refactorings, 'changes no 10,000 places at once'],
			[refactorings, 'is not believed where the text has moved on since'],
			[renames, 'asks a person with the reason of the file that is protected, whatever the level'],
			[renames, 'is refused by a rule on edits of any of its files'],
			[refactoring, 'gives the others back what they held'],
			[refactoring, 'writes nothing where one of its files has changed since it was asked about'],
		],
	},
	{
		says: '**Several calls of one answer** that change or run something are asked together',
		provenBy: [
			[several, 'are open together with no op begun, and one answer to those shown allows these alone'],
			[several, 'are answered in any order, and run in theirs'],
			[several, 'count for a change whose lines an earlier one has moved'],
			[several, 'are put anew where an earlier op has made another change of one'],
			[several, 'keep a no, whatever lets the op pass by then'],
			[several, 'do not get a yes with others where one is dangerous'],
			[several, 'do not get a yes with others where a person is asked at every level'],
			[
				gate,
				'covers no act that leaves this machine, steers, is secret, dangerous or for a person alone, at whatever level',
			],
			[
				gate,
				'shows and offers each in any batch as alone, and takes no other with it, whichever answer is given to one',
			],
			[severalShown, 'allow with one press those that were drawn, and nothing that came since'],
			[several, 'are put in its turn for an op that an earlier one makes possible'],
		],
	},
	// The table
	{ says: '| Read in a trusted workspace | allowed |', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{
		says: '| Read or change a file that usually holds secrets',
		provenBy: [[gate, 'opens a secret file only to a rule that names it']],
	},
	{ says: '| Change a file | asks, unless', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{
		says: '| Change a file that controls tools',
		provenBy: [
			[gate, 'keeps asking for protected paths whatever the rules say'],
			[ask, 'offers a protected path only once, and asks for it again'],
		],
	},
	{
		says: '| Change a part of a folder that would make it a repository to Git',
		provenBy: [
			['src/machine/paths/names/repository-shape.test.ts', 'is not made without a question, whichever part comes last'],
		],
	},
	{
		says: '| Change instructions for agents',
		provenBy: [[gate, 'says of each kind of protected file what reads it']],
	},
	{ says: '| Move or delete a file | asks', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{
		says: '| Delete a folder with its contents, or what undo could not restore | always asks',
		provenBy: [[gate, 'lets "all file changes" stand for no change that is riskier than an edit']],
	},
	{ says: '| Query a database in the workspace | allowed', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{ says: '| Change a database | asks', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{
		says: '| Run a command that only reads (see below) | allowed; asks at _Manual_ |',
		provenBy: [
			[readingRuns, 'runs without a question, and its card is told why'],
			[readingRuns, 'is asked at the level Manual, and where a rule wants to be asked'],
		],
	},
	{ says: '| Run another command | asks', provenBy: [[gate, 'decides ${op} on ${kind}']] },
	{
		says: '| What a command needs beyond its sandbox',
		provenBy: [
			[gate, 'takes no rule for commands as one for the hosts and paths that they need'],
			[gate, 'takes a rule for connections as one for the hosts that a command names'],
			[needs, 'names each host once, as rules write it'],
		],
	},
	{
		says: '| Request to another machine | asks for each host',
		provenBy: [[http, 'is asked for once in each step, and just that is connected to']],
	},
	{
		says: '| A sandboxed command connects to a host',
		provenBy: [
			[network, 'asks the person for it by name, once for all its connections, and records what went'],
			[network, 'asks nobody where a rule names the host'],
		],
	},
	{
		says: '| Use a secret in a request | asks',
		provenBy: [
			[allow, 'holds for one secret at one host, and for no pattern'],
			[http, 'is sent over https only, unless the user listed the host'],
		],
	},
	{
		says: '| Request to a server on this machine',
		provenBy: [
			[gate, 'takes no pattern for a server on this machine, only the rule that names it with its port'],
			[http, 'on this machine answers the agent once it is asked about, and only there'],
			[http, 'that only seems to be on this machine is refused'],
			[http, 'that listens in Prowess itself, or in what it runs in, is refused without a question'],
			[
				'test/integration/threads/server-here.test.ts',
				'is asked about by its port, and a rule for it is kept for the project',
			],
		],
	},
	{
		says: '| Search the web (`web.search`) | only through the provider that `prowess.web.search` names',
		provenBy: [
			[webSearch, 'is not offered without a provider, and the call of it is told why'],
			[webSearch, 'sends nothing that no rule allows where nobody can be asked'],
			[webSearch, 'sends the key to its provider, and shows and keeps it nowhere'],
			[web, 'names host and secret to the gate, and shows what is sent before anything is looked up'],
			[web, 'is refused where a provider that the user gave no address of is in an own network'],
			[web, 'takes its key to no other port of the same host'],
		],
	},
	{
		says: '| Any other request to this machine or its network | refused',
		provenBy: [
			[http, '${host} is on this machine or its network, so it is refused'],
			[http, 'inside is open to a host that the user listed, on that port only'],
		],
	},
	{
		says: '| A capability asks a model or runs a sub-turn | allowed with its permission `llm`',
		provenBy: [
			[models, 'is refused without the permission, and nothing is sent'],
			[models, 'sends no secret to the model'],
			[models, 'is stopped at its budget of requests, with the name of the setting'],
		],
	},
	{
		says: '| Anything outside the workspace | refused |',
		provenBy: [
			[shell, 'refuses a folder outside the workspace, by letters and by link'],
			[run, 'writes no file through a link that leads out'],
		],
	},
	{
		says: '| PRIVILEGED (give a capability the value of a secret; the agent never gets one) | always asks',
		provenBy: [
			[gate, 'asks for PRIVILEGED every time, whatever the rules say, and never approves it automatically'],
			[gate, 'hands a secret out to a running capability only, asking each time whatever the rules say'],
			[ask, 'limits PRIVILEGED ops to 20 in an hour'],
		],
	},
	// Answers
	{
		says: 'What was judged is frozen, and its hash is in the ledger.',
		provenBy: [[ask, 'runs what was approved: nothing can be changed between question and effect']],
	},
	{ says: 'Each approval has one id and one answer.', provenBy: [[desk, 'takes the first of two answers']] },
	{
		says: '**Allow for this thread** says what it covers before you press it.',
		provenBy: [[gate, 'says that ${op} for the thread means ${text}']],
	},
	{
		says: 'applies to no other thread',
		provenBy: [[gate, 'keeps what was allowed in one thread from all others, and forgets it with its thread']],
	},
	{
		says: 'For anything else it covers exactly what is shown.',
		provenBy: [[allow, 'is bound to the very target']],
	},
	{
		says: '**Always allow** saves the pattern on its button and nothing wider.',
		provenBy: [
			[ask, 'keeps "thread" for this thread, as far as it was said, and "always" as the rule that was shown'],
			[words, 'writes a pattern for any command that covers it and no other'],
			[gate, 'offers to change the folder of a file always, brackets and stars included, and nothing beside it'],
		],
	},
	{
		says: 'nor if part of the pattern would be redacted or invisible',
		provenBy: [[ask, 'offers no rule of which a part cannot be seen']],
	},
	{
		says: '**A rule belongs to one project** unless you choose _in all projects_.',
		provenBy: [
			[project, 'hold in their project alone'],
			[ask, 'keeps "in this project" for the project alone, and says which rule let the next one through'],
		],
	},
	{
		says: 'by the real paths of the open folders',
		provenBy: [[project, 'hold by the real path: another way there is the same project, what lies there now is not']],
	},
	{
		says: 'it applies only where exactly these are open',
		provenBy: [[project, 'hold with several folders only where just these are open, under these names']],
	},
	{
		says: 'A call that a rule allowed names the rule on its card.',
		provenBy: [[ruleViews, 'is saved by the button that says so, and named by the card it lets through']],
	},
	{
		says: 'no rule of a project applies, and the _Doctor_ says so',
		provenBy: [[project, 'are none, and none are lost, while their file is damaged']],
	},
	{
		says: 'can be revoked**',
		provenBy: [[project, 'are seen by another host of the same home as soon as they are saved or removed']],
	},
	{
		says: '**Wider rules** are offered beside it',
		provenBy: [
			[wider, 'for "${line}" is ${rules.join'],
			[wider, 'is none for "${line}"'],
			[wider, 'is none without a sandbox, and covers nothing there'],
			[wider, 'is refused in words, with what to do'],
		],
	},
	{
		says: 'Any other answer changes nothing, and the question stays open.',
		provenBy: [
			[desk, 'takes no answer that was not offered, from either side, and goes on asking'],
			[desk, 'takes no answer to an id it did not mint'],
		],
	},
	{
		says: '_Always allow_, in one project or in all, and _Trust this version_ open',
		provenBy: [[ruleViews, 'is saved by the button that says so, and named by the card it lets through']],
	},
	{
		says: '**Links** that a model writes open only after a question that names the address',
		provenBy: [
			[links, 'is asked with its whole address, and opens nothing when it is cancelled'],
			[links, 'never opens what is served as a part of the editor, also after a yes'],
		],
	},
	// Levels
	{
		says: '**Permission levels** say how much runs without asking',
		provenBy: [
			[levels, 'asks about ${what} ${at}'],
			[levels, 'is named by what it lets through'],
		],
	},
	{
		says: 'rules and earlier answers are ignored, even where nobody is asked',
		provenBy: [
			[gate, 'asks in manual also what rules and earlier answers would allow, and offers neither'],
			[gate, 'approves nothing automatically in manual, and names no rule that would not help'],
		],
	},
	{
		says: '_Edit freely_ also allows changes of ordinary files in the workspace',
		provenBy: [[levels, 'asks about ${what} ${at}']],
	},
	{
		says: '_Auto_ allows what stays inside',
		provenBy: [
			[levels, 'asks about ${what} ${at}'],
			[gate, 'asks at auto once for a host that commands of a thread need'],
		],
	},
	// Commands that only read
	{
		says: '**Commands that only read** run without asking in a trusted workspace',
		provenBy: [[readingRuns, 'runs without a question, and its card is told why']],
	},
	{
		says: '| Without a sandbox, too | In the sandbox only |',
		provenBy: [[reading, 'is "${line}", in a sandbox or not']],
	},
	{
		says: '| `ls`, `tree`, `find`',
		provenBy: [[reading, 'is "${line}" where the sandbox hides every secret file']],
	},
	{ says: '| `cat`, `head`, `tail`', provenBy: [[reading, 'is "${line}" where the sandbox hides every secret file']] },
	{ says: '| `git status`, `log`', provenBy: [[reading, 'is "${line}" in a sandbox only']] },
	{ says: '| `date`, `echo`, `env`', provenBy: [[reading, 'is "${line}", in a sandbox or not']] },
	{
		says: '- No operand leaves the workspace, names a secret file or leads to one through a link.',
		provenBy: [
			[reading, 'reads nothing that was found outside, secret or protected'],
			[readingRuns, 'is asked about a secret file, a link out of the workspace, and a program of the project'],
		],
	},
	{
		says: '- The program is installed on this machine.',
		provenBy: [[reading, 'is no program of the project']],
	},
	{
		says: '- Git runs no hook and no pager',
		provenBy: [
			[readingRuns, 'starts no program that a repository names, and no hook'],
			[reading, 'asks git nothing where the repository names programs that git would start'],
		],
	},
	{
		says: '- In the sandbox such a command finds the whole workspace read-only and has no network.',
		provenBy: [
			[readingRuns, 'can change nothing, whatever the table says'],
			[readingRuns, 'shows changes whole, but nothing of a secret file, of now or of the past'],
		],
	},
	{
		says: '- One that wants to leave its sandbox (`needs.noSandbox`) is asked about like any other command.',
		provenBy: [[readingRuns, 'is asked when it wants to leave its sandbox, at the level Auto, too']],
	},
	{
		says: '- What it prints goes to the model, redacted like everything else.',
		provenBy: [[broker, 'redacts results, errors, facts, progress and rows']],
	},
	{
		says: '- A command of a capability is never passed this way.',
		provenBy: [[gate, 'allows nothing automatically that a capability runs without a sandbox or needs beyond it']],
	},
	{
		says: '**An answer for the turn**',
		provenBy: [
			[gate, 'takes an answer for the turn for what the level Auto allows, in that turn alone'],
			[turnAnswers, 'covers nothing of what a person is asked about at every level, and is not offered for it'],
			[turnAnswers, 'does nothing in another thread'],
			[turnAnswers, 'ends with its turn, and with the connection of the server that ran it'],
		],
	},
	{
		says: '**What is flagged dangerous is asked at every level**',
		provenBy: [
			[gate, 'asks a person about what looks dangerous at every level, kept in or not'],
			[gate, 'takes no answer for the thread for what looks dangerous, and of a rule its very words only'],
			[risk, 'does not call the deletion of a folder dangerous that a build makes again'],
		],
	},
	{
		says: '_Full_ allows everything up to RESTRICTED',
		provenBy: [
			[gate, 'leaves hosts, secrets and PRIVILEGED to the person in full too'],
			[gate, 'asks a person about what looks dangerous at every level, kept in or not'],
		],
	},
	{
		says: 'Each row says by which level an op was allowed.',
		provenBy: [[gate, 'names the level that has allowed it']],
	},
	{
		says: 'A host started with `never` keeps denying.',
		provenBy: [[levels, 'lets nothing through in a host that refuses every question']],
	},
	{
		says: 'The strictest of them counts.',
		provenBy: [
			[levels, 'counts only as far as the widest one that is permitted'],
			[levels, 'that several sources limit is limited by the strictest of them'],
		],
	},
	{
		says: 'A command of a capability is automatic only in its sandbox, at every level.',
		provenBy: [[gate, 'allows nothing automatically that a capability runs without a sandbox or needs beyond it']],
	},
	// Rules
	{
		says: 'A final ` *` also covers further plain operands, **in the sandbox only**',
		provenBy: [[allow, 'covers further operands in the sandbox only']],
	},
	{
		says: 'or a path that leaves the workspace, usually holds secrets or controls what runs, by its name or through a link',
		provenBy: [
			[allow, 'does not cover an operand that leads out, holds secrets or steers what runs, unless its words name it'],
			[shell, 'names arguments that lead out, hold secrets or steer what runs, and which of them only a link shows'],
		],
	},
	{
		says: 'It never applies to programs that run other programs',
		provenBy: [[words, 'does not take ${JSON.stringify(argv)} for "${pattern}"']],
	},
	{
		says: 'and not where an operand is a link to such a path',
		provenBy: [[gate, 'offers no rule for words that do not show where a link leads']],
	},
	{
		says: '**Pipes, `&&`, `||`, `;` and files behind `>` and `<`** need no shell',
		provenBy: [
			[chains, 'pass on what each writes, and tell the exit code of each'],
			[redirected, 'run as their joins say: ${JSON.stringify(chain)}'],
			[redirected, 'gets what the command writes, in the place of what it held, which is kept'],
		],
	},
	{
		says: 'is judged as `fs.write` judges it',
		provenBy: [
			[redirectedAsked, 'is refused and asked about by rules for the file'],
			[redirectedAsked, 'is asked at every level about what steers programs or holds secrets, read or written'],
			[redirectedAsked, 'passes where a change of the file would, and the command only reads'],
			[redirectedAsked, 'is not covered by a rule for the command or for the file alone, nor for another file'],
			[gate, 'refuses a capability a file behind its command without the permission for files, whatever is allowed'],
		],
	},
	{
		says: 'A program that reads a file so counts as one that reads a pipe',
		provenBy: [
			[
				redirectedAsked,
				'is asked anew when it runs what it reads: no rule, no answer for the thread and no other file stands for it',
			],
		],
	},
	{
		says: 'A file outside the workspace behind `>`',
		provenBy: [
			[redirectedAsked, 'asks about a file outside of the workspace by its path, and writes it after a yes'],
			[redirectedAsked, 'finds /tmp to be that of its thread in the sandbox, and asks nobody'],
			[redirectedAsked, 'reaches nothing beyond the workspace, at the widest level either'],
			[redirected, 'is asked about by the path that it has without links, whichever way it is named'],
			[redirected, 'is written and read by the host, and undo does not know of it'],
			[redirected, 'is not written when a link, a pipe of the system or a folder has taken its place since'],
			[redirected, 'is refused in the folder of Prowess, however it is named'],
			[redirected, 'is refused by its letters: ${JSON.stringify(path)}'],
		],
	},
	{
		says: 'The host opens the file itself when the command has its turn',
		provenBy: [
			[redirected, 'is refused when it has a second name, and keeps what it holds'],
			[redirected, 'is not written when ${what} has taken its place since (${redirect.mode} ${redirect.path})'],
			[redirected, 'keeps every file as it is when one of them cannot be opened'],
			[redirected, 'that holds no text is written without an image of what it held'],
			[redirectedAsked, 'is listed as a change of the thread, and undone, also after the host has ended'],
		],
	},
	{
		says: 'All must pass, and the approval shows every one.',
		provenBy: [[gate, 'asks for all when one is not covered, and offers no rule for several']],
	},
	{
		says: 'A rule covers a command that reads a pipe only if it is a filter found on the PATH',
		provenBy: [[gate, 'allows by rules when each command is covered, and what reads a pipe is a filter of the PATH']],
	},
	{
		says: 'nothing is piped by rule or at',
		provenBy: [[gate, 'lets no rule and no automatic approval pipe anything into a program that runs it']],
	},
	{
		says: 'An answer for this thread covers the same pipe only.',
		provenBy: [[gate, 'takes an answer for the thread for the same pipe only']],
	},
	{
		says: 'A command after `&&` starts if every command of the pipe before it succeeded.',
		provenBy: [
			[chains, 'go on after && only when all of the pipe before succeeded'],
			[chains, 'give the code of the last that failed, whatever came after it in the pipe'],
		],
	},
	{
		says: 'are looked up in the workspace before anything runs, and the names are what is shown and judged',
		provenBy: [
			[expanded, 'become the words that a shell makes of them: ${pattern}'],
			[expanded, 'that show a secret are judged by it'],
			[expanded, 'do not look beyond the workspace through a link'],
		],
	},
	{
		says: 'Exactly the files that you were shown are changed, and the risk warning reads the line as it was written, too.',
		provenBy: [
			[expanded, 'remove the files that were shown, and no file that came since'],
			[expanded, 'keep the warning about the line as it was written'],
			[expanded, 'become names for a program that changes them, no name a flag, and each is judged'],
		],
	},
	{
		says: 'it is refused with the form to use instead',
		provenBy: [
			[shell, 'says of a whole shell line how it is written instead'],
			[commandLines, 'means what it says: ${line}'],
		],
	},
	{
		says: '**Each thread has its own level**, kept by the host in `thread-levels.json` in the home',
		provenBy: [
			[threadLevels, 'is that of one thread: at the same time one asks and the other does not'],
			[threadLevels, 'is still there after the host has ended, and gone once the thread is deleted'],
		],
	},
	{
		says: '**Each thread has its own mode**, kept by the host in `thread-modes.json` in the home',
		provenBy: [
			[
				threadModes,
				'is enforced by the host at every level: a server that asks all the same changes and runs nothing in the mode Ask',
			],
			[threadModes, 'is kept by the host: a server can neither claim another one nor set it'],
			[threadModes, 'is Plan until the person says yes to a plan: what is refused changes nothing, at any level'],
			[threadModes, 'is Plan still where nobody can be asked, and a thread at Ask has no plan'],
		],
	},
	{
		says: 'While the file cannot be read, every thread is at _Ask_.',
		provenBy: [
			[threadModes, 'is Ask for every thread while the file with the modes cannot be read, and the problem is told'],
		],
	},
	{
		says: 'one that is taken over can name another thread that you wrote in and gets that',
		provenBy: [
			[
				threadLevels,
				'is kept by the host: what a server says of it changes nothing, and it has the level of the thread it names',
			],
		],
	},
	{
		says: "for _Full_ the editor's own dialog asks you first",
		provenBy: [['test/vscode/ui/auto.test.ts', 'is Full only after the dialog of the editor, and red']],
	},
	{
		says: 'Deny overrides ask, and ask overrides allow.',
		provenBy: [
			[tightening, 'refuses what a rule denies, whatever else would allow it'],
			[tightening, 'asks what a rule wants asked, whatever else would allow it, and offers no rule against it'],
		],
	},
	{
		says: 'A command is covered if it begins with the words, whatever the path of the program',
		provenBy: [
			[strict, 'for "git push" covers ${argv.join'],
			[strict, 'covers what is written into a program that runs it, as far as it can be seen'],
		],
	},
	{
		says: '**Workspace policy**: a workspace can add deny and ask rules',
		provenBy: [
			[workspacePolicies, 'are read again when the file has changed, also within the same size'],
			[workspacePolicies, 'are not looked at before the workspace is trusted'],
			[tightening, 'never makes a decision looser than the user alone has it'],
		],
	},
	{
		says: 'Entries that would loosen',
		provenBy: [[workspacePolicy, 'cannot loosen with "${word}", which is named with its place; the rest counts']],
	},
	{
		says: 'everything is asked',
		provenBy: [[tightening, 'asks for everything while a rule cannot be read, and says which']],
	},
	{
		says: '**Invalid settings** are never ignored silently.',
		provenBy: [
			[userRules, 'are listed with what is wrong about them, hooks included'],
			[policy, 'stops \\`prowess ${command[0]}\\` when what was meant to be refused cannot be read, and says where'],
		],
	},
	{
		says: 'everything is refused while `prowess.hooks` is invalid',
		provenBy: [[hooks, 'refuse everything while the setting is no list of them, and say so']],
	},
	{
		says: '_Test a Rule…_ on the page _Approvals_, and `prowess policy test`',
		provenBy: [
			[policy, 'says which rule refuses a command, and runs none'],
			[explain, 'does, asks and records nothing'],
		],
	},
	{
		says: '`never` denies every request and names the rule that would allow it.',
		provenBy: [
			[gate, 'says in a denial without a person how it could be allowed'],
			[run, 'does not change a file when nobody may say yes, records the denial, and lets the model read why'],
		],
	},
	{
		says: 'Protected and secret files stay refused.',
		provenBy: [[run, 'reads no file ${what}, even with --approve auto']],
	},
	// Time, rate, requests, SQL, risk
	{
		says: 'Time limits are paused while an approval is open.',
		provenBy: [
			[ask, 'stops its clock while a question is open'],
			[shell, 'stops at its time limit and says so'],
		],
	},
	{
		says: '**Deleting a thread** ends its commands and approvals',
		provenBy: [
			[shell, 'ends every command of a thread, and all of them when the host closes'],
			[run, 'drops the texts before its changes with a thread'],
		],
	},
	{
		says: '**A server names only threads that you wrote in.**',
		provenBy: [
			[
				lying,
				'does nothing in the name of a thread in which the user has written nothing here, and each refusal is recorded',
			],
			[
				lying,
				'reads nothing and asks nothing in the name of such a thread, nor of one that was deleted or is only known',
			],
			[prompts, 'lets the agent of its thread ask for ops, once it is not refused for its secrets'],
		],
	},
	{
		says: 'That comes first, for reads too.',
		provenBy: [[broker, 'asks no hook about an op of a thread that has not begun here']],
	},
	{
		says: '**Rate**: each PRIVILEGED op acts, and each PRIVILEGED capability starts, at most 20 times in any 60 minutes.',
		provenBy: [
			[rate, 'refuses the 21st effect within 60 minutes'],
			[rate, 'counts what the ledger knows of other hosts and earlier ones'],
			[rate, 'gives nothing back when the wall clock jumps'],
		],
	},
	{
		says: 'A name is resolved once for each step, after the approval, and all of its addresses must be public.',
		provenBy: [
			[http, 'is looked up after the question, not before'],
			[http, 'is refused when one of its addresses leads inside, and nothing is connected'],
		],
	},
	{ says: 'Up to five redirects are followed, each checked again.', provenBy: [[http, 'ends after five']] },
	{
		says: 'A redirect to a host that is not allowed is reported, not followed.',
		provenBy: [[http, 'to a host that is not allowed is told, not followed']],
	},
	{
		says: 'Another origin receives neither secret nor body headers, and no request that changes something: 307 and 308 to it are reported, not followed.',
		provenBy: [
			[http, 'to another origin takes along neither secret nor body nor cookies'],
			[http, 'with 307 or 308 has no other origin change something, even if it may be asked'],
		],
	},
	{
		says: 'return only to the host that set them',
		provenBy: [[http, 'go back to their host and path, and to no other caller']],
	},
	{
		says: '**SQL** runs in a process of its own that ends with its op.',
		provenBy: [
			[sql, 'without end is ended with its op, and leaves no process'],
			[sql, 'is refused when SQLite would open another file than the one that was judged'],
		],
	},
	{
		says: '**The risk warning** (low, medium, high) informs you.',
		provenBy: [
			[risk, 'calls dangerous: ${argv.join'],
			[risk, 'raises no alarm for: ${argv.join'],
			[risk, 'leaves out what the sandbox of the command keeps from happening'],
			[gate, 'asks a person about what looks dangerous at every level, kept in or not'],
			[answers, 'shows that an act is dangerous and why, marks the risky parts, and offers only a deliberate yes'],
		],
	},
	{
		says: "**How far the page's word goes**",
		provenBy: [
			[pageAnswers, 'to a question of a thread that is not shown changes nothing'],
			[pageAnswers, 'that is stored counts only when the person confirms it in the editor'],
			[
				pageAnswers,
				'that allows what is dangerous counts only when the person confirms it in the editor, a no at once',
			],
		],
	},
	{
		says: 'what was typed before a question was shown is discarded',
		provenBy: [[person, 'answers nothing with what was typed before the question']],
	},
	{
		says: "A sub-agent has the narrowest mode and permission level of its own and its parents', at each op anew, and only tools that all of them have",
		provenBy: [
			['test/integration/agents/agent-rights.test.ts', 'may no more than its parent, in mode and level'],
			['test/integration/agents/agent-rights.test.ts', 'has the tools that it was given and its parents have'],
			['test/integration/agents/agent-rights.test.ts', 'only reads, as every agent does, while the file'],
		],
	},
	{
		says: 'The text of a custom agent is followed after a consent that is bound to its content.',
		provenBy: [['test/integration/agents/custom-agents.test.ts', 'is followed only after the user has agreed']],
	},
	{
		says: '`prowess.access.deny` takes asking models, earlier messages or tools from the editor, the command line, schedules or sub-agents.',
		provenBy: [
			['test/integration/cli/cli-access.test.ts', 'is kept from its threads, one by one'],
			['test/integration/agents/agent-rights.test.ts', 'has no tool where the user denies tools to sub-agents'],
		],
	},
	{
		says: 'The command is judged, stopped and limited as without it.',
		provenBy: [
			['test/integration/sandbox/terminal.test.ts', 'is judged as without one: the same rules, the same reasons'],
			[
				'test/integration/sandbox/terminal.test.ts',
				'is killed with all that it started when it does not end by itself',
			],
			['test/integration/sandbox/terminal.test.ts', 'ends at its time limit'],
			['test/integration/sandbox/terminal.test.ts', 'is kept in as without one'],
		],
	},
	{
		says: 'a file that only administrators can write sets limits that neither users nor workspaces can loosen.',
		provenBy: [
			['src/machine/organisation/organisation.test.ts', 'tighten settings, whichever side is tighter'],
			[
				'src/machine/organisation/organisation.test.ts',
				'are refused where somebody else could have written the file or its folder, or put a link there',
			],
			['test/integration/cli/cli-organisation.test.ts', 'starts nothing where others could have written the file'],
		],
	},
	{
		says: 'After that, whatever leaves needs a yes to just that pair of text and receiver, at every level and whatever rule would let it pass:',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
			['test/integration/approvals/labels.test.ts', 'would leave by the same rules without a question'],
		],
	},
	{
		says: '| A request with a body, headers, a secret or a query | for each host |',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
		],
	},
	{
		says: '| A request with an address alone | unless a rule or an answer for the thread names exactly this host |',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
			['test/integration/approvals/labels.test.ts', 'asks for an address alone unless a rule names exactly its host'],
		],
	},
	{
		says: '| A tool of an MCP server that writes, or that is given an address | for each tool |',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
		],
	},
	{
		says: '| A command that is connected to a host, as for `git push` | for each host |',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
		],
	},
	{
		says: '| A command that leaves its sandbox and does more than read | for exactly its words |',
		provenBy: [
			[
				'test/integration/approvals/labels.test.ts',
				'asks about each command without a sandbox that does more than read',
			],
		],
	},
	{
		says: '| A watch of an address | for each, before its first poll |',
		provenBy: [
			[
				'test/integration/approvals/labels.test.ts',
				'is named by the question about a watch before its first poll, and a no sends nothing',
			],
		],
	},
	{
		says: 'A sub-agent and the thread it works for share one label, a schedule or goal hands it on to its threads, and so do a fork and a reference to another thread.',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
		],
	},
	{
		says: 'While that cannot be read, everything that leaves asks, and where it was removed, what leaves any thread from before that.',
		provenBy: [
			[
				'test/integration/approvals/labels.test.ts',
				'outlives the host, is named in the ledger, and is unknown where its file cannot be read',
			],
			[
				'test/integration/approvals/labels.test.ts',
				'counts as unknown in each thread from before its file was removed, and in none from after that',
			],
		],
	},
	{
		says: 'Files that others wrote are those in folders of packages, and those that a command made while it was connected.',
		provenBy: [
			['test/integration/approvals/labels.test.ts', 'lets nothing leave without a question, on each way to the model'],
			['test/integration/approvals/labels.test.ts', 'is also what a command has downloaded into the workspace'],
		],
	},
	{
		says: 'One that is asked anyway is the same question.',
		provenBy: [['test/integration/approvals/labels.test.ts', 'adds no question to one that is asked anyway']],
	},
	{
		says: 'An answer for the thread covers the pair, and what the receiver answers.',
		provenBy: [['test/integration/approvals/labels.test.ts', 'is asked about once for a thread']],
	},
	{
		says: 'A rule names a pair by its end: `mcp.call github/add_comment after mcp:github`.',
		provenBy: [['test/integration/approvals/labels.test.ts', 'passes by a rule that names the pair']],
	},
	{
		says: 'Where nobody can be asked, it is refused.',
		provenBy: [['test/integration/approvals/labels.test.ts', 'is refused with a clear error where nobody can answer']],
	},
];
