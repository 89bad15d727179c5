/** *Why am I asked?*: which rule or property made a question of an op, and what would let it pass. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { Explanation, WhyAsked } from '../../../contract/decision.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import type { PageBlock, PageFact } from '../../../protocol/pages/capability-page.ts';
import { LEVEL_WORDS, type PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { type Text, titleInWords, translateText } from '../../../protocol/text/text.ts';
import { type BuiltPage, toCodeValue, createFact } from './built-page.ts';

/** `why`: undefined for what is no op, such as the consent to a capability. */
export function questionPage(approval: Approval, why: WhyAsked | undefined): BuiltPage {
	const t = vscode.l10n.t;
	const translateLine = (text: Text) => escapeToLine(translateText(text, (template) => t(template)));
	return {
		content: {
			title: t('Why am I asked?'),
			kicker: '',
			summary: escapeToLine(titleInWords(approval, (template) => t(template))),
			blocks: [
				{
					kind: 'facts',
					rows: [
						createFact(t('Because'), translateLine(approval.reason)),
						...(why === undefined
							? []
							: [
									createFact(t('Asked by'), askedBy(why.explanation.rule)),
									createFact(t('Permission level'), translateLine(LEVEL_WORDS[why.explanation.threadLevel].name)),
								]),
					],
				},
				...(why === undefined ? [] : [waysBlock(approval, why.explanation, translateLine)]),
			],
		},
		actions: [
			...(why === undefined
				? []
				: [{ action: 'testRule', label: t('Test a Rule…'), command: 'prowess.testRule', on: why.question } as const]),
			{ action: 'manageApprovals', label: t('Manage Approvals'), command: 'prowess.manageApprovals', on: undefined },
		],
	};
}

/** Builds the block that says what would let the same act pass without a question the next time. */
function waysBlock(
	{ threadScope }: Approval,
	{ asked, decision, threadLevel }: Explanation,
	said: (text: Text) => string,
): PageBlock {
	const t = vscode.l10n.t;
	if (asked === null) {
		const text = decision === 'allow' ? t('Asked now, it would be allowed.') : t('Asked now, it would be refused.');
		return { kind: 'note', text };
	}
	const { pattern, passesAt } = asked;
	const rows: PageFact[] = [
		pattern === null
			? createFact(t('A rule'), t('No rule can allow this.'))
			: { label: t('A rule'), value: toCodeValue(pattern), canCopy: true },
		createFact(
			t('For this thread'),
			threadScope === null
				? t('It is asked about each time.')
				: t('An answer for the thread covers {what}.', { what: said(threadScope) }),
		),
		createFact(t('A permission level'), describePassingLevel(passesAt, threadLevel, said)),
	];
	return { kind: 'facts', title: t('What would let it pass'), rows };
}

function describePassingLevel(
	passesAt: PermissionLevel | null,
	threadLevel: PermissionLevel,
	said: (text: Text) => string,
): string {
	const t = vscode.l10n.t;
	if (passesAt === null) {
		return t('It is asked about at every level.');
	}
	const name = said(LEVEL_WORDS[passesAt].name);
	return passesAt === threadLevel
		? t('At {level} it passes.', { level: name })
		: t('From the level {level} on it passes.', { level: name });
}

/** Names of what the gate goes by, in words; a name that is new is shown as it is. */
function askedBy(rule: string): string {
	const t = vscode.l10n.t;
	const words: Readonly<Record<string, string>> = {
		commands: t('It runs a program.'),
		writes: t('It changes files.'),
		hosts: t('It reaches the network.'),
		secrets: t('It uses a secret.'),
		'secret-file': t('It touches a file that usually holds secrets.'),
		'protected-path': t('It changes a protected file.'),
		'only-by-person': t('Only a person may answer for it.'),
		'beyond-sandbox': t('It reaches beyond the sandbox.'),
		'piped-program': t('It pipes something into a program that runs it.'),
		'ask-rule': t('A rule asks every time.'),
		'deny-rule': t('It may do what a rule refuses.'),
		'unreadable-rules': t('A rule cannot be read.'),
		manual: t('The permission level Manual asks for everything but reading.'),
		level: t('The kind of action is asked about.'),
	};
	return words[rule] ?? rule;
}
