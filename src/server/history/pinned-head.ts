/**
 * What stays of messages that are left out: the workspace's rules, the task as the user said it, and what the user said
 * since. It takes the place of the first message, so a thread never forgets what it is for.
 */
import type { ModelMessage, UserMessage } from '../models/model-port.ts';
import { excerpt } from './excerpt.ts';
import { limits } from './limits.ts';
import { rulesIn, wordsOf } from './user-message.ts';

/** `isTurnCut`: the last user's message among them is the one that is being worked on. */
export function pinnedHead(left: readonly ModelMessage[], budgetTokens: number, isTurnCut: boolean): UserMessage {
	const chars = budgetTokens * limits.charsPerToken;
	const users = left.filter((message): message is UserMessage => message.role === 'user');
	const rules = excerpt(left.map(rulesIn).join(''), rulesChars(budgetTokens)).text;
	const words = users.map(wordsOf).filter((text) => text !== '');
	const current = isTurnCut && words.length > 1 ? words.at(-1) : undefined;
	const between = words.slice(1, current === undefined ? undefined : -1);
	const room = Math.floor(chars * limits.wordsShare);
	const task = excerpt(words[0] ?? '', current === undefined ? room : Math.floor(room / 2)).text;
	const now = current === undefined ? '' : excerpt(current, Math.floor(room / 2)).text;
	const said = newest(between, Math.max(0, room - task.length - now.length));
	const note = ['<left-out>', NOTE, ...(said.length === 0 ? [] : [SINCE, ...said]), '</left-out>'].join('\n');
	const text = `${[task, note, now].filter((part) => part !== '').join('\n\n')}${rules}`;
	return { role: 'user', text };
}

/** Characters of the thread's rules that stay in a conversation that is cut. */
export function rulesChars(budgetTokens: number): number {
	return Math.floor(budgetTokens * limits.charsPerToken * limits.rulesShare);
}

const NOTE =
	'Older messages of this conversation are left out here, because it became too long. Look again at what you need.';
const SINCE = 'In them the user also said:';

/** The newest of them that fit, in their order. */
function newest(words: readonly string[], room: number): string[] {
	const kept: string[] = [];
	let left = room;
	for (const text of words.toReversed()) {
		const line = `- ${excerpt(text, limits.wordsChars).text}`;
		left -= line.length;
		if (left < 0) {
			break;
		}
		kept.unshift(line);
	}
	return kept;
}
