/**
 * Announcements for a screen reader when the state changes: the beginning and end of a turn, and what waits for an
 * answer.
 */
import { textForUser } from '../../protocol/errors/error-text.ts';
import type { Approval } from '../../protocol/approvals/approvals.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import { titleInWords, translateText as inWords } from '../../protocol/text/text.ts';
import { spokenText } from '../markdown/text/spoken-text.ts';
import type { Translate } from '../parts/translate.ts';
import { openSnapshot, openThreadId, type ViewState } from './view-state.ts';

export interface Announcement {
	/** Said at once; else when the reader pauses. */
	readonly isUrgent: boolean;
	readonly text: string;
}

const SUMMARY_LENGTH = 240;

export function findAnnouncement(before: ViewState, after: ViewState, t: Translate): Announcement | undefined {
	const asked = newApproval(before, after);
	if (asked !== undefined) {
		return { isUrgent: true, text: approvalsInWords(asked, after.desk.approvals, t) };
	}
	const question = after.desk.questions.find(({ id }) => before.desk.questions.every((known) => known.id !== id));
	if (question !== undefined) {
		const asked = { question: question.question };
		const words =
			question.isOurs === true ? t('Prowess asks: {question}', asked) : t('The agent asks: {question}', asked);
		return { isUrgent: true, text: words };
	}
	if (openThreadId(before.open) !== openThreadId(after.open)) {
		return undefined;
	}
	const was = openSnapshot(before.open);
	const is = openSnapshot(after.open);
	if (was === null || is === null || was.info.running === is.info.running) {
		return undefined;
	}
	return { isUrgent: false, text: is.info.running ? t('The agent is working') : describeTurnEnd(is.items.at(-1), t) };
}

/** With what else waits in its thread, because the list is answered as one. */
function approvalsInWords(asked: Approval, waiting: readonly Approval[], t: Translate): string {
	const list = waiting.filter(({ threadId }) => threadId === asked.threadId);
	if (list.length < 2) {
		return approvalInWords(asked, t);
	}
	const titles = list.map((each) => {
		const title = titleInWords(each, t);
		return each.warning?.isDangerous === true ? t('dangerous: {title}', { title }) : title;
	});
	return t('{n} approvals needed: {titles}', { n: list.length, titles: titles.join('; ') });
}

function approvalInWords(approval: Approval, t: Translate): string {
	const { reason, warning } = approval;
	const title = titleInWords(approval, t);
	if (warning?.isDangerous === true) {
		const reasons = warning.reasons.map((each) => inWords(each, t)).join('; ');
		return t('Approval needed, dangerous: {title}. {reasons}.', { title, reasons });
	}
	return t('Approval needed: {title}. {reason}', { title, reason: inWords(reason, t) });
}

function newApproval(before: ViewState, after: ViewState) {
	return before.desk.approvals === after.desk.approvals
		? undefined
		: after.desk.approvals.find(({ id }) => before.desk.approvals.every((known) => known.id !== id));
}

/** Returns what is announced at the end of a turn: an error or a stop in full, an answer without its Markdown. */
function describeTurnEnd(last: ThreadItem | undefined, t: Translate): string {
	switch (last?.kind) {
		case 'text': {
			const text = spokenText(last.text);
			const short = text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)}…` : text;
			return short === '' ? t('Done') : t('Done: {text}', { text: short });
		}
		case 'notice':
			return last.error === undefined ? t(last.text) : textForUser(last.error, t);
		default:
			return t('Done');
	}
}
