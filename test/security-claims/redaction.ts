/** Claims of docs/security.md about redaction. */
import type { Claim } from './claim.ts';

const redactor = 'src/trust/record/redaction/redactor.test.ts';
const corpus = 'src/trust/record/redaction/corpus.test.ts';
const tokens = 'src/trust/record/redaction/finders/tokens.test.ts';
const vendors = 'src/trust/record/redaction/vendor-formats.test.ts';
const cutKeys = 'src/ops/files/cut-keys.test.ts';
const longLines = 'src/machine/search/matching-line.test.ts';
const kubernetes = 'src/trust/record/redaction/finders/kubernetes-secrets.test.ts';
const patterns = 'src/trust/record/redaction/own-patterns.test.ts';
const broker = 'src/trust/broker/broker.test.ts';
const secrets = 'test/integration/cli/cli-secrets.test.ts';
const policy = 'test/integration/cli/cli-policy.test.ts';
const messages = 'test/vscode/ui/plain-chat/keys-in-messages.ts';
const hidden = 'test/integration/cli/cli-hidden-text.test.ts';

export const redactionClaims: readonly Claim[] = [
	{
		says: 'reach it as `\\u{…}`, from files, names, commands, searches and pages alike',
		provenBy: [[hidden, 'reach the model only as escapes, whatever they come from']],
	},
	{
		says: '`fs.edit` finds them by the same escapes',
		provenBy: [[hidden, 'can be edited by their escapes, and an escape that a file spells out stays one']],
	},
	{
		says: '**Redaction** replaces known values in every usual encoding, then anything that looks like a secret.',
		provenBy: [
			[redactor, 'finds a known value in every usual encoding'],
			[redactor, 'strikes out what looks like a secret: ${name}'],
		],
	},
	{
		says: 'at most 300 characters, no nested repetition, no back-reference',
		provenBy: [[patterns, 'refuses ${JSON.stringify(pattern)}, and says why']],
	},
	{
		says: 'If a pattern still takes longer than 250 ms on a text, the whole text is redacted.',
		provenBy: [[patterns, 'strike out a whole text rather than show it when they take too long after all']],
	},
	{
		says: 'show what would be redacted',
		provenBy: [
			[
				policy,
				'says what would be struck out of standard input, with the patterns of the settings, and shows no value',
			],
		],
	},
	{
		says: 'In streamed output, your own patterns match within a line.',
		provenBy: [
			[patterns, 'find what a stream brings in pieces'],
			[redactor, 'finds a secret split over pieces at every place'],
		],
	},
	{
		says: '**What you say is redacted too**, before the model, the disk and the chat have it',
		provenBy: [[secrets, 'never leave with what the user says or a model calls, in no encoding, whatever the flags']],
	},
	{
		says: 'Known keys are always removed.',
		provenBy: [
			[messages, 'is never sent when it is stored, in a message or in an answer to a question'],
			[secrets, 'never leave with what the user says or a model calls, in no encoding, whatever the flags'],
		],
	},
	{
		says: 'the chat asks before it sends it: without the key, or as typed, for this message only',
		provenBy: [
			[messages, 'is removed after the user was asked, and nothing is sent before'],
			[messages, 'is sent as it was typed when the user says so'],
			[secrets, 'that only look like keys are removed from a prompt, which is said, unless the user wants them sent'],
		],
	},
	{
		says: 'In an answer to a question it is always removed, which is said.',
		provenBy: [
			['src/cli/ports/person.test.ts', 'is told which keys are taken out of an answer, and out of the reason of a no'],
		],
	},
	{
		says: 'The title of a thread never has any.',
		provenBy: [
			[
				'src/extension/chat/requests/outgoing-prompts.test.ts',
				'has no secret in the title of its thread, without a question',
			],
		],
	},
	{
		says: 'Params of a tool call are stored, shown and sent back to the model without keys.',
		provenBy: [[broker, 'redacts results, errors, facts, progress and rows']],
	},
	{
		says: '**Redaction** happens before anything leaves the host',
		provenBy: [[secrets, 'are sent to their provider and found nowhere else, in no encoding']],
	},
	{
		says: 'at least 99 % of tokens made by chance in each form',
		provenBy: [
			[tokens, 'are found at least 99 times in a hundred where the token has a mark'],
			[tokens, 'are found at least 99 times in a hundred where only the name of the service tells'],
		],
	},
	{
		says: 'all of 502 secrets in lines of files and logs',
		provenBy: [[corpus, 'strikes out all of 502 secrets, and keeps their labels']],
	},
	{
		says: 'at least 95 % of 273 lines in the forms that vendors document',
		provenBy: [[vendors, 'are struck out 95 times in a hundred in the forms of ${file}']],
	},
	{
		says: 'at least 95 % of 341 lines of shells, settings and programs',
		provenBy: [[vendors, 'are struck out 95 times in a hundred in the forms of ${file}']],
	},
	{
		says: 'passwords in addresses, `.netrc`, and `curl`, `mysql` and `sshpass` commands',
		provenBy: [
			[vendors, 'are struck out 95 times in a hundred in the forms of ${file}'],
			[redactor, 'finds the password of the second of two curl commands, wherever the reach of the first one ends'],
		],
	},
	{
		says: 'Tests make samples of each of the 27 kinds of secrets that its recommended rules look for, in 40 forms: all are found.',
		provenBy: [['src/trust/record/redaction/finders/secretlint-kinds.test.ts', '${kind}, form ${at + 1}']],
	},
	{
		says: '**A private key is redacted before a text is cut**',
		provenBy: [
			[cutKeys, 'is not shown by a part of a file that begins within it, and keeps the numbers of the lines'],
			[cutKeys, 'is not shown by a part of a file above the limit of texts'],
			[cutKeys, 'is not shown by the beginning or the end of an output whose middle is left out'],
			[cutKeys, 'is not shown by an output that is read before it has come whole'],
			[redactor, 'strikes out what is left of a private key that was cut off, however little'],
			[longLines, 'shows no part of a private key that it holds'],
			[longLines, 'is not cut within a token, so that redaction sees all of it, wherever the match is'],
			[
				'src/machine/shell/kept-output.test.ts',
				'leaves out whole lines, so that no half of a secret stands where it was cut',
			],
		],
	},
	{
		says: 'at most one false alarm in a megabyte of code',
		provenBy: [[tokens, 'are seen at most once in a megabyte of code that contains no secret']],
	},
	{
		says: 'the values of a Kubernetes Secret',
		provenBy: [[kubernetes, 'shows the names in it, and no value, whatever stands first']],
	},
	{
		says: 'nor known values of fewer than 8 characters',
		provenBy: [[redactor, 'passes over values too short to be secrets']],
	},
];
