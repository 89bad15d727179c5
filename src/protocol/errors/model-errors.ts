/** Errors of models and their providers. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const modelErrors = {
	MODEL_NOT_FOUND: {
		log: 'a model does not exist',
		user: [
			'Ollama does not have the model {pullable}. Get it with: ollama pull {pullable}',
			'{provider} does not have the model {model}: {said}',
			'The provider does not have this model.',
		],
		wayOut: 'Choose another model.',
		model: messageOnly,
	},
	IMAGES_NOT_TAKEN: {
		log: 'a message with pictures was meant for a model that takes none',
		user: ['The model {model} does not accept pictures.', 'The model does not accept pictures.'],
		wayOut: 'Choose another model, or send the message without pictures.',
		model: messageOnly,
	},
	NO_MODEL: {
		log: 'no model is connected',
		user: 'No model is connected yet.',
		wayOut: 'Connect a model to continue.',
		isWhole: true,
		model: messageOnly,
	},
	KEY_MISSING: {
		log: 'there is no key for a provider',
		user: ['There is no key for the provider "{provider}".', 'There is no key for this provider.'],
		wayOut: 'Connect the provider again to enter a key.',
		model: messageOnly,
	},
	PROVIDER_UNREACHABLE: {
		log: 'a provider does not answer',
		user: 'The provider does not answer.',
		wayOut: 'Check the address and your network.',
		model: messageOnly,
	},
	PROVIDER_AUTH: {
		log: 'a provider refused the key',
		user: 'The provider does not accept this key.',
		wayOut: 'Check the key, or enter another one.',
		model: messageOnly,
	},
	PROVIDER_RATE_LIMITED: {
		log: 'a provider limits its requests',
		user: 'The rate limit of the provider is reached.',
		wayOut: 'Try again in a moment.',
		model: messageOnly,
	},
	PROVIDER_OVERLOADED: {
		log: 'a provider is overloaded',
		user: 'The provider is overloaded.',
		wayOut: 'Try again later, or switch the model.',
		model: messageOnly,
	},
	PROVIDER_BILLING: {
		log: 'an account at a provider has no credit',
		user: ['The provider does not answer without credit: {said}', 'Your account at this provider has no credit left.'],
		wayOut: "Add credit at the provider's site, or switch the model.",
		model: messageOnly,
	},
	PROVIDER_ERROR: {
		log: 'a provider could not answer',
		user: ['The provider refused the request: {said}', 'The provider could not answer.'],
		wayOut: 'Try again, or switch the model.',
		model: messageOnly,
	},
	MODEL_REFUSED: {
		log: 'a model refused to answer',
		user: 'The model refused to answer this.',
		wayOut: 'Rephrase the request, or switch the model.',
		isWhole: true,
		model: messageOnly,
	},
	ANSWER_FILTERED: {
		log: 'the content filter of a provider stopped an answer',
		user: "The provider's content filter stopped this answer.",
		wayOut: 'Rephrase the request, or switch the model.',
		isWhole: true,
		model: messageOnly,
	},
	CONTEXT_OVERFLOW: {
		log: 'a conversation does not fit the model',
		user: 'This conversation no longer fits the model.',
		wayOut:
			'Type /compact to summarize older messages, /reset to begin a new thread, or switch to a model with a larger context.',
		model: messageOnly,
	},
	STREAM_CUT: {
		log: 'the stream of a model ended early',
		user: 'The response was cut off before its end.',
		model: messageOnly,
	},
	STREAM_MALFORMED: {
		log: 'the stream of a model cannot be read',
		user: 'The model sent a response that cannot be used.',
		wayOut: 'Try again, or switch the model.',
		model: messageOnly,
	},
	ARGUMENTS_TOO_LONG: {
		log: 'the arguments of the calls of an answer grew without end',
		user: [
			'Stopped, because the model wrote calls with more than {limit} characters of arguments in one answer.',
			'Stopped, because the model wrote calls with too many characters of arguments in one answer.',
		],
		wayOut: 'Ask for the work in parts, or switch the model.',
		isWhole: true,
		model: messageOnly,
	},
	MODEL_CONSENT_REFUSED: {
		log: 'the editor refused a model',
		user: 'The editor was not allowed to use this model.',
		wayOut: 'Try again and allow it, or switch the model.',
		model: messageOnly,
	},
	QUOTA_EXCEEDED: {
		log: 'a quota of the user is used up',
		user: ['A quota is used up. {said}', 'A quota is used up.'],
		wayOut: 'Wait until less is used, or raise it in the settings prowess.quotas.',
		model: messageOnly,
	},
	BUDGET_EXCEEDED: {
		log: 'an execution used up its budget of model calls',
		user: ['The capability used up its budget for models ({setting}).', '{message}'],
		model: '{message}. Do with what there is, or ask the user for more.',
	},
} satisfies SomeErrorTexts;
