/** A capability to be enabled or disabled. The host does it only where it has seen the user ask for it. */
import { type CapabilitySwitchWish, switchWish } from '../../../protocol/thread/message/user-wishes.ts';
import type { FastPath } from '../fast-path.ts';
import { requestHostOp } from '../../host/request-op.ts';
import { writeAnswer } from '../write-answer.ts';

export const capabilitySwitchFastPath: FastPath<CapabilitySwitchWish & { readonly isGerman: boolean }> = {
	name: 'capability-switch',
	match(text) {
		const wish = switchWish(text);
		return wish && { ...wish, isGerman: /^(?:aktiviere|deaktiviere)/i.test(text.trim()) };
	},
	async run({ isEnabled, type, name, isGerman }, turn, deps, signal) {
		const params = { name, isEnabled, ...(type === undefined ? {} : { type }) };
		const asker = { host: deps.host, threadId: turn.threadId, turnId: turn.turnId };
		const switched = await requestHostOp('capability.switch', params, asker, signal);
		signal.throwIfAborted();
		if (!switched.ok) {
			throw new Error(switched.text);
		}
		const what = `\`${switched.result.type}/${switched.result.name}\``;
		const done = isGerman
			? `${what} ist ${isEnabled ? 'aktiviert' : 'deaktiviert'}.`
			: `${what} is ${isEnabled ? 'enabled' : 'disabled'}.`;
		writeAnswer(turn.journal, done);
	},
};
