/** Errors of capabilities, their executions and packages. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const capabilityErrors = {
	CAPABILITY_NOT_FOUND: {
		log: 'a capability does not exist',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	EXECUTOR_NOT_FOUND: {
		log: 'no executor runs the type',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	INVALID_CAPABILITY_CONFIG: {
		log: 'a capability is not valid',
		user: ['This capability is not valid: {said}', 'This capability is not valid: {message}'],
		model: messageOnly,
	},
	INVALID_EXECUTOR_CONFIG: {
		log: 'an executor is not valid',
		user: ['This executor is not valid: {said}', 'This executor is not valid: {message}'],
		model: messageOnly,
	},
	REGISTRY_NOT_INITIALIZED: {
		log: 'the registry of capabilities is closed',
		user: 'The capabilities are not loaded.',
		wayOut: 'Reload the window.',
		model: messageOnly,
	},
	INVALID_REQUEST: {
		log: 'a capability was asked for something it does not take',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	EXECUTION_TIMEOUT: {
		log: 'an execution took too long',
		user: ['{said}', 'The capability was stopped: {message}'],
		model: messageOnly,
	},
	EXECUTION_FAILED: {
		log: 'a capability failed',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	STEP_FAILED: {
		log: 'a step of a script failed',
		user: 'The script stopped: {message}',
		model: messageOnly,
	},
	CONNECTION_FAILED: {
		log: 'an executor did not connect',
		user: ['{said}', 'The capability could not be started: {message}'],
		model: messageOnly,
	},
	PROCESS_CRASHED: {
		log: 'an executor crashed',
		user: ['{said}', 'The capability crashed: {message}'],
		model: messageOnly,
	},
	SYNTAX_ERROR: {
		log: 'a module does not parse',
		user: 'The capability has a syntax error: {message}',
		model: messageOnly,
	},
	ACTION_BLOCK_NOT_FOUND: {
		log: 'a capability has nothing to run',
		user: ['The capability has nothing to run: {said}', 'The capability has nothing to run: {message}'],
		model: messageOnly,
	},
	INVALID_ACTION_BLOCK: {
		log: 'a capability exports nothing that can be run',
		user: 'The capability cannot be run: {message}',
		model: messageOnly,
	},
	TOO_MANY_DISPATCHES: {
		log: 'an execution asked for too many ops at once',
		user: 'The capability asked for too much at once: {message}',
		model: messageOnly,
	},
	CAPABILITY_DISABLED: {
		log: 'a capability is disabled',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	DOWNLOAD_FAILED: {
		log: 'something could not be fetched for the marketplace',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	EXTRACTION_FAILED: {
		log: 'a package cannot be unpacked',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
} satisfies SomeErrorTexts;
