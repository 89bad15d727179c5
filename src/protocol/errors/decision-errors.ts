/** Errors of what was decided, and the record of it. The `{reason}` of a refusal is written in `trust/gate/policy`. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const decisionErrors = {
	DENIED_BY_USER: {
		log: 'the user denied an op',
		user: ['You denied this: {reason}', 'You denied this.'],
		isWhole: true,
		model: [
			'{message}. Follow what they say instead: "{reason}".',
			'{message}. Ask what they want, or go on without it.',
		],
	},
	DENIED_BY_RULE: {
		log: 'the gate refused an op',
		user: ['Not allowed. {reason}', 'Not allowed: {message}'],
		model: '{message}. Explain what you need, or go on without.',
	},
	DENIED_BY_ORGANISATION: {
		log: 'the rules of an organisation refused something',
		user: ['{said}', 'Your organisation does not allow this.'],
		wayOut: 'Ask your administrators.',
		isWhole: true,
		model: '{message}. Explain what you need, or go on without.',
	},
	ORGANISATION_RULES_REFUSED: {
		log: 'the rules of an organisation cannot be relied on',
		user: [
			'The rules of your organisation cannot be relied on, so nothing is started. {said}',
			'The rules of your organisation cannot be relied on, so nothing is started.',
		],
		wayOut: 'Your administrators can repair the file.',
		isWhole: true,
		model: messageOnly,
	},
	ACCESS_DENIED: {
		log: 'the user has denied a right to those in whose name a thread works',
		user: ['Not allowed. {said}', 'Not allowed: {message}'],
		model: '{message}. Say so, and go on without it.',
	},
	APPROVAL_EXPIRED: {
		log: 'nobody answered a question in time',
		user: ['Nobody answered within {minutes} minutes, so this was not done.', 'Nobody answered, so this was not done.'],
		isWhole: true,
		model: '{message}. Go on without it, or end and say what is open.',
	},
	ANSWERED_TOO_LATE: {
		log: 'an answer came when its question was over',
		user: 'This was answered elsewhere, or its time ran out. Your answer changed nothing.',
		isWhole: true,
		model: messageOnly,
	},
	WORKSPACE_UNTRUSTED: {
		log: 'something was asked for in a workspace that is not trusted',
		user: [
			'"{path}" is not trusted, so nothing in it is read, changed or run.',
			'This workspace is not trusted, so nothing in it is read, changed or run.',
		],
		wayOut: 'Trust the workspace to continue.',
		isWhole: true,
		model: '{message}. Ask the user to trust it.',
	},
	RATE_LIMITED: {
		log: 'an op or a sender reached its limit',
		user: [
			'{op} reached its limit of {limit} in 60 minutes. It can run again in {minutes} min.',
			'Too many requests in a short time.',
		],
		wayOut: 'Wait, then try again.',
		isWhole: true,
		model: '{message}. Wait, or do without it.',
	},
	LEDGER_UNWRITABLE: {
		log: 'the ledger cannot be written',
		user: [
			'This was done, but it could not be recorded in the ledger: {done}. Do not repeat it.',
			'The ledger cannot be written, so nothing is done.',
		],
		wayOut: 'The disk may be full. Free some space and try again.',
		model: messageOnly,
	},
	OUTCOME_IN_DOUBT: {
		log: 'an op began before and its end was not recorded',
		user: [
			'The host did not say within {seconds} seconds whether this started. It will not be retried.',
			'This started, but no result was recorded. It will not be retried.',
		],
		wayOut: 'Check the result before you continue.',
		model: '{message}. It may have taken effect: look before you do it again.',
	},
} satisfies SomeErrorTexts;
