/** Errors of requests that cannot be carried out as they are. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const requestErrors = {
	INVALID_PARAMS: {
		log: 'a request does not fit its schema',
		user: ['{said}', 'This request is not valid: {message}'],
		model: messageOnly,
	},
	INVALID_STATE: {
		log: 'a request came at a time when it cannot be done',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	UNKNOWN_OP: {
		log: 'an op was named that does not exist',
		user: ['There is no op named "{op}".', 'There is no such op.'],
		model: messageOnly,
	},
	UNKNOWN_TOOL: {
		log: 'a model called a tool that does not exist',
		user: 'The model called a tool that does not exist.',
		isWhole: true,
		model: messageOnly,
	},
	NOT_AVAILABLE_HERE: {
		log: 'a request needs what this host does not have',
		user: ['{said}', 'This is not available here: {message}'],
		model: messageOnly,
	},
	MESSAGE_TOO_LONG: {
		log: 'a message is longer than a thread takes',
		user: ['The message has {length} characters; at most {limit} can be sent.', 'The message is too long.'],
		wayOut: 'Shorten the message, or attach the long part as a file.',
		model: messageOnly,
	},
	SECRETS_IN_MESSAGE: {
		log: 'a message of the user holds what looks like a secret',
		user: 'The message contains what looks like a key, so it was not sent.',
		isWhole: true,
		model: messageOnly,
	},
	SECRETS_IN_MEMORY: {
		log: 'a memory holds what looks like a secret',
		user: 'The text contains what looks like a key, so it was not remembered.',
		isWhole: true,
		model: '{message}. Note it without the secret, or where the secret is kept.',
	},
	MEMORY_FULL: {
		log: 'there are as many memories as are kept',
		user: ['{limit} memories are there already, so nothing more is remembered.', '{message}'],
		wayOut: 'Look over the inbox below *Memory* on the page *Automation*, and forget what is no longer needed.',
		model: messageOnly,
	},
	NOT_AN_IMAGE: {
		log: 'what was given as a picture is none',
		user: ['{what} is not a PNG, JPEG, GIF or WebP picture, or it is damaged.', 'This picture cannot be sent.'],
		wayOut: 'Save it as PNG or JPEG, and add it again.',
		model: messageOnly,
	},
	IMAGE_TOO_LARGE: {
		log: 'a picture is larger than its limit',
		user: ['{what} has {bytes} bytes; a picture may have {limit}.', 'The picture is too large.'],
		wayOut: 'Make the picture smaller, and add it again.',
		model: messageOnly,
	},
	TOO_MANY_IMAGES: {
		log: 'a message has more pictures than are allowed',
		user: ['The message has {count} pictures; at most {limit} can be sent.', 'The message has too many pictures.'],
		wayOut: 'Send some of them with the next message.',
		model: messageOnly,
	},
	IMAGE_MISSING: {
		log: 'a picture of a message is not in the store',
		user: 'A picture of this message is no longer stored.',
		wayOut: 'Remove the picture, and add it again.',
		model: messageOnly,
	},
	PROTOCOL_VIOLATION: {
		log: 'a far end broke the protocol',
		user: 'The program was stopped because it broke the rules of its channel: {message}',
		model: messageOnly,
	},
} satisfies SomeErrorTexts;
