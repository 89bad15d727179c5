/** The detail of an approval as it is shown: the exact bytes, with invisible characters visible and secrets struck out. */
import { assertNever } from '../../../base/assert-never.ts';
import type { OpDetail } from '../../../protocol/approvals/approvals.ts';
import type { FileDiff } from '../../../protocol/ops/definitions/files/files.ts';
import { withArgs } from '../../../protocol/text/text.ts';
import type { CommandNeeds } from '../../../protocol/ops/commands/command-needs.ts';
import { escapeInArgument, escapeInvisible } from '../../../base/text/escape-invisible.ts';

export function shownDetail(detail: OpDetail, redact: (text: string) => string): OpDetail {
	const escapeLine = (text: string) => escapeInvisible(redact(text), 'line');
	const escapeLines = (text: string) => escapeInvisible(redact(text), 'lines');
	const escapeWords = (text: string) => escapeInArgument(redact(text));
	const escapeDiff = (diff: FileDiff) => ({ ...diff, path: escapeLine(diff.path), patch: escapeLines(diff.patch) });
	switch (detail.kind) {
		case 'command': {
			const chain = detail.chain?.map(({ join, ...command }) => ({
				join,
				...escapeCommandDetail(command, escapeLine, escapeWords),
			}));
			const { needs, sandboxed, notation } = detail;
			return {
				kind: 'command',
				...escapeCommandDetail(detail, escapeLine, escapeWords),
				cwd: escapeLine(detail.cwd),
				...(notation === undefined ? {} : { notation }),
				...(chain === undefined ? {} : { chain }),
				...(sandboxed === undefined ? {} : { sandboxed }),
				...(needs === undefined ? {} : { needs: escapeCommandNeeds(needs, escapeLine) }),
			};
		}
		case 'diff':
			return { kind: 'diff', diff: escapeDiff(detail.diff) };
		case 'diffs':
			return { kind: 'diffs', diffs: detail.diffs.map(escapeDiff) };
		case 'path':
			return { kind: 'path', path: escapeLine(detail.path) };
		case 'plan':
			return { kind: 'plan', text: escapeLines(detail.text) };
		case 'text': {
			const facts = detail.facts?.map(({ label, value }) => ({
				label: withArgs(label, escapeLine),
				value: 'at' in value ? value : withArgs(value, escapeLine),
			}));
			return { kind: 'text', text: escapeLines(detail.text), ...(facts === undefined ? {} : { facts }) };
		}
		default:
			return assertNever(detail);
	}
}

type ShownCommand = Pick<Extract<OpDetail, { kind: 'command' }>, 'argv' | 'redirects'>;

function escapeCommandDetail(
	{ argv, redirects }: ShownCommand,
	line: (text: string) => string,
	words: (text: string) => string,
): ShownCommand {
	const shown = redirects?.map((each) => ('path' in each ? { ...each, path: line(each.path) } : each));
	return { argv: argv.map(words), ...(shown === undefined ? {} : { redirects: shown }) };
}

function escapeCommandNeeds(
	{ network, read, write, noSandbox }: CommandNeeds,
	line: (text: string) => string,
): CommandNeeds {
	return {
		...(network === undefined ? {} : { network: network.map(line) }),
		...(read === undefined ? {} : { read: read.map(line) }),
		...(write === undefined ? {} : { write: write.map(line) }),
		...(noSandbox === undefined ? {} : { noSandbox }),
	};
}
