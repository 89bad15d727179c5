/** Errors of threads and their store. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const threadErrors = {
	THREAD_NOT_FOUND: {
		log: 'a thread does not exist',
		user: 'This thread does not exist. It may have been deleted.',
		model: messageOnly,
	},
	THREAD_BUSY: {
		log: 'another process works on the thread',
		user: 'Another window or terminal is working in this thread.',
		wayOut: 'Wait until it is done, take the thread over, or start a new one.',
		model: messageOnly,
	},
	CLAIM_LOST: {
		log: 'another process has taken over the work',
		user: 'Another process took over this work, because this one did not respond for too long. It has stopped here.',
		wayOut: 'Check what the other one has done before you start it again.',
		isWhole: true,
		model: messageOnly,
	},
	TURN_RUNNING: {
		log: 'a turn is running in the thread',
		user: 'The agent is still working in this thread.',
		wayOut: 'Wait until it is done, or stop it.',
		model: messageOnly,
	},
	TURN_NOT_FOUND: {
		log: 'a turn does not exist',
		user: 'This message is no longer part of the thread.',
		model: messageOnly,
	},
	ITERATION_LIMIT: {
		log: 'a turn reached its limit of model calls',
		user: [
			'Stopped: this message may take {ofMessage} rounds of tool calls.',
			'Stopped at the limit of model calls: {max}.',
			'Stopped at the limit of model calls.',
		],
		wayOut: [
			'Continue, or allow more than {ofMessage} with --rounds or with maxTurns of the custom agent.',
			'Continue, or raise prowess.agent.maxIterations.',
		],
		model: messageOnly,
	},
	COST_LIMIT: {
		log: 'a turn cost as much as it may',
		user: [
			'Stopped at the limit of {max} US dollars for this message.',
			'Stopped at the limit of what this message may cost.',
		],
		wayOut: 'Continue, or allow more with --max-cost.',
		model: messageOnly,
	},
	PRICE_UNKNOWN: {
		log: 'the cost of a model was to be limited, and nobody knows its price',
		user: [
			'The price of {model} is not known, so its cost cannot be limited.',
			'The price of the model is not known, so its cost cannot be limited.',
		],
		wayOut: 'Set price of this model in prowess.models.settings, or leave out --max-cost.',
		model: messageOnly,
	},
	GOING_IN_CIRCLES: {
		log: 'a turn went in circles and was stopped',
		user: ['Stopped, because the agent got nowhere: {why}', 'Stopped, because the agent got nowhere.'],
		wayOut: 'Go on anyway, best with a hint what to do instead, or switch the model.',
		model: messageOnly,
	},
	ANSWER_REPEATS: {
		log: 'an answer repeated itself and was stopped',
		user: 'Stopped, because the model says the same over and over.',
		wayOut: 'Go on anyway, best with a hint what to do instead, or switch the model.',
		isWhole: true,
		model: messageOnly,
	},
	ANSWERS_CUT: {
		log: 'answer after answer was cut off at its limit and the turn was stopped',
		user: 'Stopped, because answer after answer was cut off at its length limit.',
		wayOut: 'Ask for less at once, raise maxOutput of this model in prowess.models.settings, or switch the model.',
		isWhole: true,
		model: messageOnly,
	},
	CLAIM_UNPROVEN: {
		log: 'an answer claims an effect that nothing shows',
		user: [
			'Nothing that ran in this turn shows what the answer says: “{claim}”',
			'Nothing that ran in this turn shows what the answer says.',
		],
		wayOut: 'Check it before you rely on it.',
		model: messageOnly,
	},
	CALL_REPEATED: {
		log: 'a call that repeats itself was not run',
		user: 'Not run, because the agent repeats itself.',
		wayOut: 'Nothing has to be done; the agent was told.',
		model: messageOnly,
	},
	STORE_UNAVAILABLE: {
		log: 'a store cannot be read or written',
		user: ['{said}', 'Prowess could not read or save its data.'],
		wayOut: 'The disk may be full, or the home of Prowess may not be accessible. Check both and try again.',
		model: messageOnly,
	},
	STORE_NEWER: {
		log: 'a store was written by a newer version',
		user: [
			'A newer version of Prowess has written {file}.',
			'A newer version of Prowess has written these conversations.',
		],
		wayOut: 'Update Prowess to open them.',
		model: messageOnly,
	},
} satisfies SomeErrorTexts;
